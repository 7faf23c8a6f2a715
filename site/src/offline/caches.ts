import { landFile } from '../map/data/land.ts'

/** The names of a site's caches, which differ by its path. @param base with a slash at both ends */
export function cacheNames(base: string) {
  const prefix = `openfountain ${base} `
  return {
    /** The prefix of every cache of this site. */
    prefix,
    shell: (version: string) => `${prefix}shell ${version}`,
    pages: (version: string) => `${prefix}pages ${version}`,
    data: `${prefix}data`,
    /** Data files that the visitor has saved. */
    kept: `${prefix}kept`,
  }
}

export type Handling = 'page' | 'shell' | 'data' | 'part' | 'none'

const shellFolders = ['_astro/', 'languages/']

/** Single files of the shell; they change only with it. */
export const shellFiles: readonly string[] = ['icon.svg', 'manifest.webmanifest']

/** Files of the data, with its version in their address. */
const dataFolders = [
  'map/cells/',
  'search/',
  'map/places.json',
  'map/turns.json',
  'map/credits.json',
  'data/areas.geojson',
]

/** The handling of a request: pages from the network first, shell and versioned data from the cache; the rest is the browser's. */
export function handlingOf(
  request: { readonly url: string; readonly method: string; readonly mode: string; readonly range: boolean },
  site: { readonly origin: string; readonly base: string },
): Handling {
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== site.origin || !pathname.startsWith(site.base)) {
    return 'none'
  }
  const path = pathname.slice(site.base.length)
  // Whole it comes from the network: a cache may only have its beginning.
  if (request.range) return path === landFile ? 'part' : 'none'
  if (path === landFile) return 'none'
  if (shellFolders.some((folder) => path.startsWith(folder))) return 'shell'
  if (dataFolders.some((folder) => path.startsWith(folder))) return 'data'
  if (path.startsWith('api/') || path.startsWith('data/')) return 'none'
  if (request.mode === 'navigate') return 'page'
  return shellFiles.includes(path) ? 'shell' : 'none'
}
