import { z } from 'zod'
import { sourceFields } from '../fields/source.ts'
import { waypointFields } from '../fields/waypoint.ts'
import { limits, pages } from '../rules.ts'
import { Latitude, Longitude } from './waypoint.ts'
import { waypointStates, type StateOfWaypoint } from '../status.ts'
import { normaliseAmenity } from '../vocabulary.ts'

/** West, south, east, north in degrees; west greater than east crosses the antimeridian. */
export const Box = z
  .tuple([Longitude, Latitude, Longitude, Latitude], {
    error: 'must be four numbers: west, south, east, north',
  })
  .refine(([, south, , north]) => south <= north, { message: 'must have south not above north' })
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

/** Which waypoints a list returns: those that match all given members, and have all amenities of `amenity`. */
export const WaypointFilter = z.object({
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
  maintainer: z.string().min(1).max(limits.maintainer).optional(),
  /** The name of a source that they came from. */
  source: z.string().min(1).max(limits.sourceName).optional(),
  /** The licence of one of its sources, or the registry's for waypoints without one. */
  license: z.string().min(1).max(sourceFields.license.maxLength).optional(),
  /** In one of these states today. */
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
  updatedSince: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 time such as 2026-01-31T12:00:00Z' })
    .overwrite((given) => (Number.isNaN(Date.parse(given)) ? given : new Date(given).toISOString()))
    .optional(),
  limit: z.int().min(1).max(pages.waypoints.max).optional(),
  /** Only ids greater than this one. */
  after: z.int().min(0).optional(),
})
export type WaypointFilter = z.infer<typeof WaypointFilter> & {
  /** Whether `license` is the registry's own, which waypoints without a source have. */
  readonly isOwnLicense?: boolean | undefined
}
/** A filter as callers write it: waypoints match all given members. */
export interface WaypointFilterInput {
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
  /** Maintained by this one. */
  readonly maintainer?: string | undefined
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
  /** How many: 1 to 100,000. Default 1,000 in `list`, and all in `each`, `texts` and `pages`. */
  readonly limit?: number | undefined
  /** Only ids greater than this one. */
  readonly after?: number | undefined
}

/** The schema of a page of a list. */
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

/** A search for waypoints that have every term of `q`. */
export const SearchQuery = paging(pages.search).extend({
  q: z
    .string()
    .max(limits.waypointName)
    .refine((given) => given.trim() !== '', { message: 'must not be blank: say what to look for' }),
})
export type SearchQuery = z.infer<typeof SearchQuery>
