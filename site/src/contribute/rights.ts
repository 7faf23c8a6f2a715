import type { OwnUser, Rules } from '@openfountain/core'

/** What people can do about a fountain on the site. */
export type Deed = 'add' | 'edit' | 'move' | 'review' | 'report' | 'remove'

/** Whether somebody may do it, and if not, why. */
export type Right =
  | { readonly state: 'allowed' }
  | { readonly state: 'signIn' }
  | { readonly state: 'never' }
  | { readonly state: 'blocked'; readonly block: NonNullable<OwnUser['blocked']> }
  | {
      readonly state: 'xp'
      readonly required: number
      readonly current: number
      /** Reviews that give the rest; undefined when reviews give nothing. */
      readonly reviews: number | undefined
    }

/** Who asks: undefined is nobody. Without a network it may be unknown what they have earned. */
export type Asker = Pick<OwnUser, 'xp' | 'isModerator' | 'blocked'> | 'unknown' | undefined

/**
 * The same gates as the server's; what it refuses in the end is shown as well.
 *
 * @param mayAnybodyReport whether people who are not signed in may report what is wrong
 */
export function rightTo(
  deed: Deed,
  asker: Asker,
  { gates, xp }: Pick<Rules, 'gates' | 'xp'>,
  mayAnybodyReport = false,
): Right {
  if (asker === undefined) return { state: deed === 'report' && mayAnybodyReport ? 'allowed' : 'signIn' }
  if (asker !== 'unknown' && asker.blocked) return { state: 'blocked', block: asker.blocked }
  if (deed === 'remove') return { state: asker !== 'unknown' && asker.isModerator ? 'allowed' : 'never' }
  if (asker === 'unknown' || deed === 'report') return { state: 'allowed' }
  const required = {
    add: gates.createWaypoint,
    edit: gates.editWaypoint,
    move: gates.editWaypoint,
    review: gates.postReview,
  }[deed]
  if (asker.xp >= required) return { state: 'allowed' }
  const missing = required - asker.xp
  return {
    state: 'xp',
    required,
    current: asker.xp,
    reviews: xp.postReview > 0 ? Math.ceil(missing / xp.postReview) : undefined,
  }
}
