import { bundleScripts } from '../build/scripts.ts'

export interface DeskOptions {
  /** The root of the site that is being written. */
  readonly outDir: string
  /** Path of the site on its host, with a slash at both ends. */
  readonly base: string
}

/** Addresses of the files of the moderation desk and of the page of acts. */
export interface DeskFiles {
  readonly desk: string
  /** Reads the newest acts from the API. */
  readonly acts: string
  readonly style: string
}

/** Outside the folders that the service worker precaches: only moderators need it, and never offline. */
const folder = 'moderators'

/** Bundles the moderation desk, under names that change with their content. */
export async function bundleDesk({ outDir, base }: DeskOptions): Promise<DeskFiles> {
  const address = await bundleScripts({
    outDir,
    base,
    folder,
    scripts: { desk: 'desk/page/desk.tsx', acts: 'desk/acts/live.tsx' },
    styles: { style: 'desk' },
  })
  return { desk: address('desk'), acts: address('acts'), style: address('style') }
}
