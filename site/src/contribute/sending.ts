import type { Waypoint } from '@openfountain/core'
import { exchange, Refusal } from '../api/request.ts'
import { anonymous } from './outbox/submission.ts'
import { outbox, type Submission, type Draft } from './outbox/outbox.ts'
import { askAgain, type Setting } from './setting.ts'

/** The result of sending a draft. */
export type SendResult =
  | { readonly state: 'done'; readonly answer: unknown }
  | { readonly state: 'waiting' }
  | { readonly state: 'conflict' }
  | { readonly state: 'refused'; readonly refusal: Refusal }

/**
 * Sends a draft by the outbox, as the form's user: another account may have signed in meanwhile. A refused draft goes
 * back to its form and leaves the outbox.
 */
export async function send({ person }: Pick<Setting, 'person'>, draft: Draft): Promise<SendResult> {
  const outcome = await outbox().add({ by: person?.id, ...draft })
  askAgain()
  if (outcome.state === 'refused' && outcome.key !== undefined) await outbox().undo(outcome.key)
  return outcome
}

/**
 * Sends a refused submission again with the form's current values. When it is refused again, it stays in the outbox
 * with those.
 */
export async function sendAgain(
  { key }: Submission,
  { body, subject, position }: Draft,
): Promise<SendResult> {
  const outcome = await outbox().revise(key, (kept) => ({
    ...kept,
    ...(body !== undefined && { body }),
    subject,
    ...(position && { position }),
  }))
  askAgain()
  // Another tab sent or dropped it.
  return outcome ?? { state: 'refused', refusal: new Refusal('NOT_FOUND') }
}

/**
 * Sends an anonymous report, even when a user has signed in meanwhile. It is not stored: the form keeps it until it is
 * sent.
 */
export async function sendAnonymous({ site }: Pick<Setting, 'site'>, body: unknown): Promise<SendResult> {
  try {
    const { body: answer } = await exchange(site, 'POST', '/reports', {
      body,
      isAnonymous: true,
      timeoutMilliseconds: 30_000,
    })
    return { state: 'done', answer }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { state: 'refused', refusal: error }
  }
}

/** Sends a form: as a new submission, or in place of a refused one. */
export const sendOrCorrect = (
  setting: Setting,
  draft: Draft,
  refusedSubmission: Submission | undefined,
): Promise<SendResult> => (refusedSubmission ? sendAgain(refusedSubmission, draft) : send(setting, draft))

/** The text for a stored submission: it waits for the network or for a sign-in. */
export function waitingText({ words: { contribute } }: Setting): string {
  const { state } = outbox().last ?? {}
  const isSignedOut = navigator.onLine && (state === 'signed out' || state === 'other account')
  return isSignedOut ? contribute.waitingForSignIn : contribute.waiting
}

/** Sends an observation by the outbox, of the signed-in user or anonymous. */
export const sendObservation = (setting: Pick<Setting, 'person'>, draft: Draft): Promise<SendResult> =>
  send(setting, setting.person ? draft : { ...draft, by: anonymous })

/** Announces the status of a fountain to the page; undefined withdraws the last announcement. */
export function announceStatus(id: number, status: unknown, isWaiting = false): void {
  document.dispatchEvent(new CustomEvent('openfountain:status', { detail: { id, status, isWaiting } }))
}

/** Announces a new, changed or removed fountain to the page, so that the map draws it. */
export function announce(id: number, waypoint: Waypoint | undefined, isWaiting = false): void {
  document.dispatchEvent(
    new CustomEvent('openfountain:waypoint', {
      detail: { id, waypoint, ...(isWaiting && { isWaiting }) },
    }),
  )
}
