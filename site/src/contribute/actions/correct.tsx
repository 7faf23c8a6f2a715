import { fieldsOf } from '../members.ts'
import { waypointIdOf, type Submission } from '../outbox/submission.ts'
import { send } from '../sending.ts'
import type { Setting } from '../setting.ts'
import { openSheet } from '../sheet.tsx'
import { correctAdd } from './add.tsx'
import { edit } from './edit.tsx'
import { report, type Reported } from './report.tsx'
import { review } from './review.tsx'

/** Opens the form of a refused submission with its entries, to correct and send it again. */
export async function correct(setting: Setting, submission: Submission): Promise<unknown> {
  const { kind, subject: name, body } = submission
  // A fountain that was still queued when it was made has its id by the time it is refused.
  const subject = { id: waypointIdOf(submission) ?? 0, name }
  switch (kind) {
    case 'create':
      return correctAdd(setting, submission)
    case 'edit':
      return edit(setting, subject, submission)
    case 'review':
      return review(setting, subject, submission)
    case 'report':
      return report(setting, fieldsOf(body) as Reported, name, submission)
    case 'delete':
    case 'observation':
      // Sent unchanged, which may be allowed by now; the dialog says why it was refused.
      return openSheet(setting, {
        title: name,
        content: null,
        fields: [],
        submit: setting.words.again,
        refused: submission,
        send: () => send(setting, submission, setting.words.contribute.saved, submission),
      }).closed
  }
}
