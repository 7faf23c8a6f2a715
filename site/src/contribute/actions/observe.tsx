import type { ObservationKind } from '@openfountain/core/status'
import { textIn, Toggles } from '../../ui/form.tsx'
import { tell } from '../../ui/toast.tsx'
import type { Outcome } from '../outbox/outbox.ts'
import { anonymous } from '../outbox/submission.ts'
import { send } from '../sending.ts'
import type { Setting, Subject } from '../setting.ts'
import { Comment, openSheet } from '../sheet.tsx'
import { refusalText } from '../wording.ts'
import { NearConsent, placeNow } from './here.tsx'

/** In the order in which they are likely. */
const problems = ['broken', 'dry', 'dirty', 'blocked', 'gone'] as const satisfies readonly ObservationKind[]

/** Reports that a fountain works: one tap. */
export async function works(setting: Setting, subject: Subject): Promise<void> {
  const sent = await observe(setting, subject, 'works')
  if (sent.state === 'refused') tell(refusalText(setting, sent.refusal))
}

/** Asks for the problem of a fountain, and reports it. */
export async function problem(setting: Setting, subject: Subject): Promise<void> {
  const { observe: text, comment } = setting.words.contribute
  await openSheet(setting, {
    title: setting.format.withName(text.title, subject.name),
    fields: ['kind'],
    submit: text.send,
    content: (
      <>
        <Toggles
          name="kind"
          label={text.legend}
          isOne
          looks="toggles toggles-lines"
          options={problems.map((value) => ({ value, label: text.kind[value] }))}
        />
        {/* Without an account neither comments nor positions are stored. */}
        {setting.person && (
          <>
            <Comment label={comment} hint={text.commentHint} />
            <NearConsent setting={setting} />
          </>
        )}
      </>
    ),
    send: (data) => observe(setting, subject, textIn(data, 'kind'), textIn(data, 'comment')),
  }).closed
}

async function observe(
  setting: Setting,
  { id, name }: Subject,
  kind: string,
  comment?: string,
): Promise<Outcome> {
  const { person, words } = setting
  const { thanks, noted } = words.contribute.observe
  const near = person && (await placeNow())
  // With the day of the observation, which offline may be earlier than that of sending.
  const observedAt = new Date().toISOString().slice(0, 10)
  return send(
    setting,
    {
      kind: 'observation',
      method: 'POST',
      path: '/observations',
      body: { bubblerId: id, kind, observedAt, near, ...(comment && { comment }) },
      subject: name,
      by: person?.id ?? anonymous,
    },
    // Without an account, only reports of problems count.
    person || kind !== 'works' ? thanks : noted,
  )
}
