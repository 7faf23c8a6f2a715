import { bundleScripts } from '../build/scripts.ts'

export interface ExploreOptions {
  /** The root of the site that is being written. */
  readonly outDir: string
  /** Path of the site on its host, with a slash at both ends. */
  readonly base: string
}

/** Addresses of the files of the page to explore data. */
export interface ExploreFiles {
  readonly script: string
  readonly worker: string
  readonly style: string
}

/** Outside the folders that the service worker precaches: exploring needs the network. */
const folder = 'exploring'

/** Bundles the page to explore data, under names that change with their content. */
export async function bundleExplore({ outDir, base }: ExploreOptions): Promise<ExploreFiles> {
  const address = await bundleScripts({
    outDir,
    base,
    folder,
    scripts: { explore: 'explore/page/explore.tsx', worker: 'explore/reading/worker' },
    styles: { style: 'explore' },
  })
  return { script: address('explore'), worker: address('worker'), style: address('style') }
}
