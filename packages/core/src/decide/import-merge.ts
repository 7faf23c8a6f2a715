import type { Properties, PropertyValue } from '../fields/field.ts'
import { optionalFields, optionalValuesOf, type OptionalValues } from '../fields/waypoint.ts'
import { isSameValue } from '../log/canonical-json.ts'
import type { WaypointInput, WaypointPatch, WaypointState } from '../schemas/waypoint.ts'
import { membersInOrder } from '../schemas/properties.ts'
import { isCleared } from './redaction.ts'

/** The fields of a waypoint at its source; the source does not have absent ones. */
export type ImportedValues = Readonly<
  Pick<WaypointInput, 'name' | 'latitude' | 'longitude'> & OptionalValues & { amenities?: readonly string[] }
>

/** The stored values of a source: redacted fields are missing, and in a mirror all of them. */
export type RememberedValues = Partial<ImportedValues>

/** The fields with redacted text; imports do not write them. */
export type ClosedFields = ReadonlySet<string>
/** For waypoints without redactions, as nearly all are. */
export const noFields: ClosedFields = new Set()

/** Every field but the position. */
const importedFields = ['name', ...optionalFields, 'amenities'] as const

/** A field that changed both at the source and here since the last import. The value here stays. */
export interface Conflict {
  readonly field: string
  readonly here: unknown
  readonly there: unknown
}

/** The merge of a source's values into an existing waypoint: the patch, and the values that were not taken over. */
export interface Merge {
  readonly kind: 'updated' | 'unchanged' | 'linked' | 'conflict' | 'deleted'
  readonly patch: WaypointPatch
  readonly conflicts: readonly Conflict[]
  /** Fields of the source that were not written, because text was redacted from them here. */
  readonly withheld: readonly string[]
}

/** The values of an input without empty ones, as they are stored and compared. */
export function importedValues(input: WaypointInput): ImportedValues {
  const { name, latitude, longitude, amenities } = input
  return {
    name,
    latitude,
    longitude,
    ...(amenities && amenities.length > 0 && { amenities }),
    ...optionalValuesOf(input),
  }
}

/** The values of a row that may be stored for a waypoint with these closed fields. */
export function rememberedValues(values: ImportedValues, closed: ClosedFields): RememberedValues {
  if (closed.size === 0) return values
  return Object.fromEntries(Object.entries(values).filter(([field]) => !closed.has(field)))
}

/** The closed fields whose value at the source differs from the value here. */
function withheldFields(
  waypoint: WaypointState,
  values: ImportedValues,
  closed: ClosedFields,
): (typeof importedFields)[number][] {
  if (closed.size === 0) return []
  const isNews = (field: (typeof importedFields)[number]): boolean =>
    field === 'amenities'
      ? (values.amenities ?? []).some((each) => !waypoint.amenities.includes(each))
      : values[field] !== undefined && !isSameValue(values[field], waypoint[field])
  return importedFields.filter((field) => closed.has(field) && isNews(field))
}

/** The amenities here after the source's additions and removals, in the order they have here. */
function mergedAmenities(
  here: readonly string[],
  before: readonly string[],
  now: readonly string[],
): string[] {
  const taken = new Set(before.filter((each) => !now.includes(each)))
  const added = now.filter((each) => !before.includes(each) && !here.includes(each))
  return [...here.filter((each) => !taken.has(each)), ...added]
}

/** The custom fields here after the source's changes, one by one. Fields also changed here stay, and conflict. */
function mergedProperties(here: Properties, before: Properties, now: Properties) {
  const after: Record<string, PropertyValue> = { ...here }
  const conflicts: Conflict[] = []
  for (const name of Object.keys({ ...before, ...now })) {
    const [mine, was, is] = [here[name], before[name], now[name]]
    if (isSameValue(is, was) || isSameValue(is, mine)) continue
    if (!isSameValue(mine, was))
      conflicts.push({ field: `properties.${name}`, here: mine ?? null, there: is ?? null })
    else if (is === undefined) delete after[name]
    else after[name] = is
  }
  return { properties: Object.keys(after).length === 0 ? null : membersInOrder(after), conflicts }
}

