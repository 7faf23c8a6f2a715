import { limits } from '@openfountain/core/rules'
import { icon } from '../../map/card/icons.ts'
import { fill } from '../../messages.ts'
import { openSheet } from '../dialog.ts'
import { mark } from '../form/control.ts'
import { labelled, textEntry } from '../form/controls.ts'
import { Drafts } from '../form/drafts.ts'
import { tell } from '../notice.ts'
import { fieldProblem, refusalText, refusedFields } from '../problems.ts'
import { send, waitingText } from '../sending.ts'
import type { Setting } from '../setting.ts'
import { choiceOf } from './choice.ts'
import type { Subject } from './subject.ts'

/** Rates a fountain, with a comment or without. */
export async function review(setting: Setting, { id, name }: Subject): Promise<void> {
  const { contribute, stars, rules } = setting.words
  const drafts = new Drafts(setting.person?.id ?? '')
  const key = `review:${id}`
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
  const before = drafts.read(key)
  if (before) {
    rating.value = String(before['rating'] ?? '')
    comment.value = String(before['comment'] ?? '')
  }
  const sheet = openSheet(setting, {
    title: setting.with(contribute.reviewTitle, { name }),
    content: [rating.root, field.root],
    submit: contribute.publish,
    async onSubmit(open) {
      rating.problem = rating.value === '' ? contribute.problem.rating : ''
      mark([comment], field.problem, '')
      if (rating.value === '') return rating.focus()
      const text = comment.value.trim()
      const sent = await send(setting, {
        kind: 'review',
        method: 'POST',
        path: '/reviews',
        body: { bubblerId: id, rating: Number(rating.value), ...(text !== '' && { comment: text }) },
        subject: name,
      })
      if (sent.state === 'refused') {
        const wrong = refusedFields(sent.refusal)
        if (wrong.includes('comment')) {
          mark([comment], field.problem, fieldProblem(setting, 'comment'))
          return comment.focus()
        }
        return open.problem(refusalText(setting, sent.refusal))
      }
      drafts.forget(key)
      open.close()
      tell(
        sent.state === 'waiting'
          ? waitingText(setting)
          : fill(contribute.reviewed, { xp: setting.format.number(rules.xp.postReview) }),
      )
    },
  })
  sheet.form.addEventListener('input', () =>
    drafts.keep(key, { rating: rating.value, comment: comment.value }),
  )
  await sheet.closed
}
