import { waypointFields } from '@openfountain/core/fields'
import { mapFacts, type MapFacts } from '../map/data/facts.ts'
import type { Waypoint } from './records.ts'

/** Columns of the export that are read of every waypoint, with or without a page, besides the facts of the map. */
const ownColumns = [
  'id',
  'name',
  'latitude',
  'longitude',
  'amenities',
  'region',
  'place',
  'country',
  'subdivision',
  'approved',
  'verified',
  'updated_at',
  'last_confirmed',
  'last_listed',
  'source_updated',
  'state',
  'state_since',
  'description',
  'rating',
  'review_count',
  'source',
  'osm_type',
  'osm_id',
] as const satisfies readonly (keyof Waypoint)[]

const columns = [...ownColumns, ...mapFacts.map((name) => waypointFields[name].column)] as const

type Read = Pick<Waypoint, (typeof columns)[number]>

/** A waypoint as the map's files need it: a line of waypoints.ndjson.gz, or any row with these members. */
export interface MapRow extends Omit<Read, 'amenities' | 'updated_at' | 'source' | 'osm_type'> {
  readonly amenities: readonly string[]
  readonly updated_at?: string
  readonly source?: string | null | undefined
  readonly osm_type?: string | null | undefined
  /** Of all fields of the waypoint; absent where no cache uses it. */
  readonly digest?: string
}

/** A row with all fields that are read of every waypoint. */
export interface Row extends MapRow {
  readonly updated_at: string
  /** Of its line in the export. */
  readonly digest: string
}

/** The facts of a row that the map carries. */
export const factsOf = (row: MapRow): MapFacts =>
  Object.fromEntries(
    mapFacts.flatMap((name) => {
      const value = row[waypointFields[name].column]
      return value ? [[name, value]] : []
    }),
  )

/** A row as a list, with `null` for unknown values. */
export type PackedRow = readonly unknown[]

const packedColumns = [...columns, 'digest'] as const

export const packed = (row: Row): PackedRow =>
  packedColumns.map((column) =>
    column === 'description' && row.description ? shortened(row.description) : (row[column] ?? null),
  )

export function unpacked(values: PackedRow): Row {
  const row: Record<string, unknown> = {}
  for (const [place, column] of packedColumns.entries()) row[column] = values[place]
  return row as unknown as Row
}

/** Most characters of a description on a card; the page has all of it. */
const descriptionLength = 280

/** A description shortened for a card. */
export function shortened(text: string): string {
  const characters = Array.from(text.slice(0, 2 * descriptionLength + 2))
  return characters.length > descriptionLength
    ? `${characters.slice(0, descriptionLength - 1).join('')}…`
    : text
}
