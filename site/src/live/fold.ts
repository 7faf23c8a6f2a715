import { fieldNames, waypointFields, type Field } from '@openfountain/core/fields'
import type { AnyEntry } from '../data/entry.ts'
import type { Fountain } from '../map/data/cell.ts'
import { descriptionLength, factColumns } from '../map/data/facts.ts'
import type { Position } from '../map/page/position.ts'
import { shortened } from '../messages.ts'
import { isId, record, type Answer } from './asking.ts'

/** Columns of the log that maps, lists and cards show. */
const columns = [
  'name',
  'latitude',
  'longitude',
  'amenities',
  'approved',
  'verified',
  'description',
  'region',
  ...factColumns,
] as const
/** Values of a fountain by their columns in the export; `undefined` for a cleared one. */
export type Values = Readonly<Partial<Pick<Fountain, (typeof columns)[number]>>>

const fields = fieldNames
  .map((name): Field & { readonly name: string } => ({ ...waypointFields[name], name }))
  .filter(({ column }) => (columns as readonly string[]).includes(column))

/** Most characters of a text; a longer one is cut. */
const longest: Readonly<Record<string, number>> = { name: 500, description: descriptionLength }
const usualLongest = 255
const mostAmenities = 64

function valueOf({ type, column }: Field, value: unknown): unknown {
  switch (type) {
    case 'degrees':
      return typeof value === 'number' && Math.abs(value) <= (column === 'latitude' ? 90 : 180)
        ? value
        : undefined
    case 'flag':
      return typeof value === 'boolean' ? value : undefined
    case 'words':
      return Array.isArray(value)
        ? value.filter((word) => typeof word === 'string').slice(0, mostAmenities)
        : value === null
          ? []
          : undefined
    default:
      return typeof value === 'string' ? shortened(value, longest[column] ?? usualLongest) : undefined
  }
}

export interface Change {
  readonly values: Values
  /** Whether `values` is complete: the fountain was added or restored since. */
  readonly isWhole: boolean
  readonly isGone: boolean
  readonly mergedInto?: number | undefined
  /** When it was last changed, ISO 8601 UTC. */
  readonly at: string
}

export type Changes = Map<number, Change>

/** The shown values among the fields of an entry or a fountain; invalid ones are left out. */
export function valuesIn(given: Answer): Values {
  const known = fields.flatMap((field) => {
    const [before, value] = [given[field.name], valueOf(field, given[field.name])]
    return value !== undefined || (before === null && field.optional) ? [[field.column, value] as const] : []
  })
  return { ...Object.fromEntries(known), ...(given['nameIsMade'] === true && { name: '' }) }
}

/** Columns that are unknown of a moved fountain: the site finds streets and towns when it is built. */
export const movedFrom = (
  built: Partial<Position>,
  { latitude = built.latitude, longitude = built.longitude }: Partial<Position>,
): { readonly street?: undefined; readonly town?: undefined } =>
  latitude === built.latitude && longitude === built.longitude ? {} : { street: undefined, town: undefined }

/** Values of a new fountain without any; the name is the registry's placeholder of a redacted one. */
const ofNew: Values = {
  ...Object.fromEntries(fields.flatMap(({ column, optional }) => (optional ? [[column, undefined]] : []))),
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

function changeAfter(before: Change | undefined, { action, fields, at, links }: AnyEntry): Change {
  const { values = {}, isWhole = false, isGone = false } = before ?? {}
  if (action === 'created') return changeTo(fields, at) ?? { values: {}, isWhole: false, isGone: true, at }
  if (action === 'deleted') return { values, isWhole, isGone: true, at, mergedInto: links.mergedInto }
  return { values: { ...values, ...valuesIn(fields) }, isWhole, isGone, at }
}

/** Folds entries into the changes of fountains. @returns the fountains that they are about */
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
