import { limits } from '@openfountain/core/rules'
import type { ObservationKind } from '@openfountain/core/status'
import { Field, textIn, Toggles } from '../../ui/form.tsx'
import { tell } from '../../ui/notice.tsx'
import { expected } from '../outbox/submission.ts'
import { outbox } from '../outbox/outbox.ts'
import { refusalText } from '../problems.ts'
import { announceStatus, sendObservation, waitingText, type SendResult } from '../sending.ts'
import type { Setting, Subject } from '../setting.ts'
import { openSheet } from '../sheet.tsx'
import { passes } from './gate.tsx'
import { NearConsent, placeNow } from './here.tsx'

/** In the order in which they are likely. */
const problems = ['broken', 'dry', 'dirty', 'blocked', 'gone'] as const satisfies readonly ObservationKind[]

/** Reports that a fountain works: one tap. */
export async function works(setting: Setting, subject: Subject): Promise<void> {
  if (!(await passes(setting, 'report', 'choose'))) return
  const sent = await say(setting, subject, 'works', '')
  if (sent.state === 'refused') tell(refusalText(setting, sent.refusal))
}

/** Asks for the problem of a fountain, and reports it. */
export async function problem(setting: Setting, subject: Subject): Promise<void> {
  if (!(await passes(setting, 'report', 'choose'))) return
  const { observe, comment } = setting.words.contribute
  await openSheet(setting, {
    title: setting.with(observe.title, { name: subject.name }),
    fields: ['kind'],
    submit: observe.send,
    content: (
      <>
        <Toggles
          name="kind"
          label={observe.legend}
          isOne
          looks="toggles toggles-lines"
          options={problems.map((value) => ({ value, label: observe.kind[value] }))}
        />
        {/* Without an account neither comments nor positions are stored. */}
        {setting.person && (
          <>
            <Field
              name="comment"
              rows={3}
              label={comment}
              hint={observe.commentHint}
              maxLength={limits.comment}
            />
            <NearConsent setting={setting} />
          </>
        )}
      </>
    ),
    send: (data) => say(setting, subject, textIn(data, 'kind') as ObservationKind, textIn(data, 'comment')),
  }).closed
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
