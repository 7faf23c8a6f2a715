import { fieldsOf } from '../members.ts'
import { waypointIdOf } from '../outbox/submission.ts'
import type { Submission } from '../outbox/outbox.ts'
import { sendAgain } from '../sending.ts'
import type { Setting } from '../setting.ts'
import { openSheet } from '../sheet.tsx'
import { correctAdd } from './add.tsx'
import { correctEdit } from './edit.tsx'
import { report, type Reported } from './report.tsx'
import { review } from './review.tsx'

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
      // Sent unchanged, which may be allowed by now; the dialog says why it was refused.
      return openSheet(setting, {
        title: submission.subject,
        content: null,
        fields: [],
        submit: setting.words.again,
        refused: submission,
        send: () => sendAgain(submission, submission),
      }).closed
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
