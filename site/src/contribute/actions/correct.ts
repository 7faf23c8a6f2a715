import { element } from '../../map/card/markup.ts'
import { openSheet } from '../dialog.tsx'
import { waypointIdOf } from '../outbox/submission.ts'
import { fieldsOf } from '../members.ts'
import type { Submission } from '../outbox/outbox.ts'
import { asRefusal, refusalText } from '../problems.ts'
import { sendAgain } from '../sending.ts'
import type { Setting } from '../setting.ts'
import { correctAdd } from './add.ts'
import { correctEdit } from './edit.ts'
import { report, type Reported } from './report.ts'
import { review } from './review.ts'

/** Opens the form of a refused submission with its entries, to correct and send it again. */
export async function correct(setting: Setting, submission: Submission): Promise<void> {
  switch (submission.kind) {
    case 'create':
      return correctAdd(setting, submission)
    case 'edit':
      return correctEdit(setting, submission)
    case 'review':
      return review(setting, { id: waypointIdOf(submission) ?? 0, name: submission.subject }, submission)
    case 'report':
      return report(setting, reportedBy(submission), submission.subject, submission)
    case 'delete':
    case 'observation':
      return sendAsItIs(setting, submission)
  }
}

function reportedBy({ body }: Submission): Reported {
  const { bubblerId, reviewId, userId } = fieldsOf(body)
  return {
    ...(typeof bubblerId === 'number' && { bubblerId }),
    ...(typeof reviewId === 'number' && { reviewId }),
    ...(typeof userId === 'string' && { userId }),
  }
}

/** Sends a submission unchanged, which may be allowed by now. */
async function sendAsItIs(setting: Setting, submission: Submission): Promise<void> {
  const reason = submission.refusal ? refusalText(setting, asRefusal(submission.refusal)) : undefined
  await openSheet(setting, {
    title: submission.subject,
    content: [element('p', {}, reason)],
    submit: setting.words.again,
    async onSubmit(open) {
      const sent = await sendAgain(submission, submission)
      if (sent.state === 'refused') return open.problem(refusalText(setting, sent.refusal))
      open.close()
    },
  }).closed
}
