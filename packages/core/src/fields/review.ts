import { limits } from '../rules.ts'
import { fields, freeText, when, optionalNames, optionalValuesIn, textNames } from './field.ts'

export const reviewFields = fields({
  id: { type: 'id', setBy: 'nobody', meaning: 'Identifier of the review' },
  bubblerId: { type: 'id', setBy: 'editors', column: 'waypoint_id', meaning: 'The reviewed waypoint' },
  userId: { type: 'user', setBy: 'nobody', meaning: 'Identifier of the author' },
  rating: { type: 'whole', setBy: 'editors', unit: 'stars, 1 to 5', meaning: 'Rating, 5 is best' },
  comment: { ...freeText, maxLength: limits.comment, meaning: 'Comment' },
  createdAt: { ...when, meaning: 'When it was written, UTC' },
  updatedAt: { ...when, meaning: 'When it was last changed, UTC' },
})

export const reviewOptionals = optionalNames(reviewFields)
export const reviewTexts = textNames(reviewFields)

export const reviewValuesOf = optionalValuesIn(reviewFields)
