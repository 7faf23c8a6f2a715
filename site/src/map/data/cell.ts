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

/** The cell of each fountain, by ascending id. */
export interface IdFile {
  /** Differences from the previous id. */
  readonly ids: readonly number[]
  /** Indexes into {@link CellIndex.cells}. */
  readonly cells: readonly number[]
}

/** A cell in the index: key, count, bits of the filters that a fountain matches, of the amenities that occur, and bounds. */
export type CellEntry = readonly [
  key: string,
  count: number,
  checks: number,
  offers: number,
  west: number,
  south: number,
  east: number,
  north: number,
]

/** Most fountains of a cell, except in a smallest square with more. */
export const cellCapacity = 1_200

/** The smallest squares are of this zoom: about 600 m at the equator. */
export const cellMaxZoom = 16

type PointFact = (typeof pointFacts)[number]
type DetailFact = Exclude<FactColumn, PointFact>

type Carried<Column extends keyof Waypoint> = Readonly<Pick<Waypoint, Column>>

/** The fields for filters and clusters, in the file `KEY.json` of a cell: columns of the export, and the status. */
export interface CellPoint extends Carried<
  | 'id'
  | 'latitude'
  | 'longitude'
  | 'verified'
  | 'approved'
  | 'amenities'
  | 'region'
  | 'place'
  | 'town'
  | PointFact
> {
  readonly stages: Stages
  /** Today's state; absent when unconfirmed. */
  readonly state?: StateOfWaypoint
}

/** The further fields for lists and cards, in the file `KEY.more.json`; descriptions are shortened. */
export interface CellDetail extends Carried<
  | 'name'
  | 'street'
  | 'rating'
  | 'review_count'
  | 'source'
  | 'last_listed'
  | 'osm_type'
  | 'osm_id'
  | 'description'
  | DetailFact
> {
  /** Whether the fountain has a page of its own. */
  readonly page: boolean
}

/** All that the map carries of a fountain. */
export interface Fountain extends CellPoint, CellDetail {
  /** Whether a change of the visitor is unsent. */
  readonly isWaiting?: boolean
}

/** A form of the values of a column in a file; a column without values is left out. */
interface Column {
  write(values: readonly unknown[]): unknown
  /** The values by row. */
  read(written: unknown): (row: number) => unknown
}

const isNone = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Values as they are. */
const plain: Column = {
  write: (values) => (values.every((value) => value === undefined || value === null) ? undefined : values),
  read(written: readonly unknown[]) {
    return (row) => written[row] ?? undefined
  },
}

/** Numbers as differences from the row before. @param scale the parts of 1 that are kept */
const steps = (scale: number): Column => ({
  write(values) {
    const whole = values.map((value) => Math.round(Number(value) * scale))
    return whole.map((value, row) => value - (whole[row - 1] ?? 0))
  },
  read(written: readonly number[]) {
    let sum = 0
    const values = written.map((step) => (sum += step) / scale)
    return (row) => values[row]
  },
})

/** Each distinct value once, and its number in every row, from 1; 0 for none. */
const choices: Column = {
  write(values) {
    const of: unknown[] = []
    const numbers = new Map<unknown, number>()
    const at = values.map((value) => {
      if (isNone(value)) return 0
      const key = typeof value === 'object' ? JSON.stringify(value) : value
      const number = numbers.get(key) ?? of.push(value)
      numbers.set(key, number)
      return number
    })
    return of.length === 0 ? undefined : { of, at }
  },
  read({ of, at }: { readonly of: readonly unknown[]; readonly at: readonly number[] }) {
    return (row) => of[(at[row] ?? 0) - 1]
  },
}

/** The columns of a file, the first of which always has values. */
type Columns<Row> = { readonly [Name in keyof Required<Row>]: Column }

const isOfDetail = (column: FactColumn): column is DetailFact =>
  !(pointFacts as readonly FactColumn[]).includes(column)

/** Facts are values of few, or repeat. */
const choicesOf = <Name extends string>(names: readonly Name[]): Record<Name, Column> =>
  Object.fromEntries(names.map((name) => [name, choices])) as Record<Name, Column>

/** Positions are in millionths of a degree. */
export const pointColumns: Columns<Omit<CellPoint, 'state'>> = {
  id: steps(1),
  longitude: steps(1e6),
  latitude: steps(1e6),
  verified: choices,
  approved: choices,
  amenities: choices,
  region: choices,
  place: choices,
  town: choices,
  ...choicesOf(pointFacts),
  stages: choices,
}

export const detailColumns: Columns<CellDetail> = {
  name: plain,
  street: choices,
  rating: choices,
  review_count: plain,
  source: choices,
  last_listed: choices,
  osm_type: choices,
  osm_id: plain,
  description: choices,
  page: choices,
  ...choicesOf(factColumns.filter(isOfDetail)),
}

/** The rows of a cell as a file of columns. */
export function encode<Row extends object>(columns: Columns<Row>, rows: readonly Row[]): object {
  return Object.fromEntries(
    Object.entries<Column>(columns).map(([name, column]) => [
      name,
      column.write(rows.map((row) => row[name as keyof Row])),
    ]),
  )
}

/** Reads {@link encode}'s file. */
function decode<Row>(columns: Columns<Row>, file: unknown): Row[] {
  const written = file as Readonly<Record<string, unknown>>
  const read = Object.entries<Column>(columns).flatMap(([name, column]) =>
    written[name] === undefined ? [] : [[name, column.read(written[name])] as const],
  )
  const [first = ''] = Object.keys(columns)
  return Array.from(written[first] as readonly unknown[], (_, at) => {
    const row: Record<string, unknown> = {}
    for (const [name, valueAt] of read) row[name] = valueAt(at)
    return row as Row
  })
}

/** The points of a cell's file, with their states of a day. */
export const decodePoints = (file: unknown, day: string): CellPoint[] =>
  decode(pointColumns, file).map(({ amenities = [], stages = [], ...point }) => ({
    ...point,
    amenities,
    stages,
    state: shownState(stageOn(stages, day)),
  }))

/** The details of a cell's file, in the order of its points. */
export const decodeDetails = (file: unknown): CellDetail[] => decode(detailColumns, file)

/** The bounds of a cell's fountains. */
export function cellBounds([, , , , west, south, east, north]: CellEntry): Bounds {
  return [west, south, east, north]
}

/** The number of different names that the bits of a number can represent. */
export const bitCount = 32
