import type { OwnUser, Rules } from '@openfountain/core'
import type { PassersBy, SignInOffer } from '../api/signed-in.ts'

export type Action = 'add' | 'edit' | 'move' | 'review' | 'observe' | 'photo' | 'report' | 'remove'

const forms = ['edit', 'move', 'review', 'photo', 'report'] as const satisfies readonly Action[]

/** Whether a text of the address is an action that opens a form: a link must not do more. */
export const opensForm = (text: string): text is (typeof forms)[number] => forms.some((one) => one === text)

export type Right =
  | { readonly state: 'allowed' | 'signIn' | 'never' }
  | { readonly state: 'blocked'; readonly block: NonNullable<OwnUser['blocked']> }
  | {
      readonly state: 'xp'
      readonly required: number
      readonly current: number
      /** Number of reviews that earn the missing XP; undefined when reviews earn none. */
      readonly reviews: number | undefined
    }

/** The visitor: undefined when signed out, `unknown` offline when the XP is not known. */
export type Visitor = Pick<OwnUser, 'xp' | 'isModerator' | 'blocked'> | 'unknown' | undefined

/** Whether the visitor is signed in and the server has a place for photos, as far as is known. */
export const takesPhotos = ({
  person,
  offer,
}: {
  readonly person?: unknown
  readonly offer?: SignInOffer | undefined
}): boolean => person !== undefined && (offer === undefined || offer.photos === true)

const gateOf = {
  add: 'createWaypoint',
  edit: 'editWaypoint',
  move: 'editWaypoint',
  review: 'postReview',
} as const

const isForAll = (action: Action, passersBy: PassersBy): boolean =>
  (action === 'observe' && passersBy !== 'nothing') || (action === 'report' && passersBy === 'reports')

/** The same gates as the server's; the server's own refusals are shown as well. */
export function rightTo(
  action: Action,
  visitor: Visitor,
  { gates, xp }: Pick<Rules, 'gates' | 'xp'>,
  passersBy: PassersBy = 'nothing',
): Right {
  if (visitor === undefined) return { state: isForAll(action, passersBy) ? 'allowed' : 'signIn' }
  if (visitor !== 'unknown' && visitor.blocked) return { state: 'blocked', block: visitor.blocked }
  if (action === 'remove')
    return { state: visitor !== 'unknown' && visitor.isModerator ? 'allowed' : 'never' }
  if (visitor === 'unknown' || action === 'observe' || action === 'photo' || action === 'report')
    return { state: 'allowed' }
  const required = gates[gateOf[action]]
  if (visitor.xp >= required) return { state: 'allowed' }
  const missing = required - visitor.xp
  return {
    state: 'xp',
    required,
    current: visitor.xp,
    reviews: xp.postReview > 0 ? Math.ceil(missing / xp.postReview) : undefined,
  }
}