/** Whether a waypoint is unchanged since its import; a field with redacted text must still be empty. */
export function isAsImported(
  waypoint: WaypointState,
  values: RememberedValues,
  closed: ClosedFields,
): boolean {
  const isSame = (field: (typeof importedFields)[number]): boolean =>
    field === 'amenities'
      ? waypoint.amenities.join('\n') === (values.amenities ?? []).join('\n')
      : isSameValue(waypoint[field], values[field])
  return (
    !isMoved(waypoint, values) &&
    importedFields.every((field) => isSame(field) || (closed.has(field) && isCleared(waypoint, field)))
  )
}

/**
 * A row about an existing waypoint that this source did not list before: fills in fields that are absent here, except
 * closed ones.
 */
export function mergedLink(waypoint: WaypointState, values: ImportedValues, closed: ClosedFields): Merge {
  const open = rememberedValues(values, closed)
  const missing = optionalFields.filter((field) => open[field] !== undefined && waypoint[field] === undefined)
  const amenities = mergedAmenities(waypoint.amenities, [], open.amenities ?? [])
  const properties = open.properties && membersInOrder({ ...open.properties, ...waypoint.properties })
  const patch: WaypointPatch = {
    ...Object.fromEntries(missing.map((field) => [field, values[field]])),
    ...(properties !== undefined && !isSameValue(properties, waypoint.properties) && { properties }),
    ...(amenities.length > waypoint.amenities.length && { amenities }),
  }
  // Existing names and texts are never replaced by another source's.
  const withheld = withheldFields(waypoint, values, closed).filter(
    (field) => field !== 'name' && (field === 'amenities' || waypoint[field] === undefined),
  )
  return { kind: 'linked', patch, conflicts: [], withheld }
}

/**
 * A row that was imported before: takes over fields that changed at the source and were not edited here since, and
 * lists the other changed fields as conflicts. Amenities are compared one by one and never conflict. Closed fields are
 * not written.
 */
export function mergedAgain(
  waypoint: WaypointState,
  before: RememberedValues,
  now: ImportedValues,
  closed: ClosedFields,
): Merge {
  if (waypoint.deletedAt !== undefined) return { kind: 'deleted', patch: {}, conflicts: [], withheld: [] }
  const patch: WaypointPatch = {}
  const conflicts: Conflict[] = []
  for (const field of ['name', ...optionalFields] as const) {
    if (field === 'properties') continue
    if (closed.has(field) || now[field] === before[field] || now[field] === waypoint[field]) continue
    if (waypoint[field] === before[field]) Object.assign(patch, { [field]: now[field] ?? null })
    else conflicts.push({ field, here: waypoint[field] ?? null, there: now[field] ?? null })
  }
  if (!closed.has('properties') && !isSameValue(before.properties, now.properties)) {
    const merged = mergedProperties(waypoint.properties ?? {}, before.properties ?? {}, now.properties ?? {})
    if (!isSameValue(merged.properties, waypoint.properties ?? null))
      Object.assign(patch, { properties: merged.properties })
    conflicts.push(...merged.conflicts)
  }
  if (!closed.has('latitude') && isMoved(before, now) && isMoved(waypoint, now)) {
    if (!isMoved(waypoint, before)) Object.assign(patch, { latitude: now.latitude, longitude: now.longitude })
    else
      conflicts.push({
        field: 'position',
        here: [waypoint.longitude, waypoint.latitude],
        there: [now.longitude, now.latitude],
      })
  }
  const amenities = mergedAmenities(waypoint.amenities, before.amenities ?? [], now.amenities ?? [])
  if (!closed.has('amenities') && amenities.join('\n') !== waypoint.amenities.join('\n'))
    Object.assign(patch, { amenities })
  const kind = Object.keys(patch).length > 0 ? 'updated' : conflicts.length > 0 ? 'conflict' : 'unchanged'
  return { kind, patch, conflicts, withheld: withheldFields(waypoint, now, closed) }
}

function isMoved(
  a: Pick<RememberedValues, 'latitude' | 'longitude'>,
  b: Pick<RememberedValues, 'latitude' | 'longitude'>,
): boolean {
  return a.latitude !== b.latitude || a.longitude !== b.longitude
}
