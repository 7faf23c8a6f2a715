import type { Spread } from './measurement.ts'

/** The value to reach; `unit` is `ratio` (subject ÷ yardstick), or that of what is measured. */
export interface Goal {
  readonly atLeast?: number
  readonly atMost?: number
  readonly unit: 'ratio' | 'ms' | 'MB'
}

/** What a row measured. */
export interface Reading {
  readonly title: string
  /** What it is compared with, in words. */
  readonly against: string
  readonly goal: Goal
  /** What the goal is about. */
  readonly value: Spread
  /** Both sides in their own units, for people. */
  readonly subject: string
  readonly yardstick: string
}

/** Fountains of a city, in which a goal is to hold as it does in a registry of the globe. */
export const city = 5000

/** What every row may use. */
export interface Bench {
  /** Waypoints in the registries that are measured. */
  readonly size: number
  /** How often each pair is measured. */
  readonly rounds: number
  /** The file of a registry with so many waypoints; to be read, or copied. */
  file(count: number): Promise<string>
  /** Where a Directus with the same waypoints listens, when one was started for this. */
  readonly directus: URL | undefined
  /** An empty folder that is removed after the row. */
  readonly folder: string
  /** Prints a line of progress. */
  report(line: string): void
}

/** What rows that measure PostgreSQL may use besides; `file` is then the URL of a database. */
export interface ServerBench extends Bench {
  /** The file with the same registry. */
  sqlite(count: number): Promise<string>
  /** The URL of a new, empty database. */
  emptyDatabase(): Promise<string>
  dropDatabase(url: string): Promise<void>
}

/** Measures one or several lines of the table. A row that cannot be measured here says why. */
export interface Row<Given extends Bench = Bench> {
  readonly name: string
  measure(bench: Given): Promise<Reading[]>
}

/** Why a row was left out, such as a tool that is not installed. */
export class Unmeasurable extends Error {}

export function isReached({ goal, value }: Reading): boolean {
  return (
    (goal.atLeast === undefined || value.median >= goal.atLeast) &&
    (goal.atMost === undefined || value.median <= goal.atMost)
  )
}
