import { bundledGazetteer, townName, type Town } from '../../places/gazetteer.ts'
import type { Bounds } from '../data/config.ts'
import type { RowColumns } from './rows.ts'

/** A region of the registry: number of fountains, centre and bounds. */
export interface Region {
  readonly name: string
  readonly count: number
  /** The median position, which is robust against stray fountains. */
  readonly latitude: number
  readonly longitude: number
  readonly bounds: Bounds
}

/** A place for the search: a region as the fountains name it, the place around them, a subdivision or a country. */
export interface SearchPlace extends Region {
  /** The code of a country or a subdivision (ISO 3166). */
  readonly code?: string
  /** The country around it (ISO 3166-1). */
  readonly country?: string
  /** Names in other languages, by language tag. */
  readonly names?: Readonly<Record<string, string>>
}

/** The regions of the fountains, or the places around those without one; those with most fountains first. */
export function regionsOf(rows: RowColumns): Region[] {
  return gathered(rows, (row) => [rows.regions[row] ?? rows.places[row]]).map(([name, members]) =>
    regionOf(name, members, rows),
  )
}

/** All regions and places of the fountains for the search; the same name in two countries gives two. */
export function searchPlacesOf(rows: RowColumns): SearchPlace[] {
  const named = gathered(rows, (row) =>
    new Set([rows.regions[row], rows.places[row]])
      .values()
      .map((name) => name && `${rows.countries[row] ?? ''}\n${name}`),
  ).map(([key, members]) => {
    const end = key.indexOf('\n')
    const country = key.slice(0, end)
    return { ...regionOf(key.slice(end + 1), members, rows), ...(country !== '' && { country }) }
  })
  const coded = gathered(rows, (row) => [rows.countries[row], rows.subdivisions[row]]).map(
    ([code, members]) => {
      const country = code.length > 2 ? code.slice(0, 2) : undefined
      return { ...regionOf(code, members, rows), code, country }
    },
  )
  return [...coded, ...named].toSorted(largestFirst)
}

/** The towns around the fountains, as they are called there and in the given languages, where that differs. */
export async function townsOf(rows: RowColumns, languages: readonly string[]): Promise<SearchPlace[]> {
  const gazetteer = await bundledGazetteer()
  const around = Array.from({ length: rows.length }, (_, row) =>
    gazetteer.townAt(
      { latitude: rows.latitudes[row] ?? 0, longitude: rows.longitudes[row] ?? 0 },
      rows.countries[row],
    ),
  )
  const keyOf = ({ name, country }: Town): string => `${country}\n${name}`
  const byKey = new Map(around.flatMap((town) => (town ? [[keyOf(town), town] as const] : [])))
  return gathered(rows, (row) => [around[row] && keyOf(around[row])]).flatMap(([key, members]) => {
    const town = byKey.get(key)
    if (town === undefined) return []
    const names = languages
      .map((tag) => [tag, townName(town, tag)] as const)
      .filter(([, name]) => name !== town.name)
    return [
      {
        ...regionOf(town.name, members, rows),
        country: town.country,
        ...(names.length > 0 && { names: Object.fromEntries(names) }),
      },
    ]
  })
}

const largestFirst = (a: Region, b: Region): number =>
  b.count - a.count || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

/** The rows of each name, the most frequent name first. */
function gathered(
  rows: RowColumns,
  namesOf: (row: number) => Iterable<string | undefined>,
): [name: string, members: readonly number[]][] {
  const members = new Map<string, number[]>()
  for (let row = 0; row < rows.length; row += 1) {
    for (const name of namesOf(row)) {
      if (name === undefined) continue
      const list = members.get(name)
      if (list) list.push(row)
      else members.set(name, [row])
    }
  }
  return [...members].toSorted(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
}

function regionOf(name: string, members: readonly number[], rows: RowColumns): Region {
  const latitudes = Float64Array.from(members, (row) => rows.latitudes[row] ?? 0).toSorted()
  const longitudes = Float64Array.from(members, (row) => rows.longitudes[row] ?? 0).toSorted()
  const middle = Math.floor(members.length / 2)
  const { west, east, centre } = across(longitudes)
  return {
    name,
    count: members.length,
    latitude: round(latitudes[middle] ?? 0),
    longitude: round(centre),
    bounds: [round(west), round(latitudes[0] ?? 0), round(east), round(latitudes.at(-1) ?? 0)],
  }
}

/** The shortest span with all longitudes; it crosses the antimeridian when the widest gap does not. */
function across(sorted: Float64Array): { west: number; east: number; centre: number } {
  const first = sorted[0] ?? 0
  const last = sorted.at(-1) ?? 0
  let gap = first + 360 - last
  let start = 0
  for (let place = 1; place < sorted.length; place += 1) {
    const width = (sorted[place] ?? 0) - (sorted[place - 1] ?? 0)
    if (width > gap) {
      gap = width
      start = place
    }
  }
  const turned = (place: number) => sorted[(start + place) % sorted.length] ?? 0
  return {
    west: turned(0),
    east: turned(sorted.length - 1),
    centre: turned(Math.floor(sorted.length / 2)),
  }
}

const round = (degrees: number) => Math.round(degrees * 1e4) / 1e4

/** Labels on the map and bounds for the filter, as in `places.json`. */
export type PlaceEntry = readonly [
  name: string,
  count: number,
  latitude: number,
  longitude: number,
  ...Bounds,
]

/** Most regions in `places.json`; the search has all of them. */
const placeLimit = 300

/** The largest regions for `places.json`, to a thousandth of a degree (110 m), bounds rounded outwards. */
export function placeEntries(regions: readonly Region[]): PlaceEntry[] {
  return regions
    .slice(0, placeLimit)
    .map(({ name, count, latitude, longitude, bounds: [west, south, east, north] }) => [
      name,
      count,
      Math.round(latitude * 1e3) / 1e3,
      Math.round(longitude * 1e3) / 1e3,
      Math.floor(west * 1e3) / 1e3,
      Math.floor(south * 1e3) / 1e3,
      Math.ceil(east * 1e3) / 1e3,
      Math.ceil(north * 1e3) / 1e3,
    ])
}
