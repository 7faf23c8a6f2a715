import type { Bounds } from '../../data/region.ts'
import type { StateOfWaypoint } from '@openfountain/core/status'
import type { Waypoint } from '../../data/records.ts'
import { type FactColumn, factColumns, pointFacts } from './facts.ts'
import { shownState, stageOn, type Stages } from '../../status/stage.ts'

/**
 * Fountains by square of the map ("cells"): small files from which a page takes the fountains near a place. They
 * feed the filters, the lists, the nearest ones, maps without range requests and maps without a network.
 * A cell is a tile of the Web Mercator pyramid that holds at most {@link cellCapacity} fountains.
 */
export interface CellIndex {
  /** Time of the data, ISO 8601 UTC. */
  readonly time: string
  /** The amenity of each bit of a cell's `offers`, from the lowest. */
  readonly amenities: readonly string[]
  /** The filter of each bit of a cell's `checks`, from the lowest. */
  readonly checks: readonly string[]
  readonly cells: readonly CellEntry[]
  /** The lowest id of each file that maps ids to cells, ascending: `ids-0.json`, `ids-1.json` … */
  readonly ids: readonly number[]
}

export interface IdFile {
  /** Differences from the previous id. */
  readonly ids: readonly number[]
  /** Indexes into {@link CellIndex.cells}. */
  readonly cells: readonly number[]
}

/** A cell in the index: key, count, bits of the filters that a fountain matches, of the amenities that occur, bounds, and how many are usable. */
export type CellEntry = readonly [
  key: string,
  count: number,
  checks: number,
  offers: number,
  west: number,
  south: number,
  east: number,
  north: number,
  usable: number,
]

/** Most fountains of a cell, except in a smallest square with more. */
export const cellCapacity = 1_200

/** The smallest squares are of this zoom: about 600 m at the equator. */
export const cellMaxZoom = 16

/** The columns of a cell's file `KEY.json`, for filters and clusters. */
export const pointColumns = [
  ...([
    'id',
    'longitude',
    'latitude',
    'verified',
    'approved',
    'amenities',
    'region',
    'place',
    'town',
  ] as const),
  ...pointFacts,
  'stages',
] as const

type PointFact = (typeof pointFacts)[number]

const isCardFact = (column: FactColumn): column is Exclude<FactColumn, PointFact> =>
  !(pointFacts as readonly FactColumn[]).includes(column)

/** The further columns, for lists and cards, in the file `KEY.more.json`. */
export const detailColumns = [
  ...(['name', 'street', 'rating', 'review_count', 'source', 'last_listed', 'osm_type', 'osm_id'] as const),
  ...factColumns.filter(isCardFact),
  ...(['description', 'photo', 'page'] as const),
] as const

type Carried<Column> = Readonly<Pick<Waypoint, Extract<Column, keyof Waypoint>>>

/** A fountain as filters and clusters need it. */
export interface CellPoint extends Carried<(typeof pointColumns)[number]> {
  readonly stages: Stages
  /** Today's state; absent when unconfirmed. */
  readonly state?: StateOfWaypoint
}

/** The rest of a fountain; its description is shortened. */
export interface CellDetail extends Carried<(typeof detailColumns)[number]> {
  /** Whether the fountain has a page of its own. */
  readonly page: boolean
}

export interface Fountain extends CellPoint, CellDetail {
  /** Whether a change of the visitor is unsent. */
  readonly isWaiting?: boolean
}

/** Numbers that are written as differences from the row before, and the parts of 1 that are kept of each. */
const scales: Readonly<Record<string, number>> = { id: 1, longitude: 1e6, latitude: 1e6 }

/** The values of a column; or each distinct one once, and its number in every row, from 1, with 0 for none. */
type Column = readonly unknown[] | { readonly of: readonly unknown[]; readonly at: readonly number[] }

const isNone = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

export function encode<Row extends object>(
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
): object {
  const written = columns.map(
    (name) =>
      [
        name,
        columnOf(
          name,
          rows.map((row) => row[name]),
        ),
      ] as const,
  )
  return Object.fromEntries(written.filter(([, column]) => !('of' in column) || column.of.length > 0))
}

function columnOf(name: string, values: readonly unknown[]): Column {
  const scale = scales[name]
  if (scale !== undefined) {
    const whole = values.map((value) => Math.round(Number(value) * scale))
    return whole.map((value, row) => value - (whole[row - 1] ?? 0))
  }
  const of: unknown[] = []
  const numbers = new Map<string, number>()
  const at = values.map((value) => {
    if (isNone(value)) return 0
    const key = JSON.stringify(value)
    const number = numbers.get(key) ?? of.push(value)
    numbers.set(key, number)
    return number
  })
  return of.length > values.length / 2 ? values : { of, at }
}

function valuesOf(name: string, column: Column): readonly unknown[] {
  if ('of' in column) return column.at.map((number) => column.of[number - 1])
  const scale = scales[name]
  let sum = 0
  return scale === undefined ? column : column.map((step) => (sum += Number(step)) / scale)
}

function decode<Row>(file: unknown): Partial<Row>[] {
  const columns = Object.entries(file as Readonly<Record<string, Column>>).map(
    ([name, column]) => [name, valuesOf(name, column)] as const,
  )
  const [[, first] = ['', []]] = columns
  return Array.from(first, (_, row) =>
    Object.fromEntries(columns.map(([name, values]) => [name, values[row] ?? undefined])),
  ) as Partial<Row>[]
}

export const decodePoints = (file: unknown, day: string): CellPoint[] =>
  decode<CellPoint>(file).map((point) => {
    const { amenities = [], stages = [] } = point
    return { ...(point as CellPoint), amenities, stages, state: shownState(stageOn(stages, day)) }
  })

export const decodeDetails = (file: unknown): CellDetail[] =>
  decode<CellDetail>(file).map((detail) => ({ ...(detail as CellDetail), name: detail.name ?? '' }))

export function cellBounds([, , , , west, south, east, north]: CellEntry): Bounds {
  return [west, south, east, north]
}

/** The number of different names that the bits of a number can represent. */
export const bitCount = 32
