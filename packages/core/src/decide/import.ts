import type { WaypointInput, WaypointState } from '../schemas/waypoint.ts'
import type { Occasion } from './contributor.ts'
import { noEffects, type Effects } from './effects.ts'
import { isCleared } from './redaction.ts'
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

/** What is kept of them: redacted fields are missing, and in a mirror all of them. */
export type RememberedValues = Partial<ImportedValues>

/** The fields of a waypoint from which text was redacted: no import writes them. */
export type ClosedFields = ReadonlySet<string>
/** Those of a waypoint without redactions, as nearly all are. */
export const noFields: ClosedFields = new Set()

const optionalFields = ['description', 'image', 'maintainer', 'region'] as const
/** Every field of text. */
const importedFields = ['name', ...optionalFields, 'amenities'] as const

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
  /** Fields that the source tells and that were not taken, because text was redacted from them here. */
  readonly withheld: readonly string[]
  /** Whether what the log tells of the row is what the source says, beside whether it is approved. */
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

/** What may be kept of the values of a row about a waypoint with these closed fields. */
export function rememberedValues(values: ImportedValues, closed: ClosedFields): RememberedValues {
  if (closed.size === 0) return values
  return Object.fromEntries(Object.entries(values).filter(([field]) => !closed.has(field)))
}

/** The closed fields that a source tells otherwise than they stand here. */
function withheldFields(
  waypoint: WaypointState,
  values: ImportedValues,
  closed: ClosedFields,
): (typeof importedFields)[number][] {
  if (closed.size === 0) return []
  const isNews = (field: (typeof importedFields)[number]): boolean =>
    field === 'amenities'
      ? (values.amenities ?? []).some((each) => !waypoint.amenities.includes(each))
      : values[field] !== undefined && values[field] !== waypoint[field]
  return importedFields.filter((field) => closed.has(field) && isNews(field))
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

/** Whether a waypoint still says what its source said of it; of a redacted text, whether nobody wrote another. */
export function isAsImported(
  waypoint: WaypointState,
  values: RememberedValues,
  closed: ClosedFields,
): boolean {
  const isSame = (field: (typeof importedFields)[number]): boolean =>
    field === 'amenities'
      ? waypoint.amenities.join('\n') === (values.amenities ?? []).join('\n')
      : waypoint[field] === values[field]
  return (
    !moved(waypoint, values) &&
    importedFields.every((field) => isSame(field) || (closed.has(field) && isCleared(waypoint, field)))
  )
}

/** A row that is new to the registry. */
export function importNew(occasion: Occasion, id: number, input: WaypointInput): ImportDecision {
  const effects = createWaypoint(occasion, id, () => input)
  const fields = effects.entries.flatMap(({ changes }) => Object.keys(changes))
  const { verified, addedByUserId } = input
  const asLogged = verified === undefined && addedByUserId === undefined
  return { kind: 'created', effects, waypointId: id, fields, conflicts: [], withheld: [], asLogged }
}

/**
 * A row about a waypoint that is here already, but not from this source: fills in what is absent here, save for
 * closed fields.
 */
export function importLink(
  occasion: Occasion,
  waypoint: WaypointState,
  values: ImportedValues,
  closed: ClosedFields,
): ImportDecision {
  const open = rememberedValues(values, closed)
  const missing = optionalFields.filter((field) => open[field] !== undefined && waypoint[field] === undefined)
  const amenities = mergedAmenities(waypoint.amenities, [], open.amenities ?? [])
  const patch = {
    ...Object.fromEntries(missing.map((field) => [field, values[field]])),
    ...(amenities.length > waypoint.amenities.length && { amenities }),
  }
  const fields = Object.keys(patch)
  const effects = fields.length === 0 ? noEffects : updateWaypoint(occasion, waypoint, patch)
  // Names and texts that are here are never taken from another source.
  const withheld = withheldFields(waypoint, values, closed).filter(
    (field) => field !== 'name' && (field === 'amenities' || waypoint[field] === undefined),
  )
  return { kind: 'linked', effects, waypointId: waypoint.id, fields, conflicts: [], withheld }
}

/**
 * A row that was imported before: writes what changed at the source and nobody edited here since, and lists
 * the rest as conflicts. Amenities are compared one by one and never conflict. Closed fields stay as they are.
 */
export function importAgain(
  occasion: Occasion,
  waypoint: WaypointState,
  before: RememberedValues,
  now: ImportedValues,
  closed: ClosedFields,
): ImportDecision {
  const waypointId = waypoint.id
  if (waypoint.deletedAt !== undefined) {
    return { kind: 'deleted', effects: noEffects, waypointId, fields: [], conflicts: [], withheld: [] }
  }
  const patch: Record<string, unknown> = {}
  const conflicts: Conflict[] = []
  for (const field of ['name', ...optionalFields] as const) {
    if (closed.has(field) || now[field] === before[field] || now[field] === waypoint[field]) continue
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
  if (!closed.has('amenities') && amenities.join('\n') !== waypoint.amenities.join('\n'))
    patch['amenities'] = amenities
  const fields = Object.keys(patch)
  const effects = fields.length === 0 ? noEffects : updateWaypoint(occasion, waypoint, patch)
  const kind = fields.length > 0 ? 'updated' : conflicts.length > 0 ? 'conflict' : 'unchanged'
  return { kind, effects, waypointId, fields, conflicts, withheld: withheldFields(waypoint, now, closed) }
}

function moved(
  a: Pick<RememberedValues, 'latitude' | 'longitude'>,
  b: Pick<RememberedValues, 'latitude' | 'longitude'>,
): boolean {
  return a.latitude !== b.latitude || a.longitude !== b.longitude
}
