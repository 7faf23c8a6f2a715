import { z } from 'zod'

const optional = (description: string) => z.string().meta({ description }).optional()

/** Where a waypoint is, derived from its position; absent members are unknown. */
export const WaypointPlace = z
  .object({
    country: optional('The country, ISO 3166-1 alpha-2'),
    subdivision: optional('The part of the country, ISO 3166-2'),
    name: optional('The name of the smallest known place around the position'),
  })
  .meta({ id: 'WaypointPlace' })
export type WaypointPlace = z.infer<typeof WaypointPlace>

/** The place of a position in degrees of WGS 84, always the same, quickly, without throwing; undefined for none. */
export type PlaceLookup = (position: {
  readonly latitude: number
  readonly longitude: number
}) => WaypointPlace | undefined
