import type { IconName } from '../build/icons.ts'
import type { Effect } from './entry.ts'

/** The icon of each kind of log entry. */
export const effectIcons: Readonly<Record<Effect, IconName>> = {
  created: 'created',
  edited: 'edited',
  approved: 'approved',
  unapproved: 'unapproved',
  verified: 'verified',
  unverified: 'unapproved',
  deleted: 'deleted',
  restored: 'created',
  merged: 'deleted',
}
