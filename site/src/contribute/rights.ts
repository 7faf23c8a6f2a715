import type { OwnUser, Rules } from '@openfountain/core'

/** The actions on fountains. */
export type Deed = 'add' | 'edit' | 'move' | 'review' | 'report' | 'remove'

/** Whether an action is allowed, and if not, why. */
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

/** The visitor: undefined when signed out, `unknown` offline when the XP is not known. */
export type Asker = Pick<OwnUser, 'xp' | 'isModerator' | 'blocked'> | 'unknown' | undefined

/**
 * The same gates as the server's; the server's own refusals are shown as well.
 *
 * @param mayAnybodyReport whether reports are allowed without an account
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
