import type { View } from '../build/view.ts'
import { exploreConfig } from '../explore/config.ts'

export type PlateConfig = ReturnType<typeof plateConfig>

export function plateConfig(view: View) {
  const { files, tag, words, fountains } = exploreConfig(view)
  const { site, m } = view
  return {
    files,
    tag,
    fountains,
    loading: words.loading,
    none: words.none,
    problems: { NOT_SENT: words.notSent, DAMAGED: words.damaged },
    words: m.plates,
    amenity: m.amenity as Readonly<Record<string, string>>,
    registry: site.title,
    /** Address of the site, where its host is known; else the address of the visit is taken. */
    site: site.origin === undefined ? undefined : view.absolute(site.base),
    base: site.base,
  }
}
