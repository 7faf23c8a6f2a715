import { directoryCollector, type Directory } from './directory.ts'
import type { Bounds } from './region.ts'
import { lastNews } from './news.ts'
import type { Row } from './row.ts'
import { thinned } from './thinned.ts'

/** Age of the last confirmation of waypoints, at the time of the data. */
export const ageGroups = [
  { key: 'month', days: 31 },
  { key: 'quarter', days: 92 },
  { key: 'half', days: 183 },
  { key: 'year', days: 366 },
  { key: 'twoYears', days: 731 },
  { key: 'older', days: Infinity },
] as const
export type AgeGroup = (typeof ageGroups)[number]['key']

/** Statistics of all waypoints, collected in one pass without storing them. */
export interface Survey extends Directory {
  readonly waypoints: number
  readonly verified: number
  /** The number of waypoints without a source, which were added in the registry itself. */
  readonly contributed: number
  readonly bounds?: Bounds
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

/** Collects a survey: pass each waypoint once to `add`, in any order, then call `result`. */
export function surveyCollector(dataTime: string): {
  add(waypoint: Omit<Row, 'digest'>): void
  result(): Survey
} {
  const today = Date.parse(dataTime.slice(0, 10))
  const directory = directoryCollector()
  const amenities = new Map<string, number>()
  const ages: Record<AgeGroup, number> = { month: 0, quarter: 0, half: 0, year: 0, twoYears: 0, older: 0 }
  const dots = thinned<readonly [number, number]>(4096)
  const groups = new Map<string, AgeGroup>()
  const groupOf = (day: string): AgeGroup => {
    const known = groups.get(day)
    if (known !== undefined) return known
    const days = (today - Date.parse(day)) / 86_400_000
    const group = ageGroups.find((one) => days <= one.days)?.key ?? 'older'
    groups.set(day, group)
    return group
  }
  let all: Count | undefined
  let contributed = 0

  return {
    add(waypoint) {
      all = counted(all, waypoint)
      if (!waypoint.source) contributed += 1
      directory.add(waypoint)
      for (const amenity of new Set(waypoint.amenities)) {
        amenities.set(amenity, (amenities.get(amenity) ?? 0) + 1)
      }
      ages[groupOf(lastNews(waypoint))] += 1
      dots.add([waypoint.longitude, waypoint.latitude])
    },
    result: () => ({
      waypoints: all?.waypoints ?? 0,
      verified: all?.verified ?? 0,
      contributed,
      bounds: all?.bounds,
      ...directory.result(),
      amenities: [...amenities]
        .map(([key, waypoints]) => ({ key, waypoints }))
        .toSorted((a, b) => b.waypoints - a.waypoints || (a.key < b.key ? -1 : 1)),
      ages,
      dots: dots.result(),
    }),
  }
}

function counted(count: Count | undefined, { longitude, latitude, verified }: Omit<Row, 'digest'>): Count {
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
