import type { Waypoint } from '@openfountain/core'
import { exchange, Refusal } from '../api/request.ts'
import { nobody } from './outbox/act.ts'
import { outbox, type Act, type Draft } from './outbox/outbox.ts'
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
  const outcome = await outbox().add({ ...(person && { by: person.id }), ...draft })
  askAgain()
  if (outcome.state === 'refused' && outcome.key !== undefined) await outbox().undo(outcome.key)
  return outcome
}

/**
 * Sends an act that the server refused with what is now in its form, in place of what it was. What is refused once more stays
 * in the outbox, as it was typed last.
 */
export async function sendAgain({ key }: Act, { body, subject, position }: Draft): Promise<Sent> {
  const outcome = await outbox().revise(key, (kept) => ({
    ...kept,
    ...(body !== undefined && { body }),
    subject,
    ...(position && { position }),
  }))
  askAgain()
  // In another tab it was sent again, or dropped.
  return outcome ?? { state: 'refused', refusal: new Refusal('NOT_FOUND') }
}

/**
 * Sends a report of somebody who is not signed in, as nobody's, whoever has signed in meanwhile. It is not kept: the form has
 * it until it is sent.
 */
export async function sendNameless({ site }: Pick<Setting, 'site'>, body: unknown): Promise<Sent> {
  try {
    const { body: answer } = await exchange(site, 'POST', '/reports', {
      body,
      isNameless: true,
      timeoutMilliseconds: 30_000,
    })
    return { state: 'done', answer }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { state: 'refused', refusal: error }
  }
}

/** Sends what is in a form: anew, or in place of an act that was refused. */
export const sendOrCorrect = (setting: Setting, draft: Draft, again: Act | undefined): Promise<Sent> =>
  again ? sendAgain(again, draft) : send(setting, draft)

/** Says that something is kept, and what it waits for: a network, or somebody who signs in again. */
export function waitingText({ words: { contribute } }: Setting): string {
  const { state } = outbox().last ?? {}
  const isSignedOut = navigator.onLine && (state === 'signed out' || state === 'other account')
  return isSignedOut ? contribute.waitingForSignIn : contribute.waiting
}

/** Sends what somebody saw, as theirs or as nobody's, by the outbox. */
export const sendObservation = (setting: Pick<Setting, 'person'>, draft: Draft): Promise<Sent> =>
  send(setting, setting.person ? draft : { ...draft, by: nobody })

/** Tells the page what is known of whether a fountain gives water; without a status, that what was told before does not hold. */
export function announceStatus(id: number, status: unknown, isWaiting = false): void {
  document.dispatchEvent(new CustomEvent('openfountain:status', { detail: { id, status, isWaiting } }))
}

/** Tells the page that a fountain is new, different or gone, so that it is drawn so. */
export function announce(id: number, waypoint: Waypoint | undefined, isWaiting = false): void {
  document.dispatchEvent(
    new CustomEvent('openfountain:waypoint', {
      detail: { id, ...(waypoint && { waypoint }), ...(isWaiting && { isWaiting }) },
    }),
  )
}
