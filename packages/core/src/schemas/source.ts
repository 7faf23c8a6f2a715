import { z } from 'zod'
import { limits } from '../rules.ts'
import { text } from './text.ts'
import { WebAddress } from './waypoint.ts'

/** A source of imported data, with its licence. `waypoints` counts the live waypoints that it lists. */
export const Source = z
  .object({
    id: z.int().positive(),
    name: z.string(),
    url: z.string().optional(),
    license: z.string(),
    attribution: z.string().optional(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    waypoints: z.int().min(0),
    lastImport: z.iso.datetime().optional(),
  })
  .meta({ id: 'Source' })
export type Source = z.infer<typeof Source>

/** A source as given to an import; `license` is an SPDX id. */
export const SourceInput = z
  .object({
    name: text({ min: 1, max: limits.sourceName, trim: true }),
    url: WebAddress.optional(),
    license: text({ min: 1, max: 64, trim: true }),
    attribution: text({ min: 1, max: limits.description, trim: true }).optional(),
  })
  .meta({ id: 'SourceInput' })
export type SourceInput = z.infer<typeof SourceInput>

/** The states of a waypoint at its source that mean it gives no water. */
export const sourceStates = ['broken', 'off'] as const

/** `broken` is out of order, `off` closed for the season. */
export const SourceState = z.enum(sourceStates)
export type SourceState = z.infer<typeof SourceState>

/**
 * A source of a waypoint. `missingSince` is present when the source no longer lists the waypoint, `state` when the
 * source said at `lastSeen` that it gives no water.
 */
export const WaypointSource = Source.pick({
  id: true,
  name: true,
  url: true,
  license: true,
  attribution: true,
})
  .extend({
    ref: z.string().optional(),
    firstSeen: z.iso.datetime(),
    lastSeen: z.iso.datetime(),
    missingSince: z.iso.datetime().optional(),
    state: SourceState.optional(),
  })
  .meta({ id: 'WaypointSource' })
export type WaypointSource = z.infer<typeof WaypointSource>
