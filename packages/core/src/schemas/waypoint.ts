import { z } from 'zod'
import { waypointFields } from '../fields/waypoint.ts'
import { clearableInputs, inOrder, optionalOutputs } from './described.ts'
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

/** Latitude north of the equator, in degrees of WGS 84. */
export const Latitude = degrees(limits.latitude)

/** Longitude east of Greenwich, in degrees of WGS 84. */
export const Longitude = degrees(limits.longitude)

/** Amenities in the vocabulary's spelling, each once, in the order given. */
const Amenities = z
  .array(text({ min: 1, max: limits.amenity, trim: true }))
  .max(limits.amenities, { message: `must have at most ${limits.amenities} entries` })
  .overwrite((given) => [...new Set(given.map(normaliseAmenity))])

/** Changes of a waypoint; unknown members are ignored. `null` clears an optional field. */
export const WaypointPatch = z
  .object(
    inOrder(waypointFields, {
      ...clearableInputs(waypointFields),
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
    inOrder(waypointFields, {
      ...optionalOutputs(waypointFields),
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
