import { levelOf } from '@openfountain/core/rules'
import { Refusal } from '../api/request.ts'
import { fill } from '../messages.ts'
import { tell } from '../ui/toast.tsx'
import { outbox, type Outcome } from './outbox/outbox.ts'
import { resolveConflict } from './outbox/page/conflict-dialog.tsx'
import type { Draft, Submission } from './outbox/submission.ts'
import { askAgain, settingOfPage, type Setting } from './setting.ts'

/** Sends a draft by the outbox as the form's user; a refused one goes back to its form, one that replaces `refused` stays. @throws Refusal */
export async function send(
  setting: Setting,
  draft: Draft,
  thanks: string | ((answer: unknown) => string),
  refused?: Submission,
): Promise<Exclude<Outcome, { state: 'refused' }>> {
  const outcome = refused
    ? await sendAgain(refused, draft)
    : await outbox().add({ by: setting.person?.id, ...draft })
  askAgain()
  if (outcome.state === 'refused') {
    if (!refused && outcome.key !== undefined) await outbox().undo(outcome.key)
    throw outcome.refusal
  }
  if (outcome.state === 'done') {
    const said = typeof thanks === 'string' ? thanks : thanks(outcome.answer)
    tell([said, ...(await standing(setting))].join(' '))
  }
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

/** What a contribution has earned its author, where that is known: XP and level now, and the XP of observations tonight. */
async function standing({ visitor: before, words: { contribute, rules } }: Setting): Promise<string[]> {
  const { visitor: after, offer, format } = await settingOfPage()
  if (!before || !after || before === 'unknown' || after === 'unknown') return []
  const number = (n: number): string => format.number(n)
  const earned = after.xp - before.xp
  const level = number(levelOf(after.xp, rules.levels))
  const now = { earned: number(earned), xp: number(after.xp), level }
  const { xpTonight = 0 } = offer ?? {}
  return [
    ...(earned > 0 ? [fill(contribute.earned, now)] : []),
    ...(xpTonight > 0 ? [fill(contribute.tonight, { xp: number(xpTonight) })] : []),
  ]
}

function waitingText({ words: { contribute } }: Setting): string {
  const { state } = outbox().last ?? {}
  const isSignedOut = navigator.onLine && (state === 'signed out' || state === 'other account')
  return isSignedOut ? contribute.waitingForSignIn : contribute.waiting
}
