import { z } from 'zod'
import type { Field, GivenValuesOf, Properties } from '../fields/field.ts'
import { sourceFields } from '../fields/source.ts'
import { forEachCompared, waypointFields, type ComparedField } from '../fields/waypoint.ts'
import { limits, pages } from '../rules.ts'
import { waypointStates, type StateOfWaypoint } from '../status.ts'
import { normaliseAmenity } from '../vocabulary.ts'
import { clearableInputs, inOrder, optionalOutputs } from './described.ts'
import { text } from './text.ts'

function degrees({ min, max }: { readonly min: number; readonly max: number }) {
  return z
    .number({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a number') })
    .check((payload) => {
      // JSON does not distinguish minus zero from zero.
      payload.value += 0
      const { value: input } = payload
      if (input >= min && input <= max) return
      const message = `must be between ${min} and ${max} degrees`
      payload.issues.push({ code: 'custom', input, message, params: { coordinates: true }, continue: true })
    })
    .meta({ minimum: min, maximum: max })
}

export const Latitude = degrees(limits.latitude)

/** Longitude east of Greenwich, in degrees of WGS 84. */
export const Longitude = degrees(limits.longitude)

/** Amenities in the vocabulary's spelling, each once, in the order given. */
const Amenities = z
  .array(text({ min: 1, max: limits.amenity, trim: true }))
  .max(limits.amenities, { message: `must have at most ${limits.amenities} entries` })
  .overwrite((given) => [...new Set(given.map(normaliseAmenity))])

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
  /** True stores no name, whatever `name` is. */
  readonly nameIsMade?: boolean | undefined
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
  .extend({
    nameIsMade: z.boolean().meta({ description: 'True stores no name, whatever `name` is' }).optional(),
  })
  .meta({ id: 'WaypointPatch' })

/** A new waypoint. `approved`, `verified` and `addedByUserId` count only from API tokens. */
export const WaypointInput = WaypointPatch.required({ name: true, latitude: true, longitude: true }).meta({
  id: 'WaypointInput',
})

export const NamelessInput = WaypointPatch.required({ latitude: true, longitude: true })

/** The member of a waypoint without a name of its own. */
const nameIsMade = z
  .literal(true)
  .meta({
    description:
      'Present when it has no name: `name` is then a label by its kind and its place, in the language of the registry',
  })
  .optional()

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
  .extend({ nameIsMade })
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
  nameIsMade: true,
}).meta({ id: 'FoundWaypoint' })
export type FoundWaypoint = z.infer<typeof FoundWaypoint>

/** West, south, east, north in degrees; west greater than east crosses the antimeridian. */
export const Box = z
  .tuple([Longitude, Latitude, Longitude, Latitude], {
    error: 'must be four numbers: west, south, east, north',
  })
  .refine(([, south, , north]) => south <= north, 'must have south not above north')
export type Box = z.infer<typeof Box>

/** Near a place, nearest first. `radius` is in metres; without it there is no limit. */
export const Near = z.object({
  latitude: Latitude,
  longitude: Longitude,
  radius: z.number().positive().max(20_100_000).optional(),
})
export type Near = z.infer<typeof Near>

/** The codes that select places, in upper or lower case, and the error for any other text. */
export const placeCodes = {
  country: {
    pattern: /^[A-Za-z]{2}$/u,
    characters: [2, 2],
    error: 'must be two letters of ISO 3166-1, such as IT',
  },
  subdivision: {
    pattern: /^[A-Za-z]{2}-[A-Za-z0-9]{1,3}$/u,
    characters: [4, 6],
    error: 'must be a code of ISO 3166-2, such as IT-62',
  },
} as const

const placeCode = (name: keyof typeof placeCodes) => {
  const { pattern, error } = placeCodes[name]
  return z.string().regex(pattern, { error }).toUpperCase()
}

const Time = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time such as 2026-01-31T12:00:00Z' })
  .overwrite((given) => (Number.isNaN(Date.parse(given)) ? given : new Date(given).toISOString()))

function comparison(name: ComparedField): z.ZodOptional<z.ZodType<string, string>> {
  const { type, maxLength = limits.imageUrl }: Field = waypointFields[name]
  return (type === 'time' ? Time : z.string().min(1).max(maxLength)).optional()
}

