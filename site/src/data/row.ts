import { hash } from 'node:crypto'
import { factColumns } from '../map/data/facts.ts'
import type { Waypoint } from './records.ts'

/** Columns of the export that are held of every waypoint, with or without a page, besides the facts of the map. */
const ownColumns = [
  'id',
  'name',
  'latitude',
  'longitude',
  'amenities',
  'region',
  'place',
  'country',
  'town',
  'street',
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
  'photo',
] as const satisfies readonly (keyof Waypoint)[]

const columns = [...ownColumns, ...factColumns] as const

export interface Row extends Pick<Waypoint, (typeof columns)[number]> {
  readonly digest: string
}

const unique: ReadonlySet<string> = new Set<keyof Waypoint>(['name', 'description'])

/** Collects rows. Repeated texts and lists are stored once, so that a million fit into a few hundred megabytes. */
export function rowCollector(): { readonly rows: readonly Row[]; add(waypoint: Omit<Row, 'digest'>): void } {
  const rows: Row[] = []
  const shared = new Map<string, unknown>()
  const share = (value: unknown): unknown => {
    if (typeof value !== 'string' && !Array.isArray(value)) return value
    const key = typeof value === 'string' ? value : JSON.stringify(value)
    if (!shared.has(key)) shared.set(key, value)
    return shared.get(key)
  }
  return {
    rows,
    add(waypoint) {
      const held = columns.map((column) => {
        const value = waypoint[column] ?? null
        return [column, unique.has(column) ? value : share(value)]
      })
      const digest = hash('sha256', JSON.stringify(waypoint), 'base64url').slice(0, digestLength)
      rows.push({ ...Object.fromEntries(held), digest } as Row)
    },
  }
}

/** 132 bits. */
const digestLength = 22
