import { z } from 'zod'
import { moderation } from '../rules.ts'
import { Reason } from './text.ts'
import { WaypointFilter, WaypointPatch } from './waypoint.ts'

const { season, maintainer, access, drinkable, approved, verified, amenities } = WaypointPatch.shape
const some = WaypointFilter.omit({ near: true, limit: true, after: true })

/** The values that many waypoints get. */
const ManyPatch = z.object({
  season,
  maintainer,
  access,
  drinkable,
  approved,
  verified,
  amenities: amenities.meta({ description: 'Instead of those that they have' }),
  addAmenities: amenities,
  removeAmenities: amenities,
})

/** A change of many waypoints at once. */
export const ManyInput = z
  .object({
    where: some
      .extend({
        ids: z
          .array(z.int().positive())
          .min(1)
          .max(moderation.changedAtOnce)
          .optional()
          .meta({ description: 'These ones, if they match the rest' }),
      })
      .refine((given) => Object.values(given).some((value) => value !== undefined), {
        message: 'must have a condition: a box, a source, a region or another one',
      })
      .meta({ description: 'Which ones: those that match all members' }),
    set: ManyPatch.optional().meta({ description: 'What they get; `null` clears' }),
    remove: z.literal(true).optional().meta({ description: 'Deletes them, instead of `set`' }),
    reason: Reason.optional().meta({ description: 'Why; it is public' }),
    dryRun: z.boolean().optional().meta({ description: 'Says which would change, and writes nothing' }),
  })
  .refine(
    ({ set, remove }) =>
      (Object.values(set ?? {}).some((value) => value !== undefined) ? 1 : 0) + (remove ? 1 : 0) === 1,
    {
      path: ['set'],
      message: 'or remove is required, and only one of them',
    },
  )
  .meta({ id: 'ManyInput' })
export type ManyInput = z.input<typeof ManyInput>

/** The outcome of a change of many waypoints. */
export const ManyChanged = z
  .object({
    act: z
      .int()
      .positive()
      .optional()
      .meta({ description: 'The act, which can be undone; absent where nothing changed' }),
    changed: z
      .array(z.int().positive())
      .meta({ description: 'The ids of the waypoints that changed, ascending' }),
  })
  .meta({ id: 'ManyChanged' })
export type ManyChanged = z.infer<typeof ManyChanged>
