import { limits } from '../rules.ts'
import { when, optionalNames, optionalValuesIn, textNames, type Fields } from './field.ts'

/** Every field of a review. */
export const reviewFields = {
  id: { type: 'id', setBy: 'nobody', column: 'id', meaning: 'Identifier of the review' },
  bubblerId: { type: 'id', setBy: 'editors', column: 'waypoint_id', meaning: 'The reviewed waypoint' },
  userId: { type: 'user', setBy: 'nobody', column: 'user_id', meaning: 'Identifier of the author' },
  rating: {
    type: 'whole',
    setBy: 'editors',
    column: 'rating',
    unit: 'stars, 1 to 5',
    meaning: 'Rating, 5 is best',
  },
  comment: {
    type: 'text',
    optional: true,
    setBy: 'editors',
    maxLength: limits.comment,
    isText: true,
    column: 'comment',
    meaning: 'Comment',
  },
  createdAt: { ...when, column: 'created_at', meaning: 'When it was written, UTC' },
  updatedAt: { ...when, column: 'updated_at', meaning: 'When it was last changed, UTC' },
} as const satisfies Fields

export const reviewOptionals = optionalNames(reviewFields)
export const reviewTexts = textNames(reviewFields)

export const reviewValuesOf = optionalValuesIn(reviewFields)
