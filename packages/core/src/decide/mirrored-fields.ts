import { z } from 'zod'
import { areaFields } from '../fields/area.ts'
import { observationFields } from '../fields/observation.ts'
import { reviewFields } from '../fields/review.ts'
import type { listedDays } from '../fields/source.ts'
import { canonicalJson } from '../log/canonical-json.ts'
import { actions, entryFields, subjectActions, type LoggedEntry } from '../log/entry.ts'
import { limits } from '../rules.ts'
import { BoundingBoxInput } from '../schemas/area.ts'
import { clearableInputs, optionalInputs } from '../schemas/described.ts'
import { parseForeign } from '../schemas/parse.ts'
import { Observation } from '../schemas/observation.ts'
import { Properties } from '../schemas/properties.ts'
import { ReviewInput } from '../schemas/review.ts'
import { SourceInput, SourceState, Tags } from '../schemas/source.ts'
import { Instant, Reason, text } from '../schemas/text.ts'
import { WaypointInput, WaypointPatch } from '../schemas/waypoint.ts'
import { RegistryError } from '../errors.ts'

/**
 * The fields that entries of each kind can have, in the words of the registry's own input schemas: a mirror takes over
 * nothing that a local write could not have made.
 */

const id = z.int().positive()
/** Names that are refused today may stand in a log since they were not. */
const name = (max: number) => text({ min: 1, max, trim: true })
const waypointName = name(limits.waypointName)
const reason = Reason
const ref = z
  .string()
  .min(1)
  .max(limits.reference)
  .refine((given) => given.isWellFormed(), { message: 'has half a character in it' })
const Day = z.iso.date()
const days = <Schema extends z.ZodType>(schema: Schema) =>
  ({ checked: schema, updated: schema, since: schema, until: schema }) satisfies Record<
    (typeof listedDays)[number],
    Schema
  >
const relisted = {
  ref: ref.optional(),
  state: SourceState.nullable().optional(),
  tags: Tags.nullable().optional(),
  ...days(Day.nullable().optional()),
}
const Via = z.strictObject({
  ref: ref.optional(),
  run: id,
  source: id,
  state: SourceState.optional(),
  ...days(Day.optional()),
})

function waypointFields(action: (typeof actions)[number]): z.ZodObject {
  switch (action) {
    case 'created':
      return WaypointInput.extend({
        name: waypointName,
        properties: Properties.optional(),
        via: Via.optional(),
        tags: Tags.optional(),
        reason: reason.optional(),
      })
    case 'edited':
      return WaypointPatch.omit({ approved: true, verified: true }).extend({
        name: waypointName.optional(),
        // No amenities are an empty list.
        amenities: WaypointPatch.shape.amenities.unwrap().unwrap().optional(),
        properties: Properties.nullable().optional(),
        via: Via.optional(),
        reason: reason.optional(),
      })
    case 'approved':
    case 'unapproved':
      return z.object({
        approved: z.literal(action === 'approved'),
        via: Via.optional(),
        reason: reason.optional(),
      })
    case 'verified':
    case 'unverified':
      return z.object({
        verified: z.literal(action === 'verified'),
        via: Via.optional(),
        reason: reason.optional(),
      })
    case 'deleted':
      return z.object({ via: Via.optional(), reason: reason.optional() })
  }
}

const { rating } = ReviewInput.shape
const { kind, observedAt, near } = Observation.shape
/** A keyed hash in hexadecimal. */
const observer = z.string().regex(/^[0-9a-f]{32}$/u)
const counts = z.record(z.string().max(64), z.int().min(0))
const file = z.strictObject({
  name: z
    .string()
    .max(1000)
    .refine((given) => given.isWellFormed(), { message: 'has half a character in it' }),
  sha256: z.string().max(64),
  bytes: z.int().min(0),
})

/** By subject and action. */
const schemas: Readonly<Record<string, z.ZodObject>> = {
  ...Object.fromEntries(actions.map((action) => [`waypoint ${action}`, waypointFields(action)])),
  'review created': z.object({
    ...optionalInputs(reviewFields),
    rating,
    waypoint: id,
    reason: reason.optional(),
  }),
  'review edited': z.object({
    ...clearableInputs(reviewFields),
    rating: rating.optional(),
    reason: reason.optional(),
  }),
  'review moved': z.object({ waypoint: id }),
  'review deleted': z.object({ reason: reason.optional() }),
  'observation created': z.object({
    ...optionalInputs(observationFields),
    kind,
    near,
    observedAt,
    observer,
    waypoint: id,
    reason: reason.optional(),
  }),
  'observation edited': z.object({ comment: z.null() }),
  'observation moved': z.object({ observer, waypoint: id }),
  'observation deleted': z.object({ reason: reason.optional() }),
  'user created': z.object({ moderator: z.literal(true).optional() }),
  'user granted': z.object({ reason }),
  'user appointed': z.object({}),
  'user dismissed': z.object({}),
  'user blocked': z.object({ reason, until: Instant.optional() }),
  'user unblocked': z.object({}),
  'area created': BoundingBoxInput.extend({
    name: name(limits.areaName),
    color: z.string().regex(/^#[0-9a-f]{6}$/u),
  }),
  'area edited': z.object({
    ...clearableInputs(areaFields),
    name: name(limits.areaName).optional(),
  }),
  'area deleted': z.object({}),
  'source created': SourceInput.extend({ name: name(limits.sourceName) }),
  'source edited': SourceInput.omit({ name: true }).partial(),
  'import started': z.object({ file: file.optional(), source: id }),
  'import finished': z.object({ complete: z.boolean(), counts, published: Day.optional() }),
  'record linked': z.object({ tags: Tags.optional(), via: Via, waypoint: id }),
  'record edited': z.object(relisted),
  'record relisted': z.object(relisted),
  'record moved': z.object({ waypoint: id }),
  'record delisted': z.object({}),
  'entry redacted': z.object({
    names: z.array(z.string().min(1).max(64)).min(1).max(limits.redactedNames),
    reason,
  }),
}

/** The schema of an entry's fields; those that were redacted need not be there. */
function schemaOf({ subject, action, commitments = {} }: LoggedEntry): z.ZodObject | undefined {
  const known = (subjectActions[subject] as readonly string[]).includes(action)
  const schema = schemas[`${subject} ${action}`]
  if (!known || schema === undefined) return undefined
  const gone = Object.keys(commitments).filter((name) => name in schema.shape)
  const optional = Object.fromEntries(
    Object.entries(schema.shape).map(([name, field]) => [
      name,
      gone.includes(name) ? z.optional(field) : field,
    ]),
  )
  return z.strictObject(gone.length === 0 ? schema.shape : optional)
}

/** The problem with the fields of an entry; undefined when a local write could have made them. */
export function fieldsProblem(entry: LoggedEntry): string | undefined {
  const schema = schemaOf(entry)
  if (schema === undefined) return `${entry.subject} ${entry.action} is unknown`
  try {
    const given = parseForeign(schema, entry.fields)
    const values = Object.values(given)
    if (values.includes('')) return 'an empty text is written as none'
    if (entry.action === 'created' && values.includes(null)) return 'what is new has no empty fields'
    const isEdit = entry.action === 'edited' && entry.subject !== 'record' && entry.commitments === undefined
    if (isEdit && Object.keys(given).every((name) => entryFields.has(name))) return 'it changes nothing'
    return canonicalJson(given) === canonicalJson(entry.fields) ? undefined : 'its fields are not normalised'
  } catch (error) {
    if (error instanceof RegistryError) return error.message
    throw error
  }
}
