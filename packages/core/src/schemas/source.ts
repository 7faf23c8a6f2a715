import { z } from 'zod'
import { listingFields, sourceFields, sourceFigures, sourceStates } from '../fields/source.ts'
import { limits } from '../rules.ts'
import { Harvesting } from './harvest.ts'
import { inOrder, optionalInputs, optionalOutputs } from './described.ts'
import { text } from './text.ts'

const Day = z.iso.date()

/** A source of imported data, with its licence. `waypoints` counts the live waypoints that it lists. */
export const Source = z
  .object({
    ...inOrder(sourceFields, {
      ...optionalOutputs(sourceFields),
      id: z.int().positive(),
      name: z.string(),
      license: z.string(),
      createdAt: z.iso.datetime(),
      updatedAt: z.iso.datetime(),
    }),
    ...inOrder(sourceFigures, {
      ...optionalOutputs(sourceFigures),
      waypoints: z.int().min(0),
      published: Day.optional().meta({ description: sourceFigures.published.meaning }),
      harvesting: Harvesting.optional(),
    }),
  })
  .meta({ id: 'Source' })
export type Source = z.infer<typeof Source>

/** A source as given to an import; `license` is an SPDX id. */
export const SourceInput = z
  .object(
    inOrder(sourceFields, {
      ...optionalInputs(sourceFields),
      name: text({ min: 1, max: limits.sourceName, trim: true, isName: true }),
      license: text({ min: 1, max: sourceFields.license.maxLength, trim: true }),
    }),
  )
  .meta({ id: 'SourceInput' })
export type SourceInput = z.infer<typeof SourceInput>

/** `broken` is out of order, `off` closed for the season. */
export const SourceState = z.enum(sourceStates)
export type SourceState = z.infer<typeof SourceState>

const text255 = z
  .string()
  .min(1)
  .max(limits.tag)
  .refine((given) => given.isWellFormed(), { message: 'has half a character in it' })

/** Tags of OpenStreetMap, in the order of the code units of their keys, as the log writes objects. */
export const Tags = z.record(text255, text255).refine((given) => Object.keys(given).length <= limits.tags, {
  message: `has more than ${limits.tags} keys`,
})

export type Tags = z.infer<typeof Tags>

/**
 * A source of a waypoint. `missingSince` is present when the source no longer lists the waypoint, `state` when the
 * source said that it gives no water, as of `published` where that is known.
 */
export const WaypointSource = Source.omit({
  createdAt: true,
  updatedAt: true,
  waypoints: true,
  lastImport: true,
  published: true,
  harvesting: true,
})
  .extend(
    inOrder(listingFields, {
      ...optionalOutputs(listingFields),
      published: Day.optional().meta({ description: listingFields.published.meaning }),
      checked: Day.optional().meta({ description: listingFields.checked.meaning }),
      updated: Day.optional().meta({ description: listingFields.updated.meaning }),
      since: Day.optional().meta({ description: listingFields.since.meaning }),
      until: Day.optional().meta({ description: listingFields.until.meaning }),
      tags: Tags.optional().meta({ description: listingFields.tags.meaning }),
      firstSeen: z.iso.datetime(),
      lastSeen: z.iso.datetime(),
    }),
  )
  .meta({ id: 'WaypointSource' })
export type WaypointSource = z.infer<typeof WaypointSource>
