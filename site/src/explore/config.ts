import { dataVersion } from '../build/map-config.ts'
import { downloadAddress } from '../build/catalogue.ts'
import type { View } from '../build/view.ts'
import { nameIn, type ExportFile } from '../data/folder.ts'
import { picked } from '../messages.ts'
import type { FacetColumn } from './selection.ts'

const accesses = ['yes', 'customers', 'private', 'unknown'] as const

/** The configuration of the page to explore data. */
export type ExploreConfig = ReturnType<typeof exploreConfig>

/** The Parquet files of the export, one per licence where it is split; none without that format. */
export function exploredFiles({ site }: View): readonly ExportFile[] {
  const { parts, files } = site.data.folder
  const names = new Set(parts.map(({ folder }) => nameIn(folder, 'waypoints.parquet')))
  return files.filter(({ name }) => names.has(name))
}

/** The configuration of the script for a page. */
export function exploreConfig(view: View) {
  const { site, tag, m } = view
  const found = exploredFiles(view)
  const version = dataVersion(site.data.folder)
  return {
    tag,
    files: found.map(({ name, bytes }) => ({ url: `${downloadAddress(view, name)}?${version}`, bytes })),
    /** Where programs find the same files. */
    addresses: found.map(({ name }) =>
      site.origin === undefined ? name : view.absolute(downloadAddress(view, name)),
    ),
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

/** Names of subdivisions in the language of the page, where the site has any. */
const subdivisionNames = ({ site, tag }: View): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(site.subdivisions).flatMap(([code, names]) => {
      const name = names[tag] ?? names['']
      return name === undefined ? [] : [[code, name]]
    }),
  )
