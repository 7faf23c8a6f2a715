import type { PlaceName } from '../../naming.ts'
import type { Bounds } from '../../data/region.ts'
import type { Row } from '../../data/row.ts'
import type { Gazetteer } from '../../places/gazetteer.ts'
import type { Extent } from '../../search/shard.ts'
import { roundedOutwards } from '../page/position.ts'

export interface Region {
  readonly name: string
  readonly count: number
  /** Of a town; else the median, which is robust against stray fountains. */
  readonly latitude: number
  readonly longitude: number
  readonly bounds: Bounds
  /** The country of most of them (ISO 3166-1 alpha-2). */
  readonly country?: string
}

/** A place for the search: a region as the fountains name it, the place around them, a subdivision or a country. */
export interface SearchPlace extends Region {
  readonly code?: string
  /** Names in other languages, by language tag. */
  readonly names?: PlaceName['names']
}

/** The regions that fountains name, or the places around those without one; those with most fountains first. */
export const regionsOf = (rows: readonly Row[]): Region[] =>
  gathered(rows, ({ region, place }) => [region || place])
    .map(([name, members]) => regionOf(name, members))
    .toSorted(largestFirst)

export function searchPlacesOf(rows: readonly Row[]): SearchPlace[] {
  const named = gathered(rows, ({ region, place, country }) =>
    [...new Set([region, place])].map((name) => name && `${country ?? ''}\n${name}`),
  ).map(([key, members]) => regionOf(key.slice(key.indexOf('\n') + 1), members))
  const coded = gathered(rows, ({ country, subdivision }) => [country, subdivision]).map(
    ([code, members]) => {
      const { country, ...region } = regionOf(code, members)
      return { ...region, code, ...(country !== code && { country }) }
    },
  )
  return [...coded, ...named].toSorted(largestFirst)
}

export const townsOf = (rows: readonly Row[], gazetteer: Gazetteer): SearchPlace[] =>
  [...Map.groupBy(rows, ({ town }) => town)].flatMap(([town, members]) => {
    if (!town) return []
    const { name, names } = town
    const region = regionOf(name, members)
    const { latitude, longitude } = gazetteer.placeOf(town, region.country) ?? region
    return [{ ...region, latitude, longitude, ...(names && { names }) }]
  })

export const largestFirst = (a: Region, b: Region): number =>
  b.count - a.count || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

function gathered(
  rows: readonly Row[],
  namesOf: (row: Row) => readonly (string | null | undefined)[],
): [name: string, members: readonly Row[]][] {
  const named = rows.flatMap((row) => namesOf(row).flatMap((name) => (name ? [{ name, row }] : [])))
  const byName = Map.groupBy(named, ({ name }) => name)
  return [...byName].map(([name, members]) => [name, members.map(({ row }) => row)])
}

function regionOf(name: string, members: readonly Row[]): Region {
  const latitudes = Float64Array.from(members, ({ latitude }) => latitude).toSorted()
  const longitudes = Float64Array.from(members, ({ longitude }) => longitude).toSorted()
  const middle = Math.floor(members.length / 2)
  const { west, east, centre } = across(longitudes)
  const country = countryOf(members)
  return {
    name,
    count: members.length,
    latitude: round(latitudes[middle] ?? 0),
    longitude: round(centre),
    bounds: [round(west), round(latitudes[0] ?? 0), round(east), round(latitudes.at(-1) ?? 0)],
    ...(country && { country }),
  }
}

function countryOf(rows: readonly Row[]): string | undefined {
  const known = rows.flatMap(({ country }) => country ?? [])
  const [[country] = []] = [...Map.groupBy(known, (each) => each)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )
  return country
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
  return { west: turned(0), east: turned(sorted.length - 1), centre: turned(Math.floor(sorted.length / 2)) }
}

const round = (degrees: number) => Math.round(degrees * 1e4) / 1e4

/** Labels on the map and bounds for the filter, as in `places.json`. */
export type PlaceEntry = readonly [...Extent, country?: string | null, names?: PlaceName['names']]

const placeLimit = 300

/** The largest regions for `places.json`, to a thousandth of a degree (110 m), bounds rounded outwards. */
export function placeEntries(regions: readonly SearchPlace[]): PlaceEntry[] {
  return regions
    .slice(0, placeLimit)
    .map(({ name, count, latitude, longitude, bounds, country = null, names }) => [
      name,
      count,
      Math.round(latitude * 1e3) / 1e3,
      Math.round(longitude * 1e3) / 1e3,
      ...roundedOutwards(bounds, 1e3),
      ...(names ? ([country, names] as const) : ([country] as const)),
    ])
}
