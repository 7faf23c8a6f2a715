import { z } from 'zod'
import { duplicates, limits } from '../rules.ts'
import { text } from './text.ts'
import { Latitude, Longitude, Waypoint } from './waypoint.ts'

/** A waypoint that may be the same fountain as another. */
export const NearDuplicate = z
  .object({
    waypoint: Waypoint,
    metres: z.number().nonnegative().meta({ description: 'How far away it is, to a tenth of a metre' }),
    score: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'How certain it is that both are the same fountain, from distance and names' }),
  })
  .meta({ id: 'NearDuplicate' })
export type NearDuplicate = z.infer<typeof NearDuplicate>

/** A place, and a name if there is one, to compare with existing waypoints. */
export const DuplicateQuery = z.object({
  latitude: Latitude,
  longitude: Longitude,
  name: text({ max: limits.waypointName }).optional(),
})

/** Conditions of a new waypoint. */
export const CreateOptions = z.object({
  unlessNear: z
    .number()
    .refine((metres) => metres > 0 && metres <= duplicates.farthestMetres, {
      message: `must be above 0 and at most ${duplicates.farthestMetres} metres`,
    })
    .optional(),
})
export interface CreateOptions {
  /** Refuses the waypoint when another one is within this distance, in metres. */
  readonly unlessNear?: number | undefined
}