/** Which waypoints a list returns: those that match all given members, and have all amenities of `amenity`. */
export const WaypointFilter = z.object({
  ...forEachCompared(comparison),
  bbox: Box.optional(),
  near: Near.optional(),
  amenity: z
    .array(z.string().min(1).max(limits.amenity))
    .max(limits.amenities)
    .overwrite((given) => given.map(normaliseAmenity).toSorted())
    .optional(),
  region: z.string().min(1).max(limits.region).optional(),
  /** The country that the position lies in, ISO 3166-1 alpha-2. */
  country: placeCode('country').optional(),
  /** The part of a country that the position lies in, ISO 3166-2. */
  subdivision: placeCode('subdivision').optional(),
  approved: z.boolean().optional(),
  verified: z.boolean().optional(),
  drinkable: z.enum(waypointFields.drinkable.values).optional(),
  access: z.enum(waypointFields.access.values).optional(),
  id: z.int().positive().optional(),
  keeper: z.string().min(1).max(limits.userId).optional(),
  source: z.string().min(1).max(limits.sourceName).optional(),
  /** The licence of one of its sources, or the registry's for waypoints without one. */
  license: z.string().min(1).max(sourceFields.license.maxLength).optional(),
  status: z
    .union(
      [
        z.enum(waypointStates).transform((state) => [state]),
        z.array(z.enum(waypointStates)).min(1).max(waypointStates.length),
      ],
      { error: `must be one or several of ${waypointStates.join(', ')}` },
    )
    .optional(),
  /** Whether they are neither out of order, off, gone, private, nor declared not to be drinking water. */
  usable: z.boolean().optional(),
  /** ISO 8601; only waypoints that changed at that time or later. */
  updatedSince: Time.optional(),
  updatedUntil: Time.optional(),
  limit: z.int().min(1).max(pages.waypoints.max).optional(),
  after: z.int().min(0).optional(),
})
export type WaypointFilter = z.infer<typeof WaypointFilter> & {
  /** Whether `license` is the registry's own, which waypoints without a source have. */
  readonly isOwnLicense?: boolean | undefined
  /** The maintainers and sources of the keeper. */
  readonly keptNames?: readonly string[] | undefined
  readonly keptSources?: readonly number[] | undefined
}
/** Members of a filter that leave waypoints out by what they are, not by their order. */
export const filterNames = Object.keys(WaypointFilter.omit({ near: true, limit: true, after: true }).shape)

/** A filter as callers write it: waypoints match all given members. */
export interface WaypointFilterInput extends Partial<
  Readonly<Record<Exclude<ComparedField, 'drinkable' | 'access'>, string | undefined>>
> {
  readonly id?: number | undefined
  /** West, south, east, north in degrees of WGS 84; west greater than east crosses the antimeridian. */
  readonly bbox?: readonly [west: number, south: number, east: number, north: number] | undefined
  /** Near a place in degrees of WGS 84, nearest first. `radius` is in metres; default no limit. */
  readonly near?:
    | { readonly latitude: number; readonly longitude: number; readonly radius?: number | undefined }
    | undefined
  /** With all of these amenities. */
  readonly amenity?: readonly string[] | undefined
  /** The region given by people, or the name of the place around waypoints without one. */
  readonly region?: string | undefined
  /** The country that the position lies in: ISO 3166-1 alpha-2, such as `IT`. */
  readonly country?: string | undefined
  /** The part of a country that the position lies in: ISO 3166-2, such as `IT-62`. */
  readonly subdivision?: string | undefined
  readonly approved?: boolean | undefined
  readonly verified?: boolean | undefined
  /** Whether the water is declared to be drinking water. */
  readonly drinkable?: WaypointFilter['drinkable']
  /** Who may use it. */
  readonly access?: WaypointFilter['access']
  /** Kept by the user with this id. */
  readonly keeper?: string | undefined
  /** From the source of this name. */
  readonly source?: string | undefined
  /** Under this licence, such as `CC0-1.0`: that of a source, or the registry's for waypoints without one. */
  readonly license?: string | undefined
  /** In this state today, or in one of these. */
  readonly status?: StateOfWaypoint | readonly StateOfWaypoint[] | undefined
  /**
   * Usable as far as is known: none of `broken`, `off` and `gone`, not `private`, and not declared to be no drinking
   * water. False: the others.
   */
  readonly usable?: boolean | undefined
  /** Changed at that time or later: ISO 8601. */
  readonly updatedSince?: string | undefined
  /** Changed at that time or earlier: ISO 8601. */
  readonly updatedUntil?: string | undefined
  /** How many: 1 to 100,000. Default 1,000 in `list`, and all in `each`. */
  readonly limit?: number | undefined
  /** Only ids greater than this one. */
  readonly after?: number | undefined
}

export function paging(size: { readonly default: number; readonly max: number }) {
  return z.object({
    limit: z.int().min(1).max(size.max).default(size.default),
    offset: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  })
}

/** The schema of a page of a list by id. */
export function pagingById(size: { readonly default: number; readonly max: number }) {
  return paging(size)
    .omit({ offset: true })
    .extend({ after: z.int().min(0).default(0) })
}

export const SearchQuery = paging(pages.search).extend({
  q: z
    .string()
    .max(limits.waypointName)
    .refine((given) => given.trim() !== '', { message: 'must not be blank: say what to look for' }),
})
export type SearchQuery = z.infer<typeof SearchQuery>
