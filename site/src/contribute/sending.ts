import type { Waypoint } from '@openfountain/core'
import type { Refusal } from '../api/request.ts'
import { outbox, type Draft } from './outbox/outbox.ts'
import { askAgain, type Setting } from './setting.ts'

/** What became of what was sent. */
export type Sent =
  | { readonly state: 'done'; readonly answer: unknown }
  | { readonly state: 'waiting' }
  | { readonly state: 'conflict' }
  | { readonly state: 'refused'; readonly refusal: Refusal }

/**
 * Sends a draft by the outbox, as whoever the form is of: another account may have signed in while it was open. What is refused goes back to its form, so that the outbox does not keep it as well.
 */
export async function send({ person }: Pick<Setting, 'person'>, draft: Draft): Promise<Sent> {
  const outcome = await outbox().add({ ...draft, ...(person && { by: person.id }) })
  askAgain()
  if (outcome.state === 'refused' && outcome.key !== undefined) await outbox().undo(outcome.key)
  return outcome
}

/** Says that something is kept, and what it waits for: a network, or somebody who signs in again. */
export function waitingText({ words: { contribute } }: Setting): string {
  const { state } = outbox().last ?? {}
  const isSignedOut = navigator.onLine && (state === 'signed out' || state === 'other account')
  return isSignedOut ? contribute.waitingForSignIn : contribute.waiting
}

/** Tells the page that a fountain is new, different or gone, so that it is drawn so. */
export function announce(id: number, waypoint: Waypoint | undefined, isWaiting = false): void {
  document.dispatchEvent(
    new CustomEvent('openfountain:waypoint', {
      detail: { id, ...(waypoint && { waypoint }), ...(isWaiting && { isWaiting }) },
    }),
  )
}
