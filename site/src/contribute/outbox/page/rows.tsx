import { fill } from '../../../messages.ts'
import { Button } from '../../../ui/button.tsx'
import { isAgreed } from '../../../ui/dialog.tsx'
import { Moment } from '../../../ui/time.tsx'
import type { Submission } from '../submission.ts'
import { createOf } from '../submission.ts'
import { outbox } from '../outbox.ts'
import type { Wording } from '../words.ts'
import { resolveConflict } from './conflict-dialog.tsx'
import { correctSubmission } from './correcting.tsx'
import { submissionName, refusalText, stateText } from './wording.ts'

interface RowProps {
  readonly wording: Wording
  readonly submission: Submission
  /** All that wait. */
  readonly all: readonly Submission[]
}

/** A submission: its title, its state and its buttons. */
export function SubmissionRow({ wording, submission, all }: RowProps) {
  const { words, format } = wording
  const { key, kind, state, subject, refusal, madeAt } = submission
  return (
    <li class="outbox-row" data-key={key} data-state={state}>
      <div class="outbox-text">
        <span class="faint">{words.outbox.kind[kind]}</span>
        <strong>
          <bdi>{subject}</bdi>
        </strong>
        <span class="outbox-state">{stateText(wording, submission, all)}</span>
        {state === 'refused' && refusal && <span class="outbox-reason">{refusalText(wording, refusal)}</span>}
        <Moment at={madeAt} format={format} />
      </div>
      <div class="actions">
        {actionsOf({ wording, submission, all }).map(([label, run], index) => (
          <Button
            key={label}
            kind={state === 'waiting' || index > 0 ? 'quiet' : 'main'}
            isSmall
            label={fill(words.labelled, { label, text: submissionName(wording, submission) })}
            onPress={() => void run()}
            text={label}
          />
        ))}
      </div>
    </li>
  )
}

/** The labels of the buttons with what they do, the first one first. */
function actionsOf(row: RowProps): readonly (readonly [label: string, run: () => Promise<void>])[] {
  const { wording, submission } = row
  const { outbox: text } = wording.words
  switch (submission.state) {
    case 'conflict':
      return [[text.decide, () => resolveConflict(wording, submission.key)]]
    case 'refused':
      return [
        [text.change, () => correctSubmission(wording, submission)],
        [text.drop, () => takeBack(row)],
      ]
    case 'waiting':
      return [[text.undo, () => takeBack(row)]]
    default:
      return []
  }
}

/** Takes a submission back, after a confirmation when others depend on it or the server may already have it. */
async function takeBack({ wording: { words, format }, submission, all }: RowProps): Promise<void> {
  const { outbox: text, account } = words
  const more = all.filter((other) => createOf(other) === submission.key).length
  const questions = [
    ...(submission.state === 'refused' ? [text.dropAsk] : []),
    ...(submission.state === 'waiting' && submission.isUncertain ? [text.uncertainAsk] : []),
    ...(more > 0 ? [format.count(text.moreAsk, more)] : []),
  ]
  const yes = submission.state === 'refused' ? text.drop : text.undo
  if (questions.length > 0 && !(await isAgreed(questions.join(' '), { yes, no: account.cancel }))) return
  await outbox().undo(submission.key)
}
