import type { Action } from '@openfountain/core/internal'
import type { IconName } from '../build/icons.ts'

/** The effect of an entry on a waypoint; a restoration is logged as a creation, a merge as a deletion. */
export type Effect = Action | 'restored' | 'merged'

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
