import { z } from 'zod'
import type { GivenValuesOf, Properties } from '../fields/field.ts'
import { waypointFields } from '../fields/waypoint.ts'
import { clearableInputs, inOrder, optionalOutputs } from './described.ts'
import { outOfRange } from './out-of-range.ts'
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

/** Custom fields as callers give them: `null` removes one. */
type Given<Custom extends Properties> = { readonly [Name in keyof Custom]: Custom[Name] | null }

interface GivenFields<Custom extends Properties> extends GivenValuesOf<typeof waypointFields> {
  /** Its amenities, in the words of the vocabulary; other words are stored unchanged. At most 32. */
  readonly amenities?: readonly string[] | null | undefined
  /** Absolute http: or https: URL of a picture. */
  readonly image?: string | null | undefined
  /** When it gives water, in the form of `opening_hours` of OpenStreetMap. */
  readonly openingHours?: string | null | undefined
  /** First and last day of the part of every year in which it gives water, `MM-DD/MM-DD`. May run across New Year. */
  readonly season?: string | null | undefined
  /** Whether the water is declared to be drinking water; `unsigned` when nothing there says so. */
  readonly drinkable?: 'yes' | 'no' | 'unsigned' | null | undefined
  /** Who may use it: everybody, customers, or nobody but its owners; `unknown` when that was asked and not found out. */
  readonly access?: 'yes' | 'customers' | 'private' | 'unknown' | null | undefined
  /** The registry's custom fields: given ones change, `null` removes one. */
  readonly properties?: Given<Custom> | null | undefined
  /** Whether a moderator has looked at the record. */
  readonly approved?: boolean | undefined
  /** Whether it was checked that the fountain is there. */
  readonly verified?: boolean | undefined
  /** The id of the user who added it; only API tokens may say so. */
  readonly addedByUserId?: string | undefined
}

/** Changes of a waypoint, or a whole one with changes: other members are refused. `null` clears an optional field. */
export interface WaypointPatch<Custom extends Properties = Properties> extends GivenFields<Custom> {
  /** 1 to 200 characters. */
  readonly name?: string | undefined
  /** North of the equator, in degrees of WGS 84: -90 to 90. */
  readonly latitude?: number | undefined
  /** East of Greenwich, in degrees of WGS 84: -180 to 180. */
  readonly longitude?: number | undefined
}

/** A new waypoint: other members are refused. `approved`, `verified` and `addedByUserId` count only from API tokens. */
export interface WaypointInput<Custom extends Properties = Properties> extends GivenFields<Custom> {
  /** 1 to 200 characters. */
  readonly name: string
  /** North of the equator, in degrees of WGS 84: -90 to 90. */
  readonly latitude: number
  /** East of Greenwich, in degrees of WGS 84: -180 to 180. */
  readonly longitude: number
}

/** Changes of a waypoint. `null` clears an optional field. */
export const WaypointPatch = z
  .object(
    inOrder(waypointFields, {
      ...clearableInputs(waypointFields),
      name: text({ min: 1, max: limits.waypointName, trim: true, isName: true }).optional(),
      latitude: Latitude.optional(),
      longitude: Longitude.optional(),
      amenities: Amenities.nullable().optional(),
      approved: z.boolean().optional(),
      verified: z.boolean().optional(),
      addedByUserId: z.string().min(1).max(limits.userId).optional(),
    }),
  )
  .meta({ id: 'WaypointPatch' })

/** A new waypoint. `approved`, `verified` and `addedByUserId` count only from API tokens. */
export const WaypointInput = WaypointPatch.required({ name: true, latitude: true, longitude: true }).meta({
  id: 'WaypointInput',
})

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
export interface Waypoint<Custom extends Properties = Properties> extends z.infer<typeof Waypoint> {
  /** North of the equator, in degrees of WGS 84. */
  latitude: number
  /** East of Greenwich, in degrees of WGS 84. */
  longitude: number
  /** Its amenities, in the words of the vocabulary; absent ones are unknown. */
  amenities: string[]
  /** Fields of its own that the registry declares, or declared once. */
  properties?: Custom | undefined
  /** Whether a moderator has looked at the record, or an operator imported it. */
  approved: boolean
  /** Whether it was checked that the fountain is there. */
  verified: boolean
  /** The id of the user who added it; `api` for programs and imports. */
  addedByUserId: string
  /** ISO 8601 in UTC. */
  createdAt: string
  /** When it was last changed: ISO 8601 in UTC. */
  updatedAt: string
}

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
 * it was merged, and its redacted fields, in code unit order.
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
