import { z } from 'zod'
import type { GivenValuesOf } from '../fields/field.ts'
import { photoFields, photoStates } from '../fields/photo.ts'
import { limits, photos } from '../rules.ts'
import { clearableInputs, inOrder, optionalOutputs } from './described.ts'
import { Reason, text } from './text.ts'

const id = z.int().positive()
const described = {
  ...optionalOutputs(photoFields),
  id,
  bubblerId: id,
  userId: z.string(),
  license: z.string(),
  createdAt: z.iso.datetime(),
  width: id,
  height: id,
  state: z.enum(photoStates),
}

export const StoredPhoto = z.object(
  inOrder(photoFields, {
    ...described,
    sha256: z.string(),
    mediumSha256: z.string(),
    smallSha256: z.string(),
  }),
)
export type StoredPhoto = z.infer<typeof StoredPhoto>

export const Photo = z
  .object({
    ...inOrder(photoFields, described),
    author: z.string().meta({ description: 'The name that stands under it' }),
    urls: z
      .object({ large: z.string(), medium: z.string(), small: z.string() })
      .meta({ description: 'WebP files, whose longest sides have at most 2048, 1280 and 320 pixels' }),
  })
  .meta({ id: 'Photo' })
export type Photo = z.infer<typeof Photo>

const License = z.enum(photos.licenses, { error: `must be one of ${photos.licenses.join(', ')}` })
const TakenAt = z
  .union([z.iso.date(), z.iso.datetime({ offset: true, local: true })], {
    error: 'must be a day such as 2026-05-31, or a time in ISO 8601',
  })
  .transform((given) => given.slice(0, 10))

export const PhotoInput = z.object({
  ...clearableInputs(photoFields),
  license: License.default(photos.licenses[0]),
  takenAt: TakenAt.nullable().optional(),
})
export interface PhotoInput extends GivenValuesOf<typeof photoFields> {
  /** `CC-BY-4.0` (default), `CC-BY-SA-4.0` or `CC0-1.0`. */
  readonly license?: string | undefined
  /** The day or the time at which it was taken; the day is kept. */
  readonly takenAt?: string | null | undefined
}

/** A change of a photo: its author describes it, a moderator shows or hides it. */
export const PhotoPatch = z
  .object({
    alt: text({ max: limits.photoAlt }).nullable().optional(),
    state: z.enum(['shown', 'hidden']).optional(),
    reason: Reason.optional().meta({ description: 'Why it is shown or hidden; it is public' }),
  })
  .meta({ id: 'PhotoPatch' })
export interface PhotoPatch {
  /** At most 300 characters; `null` clears it. */
  readonly alt?: string | null | undefined
  readonly state?: 'shown' | 'hidden' | undefined
  /** Why it is shown or hidden: public, in the log and among the acts of moderators. */
  readonly reason?: string | undefined
}
