import { bundleScripts } from '../build/scripts.ts'

export interface LiveOptions {
  /** The root of the site that is being written. */
  readonly outDir: string
  /** Path of the site on its host, with a slash at both ends. */
  readonly base: string
}

/** Addresses of the scripts that show changes since the build. */
export interface LiveFiles {
  /** Of the map. */
  readonly map: string
  /** Of the page of a fountain. */
  readonly page: string
  /** The page of changes, and the pages of regions. */
  readonly lists: string
  /** The page for missing addresses. */
  readonly missing: string
}

/** In the folder of the map's scripts, so that the service worker caches them as well. */
const folder = 'map/js'

/** Bundles the scripts of the live layer, under names that change with their content. */
export async function bundleLive({ outDir, base }: LiveOptions): Promise<LiveFiles> {
  const address = await bundleScripts({
    outDir,
    base,
    folder,
    scripts: {
      'live-map': 'live/follow',
      'live-page': 'live/fountain-page',
      'live-lists': 'live/lists',
      'live-missing': 'live/state-now',
    },
    shared: 'live-part',
  })
  return {
    map: address('live-map'),
    page: address('live-page'),
    lists: address('live-lists'),
    missing: address('live-missing'),
  }
}
