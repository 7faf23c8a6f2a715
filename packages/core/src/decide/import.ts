import type { WaypointInput, WaypointState } from '../waypoint.ts'
import type { Occasion } from './contributor.ts'
import { noEffects, type Effects } from './effects.ts'
import { createWaypoint, updateWaypoint } from './waypoint.ts'

/** What a source says of a waypoint; absent members are not told. */
export type ImportedValues = Readonly<
  Pick<WaypointInput, 'name' | 'latitude' | 'longitude'> & {
    description?: string
    amenities?: readonly string[]
    image?: string
    maintainer?: string
    region?: string
  }
>

const optionalFields = ['description', 'image', 'maintainer', 'region'] as const

/** A field that changed at the source and was edited here since. Kept as it is here. */
export interface Conflict {
  readonly field: string
  readonly here: unknown
  readonly there: unknown
}

/** What a row does to the registry. `linked` joins a waypoint that was here already with the source. */
export interface ImportDecision {
  readonly kind: 'created' | 'updated' | 'unchanged' | 'linked' | 'conflict' | 'deleted'
  readonly effects: Effects
  readonly waypointId: number
  /** Fields that were written. */
  readonly fields: readonly string[]
  readonly conflicts: readonly Conflict[]
  /** Whether what the log tells of the row is just what the source says. */
  readonly asLogged?: boolean
}

/** The values of an input, without what is not told; how they are kept and compared. */
export function importedValues(input: WaypointInput): ImportedValues {
  const { name, latitude, longitude, description, amenities, image, maintainer, region } = input
  return {
    name,
    latitude,
    longitude,
    ...(description && { description }),
    ...(amenities && amenities.length > 0 && { amenities }),
    ...(image && { image }),
    ...(maintainer && { maintainer }),
    ...(region && { region }),
  }
}

/** Amenities after what the source added and took away, in the order they have here. */
function mergedAmenities(
  here: readonly string[],
  before: readonly string[],
  now: readonly string[],
): string[] {
  const taken = new Set(before.filter((each) => !now.includes(each)))
  const added = now.filter((each) => !before.includes(each) && !here.includes(each))
  return [...here.filter((each) => !taken.has(each)), ...added]
}

/** Whether a waypoint still says what its source said of it. */
export function isAsImported(waypoint: WaypointState, values: ImportedValues): boolean {
  return (
    waypoint.name === values.name &&
    !moved(waypoint, values) &&
    optionalFields.every((field) => waypoint[field] === values[field]) &&
    waypoint.amenities.join('\n') === (values.amenities ?? []).join('\n')
  )
}

/** A row that is new to the registry. */
export function importNew(occasion: Occasion, id: number, input: WaypointInput): ImportDecision {
  const effects = createWaypoint(occasion, id, () => input)
  const fields = effects.entries.flatMap(({ changes }) => Object.keys(changes))
  const { approved, verified, addedByUserId } = input
  const asLogged = approved === undefined && verified === undefined && addedByUserId === undefined
  return { kind: 'created', effects, waypointId: id, fields, conflicts: [], asLogged }
}

/** A row about a waypoint that is here already, but not from this source: fills in what is absent here. */
export function importLink(
  occasion: Occasion,
  waypoint: WaypointState,
  values: ImportedValues,
): ImportDecision {
  const missing = optionalFields.filter(
    (field) => values[field] !== undefined && waypoint[field] === undefined,
  )
  const amenities = mergedAmenities(waypoint.amenities, [], values.amenities ?? [])
  const patch = {
    ...Object.fromEntries(missing.map((field) => [field, values[field]])),
    ...(amenities.length > waypoint.amenities.length && { amenities }),
  }
  const fields = Object.keys(patch)
  const effects = fields.length === 0 ? noEffects : updateWaypoint(occasion, waypoint, patch)
  return { kind: 'linked', effects, waypointId: waypoint.id, fields, conflicts: [] }
}

/**
 * A row that was imported before: writes what changed at the source and nobody edited here since, and lists
 * the rest as conflicts. Amenities are compared one by one and never conflict.
 */
export function importAgain(
  occasion: Occasion,
  waypoint: WaypointState,
  before: ImportedValues,
  now: ImportedValues,
): ImportDecision {
  const waypointId = waypoint.id
  if (waypoint.deletedAt !== undefined) {
    return { kind: 'deleted', effects: noEffects, waypointId, fields: [], conflicts: [] }
  }
  const patch: Record<string, unknown> = {}
  const conflicts: Conflict[] = []
  for (const field of ['name', ...optionalFields] as const) {
    if (now[field] === before[field] || now[field] === waypoint[field]) continue
    if (waypoint[field] === before[field]) patch[field] = now[field] ?? null
    else conflicts.push({ field, here: waypoint[field] ?? null, there: now[field] ?? null })
  }
  if (moved(before, now) && moved(waypoint, now)) {
    if (!moved(waypoint, before)) Object.assign(patch, { latitude: now.latitude, longitude: now.longitude })
    else
      conflicts.push({
        field: 'position',
        here: [waypoint.longitude, waypoint.latitude],
        there: [now.longitude, now.latitude],
      })
  }
  const amenities = mergedAmenities(waypoint.amenities, before.amenities ?? [], now.amenities ?? [])
  if (amenities.join('\n') !== waypoint.amenities.join('\n')) patch['amenities'] = amenities
  const fields = Object.keys(patch)
  const effects = fields.length === 0 ? noEffects : updateWaypoint(occasion, waypoint, patch)
  const kind = fields.length > 0 ? 'updated' : conflicts.length > 0 ? 'conflict' : 'unchanged'
  return { kind, effects, waypointId, fields, conflicts }
}

function moved(
  a: { latitude: number; longitude: number },
  b: { latitude: number; longitude: number },
): boolean {
  return a.latitude !== b.latitude || a.longitude !== b.longitude
}
