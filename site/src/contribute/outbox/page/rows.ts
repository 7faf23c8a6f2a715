import { fill } from '../../../messages.ts'
import { element } from '../../../map/card/markup.ts'
import type { Submission } from '../submission.ts'
import { createOf } from '../submission.ts'
import { outbox } from '../outbox.ts'
import type { Wording } from '../words.ts'
import { resolveConflict } from './conflict-dialog.ts'
import { correctSubmission } from './correcting.ts'
import { button, isAgreed } from './dialog.ts'
import { submissionName, refusalText, stateText } from './wording.ts'

/** One row per submission: its title, its state and its buttons. */
export function rows(wording: Wording, submissions: readonly Submission[]): HTMLElement[] {
  return submissions.map((submission) => rowOf(wording, submission, submissions))
}

function rowOf(wording: Wording, submission: Submission, all: readonly Submission[]): HTMLElement {
  const { words, format } = wording
  const { outbox: text } = words
  const reason =
    submission.state === 'refused' && submission.refusal
      ? refusalText(wording, submission.refusal)
      : undefined
  return element(
    'li',
    { class: 'outbox-row', 'data-key': submission.key, 'data-state': submission.state },
    element(
      'div',
      { class: 'outbox-text' },
      element('span', { class: 'faint' }, text.kind[submission.kind]),
      element('strong', {}, element('bdi', {}, submission.subject)),
      element('span', { class: 'outbox-state' }, stateText(wording, submission, all)),
      reason === undefined ? undefined : element('span', { class: 'outbox-reason' }, reason),
      element(
        'span',
        { class: 'faint' },
        element(
          'time',
          { datetime: submission.madeAt },
          `${format.date(submission.madeAt)}, ${format.time(submission.madeAt)}`,
        ),
      ),
    ),
    element('div', { class: 'actions' }, ...buttonsOf(wording, submission, all)),
  )
}

function buttonsOf(wording: Wording, submission: Submission, all: readonly Submission[]): HTMLElement[] {
  const { outbox: text } = wording.words
  const named = (label: string, pressed: () => void, quiet = true): HTMLElement =>
    button(label, pressed, {
      quiet,
      small: true,
      name: fill(wording.words.labelled, { label, text: submissionName(wording, submission) }),
    })
  switch (submission.state) {
    case 'conflict':
      return [named(text.decide, () => void resolveConflict(wording, submission.key), false)]
    case 'refused':
      return [
        named(text.change, () => void correctSubmission(wording, submission), false),
        named(text.drop, () => void takeBack(wording, submission, all)),
      ]
    case 'waiting':
      return [named(text.undo, () => void takeBack(wording, submission, all))]
    default:
      return []
  }
}

/** Takes a submission back, after a confirmation when others depend on it or the server may already have it. */
async function takeBack(
  { words, format }: Wording,
  submission: Submission,
  all: readonly Submission[],
): Promise<void> {
  const { outbox: text, account } = words
  const more = all.filter((other) => createOf(other) === submission.key).length
  const questions = [
    ...(submission.state === 'refused' ? [text.dropAsk] : []),
    ...(submission.state === 'waiting' && submission.isUncertain ? [text.uncertainAsk] : []),
    ...(more > 0 ? [format.count(text.moreAsk, more)] : []),
  ]
  const yes = submission.state === 'refused' ? text.drop : text.undo
  if (questions.length > 0 && !(await isAgreed(questions.join(' '), yes, account.cancel))) return
  await outbox().undo(submission.key)
}
