import { directoryOf, type Directory } from './directory.ts'
import type { Bounds } from './region.ts'
import { lastNews } from './news.ts'
import type { Row } from './row.ts'
import { tallyOf, type Tally } from './tally.ts'

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

export interface Survey extends Directory, Omit<Tally, 'bounds'> {
  /** The number of waypoints without a source, which were added in the registry itself. */
  readonly contributed: number
  readonly bounds?: Bounds
  /** Most frequent first. */
  readonly amenities: readonly { readonly key: string; readonly waypoints: number }[]
  readonly ages: Readonly<Record<AgeGroup, number>>
}

export function surveyOf(rows: readonly Omit<Row, 'digest'>[], dataTime: string): Survey {
  const today = Date.parse(dataTime.slice(0, 10))
  const amenities = new Map<string, number>()
  const ages = { month: 0, quarter: 0, half: 0, year: 0, twoYears: 0, older: 0, unknown: 0 }
  const groupOf = (day: string): AgeGroup => {
    const days = (today - Date.parse(day)) / 86_400_000
    return ageGroups.find((one) => days <= one.days)?.key ?? 'unknown'
  }
  for (const row of rows) {
    for (const amenity of new Set(row.amenities)) amenities.set(amenity, (amenities.get(amenity) ?? 0) + 1)
    ages[groupOf(lastNews(row))] += 1
  }
  const { bounds, ...tally } = tallyOf(rows, 4096)
  return {
    ...tally,
    contributed: rows.filter(({ source }) => !source).length,
    ...(rows.length > 0 && { bounds }),
    ...directoryOf(rows),
    amenities: [...amenities]
      .map(([key, waypoints]) => ({ key, waypoints }))
      .toSorted((a, b) => b.waypoints - a.waypoints || (a.key < b.key ? -1 : 1)),
    ages,
  }
}
