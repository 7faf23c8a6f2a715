import { limits } from '../rules.ts'
import { fields, freeText, optionalValuesIn, textNames } from './field.ts'

export const observationKinds = ['works', 'broken', 'dry', 'dirty', 'blocked', 'gone', 'closed'] as const

/** Whose word counts as much as that of several people. */
export const observationAuthorities = ['moderator', 'operator', 'keeper'] as const

export const observationFields = fields({
  id: { type: 'id', setBy: 'nobody', meaning: 'Identifier of the observation' },
  bubblerId: { type: 'id', setBy: 'editors', column: 'waypoint_id', meaning: 'The observed waypoint' },
  kind: {
    type: 'choice',
    values: observationKinds,
    setBy: 'editors',
    meaning: 'What was seen; closed: a city closed its request, which says nothing of the water',
  },
  observedAt: { type: 'text', setBy: 'editors', meaning: 'The day on which it was seen, UTC' },
  near: { type: 'flag', setBy: 'nobody', meaning: 'Whether the observer is known to have been within 100 m' },
  observer: {
    type: 'text',
    setBy: 'nobody',
    meaning: 'Who it was, by a pseudonym that holds for this waypoint alone',
  },
  authority: {
    type: 'choice',
    values: observationAuthorities,
    optional: true,
    setBy: 'nobody',
    meaning: 'Whether it is the word of a moderator, of the operator or of a keeper',
  },
  until: {
    type: 'text',
    optional: true,
    setBy: 'moderators',
    meaning: 'The last day without water, UTC, where it is closed until then',
  },
  comment: { ...freeText, maxLength: limits.comment, meaning: 'Comment' },
})

export const observationTexts = textNames(observationFields)

export const observationValuesOf = optionalValuesIn(observationFields)
