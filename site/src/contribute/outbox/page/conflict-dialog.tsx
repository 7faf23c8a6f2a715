import { useState } from 'preact/hooks'
import { Refusal } from '../../../api/request.ts'
import { capitalised } from '../../../hours/season.ts'
import { Button } from '../../../ui/button.tsx'
import { openDialog } from '../../../ui/dialog.tsx'
import { Choices, Form } from '../../../ui/form.tsx'
import { errorWords } from '../../../ui/refusal.ts'
import { fieldName, valueText, type Wording } from '../../wording.ts'
import { asNew, differences, resolved } from '../conflict.ts'
import { read } from '../flushing.ts'
import { outbox } from '../outbox.ts'
import { waypointIdOf, type Conflict, type Submission } from '../submission.ts'

/** Shows the user's version beside the other one, field by field, and sends the chosen values. */
export async function resolveConflict(wording: Wording, key: string): Promise<void> {
  const submission = (await outbox().list()).find((one) => one.key === key && one.state === 'conflict')
  if (submission === undefined) return
  const dialog = openDialog({ title: submission.subject })
  const now = await latest(submission)
  dialog.show(<Decision wording={wording} submission={submission} now={now} close={dialog.close} />)
  await dialog.closed
}

/** The current fountain; offline its state at the refusal. */
async function latest(submission: Submission): Promise<Conflict> {
  const { conflict = {} } = submission
  const id = waypointIdOf(submission)
  return id === undefined || !navigator.onLine ? conflict : read(id).catch(() => conflict)
}

interface DecisionProps {
  readonly wording: Wording
  readonly submission: Submission
  readonly now: Conflict
  readonly close: () => void
}

function Decision({ wording, close, ...given }: DecisionProps) {
  const [{ submission, now }, setState] = useState(given)
  const { words, format } = wording
  const { outbox: text, problem } = words
  const { mergedInto, theirs } = now
  const isEdit = submission.kind === 'edit'
  const found = isEdit && theirs ? differences(submission, theirs) : []
  const left = isEdit ? (found.length === 0 ? 'same' : 'choose') : 'changed'
  const what = theirs ? left : mergedInto === undefined ? 'gone' : 'merged'
  const submit = what === 'merged' ? text.goOn : what === 'same' ? text.finish : text.send

  async function send(current: Conflict, chosen: readonly string[]): Promise<void> {
    if (submission.ifMatch !== undefined && current.theirsEtag === undefined) throw new Refusal('OFFLINE')
    const outcome = await outbox().revise(submission.key, (kept) => resolved(kept, current, chosen))
    if (outcome?.state !== 'conflict') return close()
    setState({ submission: outcome.submission, now: await latest(outcome.submission) })
    throw new Refusal('PRECONDITION_FAILED')
  }

  /** Continues with the merge target: an edit is first compared with it; a review or a report can be sent. */
  async function goOn(id: number): Promise<void> {
    const target = await read(id)
    if (!isEdit && target.theirs) return send(target, [])
    const { base: _base, ...about } = submission
    setState({ submission: about, now: target })
  }

  const take = (run: () => Promise<unknown>) => (): void => {
    close()
    void run()
  }
  return (
    <Form
      wordingOf={(error) =>
        errorWords(error, { problem, format }, { PRECONDITION_FAILED: text.changedAgain })
      }
      work={(data) => {
        if (!theirs && mergedInto !== undefined) return goOn(mergedInto)
        const isMine = (field: string): boolean => data.get(field) === 'mine'
        return send(now, found.map(({ field }) => field).filter(isMine))
      }}
      actions={
        <>
          {what !== 'gone' && <Button isSubmit text={submit} />}
          {!theirs && isEdit && submission.base && (
            <Button
              kind="quiet"
              onPress={take(() => outbox().revise(submission.key, asNew))}
              text={text.asNew}
            />
          )}
          <Button kind="quiet" onPress={take(() => outbox().undo(submission.key))} text={text.dropMine} />
          <Button kind="quiet" onPress={close} text={text.later} />
        </>
      }
    >
      <p>{text[what]}</p>
      {found.map((one) => (
        <Choices
          key={one.field}
          legend={capitalised(format.tag, fieldName(wording, one.field))}
          name={one.field}
          options={(['mine', 'theirs'] as const).map((side) => ({
            value: side,
            label: (
              <>
                <span class="faint">{text[side]}</span> <bdi>{valueText(wording, one.field, one[side])}</bdi>
              </>
            ),
          }))}
        />
      ))}
    </Form>
  )
}
