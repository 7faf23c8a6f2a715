import type { LogEntry } from '../log/entry.ts'
import { invalid } from '../errors.ts'
import type { WaypointState } from '../schemas/waypoint.ts'
import { noEffects, type Effects } from './effects.ts'
import { withChanges } from './waypoint.ts'

/** Fields that may contain personal text; positions and flags cannot. */
const textFields = ['name', 'description', 'amenities', 'image', 'maintainer', 'region'] as const
type TextField = (typeof textFields)[number]

/** The name of a waypoint whose name was redacted, since a waypoint cannot be without one. */
export const redactedName = '(redacted)'

/** The value of each field after its text was removed. */
const cleared: Readonly<Record<TextField, unknown>> = {
  name: redactedName,
  description: null,
  amenities: [],
  image: null,
  maintainer: null,
  region: null,
}

function isTextField(field: string): field is TextField {
  return (textFields as readonly string[]).includes(field)
}

/** Whether a field has the value that a redaction leaves. */
export function isCleared(waypoint: WaypointState, field: TextField): boolean {
  const value = waypoint[field] ?? null
  return Array.isArray(value) ? value.length === 0 : value === cleared[field]
}

/** The fields of an entry that a redaction removes. @throws RegistryError INVALID_INPUT */
export function redactedFields(entry: LogEntry, asked: readonly string[] | undefined): TextField[] {
  const present = Object.keys(entry.changes)
    .filter(isTextField)
    .filter((field) => entry.changes[field] !== null)
  for (const field of asked ?? []) {
    if (!isTextField(field))
      throw invalid(
        'fields',
        `cannot include ${field}, which has no text; choose from ${textFields.join(', ')}`,
      )
    if (!present.includes(field))
      throw invalid('fields', `cannot include ${field}: entry ${entry.id} has none`)
  }
  const fields = asked === undefined ? present : present.filter((field) => asked.includes(field))
  if (fields.length === 0) throw invalid('id', 'names an entry that has no text to remove')
  return fields
}

/**
 * Clears the texts of a log entry that a waypoint still has, so that replaying the redacted log gives the waypoint.
 *
 * @param later fields that later entries set
 */
export function restate(
  before: WaypointState,
  fields: readonly TextField[],
  later: ReadonlySet<string>,
  by: { readonly userId: string; readonly at: string },
): Effects {
  const inForce = fields.filter((field) => !later.has(field))
  if (inForce.length === 0) return noEffects
  const changes = Object.fromEntries(inForce.map((field) => [field, cleared[field]]))
  return {
    ...noEffects,
    waypoint: { before, after: withChanges(before, changes, by.at) },
    entries: [{ bubblerId: before.id, userId: by.userId, action: 'edited', changes, timestamp: by.at }],
  }
}
