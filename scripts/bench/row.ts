import type { Spread } from './measurement.ts'

/** The goal; `unit` is `ratio` (subject ÷ yardstick), milliseconds or megabytes. */
export interface Goal {
  readonly atLeast?: number
  readonly atMost?: number
  readonly unit: 'ratio' | 'ms' | 'MB'
}

/** A reading of a row. */
export interface Reading {
  readonly title: string
  /** The yardstick, in words. */
  readonly against: string
  readonly goal: Goal
  /** The measured value that the goal limits. */
  readonly value: Spread
  /** Both sides in their own units, for people. */
  readonly subject: string
  readonly yardstick: string
}

/** Fountains of a city, where goals hold as in a worldwide registry. */
export const city = 5000

/** The dependencies of every row. */
export interface Bench {
  /** Waypoints in the measured registries. */
  readonly size: number
  /** How often each pair is measured. */
  readonly rounds: number
  /** The file of a registry with this number of waypoints; to be read, or copied. */
  file(count: number): Promise<string>
  /** The address of a Directus with the same waypoints, if one runs. */
  readonly directus: URL | undefined
  /** An empty folder that is removed after the row. */
  readonly folder: string
  /** Prints a line of progress. */
  report(line: string): void
}

/** Further dependencies of rows for PostgreSQL; `file` is then the URL of a database. */
export interface ServerBench extends Bench {
  /** The file with the same registry. */
  sqlite(count: number): Promise<string>
  /** The URL of a new, empty database. */
  emptyDatabase(): Promise<string>
  dropDatabase(url: string): Promise<void>
}

/** Measures one or several lines of the table. A row that cannot be measured here gives the reason. */
export interface Row<Given extends Bench = Bench> {
  readonly name: string
  measure(bench: Given): Promise<Reading[]>
}

/** The reason for skipping a row, such as a missing tool. */
export class Unmeasurable extends Error {}

export function isReached({ goal, value }: Reading): boolean {
  return (
    (goal.atLeast === undefined || value.median >= goal.atLeast) &&
    (goal.atMost === undefined || value.median <= goal.atMost)
  )
}
