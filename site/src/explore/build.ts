import { bundleScripts } from '../build/scripts.ts'

export interface ExploreOptions {
  /** The root of the site that is being written. */
  readonly outDir: string
  /** Path of the site on its host, with a slash at both ends. */
  readonly base: string
}

/** Addresses of what the page on which data is explored loads. */
export interface ExploreFiles {
  readonly script: string
  readonly worker: string
  readonly style: string
}

/** Not in the folders that the service worker loads in advance: without a network there is nothing to explore. */
const folder = 'exploring'

/** Bundles what the page loads on which data is explored, under names that change with their content. */
export async function bundleExplore({ outDir, base }: ExploreOptions): Promise<ExploreFiles> {
  const address = await bundleScripts({
    outDir,
    base,
    folder,
    scripts: { explore: 'explore/page/explore', worker: 'explore/reading/worker' },
    styles: { style: 'explore' },
  })
  return { script: address('explore'), worker: address('worker'), style: address('style') }
}
