import type { StatedRow } from './knowledge.ts'

/** A waypoint as the map's files need it: a line of waypoints.ndjson.gz, or any row with these members. */
export interface MapRow {
  readonly id: number
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  readonly amenities: readonly string[]
  readonly region?: string | null | undefined
  readonly place?: string | null | undefined
  readonly country?: string | null | undefined
  readonly subdivision?: string | null | undefined
  readonly approved: boolean
  readonly verified: boolean
  readonly updated_at?: string
  readonly last_confirmed?: string | null | undefined
  readonly last_listed?: string | null | undefined
  readonly source_updated?: string | null | undefined
  readonly state?: StatedRow['state'] | null
  readonly state_since?: string | null | undefined
  readonly season?: string | null | undefined
  readonly opening_hours?: string | null | undefined
  readonly drinkable?: string | null | undefined
  readonly description?: string | null | undefined
  readonly rating?: number | null | undefined
  readonly review_count: number
  readonly source?: string | null | undefined
  readonly osm_type?: string | null | undefined
  readonly osm_id?: number | null | undefined
  /** Of all fields of the waypoint; absent where no cache uses it. */
  readonly digest?: string
}

/** A row with all fields that are read of every waypoint, with or without a page. */
export interface Row extends MapRow {
  readonly updated_at: string
  /** Of its line in the export. */
  readonly digest: string
}

/** A row as a list, with `null` for unknown values. */
export type PackedRow = ReturnType<typeof packed>

export const packed = (row: Row) =>
  [
    row.id,
    row.name,
    row.latitude,
    row.longitude,
    row.amenities,
    row.region ?? null,
    row.place ?? null,
    row.country ?? null,
    row.subdivision ?? null,
    row.approved,
    row.verified,
    row.updated_at,
    row.last_confirmed ?? null,
    row.last_listed ?? null,
    row.source_updated ?? null,
    row.state ?? null,
    row.state_since ?? null,
    row.season ?? null,
    row.opening_hours ?? null,
    row.drinkable ?? null,
    row.description ? shortened(row.description) : null,
    row.rating ?? null,
    row.review_count,
    row.source ?? null,
    row.osm_type ?? null,
    row.osm_id ?? null,
    row.digest,
  ] as const

export const unpacked = (row: PackedRow): Row => ({
  id: row[0],
  name: row[1],
  latitude: row[2],
  longitude: row[3],
  amenities: row[4],
  region: row[5],
  place: row[6],
  country: row[7],
  subdivision: row[8],
  approved: row[9],
  verified: row[10],
  updated_at: row[11],
  last_confirmed: row[12],
  last_listed: row[13],
  source_updated: row[14],
  state: row[15],
  state_since: row[16],
  season: row[17],
  opening_hours: row[18],
  drinkable: row[19],
  description: row[20],
  rating: row[21],
  review_count: row[22],
  source: row[23],
  osm_type: row[24],
  osm_id: row[25],
  digest: row[26],
})

/** Most characters of a description on a card; the page has all of it. */
const descriptionLength = 280

/** A description shortened for a card. */
export function shortened(text: string): string {
  const characters = Array.from(text.slice(0, 2 * descriptionLength + 2))
  return characters.length > descriptionLength
    ? `${characters.slice(0, descriptionLength - 1).join('')}…`
    : text
}
