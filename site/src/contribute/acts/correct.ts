import { element } from '../../map/card/markup.ts'
import { openSheet } from '../dialog.ts'
import { waypointIdOf } from '../outbox/act.ts'
import { fieldsOf } from '../members.ts'
import type { Act } from '../outbox/outbox.ts'
import { asRefusal, refusalText } from '../problems.ts'
import { sendAgain } from '../sending.ts'
import type { Setting } from '../setting.ts'
import { correctAdd } from './add.ts'
import { correctEdit } from './edit.ts'
import { report, type Reported } from './report.ts'
import { review } from './review.ts'

/** Opens the form of a refused submission with its entries, to correct and send it again. */
export async function correct(setting: Setting, act: Act): Promise<void> {
  switch (act.kind) {
    case 'create':
      return correctAdd(setting, act)
    case 'edit':
      return correctEdit(setting, act)
    case 'review':
      return review(setting, { id: waypointIdOf(act) ?? 0, name: act.subject }, act)
    case 'report':
      return report(setting, reportedBy(act), act.subject, act)
    case 'delete':
    case 'observation':
      return sendAsItIs(setting, act)
  }
}

function reportedBy({ body }: Act): Reported {
  const { bubblerId, reviewId, userId } = fieldsOf(body)
  return {
    ...(typeof bubblerId === 'number' && { bubblerId }),
    ...(typeof reviewId === 'number' && { reviewId }),
    ...(typeof userId === 'string' && { userId }),
  }
}

/** There is nothing to correct, but it may be allowed by now. */
async function sendAsItIs(setting: Setting, act: Act): Promise<void> {
  const reason = act.refusal ? refusalText(setting, asRefusal(act.refusal)) : undefined
  await openSheet(setting, {
    title: act.subject,
    content: [element('p', {}, reason)],
    submit: setting.words.again,
    async onSubmit(open) {
      const sent = await sendAgain(act, act)
      if (sent.state === 'refused') return open.problem(refusalText(setting, sent.refusal))
      open.close()
    },
  }).closed
}
