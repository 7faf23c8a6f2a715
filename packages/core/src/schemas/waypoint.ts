import { z } from 'zod'
import {
  fieldNames,
  optionalFields,
  waypointFields,
  type Field,
  type OptionalField,
  type OptionalValue,
} from '../fields.ts'
import { outOfRange } from './parse.ts'
import { limits } from '../rules.ts'
import { text } from './text.ts'
import { normaliseAmenity } from '../vocabulary.ts'

function degrees({ min, max }: { readonly min: number; readonly max: number }) {
  return (
    z
      .number({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a number') })
      // JSON does not distinguish minus zero from zero.
      .overwrite((given) => given + 0)
      .refine((given) => given >= min && given <= max, {
        message: `must be between ${min} and ${max} degrees`,
        params: outOfRange,
      })
      .meta({ minimum: min, maximum: max })
  )
}

function isWebAddress(given: string): boolean {
  if (!/^https?:\/\//iu.test(given) || /[\s\p{Cc}]/u.test(given)) return false
  const url = URL.parse(given)
  return url !== null && url.hostname !== '' && url.username === '' && url.password === ''
}

/** An absolute http: or https: URL without credentials. */
export const WebAddress = z
  .string()
  .refine((given) => given.isWellFormed() && given.length <= limits.imageUrl && isWebAddress(given), {
    message: `must be an absolute http: or https: URL of at most ${limits.imageUrl} characters`,
  })
  .meta({ format: 'uri', maxLength: limits.imageUrl })

/** Latitude north of the equator, in degrees of WGS 84. */
export const Latitude = degrees(limits.latitude)

/** Longitude east of Greenwich, in degrees of WGS 84. */
export const Longitude = degrees(limits.longitude)

/** Amenities in the vocabulary's spelling, each once, in the order given. */
const Amenities = z
  .array(text({ min: 1, max: limits.amenity, trim: true }))
  .max(limits.amenities, { message: `must have at most ${limits.amenities} entries` })
  .overwrite((given) => [...new Set(given.map(normaliseAmenity))])

/** The schema of an optional field's value. */
function optionalInput({ type, values = [], maxLength: max = 0, pattern }: Field): z.ZodType<string> {
  if (type === 'address') return WebAddress
  if (type === 'choice')
    return z.enum(values as [string, ...string[]], { error: `must be one of ${values.join(', ')}` })
  const schema = text({ max })
  if (pattern === undefined) return schema
  const form = new RegExp(`^(?:${pattern.source})?$`, 'u')
  return schema.refine((given) => form.test(given), { message: `must be ${pattern.form}` })
}

type ValueSchema<Name extends OptionalField> =
  string extends OptionalValue<Name> ? z.ZodString : z.ZodEnum<{ [Value in OptionalValue<Name>]: Value }>
type Inputs = { [Name in OptionalField]: z.ZodOptional<z.ZodNullable<ValueSchema<Name>>> }
type Outputs = { [Name in OptionalField]: z.ZodOptional<ValueSchema<Name>> }

/** Schemas of the optional fields, by their descriptions. An empty text is the same as none. */
const optionalInputs = Object.fromEntries(
  optionalFields.map((name): [string, z.ZodType] => [
    name,
    optionalInput(waypointFields[name]).nullable().optional(),
  ]),
) as Inputs

const optionalOutputs = Object.fromEntries(
  optionalFields.map((name): [string, z.ZodType] => {
    const { values }: Field = waypointFields[name]
    return [name, (values === undefined ? z.string() : z.enum(values)).optional()]
  }),
) as Outputs

/** A shape with its members in the order of the fields. */
function inOrder<Shape extends object>(shape: Shape): Shape {
  return Object.fromEntries(
    fieldNames.flatMap((name) => (name in shape ? [[name, shape[name as keyof Shape]]] : [])),
  ) as Shape
}

/** Changes of a waypoint; unknown members are ignored. `null` clears an optional field. */
export const WaypointPatch = z
  .object(
    inOrder({
      ...optionalInputs,
      name: text({ min: 1, max: limits.waypointName, trim: true }).optional(),
      latitude: Latitude.optional(),
      longitude: Longitude.optional(),
      amenities: Amenities.nullable().optional(),
      approved: z.boolean().optional(),
      verified: z.boolean().optional(),
      addedByUserId: z.string().min(1).max(limits.userId).optional(),
    }),
  )
  .meta({ id: 'WaypointPatch' })
export type WaypointPatch = z.infer<typeof WaypointPatch>

/** A new waypoint. `approved`, `verified` and `addedByUserId` count only from API tokens. */
export const WaypointInput = WaypointPatch.required({ name: true, latitude: true, longitude: true }).meta({
  id: 'WaypointInput',
})
export type WaypointInput = z.infer<typeof WaypointInput>

/** A water fountain. Unset optional fields are absent. */
export const Waypoint = z
  .object(
    inOrder({
      ...optionalOutputs,
      id: z.int().positive(),
      name: z.string(),
      latitude: z.number(),
      longitude: z.number(),
      amenities: z.array(z.string()),
      approved: z.boolean(),
      verified: z.boolean(),
      addedByUserId: z.string(),
      createdAt: z.iso.datetime(),
      updatedAt: z.iso.datetime(),
    }),
  )
  .meta({ id: 'Waypoint' })
export type Waypoint = z.infer<typeof Waypoint>

/** A waypoint as search returns it. */
export const FoundWaypoint = Waypoint.pick({
  id: true,
  name: true,
  latitude: true,
  longitude: true,
  description: true,
  region: true,
}).meta({ id: 'FoundWaypoint' })
export type FoundWaypoint = z.infer<typeof FoundWaypoint>

/**
 * A waypoint with its internal fields: whether it was ever verified, when it became a tombstone and into which waypoint
 * it was merged, and from which fields text was redacted, in code unit order.
 */
export interface WaypointState extends Waypoint {
  readonly verifiedOnce: boolean
  /** The id of the newest entry about it. */
  readonly version: number
  readonly deletedAt?: string | undefined
  readonly mergedInto?: number | undefined
  readonly redactedFields?: readonly string[] | undefined
}

/** A waypoint without its internal fields. */
export function published(state: WaypointState): Waypoint {
  const {
    verifiedOnce: _once,
    version: _version,
    deletedAt: _deleted,
    mergedInto: _merged,
    redactedFields: _redacted,
    ...waypoint
  } = state
  return waypoint
}
