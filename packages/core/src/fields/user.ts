import { when, namesOf, type Fields } from './field.ts'

/** The counts of a user, all under `stats`. They never decrease. */
export const userCounts = {
  waypointsCreated: {
    type: 'whole',
    setBy: 'nobody',
    column: 'waypoints_created',
    meaning: 'Waypoints added',
  },
  waypointsEdited: {
    type: 'whole',
    setBy: 'nobody',
    column: 'waypoints_edited',
    meaning: 'Edits that changed something',
  },
  reviewsPosted: { type: 'whole', setBy: 'nobody', column: 'reviews_posted', meaning: 'Reviews written' },
} as const satisfies Fields

/** The other public fields of a user. */
export const userFields = {
  id: { type: 'user', setBy: 'nobody', column: 'id', meaning: 'Identifier of the contributor' },
  name: {
    type: 'text',
    setBy: 'editors',
    column: 'name',
    meaning: 'Display name, as chosen by the contributor',
  },
  xp: {
    type: 'whole',
    setBy: 'nobody',
    column: 'xp',
    unit: 'experience points',
    meaning: 'Experience points earned',
  },
  level: {
    type: 'whole',
    setBy: 'nobody',
    column: 'level',
    meaning: 'Level, derived from the experience points',
  },
  createdAt: { ...when, column: 'created_at', meaning: 'When the account was made, UTC' },
  badge: {
    type: 'choice',
    values: ['moderator'],
    optional: true,
    setBy: 'nobody',
    column: 'badge',
    meaning: 'Whether the contributor is a moderator',
  },
} as const satisfies Fields

export type UserCount = keyof typeof userCounts
export const userCountNames = namesOf(userCounts)
