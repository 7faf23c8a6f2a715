import type { MapPage } from '../map/page/map-page.ts'
import type { Search } from '../search/search.ts'

/** Loads the script of changes since the build, where there is an API; the map does not wait for it. */
export async function followChanges(page: MapPage, search?: Search): Promise<void> {
  const { live } = page.config
  if (!import.meta.env.WITH_API || !live) return
  try {
    const { begin } = await import('./follow.ts')
    begin(page, live, search)
  } catch {
    // The map is then as it was built.
  }
}
