import { limits } from '../rules.ts'
import { count, fields, freeText, optionalNames, optionalValuesIn, textNames, when } from './field.ts'

/** Whether everybody sees a photo, or its author and moderators alone: it waits for a moderator, or one has hidden it. */
export const photoStates = ['shown', 'waiting', 'hidden'] as const
export type PhotoState = (typeof photoStates)[number]

const file = { type: 'text', setBy: 'nobody' } as const

export const photoFields = fields({
  id: { type: 'id', setBy: 'nobody', meaning: 'Identifier of the photo' },
  bubblerId: { type: 'id', setBy: 'editors', column: 'waypoint_id', meaning: 'The waypoint that it shows' },
  userId: { type: 'user', setBy: 'nobody', meaning: 'Identifier of the author' },
  license: { type: 'text', setBy: 'editors', meaning: 'The SPDX id of the licence that its author gave it' },
  alt: { ...freeText, maxLength: limits.photoAlt, meaning: 'What it shows, for those who do not see it' },
  takenAt: {
    type: 'text',
    optional: true,
    setBy: 'editors',
    maxLength: 10,
    meaning: 'The day on which it was taken, as its author says',
  },
  createdAt: { ...when, meaning: 'When it was added, UTC' },
  width: { ...count, unit: 'pixels', meaning: 'Width of the large file' },
  height: { ...count, unit: 'pixels', meaning: 'Height of the large file' },
  state: {
    type: 'choice',
    values: photoStates,
    setBy: 'moderators',
    meaning: 'Whether everybody sees it, or it waits for a moderator, or is hidden',
  },
  sha256: { ...file, meaning: 'SHA-256 of the large file, in hexadecimal' },
  mediumSha256: { ...file, meaning: 'SHA-256 of the medium file' },
  smallSha256: { ...file, meaning: 'SHA-256 of the small file' },
})

export const photoOptionals = optionalNames(photoFields)
export const photoTexts = textNames(photoFields)

export const photoValuesOf = optionalValuesIn(photoFields)
