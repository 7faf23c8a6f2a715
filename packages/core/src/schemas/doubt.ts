import { z } from 'zod'
import { optionalFields, waypointFields } from '../fields/waypoint.ts'
import { moderation } from '../rules.ts'
import { optionalOutputs } from './described.ts'

/** The decision about a doubtful row: the same fountain as the one here, a new one, or not imported. */
export const DoubtDecision = z.enum(['same', 'new', 'skip'])
export type DoubtDecision = z.infer<typeof DoubtDecision>

const id = z.int().positive()

/** A row of an import that may be a waypoint which is here. */
export const DoubtfulRow = z
  .object({
    id,
    sourceId: id,
    source: z.string().meta({ description: 'The name of the source' }),
    ref: z.string().meta({ description: 'The source’s own reference, or one that stands for the place' }),
    row: z.int().positive().meta({ description: 'The number of the row in the newest file' }),
    name: z.string().meta({ description: 'Empty for one without a name' }),
    latitude: z.number(),
    longitude: z.number(),
    amenities: z.array(z.string()).optional(),
    ...optionalOutputs(waypointFields),
  })
  .meta({ id: 'DoubtfulRow' })
export type DoubtfulRow = z.infer<typeof DoubtfulRow>

export interface KeptDoubtfulRow {
  readonly id: number
  /** The source’s own reference, or one that stands for the place. */
  readonly ref: string
  readonly values: unknown
}

export const rowFields = ['name', 'latitude', 'longitude', 'amenities', ...optionalFields] as const

export const RowDecision = z.object({
  id: id.meta({ description: 'The id of the doubtful row' }),
  decision: z.enum([...DoubtDecision.options, 'open']).meta({
    description: '`same` waypoint, a `new` one, `skip` not to import it; `open` takes `skip` back',
  }),
  waypointId: id.optional().meta({ description: 'For `same`: another waypoint than the one that was found' }),
})
export type RowDecision = z.infer<typeof RowDecision>

export const RowDecisions = z
  .object({ decisions: z.array(RowDecision).min(1).max(moderation.decidedAtOnce) })
  .meta({ id: 'RowDecisions' })
export type RowDecisions = z.infer<typeof RowDecisions>

export const DecidedRow = z
  .object({
    id,
    decision: RowDecision.shape.decision.optional().meta({ description: 'Absent where it was refused' }),
    waypointId: id.optional().meta({ description: 'The waypoint that the row is now' }),
    error: z
      .object({ code: z.string(), message: z.string() })
      .optional()
      .meta({ description: 'Why it was refused; nothing of it was written' }),
  })
  .meta({ id: 'DecidedRow' })
export type DecidedRow = z.infer<typeof DecidedRow>
