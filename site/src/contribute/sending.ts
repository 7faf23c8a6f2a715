import { exchange, Refusal } from '../api/request.ts'
import { tell } from '../ui/toast.tsx'
import { outbox, type Outcome } from './outbox/outbox.ts'
import { resolveConflict } from './outbox/page/conflict-dialog.tsx'
import type { Draft, Submission } from './outbox/submission.ts'
import { askAgain, type Setting } from './setting.ts'

/**
 * Sends a draft by the outbox, as the form's user: another account may have signed in meanwhile. A refused draft goes
 * back to its form and leaves the outbox.
 *
 * @param thanks what is said once the server has it
 * @param refused the refused submission that it replaces; refused again, that stays in the outbox with the new values
 */
export async function send(
  setting: Setting,
  draft: Draft,
  thanks: string,
  refused?: Submission,
): Promise<Outcome> {
  const outcome = refused
    ? await sendAgain(refused, draft)
    : await outbox().add({ by: setting.person?.id, ...draft })
  askAgain()
  if (!refused && outcome.state === 'refused' && outcome.key !== undefined) await outbox().undo(outcome.key)
  if (outcome.state === 'done') tell(thanks)
  if (outcome.state === 'waiting') tell(waitingText(setting))
  if (outcome.state === 'conflict' && !refused) void resolveConflict(setting, outcome.submission.key)
  return outcome
}

async function sendAgain({ key }: Submission, { body, subject, position }: Draft): Promise<Outcome> {
  const outcome = await outbox().revise(key, (kept) => ({
    ...kept,
    body: body ?? kept.body,
    subject,
    position: position ?? kept.position,
  }))
  // Another tab sent or dropped it.
  return outcome ?? { state: 'refused', refusal: new Refusal('NOT_FOUND') }
}

/**
 * Sends an anonymous report, even when a user has signed in meanwhile. It is not stored: the form keeps it until it is
 * sent.
 */
export async function sendAnonymous(body: unknown, thanks: string): Promise<Outcome> {
  try {
    await exchange('POST', '/reports', { body, isAnonymous: true, timeoutMilliseconds: 30_000 })
    tell(thanks)
    return { state: 'done' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { state: 'refused', refusal: error }
  }
}

/** The text for a stored submission: it waits for the network or for a sign-in. */
function waitingText({ words: { contribute } }: Setting): string {
  const { state } = outbox().last ?? {}
  const isSignedOut = navigator.onLine && (state === 'signed out' || state === 'other account')
  return isSignedOut ? contribute.waitingForSignIn : contribute.waiting
}
