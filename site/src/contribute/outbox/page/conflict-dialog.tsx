import { useState } from 'preact/hooks'
import { siteOfPage } from '../../../api/site.ts'
import { Button } from '../../../ui/button.tsx'
import { openDialog } from '../../../ui/dialog.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { waypointIdOf, type Conflict, type Submission } from '../submission.ts'
import { asNew, differences, resolved, type Difference } from '../conflict.ts'
import { outbox } from '../outbox.ts'
import { read } from '../flushing.ts'
import type { Wording } from '../words.ts'
import { fieldName, valueText } from './wording.ts'

/** Shows the user's version beside the other one, field by field, and sends the chosen values. */
export async function resolveConflict(wording: Wording, key: string): Promise<void> {
  const submission = (await outbox().list()).find((one) => one.key === key && one.state === 'conflict')
  if (submission === undefined) return
  const dialog = openDialog({ title: submission.subject, class: 'outbox-dialog' })
  const now = await latest(submission)
  dialog.show(<Decision wording={wording} submission={submission} now={now} close={dialog.close} />)
  await dialog.closed
}

/** The current fountain; offline its state at the refusal. */
async function latest({ theirs, theirsEtag, mergedInto, ...submission }: Submission): Promise<Conflict> {
  const before = {
    ...(theirs && { theirs }),
    ...(theirsEtag !== undefined && { theirsEtag }),
    ...(mergedInto !== undefined && { mergedInto }),
  }
  const id = waypointIdOf(submission)
  if (id === undefined || !navigator.onLine) return before
  return read(siteOfPage(), id).catch(() => before)
}

interface DecisionProps {
  readonly wording: Wording
  readonly submission: Submission
  readonly now: Conflict
  readonly close: () => void
}

function Decision({ wording, close, ...given }: DecisionProps) {
  const [{ submission, now, problem }, setState] = useState({ ...given, problem: '' })
  /** The fields that take the other version. */
  const [theirs, setTheirs] = useState<readonly string[]>([])
  const { outbox: text, problem: problems } = wording.words
  const isEdit = submission.kind === 'edit'
  const found = isEdit && now.theirs !== undefined ? differences(submission, now.theirs) : []

  const say = async (problem: string, next: Submission = submission): Promise<void> =>
    setState({ submission: next, now: await latest(next), problem })

  /** Sends the user's values of the chosen fields. */
  async function send(current: Conflict, chosen: readonly string[]): Promise<void> {
    if (submission.ifMatch !== undefined && current.theirsEtag === undefined) return say(problems.offline)
    const outcome = await outbox().revise(submission.key, (kept) => resolved(kept, current, chosen))
    if (outcome?.state !== 'conflict') return close()
    await say(text.changedAgain, outcome.submission)
  }

  /** Continues with the merge target. */
  async function goOn(id: number): Promise<void> {
    try {
      const target = await read(siteOfPage(), id)
      // An edit is first compared with it; a review or a report can be sent.
      if (!isEdit && target.theirs !== undefined) return await send(target, [])
      const { base: _base, ...about } = submission
      setState({ submission: { ...about, state: 'conflict' }, now: target, problem: '' })
    } catch {
      setState({ submission, now, problem: problems.offline })
    }
  }

  const take = (run: () => Promise<unknown>) => (): void => {
    close()
    void run()
  }
  const { mergedInto } = now
  const isThere = now.theirs !== undefined
  return (
    <div class="outbox-conflict">
      <p>
        {!isThere
          ? mergedInto === undefined
            ? text.gone
            : text.merged
          : !isEdit
            ? text.changed
            : found.length === 0
              ? text.same
              : text.choose}
      </p>
      {found.map((one) => (
        <Choice
          key={one.field}
          wording={wording}
          difference={one}
          isMine={!theirs.includes(one.field)}
          choose={(isMine) =>
            setTheirs(isMine ? theirs.filter((field) => field !== one.field) : [...theirs, one.field])
          }
        />
      ))}
      <div class="actions">
        {isThere ? (
          <Button
            text={isEdit && found.length === 0 ? text.finish : text.send}
            onPress={() =>
              void send(
                now,
                found.flatMap(({ field }) => (theirs.includes(field) ? [] : [field])),
              )
            }
          />
        ) : (
          <>
            {mergedInto !== undefined && <Button onPress={() => void goOn(mergedInto)} text={text.goOn} />}
            {isEdit && submission.base && (
              <Button
                kind="quiet"
                onPress={take(() => outbox().revise(submission.key, asNew))}
                text={text.asNew}
              />
            )}
          </>
        )}
        <Button kind="quiet" onPress={take(() => outbox().undo(submission.key))} text={text.dropMine} />
        <Button kind="quiet" onPress={close} text={text.later} />
      </div>
      <Problem text={problem} />
    </div>
  )
}

function Choice({
  wording,
  difference,
  isMine,
  choose,
}: {
  readonly wording: Wording
  readonly difference: Difference
  readonly isMine: boolean
  readonly choose: (isMine: boolean) => void
}) {
  const { outbox: text } = wording.words
  const options = [
    [true, text.mine, difference.mine],
    [false, text.theirs, difference.theirs],
  ] as const
  return (
    <fieldset class="outbox-choice">
      <legend>{fieldName(wording, difference.field)}</legend>
      {options.map(([isOwn, label, values]) => (
        <label key={label} class="outbox-option">
          <input
            type="radio"
            name={`outbox ${difference.field}`}
            checked={isMine === isOwn}
            onChange={() => choose(isOwn)}
          />{' '}
          <span>
            <span class="outbox-side">{label}</span>
            <bdi>{valueText(wording, difference, values)}</bdi>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
