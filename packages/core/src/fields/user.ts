import { count, fields, when, namesOf } from './field.ts'

/** The counts of a user, all under `stats`. They never decrease. */
export const userCounts = fields({
  waypointsCreated: { ...count, meaning: 'Waypoints added' },
  waypointsEdited: { ...count, meaning: 'Edits that changed something' },
  reviewsPosted: { ...count, meaning: 'Reviews written' },
})

export const userFields = fields({
  id: { type: 'user', setBy: 'nobody', meaning: 'Identifier of the contributor' },
  name: { type: 'text', setBy: 'editors', meaning: 'Display name, as chosen by the contributor' },
  xp: { ...count, unit: 'experience points', meaning: 'Experience points earned' },
  level: { ...count, meaning: 'Level, derived from the experience points' },
  createdAt: { ...when, meaning: 'When the account was made, UTC' },
  badge: {
    type: 'choice',
    values: ['moderator'],
    optional: true,
    setBy: 'nobody',
    meaning: 'Whether the contributor is a moderator',
  },
})

export type UserCount = keyof typeof userCounts
export const userCountNames = namesOf(userCounts)
