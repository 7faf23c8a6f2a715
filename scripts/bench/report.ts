import { cpus, release } from 'node:os'
import Database from 'better-sqlite3'
import { table } from '../generate/tables.ts'
import { spreadOf, type Compared } from './measurement.ts'
import { isReached, type Goal, type Reading } from './row.ts'

/** A number with three significant figures. */
export function figures(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value)
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(3)))
}

/** Two sides that were measured in turn, each shown with its unit. */
export function ratio(
  title: string,
  { against, value, ...goal }: { against: string; value: Compared; atLeast?: number; atMost?: number },
  unit: string,
): Reading {
  const shown = (number: number): string => `${figures(number)}${unit}`
  return {
    title,
    against,
    goal: { ...goal, unit: 'ratio' },
    value: value.ratio,
    subject: shown(value.subject.median),
    yardstick: shown(value.yardstick.median),
  }
}

/** Milliseconds of each round. @param beside an additional note */
export function clock(title: string, atMost: number, times: readonly number[], beside = ''): Reading {
  const value = spreadOf(times)
  const subject = `${figures(value.median)} ms${beside}`
  return { title, against: 'the clock', goal: { atMost, unit: 'ms' }, value, subject, yardstick: '' }
}

function goalText({ atLeast, atMost, unit }: Goal): string {
  const number = atLeast ?? atMost ?? Number.NaN
  const text = number > 0 && number < 0.01 ? `1/${Math.round(1 / number)}` : figures(number)
  return `${atLeast === undefined ? '≤' : '≥'} ${text}${shownUnits[unit]}`
}

const shownUnits = { ratio: '', ms: ' ms', MB: ' MB' } as const

function cells(reading: Reading): string[] {
  const { value, goal } = reading
  const small = goal.unit === 'ratio' && value.median < 0.01 && value.median > 0
  const text = (number: number) => (small ? `1/${figures(1 / number)}` : figures(number))
  const unit = shownUnits[goal.unit]
  return [
    reading.title,
    reading.against,
    reading.subject,
    reading.yardstick,
    `${text(value.median)}${unit}`,
    `${text(value.low)} … ${text(value.high)}`,
    goalText(goal),
    isReached(reading) ? 'reached' : 'MISSED',
  ]
}

const heading = ['what', 'against', 'here', 'there', 'measured', 'quartiles', 'goal', '']

/** A Markdown table, readable in a terminal too. */
export const tableOf = (readings: readonly Reading[]): string => table(heading, readings.map(cells))

/** The circumstances of a run, for later readers. */
export interface Run {
  readonly at: string
  readonly machine: {
    readonly processor: string
    readonly cores: number
    readonly kernel: string
    readonly node: string
    readonly sqlite: string
  }
  /** The version of PostgreSQL, when it was measured. */
  readonly server?: string | undefined
  readonly waypoints: number
  readonly rounds: number
  readonly readings: readonly (Reading & { readonly reached: boolean })[]
  readonly leftOut: readonly { readonly name: string; readonly why: string }[]
}

export function runOf(
  readings: readonly Reading[],
  leftOut: Run['leftOut'],
  { waypoints, rounds, server }: Pick<Run, 'waypoints' | 'rounds' | 'server'>,
): Run {
  const memory = new Database(':memory:')
  const sqlite =
    memory.prepare<[], { version: string }>('select sqlite_version() version').get()?.version ?? ''
  memory.close()
  return {
    at: new Date().toISOString(),
    machine: {
      processor: cpus()[0]?.model.trim() ?? 'unknown',
      cores: cpus().length,
      kernel: release(),
      node: process.version,
      sqlite,
    },
    server,
    waypoints,
    rounds,
    readings: readings.map((reading) => ({ ...reading, reached: isReached(reading) })),
    leftOut,
  }
}
