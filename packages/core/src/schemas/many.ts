import { z } from 'zod'
import { moderation } from '../rules.ts'
import { Reason } from './text.ts'
import { WaypointFilter, WaypointPatch } from './waypoint.ts'

const { season, maintainer, access, drinkable, approved, verified, amenities } = WaypointPatch.shape
const some = WaypointFilter.omit({ near: true, limit: true, after: true })
const id = z.int().positive()
const whole = z.int().min(0)
const Ids = z.array(id).min(1).max(moderation.changedAtOnce)
const isNarrowed = [
  (given: object) => Object.values(given).some((value) => value !== undefined),
  { message: 'must have a condition: a box, a source, a region or another one' },
] as const
const reason = Reason.meta({ description: 'Why; it is public' })
const dryRun = z.boolean().optional().meta({ description: 'Says which would change, and writes nothing' })

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

export const ManyInput = z
  .object({
    where: some
      .extend({ ids: Ids.optional().meta({ description: 'These ones, if they match the rest' }) })
      .refine(...isNarrowed)
      .meta({ description: 'Which ones: those that match all members' }),
    set: ManyPatch.optional().meta({ description: 'What they get; `null` clears' }),
    remove: z.literal(true).optional().meta({ description: 'Deletes them, instead of `set`' }),
    reason: reason.optional(),
    dryRun,
  })
  .refine(
    ({ set, remove }) =>
      (Object.values(set ?? {}).some((value) => value !== undefined) ? 1 : 0) + (remove ? 1 : 0) === 1,
    { path: ['set'], message: 'or remove is required, and only one of them' },
  )
  .meta({ id: 'ManyInput' })
export type ManyInput = z.input<typeof ManyInput>

export const SeasonInput = z
  .object({
    what: some
      .refine(...isNarrowed)
      .optional()
      .meta({ description: 'Which ones: those that match all members' }),
    ids: Ids.optional().meta({ description: 'Which ones, instead of `what`' }),
    season: z
      .nonoptional(season)
      .meta({ description: 'Months and days, such as `04-15/10-31`; `null` clears it' }),
    reason,
    dryRun,
  })
  .refine(({ what, ids }) => (what === undefined) !== (ids === undefined), {
    path: ['what'],
    message: 'or ids is required, and only one of them',
  })
  .meta({ id: 'SeasonInput' })
export type SeasonInput = z.input<typeof SeasonInput>

export const ManyChanged = z
  .object({
    act: id.optional().meta({ description: 'The act, which can be undone; absent where nothing changed' }),
    changed: z.array(id).meta({ description: 'The ids of the waypoints that changed, ascending' }),
    matched: whole
      .optional()
      .meta({ description: 'How many there are, with those that are so already; of a dry run alone' }),
  })
  .meta({ id: 'ManyChanged' })
export type ManyChanged = z.infer<typeof ManyChanged>
