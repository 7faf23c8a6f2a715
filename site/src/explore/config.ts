import { dataVersion } from '../build/map-config.ts'
import { downloadAddress } from '../build/catalogue.ts'
import type { View } from '../build/view.ts'
import { nameIn } from '../data/folder.ts'
import { picked } from '../messages.ts'
import type { FacetColumn } from './selection.ts'

const accesses = ['yes', 'customers', 'private', 'unknown'] as const

export type ExploreConfig = ReturnType<typeof exploreConfig>

export function exploreConfig(view: View) {
  const { site, tag, m } = view
  const { folder } = site.data
  const addressOf = (part: string): string =>
    `${downloadAddress(view, nameIn(part, 'waypoints.ndjson.gz'))}?${dataVersion(folder)}`
  return {
    tag,
    files: folder.parts.map((part) => addressOf(part.folder)),
    ...picked(m.explore, 'words', 'columns'),
    fountains: m.count.fountains,
    /** Names of values by column; a value without a name is shown as it is. */
    names: {
      state: m.explore.states,
      access: Object.fromEntries(accesses.map((one) => [one, m.fact[`access.${one}`]])),
      amenities: m.amenity,
      subdivision: subdivisionNames(view),
      sources: { '': m.explore.own },
    } as Readonly<Partial<Record<FacetColumn, Readonly<Record<string, string>>>>>,
  }
}

const subdivisionNames = ({ site, tag }: View): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(site.subdivisions).flatMap(([code, names]) => {
      const name = names[tag] ?? names['']
      return name === undefined ? [] : [[code, name]]
    }),
  )
