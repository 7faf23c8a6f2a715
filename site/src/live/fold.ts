import { fieldNames, waypointFields } from '@openfountain/core/fields'
import type { AnyEntry } from '../data/entry.ts'
import { descriptionLength, factColumns, type FactColumn } from '../map/data/facts.ts'
import { shortened } from '../messages.ts'
import type { Position } from '../map/page/position.ts'
import { isId, record, type Answer } from './asking.ts'

const degrees = (most: number) => (value: unknown) =>
  typeof value === 'number' && Math.abs(value) <= most ? value : undefined
const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined)
const text = (most: number) => (value: unknown) =>
  typeof value === 'string' ? shortened(value, most) : undefined
const mostAmenities = 64
const longestAmenity = 64
const amenities = (value: unknown): readonly string[] | undefined => {
  if (!Array.isArray(value)) return value === null ? [] : undefined
  const words = value.filter((word) => typeof word === 'string').slice(0, mostAmenities)
  return words.map((word) => word.slice(0, longestAmenity))
}

const longestFact = 255
const facts = Object.fromEntries(factColumns.map((column) => [column, text(longestFact)]))

/** Optional columns, which may be cleared. */
const optional = {
  description: text(descriptionLength),
  region: text(200),
  ...(facts as Record<FactColumn, ReturnType<typeof text>>),
}

/** Parsers of the changeable columns on maps, lists and cards; `undefined` for an invalid value. Long texts are cut. */
const readers = {
  name: text(500),
  latitude: degrees(90),
  longitude: degrees(180),
  amenities,
  approved: flag,
  verified: flag,
  ...optional,
}

/** Fields by their columns in the export. */
const fieldOf = new Map<string, string>(fieldNames.map((name) => [waypointFields[name].column, name]))

/** Values of a fountain by their columns in the export; `undefined` for a cleared one. */
export type Values = {
  readonly [Column in keyof typeof readers]?: ReturnType<(typeof readers)[Column]>
}

/** The changes of a fountain since the build. */
export interface Change {
  /** The new values. */
  readonly values: Values
  /** Whether `values` is complete: the fountain was added or restored since. */
  readonly isWhole: boolean
  readonly isGone: boolean
  readonly mergedInto?: number | undefined
  /** When it was last changed, ISO 8601 UTC. */
  readonly at: string
}

/** Changes by the ids of their fountains. */
export type Changes = Map<number, Change>

/** The shown values among the fields of an entry or a fountain; invalid ones are left out. */
export function valuesIn(fields: Answer): Values {
  const known = Object.entries(readers).flatMap(([column, read]) => {
    const given = fields[fieldOf.get(column) ?? column]
    const value = read(given)
    return value !== undefined || (given === null && column in optional) ? [[column, value] as const] : []
  })
  return {
    ...Object.fromEntries(known),
    ...(fields['nameIsMade'] === true && { name: '' }),
  }
}

/** Columns that are unknown of a moved fountain: the site finds streets and towns when it is built. */
export const movedFrom = (
  built: Partial<Position>,
  { latitude = built.latitude, longitude = built.longitude }: Partial<Position>,
): { readonly street?: undefined; readonly town?: undefined } =>
  latitude === built.latitude && longitude === built.longitude ? {} : { street: undefined, town: undefined }

/** Values of a new fountain without any; the name is the registry's placeholder of a redacted one. */
const ofNew: Values = {
  ...Object.fromEntries(Object.keys(optional).map((column) => [column, undefined])),
  name: '(redacted)',
  amenities: [],
  approved: false,
  verified: false,
}

/** A fountain of the API as a complete change; undefined when it is no fountain. */
export function changeTo(waypoint: unknown, at: string): Change | undefined {
  const values = { ...ofNew, ...valuesIn(record(waypoint) ?? {}) }
  if (values.latitude === undefined || values.longitude === undefined) return undefined
  return { values, isWhole: true, isGone: false, at }
}

/** The change of a fountain after one more entry. */
function changeAfter(before: Change | undefined, { action, fields, at, links }: AnyEntry): Change {
  const { values = {}, isWhole = false, isGone = false } = before ?? {}
  if (action === 'created') return changeTo(fields, at) ?? { values: {}, isWhole: false, isGone: true, at }
  if (action === 'deleted') return { values, isWhole, isGone: true, at, mergedInto: links.mergedInto }
  return { values: { ...values, ...valuesIn(fields) }, isWhole, isGone, at }
}

/**
 * Folds entries into the changes of fountains.
 *
 * @returns the fountains that the entries are about, also by reviews and observations
 */
export function foldInto(changes: Changes, entries: readonly AnyEntry[]): ReadonlySet<number> {
  const ids = new Set<number>()
  for (const entry of entries) {
    const { subject, subjectId, fields } = entry
    const id = subject === 'waypoint' ? subjectId : fields['waypoint']
    if (!isId(id)) continue
    ids.add(id)
    const before = changes.get(id)
    // The visitor's own change was shown before it appeared in the log.
    if (subject === 'waypoint' && !(before && before.at > entry.at))
      changes.set(id, changeAfter(before, entry))
  }
  return ids
}
