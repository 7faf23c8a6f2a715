import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { languages as languagesOfLabels } from '@openfountain/core/internal'
import { fold } from '@openfountain/core/letters'
import { writeSearchIndex } from '../../search/build/index.ts'
import { writeBaseMap } from './base-map.ts'
import type { BuildCache } from '../../build/build-cache.ts'
import type { SiteLanguage } from '../../build/context.ts'
import { subdivisionNames, type ExtraPlace } from '../../data/extra-places.ts'
import { formatFor } from '../../messages.ts'
import { largestFirst, placeEntries, regionsOf, searchPlacesOf, townsOf, type SearchPlace } from './places.ts'
import type { Row } from '../../data/row.ts'
import { bundledGazetteer } from '../../places/gazetteer.ts'

export interface MapFilesOptions {
  readonly rows: readonly Row[]
  readonly outDir: string
  /** Whether the bundled base map is used; not when the operator has a style of their own. */
  readonly baseMap: boolean
  /** In which countries are named. */
  readonly languages: readonly Pick<SiteLanguage, 'tag' | 'format'>[]
  /** Of the files of the search; default none. */
  readonly cache?: BuildCache
  readonly places: readonly ExtraPlace[]
}

/** Writes the data of the map's scripts: base map and places under `map/`, the index of names under `search/`. `writeCells` writes the cells. */
export async function writeMapFiles({
  rows,
  outDir,
  baseMap,
  languages,
  places,
  cache,
}: MapFilesOptions): Promise<void> {
  const folder = join(outDir, 'map')
  await mkdir(folder, { recursive: true })
  const towns = townsOf(rows, await bundledGazetteer())
  // A town that fountains name as their region has its names.
  const labels = [...towns, ...regionsOf(rows).filter(isBeside(towns))].toSorted(largestFirst)
  await writeFile(join(folder, 'places.json'), JSON.stringify(placeEntries(labels)))
  const listed = [...namedPlaces(searchPlacesOf(rows), places, languages)]
  const areas = listed.filter(({ code }) => code !== undefined)
  const named = listed.filter(({ code }) => code === undefined)
  const found = [
    ...areas,
    ...[...towns.filter(isBeside(areas)), ...named.filter(isBeside(towns))].toSorted(largestFirst),
  ]
  await writeSearchIndex(rows, [...found, ...placesBeside(places, found)], outDir, cache)
  if (baseMap) writeBaseMap(outDir)
}

/** Countries and subdivisions with their names; one without a name only has a code, for which there are no searches. */
function* namedPlaces(
  found: readonly SearchPlace[],
  places: readonly ExtraPlace[],
  languages: MapFilesOptions['languages'],
): Generator<SearchPlace> {
  const subdivisions = subdivisionNames(places)
  for (const place of found) {
    const { code } = place
    if (code === undefined) yield place
    else if (code.length === 2) {
      const tags = new Set([...languages.map(({ tag }) => tag), ...languagesOfLabels])
      const names = Object.fromEntries([...tags].map((tag) => [tag, formatFor(tag).country(code)]))
      yield { ...place, name: Object.values(names)[0] ?? code, names }
    } else {
      const { '': name, ...names } = subdivisions[code] ?? {}
      if (name !== undefined) yield { ...place, name, ...(Object.keys(names).length > 0 && { names }) }
    }
  }
}

/** Whether a place has neither the name of one of these nor its area. */
function isBeside(found: readonly SearchPlace[]): (place: Pick<SearchPlace, 'name' | 'bounds'>) => boolean {
  const sameName = Map.groupBy(found, ({ name }) => fold(name))
  const meets = ([west, south, east, north]: SearchPlace['bounds'], other: SearchPlace['bounds']): boolean =>
    west <= other[2] && other[0] <= east && south <= other[3] && other[1] <= north
  return ({ name, bounds }) => !sameName.get(fold(name))?.some((one) => meets(one.bounds, bounds))
}

/** The operator's places, except those that the fountains have already. */
function placesBeside(places: readonly ExtraPlace[], found: readonly SearchPlace[]): SearchPlace[] {
  return places.filter(isBeside(found)).flatMap(({ name, names, bounds, country }) => {
    const [west, south, east, north] = bounds
    return [
      {
        name,
        count: 0,
        latitude: (south + north) / 2,
        longitude: (west + east) / 2,
        bounds,
        country,
        ...(Object.keys(names).length > 0 && { names }),
      },
    ]
  })
}
