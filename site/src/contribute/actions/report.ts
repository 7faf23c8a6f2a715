import { limits } from '@openfountain/core/rules'
import type { Refusal } from '../../api/request.ts'
import { openSheet, type Sheet } from '../dialog.tsx'
import { mark } from '../form/control.ts'
import { labelled, textEntry } from '../form/controls.ts'
import { Drafts } from '../form/drafts.ts'
import { tell } from '../notice.ts'
import { asRefusal, fieldProblem, refusedFields, refusalText } from '../problems.ts'
import { fieldsOf } from '../members.ts'
import type { Submission } from '../outbox/outbox.ts'
import { sendAnonymous, sendOrCorrect, waitingText } from '../sending.ts'
import type { Setting } from '../setting.ts'
import { choiceOf, type Choice } from './choice.ts'

/** The subject of a report: a fountain, one of its reviews, or a person. */
export interface Reported {
  readonly bubblerId?: number
  readonly reviewId?: number
  readonly userId?: string
}

/** In the order in which they are likely. */
const fountainReasons = ['gone', 'wrong', 'duplicate', 'offensive', 'private'] as const
/** A review or a person has no position, and cannot be a duplicate. */
const otherReasons = ['offensive', 'private', 'wrong'] as const

/** The name of its draft: ids of fountains and reviews overlap. */
function draftName({ bubblerId, reviewId, userId }: Reported): string {
  if (reviewId !== undefined) return `report:review:${reviewId}`
  return `report:${bubblerId ?? userId ?? ''}`
}

/**
 * Sends a report to the moderators.
 *
 * @param name the title of the subject, or of the reviewed fountain
 * @param refusedSubmission the refused report that is corrected
 */
export async function report(
  setting: Setting,
  about: Reported,
  name: string,
  refusedSubmission?: Submission,
): Promise<void> {
  const { contribute, problem } = setting.words
  const drafts = new Drafts(setting.person?.id ?? '')
  const key = refusedSubmission ? `change:${refusedSubmission.key}` : draftName(about)
  const reasons = about.bubblerId === undefined ? otherReasons : fountainReasons
  const reason: Choice = choiceOf(
    contribute.reasonLegend,
    reasons.map((value) => ({ value, label: contribute.reason[value] })),
  )
  const comment = textEntry(limits.comment)
  const isAnonymous = setting.person === undefined && refusedSubmission === undefined
  const hint = isAnonymous ? contribute.reportHintNameless : contribute.reportHint
  const field = labelled(comment, contribute.comment, hint)
  const before = drafts.read(key) ?? fieldsOf(refusedSubmission?.body)
  reason.value = String(before['reason'] ?? '')
  comment.value = String(before['comment'] ?? '')
  const refused = (open: Sheet, refusal: Refusal): void => {
    const wrong = refusedFields(refusal)
    if (wrong.includes('comment')) {
      mark([comment], field.problem, fieldProblem(setting, 'comment'))
      return comment.focus()
    }
    // It was deleted, or the account was, since the page was loaded.
    open.problem(wrong.some((one) => one in about) ? problem.gone : refusalText(setting, refusal))
  }
  const sheet = openSheet(setting, {
    title:
      about.reviewId === undefined ? setting.with(contribute.reportTitle, { name }) : contribute.reportReview,
    content: [reason.root, field.root],
    submit: refusedSubmission ? setting.words.again : contribute.sendReport,
    async onSubmit(open) {
      reason.problem = reason.value === '' ? contribute.problem.reason : ''
      mark([comment], field.problem, '')
      if (reason.value === '') return reason.focus()
      const text = comment.value.trim()
      const body = { ...about, reason: reason.value, ...(text !== '' && { comment: text }) }
      const draft = { kind: 'report', method: 'POST', path: '/reports', body, subject: name } as const
      const sent = isAnonymous
        ? await sendAnonymous(setting, body)
        : await sendOrCorrect(setting, draft, refusedSubmission)
      if (sent.state === 'refused') return refused(open, sent.refusal)
      drafts.forget(key)
      open.close()
      tell(sent.state === 'waiting' ? waitingText(setting) : contribute.reported)
    },
  })
  if (refusedSubmission?.refusal) refused(sheet, asRefusal(refusedSubmission.refusal))
  sheet.form.addEventListener('input', () =>
    drafts.keep(key, { reason: reason.value, comment: comment.value }),
  )
  await sheet.closed
}
