import { z } from 'zod'
import type { GivenValuesOf } from '../fields/field.ts'
import { observationFields, observationKinds } from '../fields/observation.ts'
import { waypointStates } from '../status.ts'
import { clearableInputs, inOrder, optionalOutputs } from './described.ts'
import { Instant } from './text.ts'
import { Latitude, Longitude } from './waypoint.ts'

export const ObservationKind = z.enum(observationKinds)

const Day = z.iso.date({ error: 'must be a day such as 2026-05-31' })

const whenSeen = 'must be a time such as 2026-05-31T12:00:00Z, or a day such as 2026-05-31'

export const Observation = z
  .object(
    inOrder(observationFields, {
      ...optionalOutputs(observationFields),
      id: z.int().positive(),
      bubblerId: z.int().positive(),
      kind: ObservationKind,
      observedAt: Day.meta({ description: observationFields.observedAt.meaning }),
      near: z.boolean().meta({ description: observationFields.near.meaning }),
      observer: z.string().meta({ description: observationFields.observer.meaning }),
      until: Day.optional().meta({ description: observationFields.until.meaning }),
    }),
  )
  .meta({ id: 'Observation' })
export type Observation = z.infer<typeof Observation>

export const ObservationInput = z
  .object({
    bubblerId: z.int().positive(),
    kind: ObservationKind,
    observedAt: z
      .union([Instant, z.iso.date({ error: whenSeen })], { error: whenSeen })
      .optional()
      .meta({
        description:
          'When it was seen, at most 30 days ago. Up to 14 hours ahead of UTC it is of today, for devices of other time zones; not later. Default now',
      }),
    near: z
      .object({
        latitude: Latitude,
        longitude: Longitude,
        accuracy: z
          .number()
          .min(0)
          .optional()
          .meta({ description: 'How inexact the position is, in metres' }),
      })
      .nullable()
      .optional()
      .meta({
        description:
          'Where the observer is. It is not kept: only whether that is known to be within 100 m of the waypoint',
      }),
    ...clearableInputs(observationFields),
    until: Day.optional().meta({
      description:
        'The last day without water, at most a year ahead, for `dry` by keepers of the fountain, moderators and API tokens: until then it is `off`',
    }),
  })
  .omit({ authority: true })
  .meta({ id: 'ObservationInput' })
export interface ObservationInput extends Omit<
  GivenValuesOf<typeof observationFields>,
  'authority' | 'until'
> {
  /** The id of the waypoint. */
  readonly bubblerId: number
  /** The kind of observation. */
  readonly kind: Observation['kind']
  /** When it was seen: a time or a day in ISO 8601, at most 30 days ago. Up to 14 hours ahead of UTC it is of today. Default now. */
  readonly observedAt?: string | undefined
  /** The last day without water, `YYYY-MM-DD`, at most a year ahead; for `dry` by keepers, moderators and the operator. */
  readonly until?: string | undefined
  /** The observer's position: degrees of WGS 84, `accuracy` in metres. It is not stored. */
  readonly near?:
    | { readonly latitude: number; readonly longitude: number; readonly accuracy?: number | undefined }
    | null
    | undefined
}

/** Whether a waypoint gives water today. */
export const Status = z
  .object({
    state: z.enum(waypointStates).meta({
      description:
        '`off` is closed for the season, `reported` what one person says, `unconfirmed` that nobody said anything of late',
    }),
    since: Day.optional().meta({ description: 'Its first day, as far as it is known' }),
    lastConfirmed: Day.optional().meta({
      description:
        'The last day on which somebody saw that it works, here or as a source says it; that a source lists it is no confirmation',
    }),
    supporters: z
      .int()
      .min(0)
      .meta({ description: 'How many people say it; 0 when a source alone does, or the season' }),
    contradicted: z
      .literal(true)
      .optional()
      .meta({ description: 'Present when others said otherwise before' }),
  })
  .meta({ id: 'Status' })
