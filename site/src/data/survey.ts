import { directoryCollector, type Directory } from './directory.ts'
import type { Bounds, Dot } from './region.ts'
import { lastNews } from './news.ts'
import type { Row } from './row.ts'
import { Tally } from './tally.ts'

/** Age of the last news of waypoints, at the time of the data. */
export const ageGroups = [
  { key: 'month', days: 31 },
  { key: 'quarter', days: 92 },
  { key: 'half', days: 183 },
  { key: 'year', days: 366 },
  { key: 'twoYears', days: 731 },
  { key: 'older', days: Infinity },
  { key: 'unknown', days: NaN },
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
  /** Every n-th waypoint, a few thousand at most. */
  readonly dots: readonly Dot[]
}

/** Collects a survey: pass each waypoint once to `add`, in any order, then call `result`. */
export function surveyCollector(dataTime: string): {
  add(waypoint: Omit<Row, 'digest'>): void
  result(): Survey
} {
  const today = Date.parse(dataTime.slice(0, 10))
  const directory = directoryCollector()
  const amenities = new Map<string, number>()
  const ages = { month: 0, quarter: 0, half: 0, year: 0, twoYears: 0, older: 0, unknown: 0 }
  const groupOf = (day: string): AgeGroup => {
    const days = (today - Date.parse(day)) / 86_400_000
    return ageGroups.find((one) => days <= one.days)?.key ?? 'unknown'
  }
  const all = new Tally(4096)
  let contributed = 0

  return {
    add(waypoint) {
      all.add(waypoint)
      if (!waypoint.source) contributed += 1
      directory.add(waypoint)
      for (const amenity of new Set(waypoint.amenities)) {
        amenities.set(amenity, (amenities.get(amenity) ?? 0) + 1)
      }
      ages[groupOf(lastNews(waypoint))] += 1
    },
    result: () => ({
      waypoints: all.waypoints,
      verified: all.verified,
      contributed,
      ...(all.waypoints > 0 && { bounds: all.bounds }),
      ...directory.result(),
      amenities: [...amenities]
        .map(([key, waypoints]) => ({ key, waypoints }))
        .toSorted((a, b) => b.waypoints - a.waypoints || (a.key < b.key ? -1 : 1)),
      ages,
      dots: all.dots,
    }),
  }
}
