import { z } from 'zod'
import { limits } from '../rules.ts'
import { text } from './text.ts'
import { WebAddress } from './waypoint.ts'

/** Where data came from, and under which licence. */
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

/** A source as an import names it; `license` is an SPDX id. */
export const SourceInput = z
  .object({
    name: text({ min: 1, max: limits.sourceName, trim: true }),
    url: WebAddress.optional(),
    license: text({ min: 1, max: 64, trim: true }),
    attribution: text({ min: 1, max: limits.description, trim: true }).optional(),
  })
  .meta({ id: 'SourceInput' })
export type SourceInput = z.infer<typeof SourceInput>

/** What a source can say of a waypoint that it lists and that gives no water. */
export const sourceStates = ['broken', 'off'] as const

/** `broken` is out of order, `off` closed for the season. */
export const SourceState = z.enum(sourceStates)
export type SourceState = z.infer<typeof SourceState>

/**
 * A source as a waypoint knows it. `missingSince` is there when the source no longer lists the waypoint,
 * `state` when it said at `lastSeen` that the waypoint gives no water.
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
