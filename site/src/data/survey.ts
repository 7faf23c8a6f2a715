import { fold } from '@openfountain/core/letters'
import { lastNews } from './news.ts'
import type { Waypoint } from './records.ts'

/** A region: the waypoints that name it. The empty name is that of waypoints without a region. */
export interface Region {
  readonly name: string
  /** The region's part of an address; unique, lower case, without anything that needs escaping. */
  readonly slug: string
  readonly waypoints: number
  readonly verified: number
  /** West, south, east, north in degrees. */
  readonly bounds: Bounds
  /** Every n-th of its waypoints, some hundreds at most, for a drawing. */
  readonly dots: readonly Dot[]
}

/** Where a waypoint is, in degrees, and whether it is verified. */
export type Dot = readonly [longitude: number, latitude: number, verified: boolean]

export type Bounds = readonly [west: number, south: number, east: number, north: number]

/** How long ago waypoints were last confirmed, counted from the time of the data. */
export const ageGroups = [
  { key: 'month', days: 31 },
  { key: 'quarter', days: 92 },
  { key: 'half', days: 183 },
  { key: 'year', days: 366 },
  { key: 'twoYears', days: 731 },
  { key: 'older', days: Infinity },
] as const
export type AgeGroup = (typeof ageGroups)[number]['key']

/** Statistics of all waypoints, collected in one pass without keeping them. */
export interface Survey {
  readonly waypoints: number
  readonly verified: number
  /** Those without a source: they were added to the registry itself. */
  readonly contributed: number
  readonly bounds?: Bounds
  /** Largest first. */
  readonly regions: readonly Region[]
  /** Most frequent first. */
  readonly amenities: readonly { readonly key: string; readonly waypoints: number }[]
  readonly ages: Readonly<Record<AgeGroup, number>>
  /** Every n-th waypoint's longitude and latitude, a few thousand at most. */
  readonly dots: readonly (readonly [longitude: number, latitude: number])[]
}

interface Count {
  waypoints: number
  verified: number
  bounds: Bounds
}

interface RegionCount extends Count {
  readonly dots: Thinned<Dot>
}

/** Most waypoints in the drawing of a region. */
const regionDots = 1500

/** Collects a survey: pass each waypoint once to `add`, in any order, then call `result`. */
export function surveyCollector(dataTime: string): { add(waypoint: Waypoint): void; result(): Survey } {
  const today = Date.parse(dataTime.slice(0, 10))
  const regions = new Map<string, RegionCount>()
  const amenities = new Map<string, number>()
  const ages: Record<AgeGroup, number> = { month: 0, quarter: 0, half: 0, year: 0, twoYears: 0, older: 0 }
  const dots = thinned<readonly [number, number]>(4096)
  let all: Count | undefined
  let contributed = 0

  return {
    add(waypoint) {
      all = counted(all, waypoint)
      if (!waypoint.source) contributed += 1
      const region = waypoint.region ?? ''
      const count = regions.get(region)
      const drawn = count?.dots ?? thinned<Dot>(regionDots)
      drawn.add([waypoint.longitude, waypoint.latitude, waypoint.verified])
      regions.set(region, { ...counted(count, waypoint), dots: drawn })
      for (const amenity of new Set(waypoint.amenities)) {
        amenities.set(amenity, (amenities.get(amenity) ?? 0) + 1)
      }
      const days = (today - Date.parse(lastNews(waypoint))) / 86_400_000
      ages[ageGroups.find((group) => days <= group.days)?.key ?? 'older'] += 1
      dots.add([waypoint.longitude, waypoint.latitude])
    },
    result: () => ({
      waypoints: all?.waypoints ?? 0,
      verified: all?.verified ?? 0,
      contributed,
      ...(all && { bounds: all.bounds }),
      regions: named(regions),
      amenities: [...amenities]
        .map(([key, waypoints]) => ({ key, waypoints }))
        .toSorted((a, b) => b.waypoints - a.waypoints || (a.key < b.key ? -1 : 1)),
      ages,
      dots: dots.result(),
    }),
  }
}

interface Thinned<Item> {
  add(item: Item): void
  result(): readonly Item[]
}

/** Keeps every n-th item, so that there are never more than `most`; n doubles as needed. */
function thinned<Item>(most: number): Thinned<Item> {
  let items: Item[] = []
  let step = 1
  let seen = 0
  return {
    add(item) {
      if (seen % step === 0) items.push(item)
      seen += 1
      if (items.length <= most) return
      items = items.filter((_, index) => index % 2 === 0)
      step *= 2
    },
    result: () => items,
  }
}

function counted(count: Count | undefined, { longitude, latitude, verified }: Waypoint): Count {
  const [west, south, east, north] = count?.bounds ?? [Infinity, Infinity, -Infinity, -Infinity]
  const bounds: Bounds = [
    Math.min(west, longitude),
    Math.min(south, latitude),
    Math.max(east, longitude),
    Math.max(north, latitude),
  ]
  if (!count) return { waypoints: 1, verified: verified ? 1 : 0, bounds }
  count.waypoints += 1
  if (verified) count.verified += 1
  count.bounds = bounds
  return count
}

function named(regions: ReadonlyMap<string, RegionCount>): Region[] {
  const taken = new Set<string>()
  return [...regions]
    .toSorted(([a, x], [b, y]) => y.waypoints - x.waypoints || (a < b ? -1 : 1))
    .map(([name, { dots, ...count }]) => ({ name, slug: slugOf(name, taken), ...count, dots: dots.result() }))
}

/** An address part for a name: letters of any script stay when they need no escaping, else a number. */
function slugOf(name: string, taken: Set<string>): string {
  const plain = fold(name)
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, 60)
  const base = name === '' ? 'elsewhere' : plain === '' ? 'region' : plain
  let slug = base
  for (let n = 2; taken.has(slug); n += 1) slug = `${base}-${n}`
  taken.add(slug)
  return slug
}
