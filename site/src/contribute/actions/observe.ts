import { limits } from '@openfountain/core/rules'
import type { ObservationKind } from '@openfountain/core/status'
import { openSheet, type Sheet } from '../dialog.tsx'
import { labelled, textEntry } from '../form/controls.ts'
import { tell } from '../notice.ts'
import { expected } from '../outbox/expected.ts'
import { outbox } from '../outbox/outbox.ts'
import { refusalText } from '../problems.ts'
import { announceStatus, sendObservation, waitingText, type SendResult } from '../sending.ts'
import type { Setting } from '../setting.ts'
import { choiceOf } from './choice.ts'
import { leadToSignIn, passes } from './gate.ts'
import { placeNow, withPlace } from './here.ts'
import type { Subject } from './subject.ts'

/** In the order in which they are likely. */
const problems = ['broken', 'dry', 'dirty', 'blocked', 'gone'] as const satisfies readonly ObservationKind[]

/** Whether this visitor may report an observation; if not, shows the requirement. */
async function mayObserve(setting: Setting): Promise<boolean> {
  if (setting.visitor === undefined && !setting.mayAnybodyReport) {
    leadToSignIn(setting, 'choose')
    return false
  }
  return passes(setting, 'report')
}

/** Reports that a fountain works: one tap. */
export async function works(setting: Setting, subject: Subject): Promise<void> {
  if (!(await mayObserve(setting))) return
  const sent = await say(setting, subject, 'works', '')
  if (sent.state === 'refused') tell(refusalText(setting, sent.refusal))
}

/** Asks for the problem of a fountain, and reports it. */
export async function problem(setting: Setting, subject: Subject): Promise<void> {
  if (!(await mayObserve(setting))) return
  const { observe, comment: commentLabel, problem: missing } = setting.words.contribute
  const kind = choiceOf(
    observe.legend,
    problems.map((value) => ({ value, label: observe.kind[value] })),
  )
  const comment = textEntry(limits.comment)
  const content: Node[] = [kind.root]
  // Without an account neither comments nor positions are stored.
  if (setting.person)
    content.push(labelled(comment, commentLabel, observe.commentHint).root, withPlace(setting))
  const sheet: Sheet = openSheet(setting, {
    title: setting.with(observe.title, { name: subject.name }),
    content,
    submit: observe.send,
    async onSubmit(open) {
      const chosen = problems.find((one) => one === kind.value)
      kind.problem = chosen === undefined ? missing.reason : ''
      if (chosen === undefined) return kind.focus()
      const sent = await say(setting, subject, chosen, comment.value.trim())
      if (sent.state === 'refused') open.problem(refusalText(setting, sent.refusal))
      else open.close()
    },
  })
  await sheet.closed
}

/** Sends an observation. The page shows it at once, then the server's answer. */
async function say(
  setting: Setting,
  { id, name }: Subject,
  kind: ObservationKind,
  comment: string,
): Promise<SendResult> {
  const near = setting.person && (await placeNow())
  // With the day of the observation, which offline may be earlier than that of sending.
  const observedAt = new Date().toISOString().slice(0, 10)
  // Without an account, only reports of problems count.
  const isShown = setting.person !== undefined || kind !== 'works'
  if (isShown) announceStatus(id, expected(kind, observedAt), true)
  const sent = await sendObservation(setting, {
    kind: 'observation',
    method: 'POST',
    path: '/observations',
    body: { bubblerId: id, kind, observedAt, near, ...(comment !== '' && { comment }) },
    subject: name,
  })
  switch (sent.state) {
    case 'done':
      announceStatus(id, (sent.answer as { readonly status?: unknown } | undefined)?.status)
      tell(setting.words.contribute.observe[isShown ? 'thanks' : 'noted'])
      break
    case 'waiting':
      tell(waitingText(setting))
      addEventListener('online', () => void outbox().flush(), { once: true })
      break
    default:
      announceStatus(id, undefined)
  }
  return sent
}
