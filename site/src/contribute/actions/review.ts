import type { Review } from '@openfountain/core'
import { limits } from '@openfountain/core/rules'
import { icon } from '../../map/card/icons.ts'
import { fill } from '../../messages.ts'
import type { Refusal } from '../../api/request.ts'
import { openSheet, type Sheet } from '../dialog.tsx'
import { mark } from '../form/control.ts'
import { labelled, textEntry } from '../form/controls.ts'
import { Drafts } from '../form/drafts.ts'
import { tell } from '../notice.ts'
import { asRefusal, fieldProblem, refusalText, refusedFields } from '../problems.ts'
import { fieldsOf, type Fields } from '../members.ts'
import type { Submission, Draft } from '../outbox/outbox.ts'
import { sendOrCorrect, waitingText } from '../sending.ts'
import type { Setting } from '../setting.ts'
import { choiceOf } from './choice.ts'
import { ownReview } from './own-review.ts'
import type { Subject } from './subject.ts'

/**
 * Rates a fountain, with or without a comment; an earlier review of the same user can be changed.
 *
 * @param refusedSubmission the refused review that is corrected
 */
export async function review(
  setting: Setting,
  { id, name }: Subject,
  refusedSubmission?: Submission,
): Promise<void> {
  const { contribute, stars, rules } = setting.words
  const drafts = new Drafts(setting.person?.id ?? '')
  const key = refusedSubmission ? `change:${refusedSubmission.key}` : `review:${id}`
  const { min, max } = limits.rating
  const rating = choiceOf(
    contribute.rating,
    Array.from({ length: max - min + 1 }, (_, index) => ({
      value: String(min + index),
      label: icon('star'),
      spoken: fill(stars, { n: setting.format.number(min + index) }),
    })),
    'contribute-stars',
  )
  const comment = textEntry(limits.comment)
  const field = labelled(comment, contribute.comment, contribute.commentHint)
  const show = (values: Fields): void => {
    rating.value = String(values['rating'] ?? '')
    comment.value = String(values['comment'] ?? '')
  }
  const before = drafts.read(key) ?? fieldsOf(refusedSubmission?.body)
  show(before)
  const own = refusedSubmission
    ? undefined
    : ownReview(setting, {
        id,
        chosen: before['changes'],
        onChange: (earlier) => {
          if (rating.value === '' && comment.value === '') show(fieldsOf(earlier))
        },
      })
  const refused = (open: Sheet, refusal: Refusal): void => {
    if (!refusedFields(refusal).includes('comment')) return open.problem(refusalText(setting, refusal))
    mark([comment], field.problem, fieldProblem(setting, 'comment'))
    comment.focus()
  }
  const sheet = openSheet(setting, {
    title: setting.with(contribute.reviewTitle, { name }),
    content: [...(own ? [own.root] : []), rating.root, field.root],
    submit: refusedSubmission ? setting.words.again : contribute.publish,
    async onSubmit(open) {
      rating.problem = rating.value === '' ? contribute.problem.rating : ''
      mark([comment], field.problem, '')
      if (rating.value === '') return rating.focus()
      const text = comment.value.trim()
      const { method, path } = targetOf(own?.changed, refusedSubmission)
      const isChange = method === 'PATCH'
      const body = {
        bubblerId: id,
        rating: Number(rating.value),
        // An empty one clears the earlier.
        ...((isChange || text !== '') && { comment: text }),
      }
      const sent = await sendOrCorrect(
        setting,
        { kind: 'review', method, path, body, subject: name },
        refusedSubmission,
      )
      if (sent.state === 'refused') return refused(open, sent.refusal)
      drafts.forget(key)
      open.close()
      if (sent.state === 'waiting') tell(waitingText(setting))
      else if (isChange) tell(contribute.saved)
      else tell(fill(contribute.reviewed, { xp: setting.format.number(rules.xp.postReview) }))
    },
  })
  if (refusedSubmission?.refusal) refused(sheet, asRefusal(refusedSubmission.refusal))
  sheet.form.addEventListener('input', () =>
    drafts.keep(key, { rating: rating.value, comment: comment.value, changes: own?.changed?.id }),
  )
  await sheet.closed
}

function targetOf(
  changed: Review | undefined,
  refusedSubmission: Submission | undefined,
): Pick<Draft, 'method' | 'path'> {
  if (refusedSubmission) return refusedSubmission
  return changed
    ? { method: 'PATCH', path: `/reviews?id=${changed.id}` }
    : { method: 'POST', path: '/reviews' }
}
