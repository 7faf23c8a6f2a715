import { siteOfPage } from '../../../api/site.ts'
import { element } from '../../../map/card/markup.ts'
import { waypointIdOf, type Submission } from '../submission.ts'
import { asNew, differences, resolved, type Difference } from '../conflict.ts'
import { outbox } from '../outbox.ts'
import { read, type Conflict } from '../sending.ts'
import type { Wording } from '../words.ts'
import { button, openDialog, type OpenDialog } from './dialog.ts'
import { fieldName, valueText } from './wording.ts'

/** Shows the user's version beside the other one, field by field, and sends the chosen values. */
export async function resolveConflict(wording: Wording, key: string): Promise<void> {
  const submission = (await outbox().list()).find((one) => one.key === key && one.state === 'conflict')
  if (submission === undefined) return
  const body = element('div', { class: 'outbox-conflict' })
  const dialog = openDialog(submission.subject, body)
  await show({ wording, submission, body, dialog }, await latest(submission))
  await dialog.closed
}

interface Shown {
  readonly wording: Wording
  readonly submission: Submission
  readonly body: HTMLElement
  readonly dialog: OpenDialog
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

async function show(shown: Shown, now: Conflict): Promise<void> {
  const { wording, submission, body, dialog } = shown
  const { outbox: text } = wording.words
  const later = button(text.later, () => dialog.root.close(), { quiet: true })
  const drop = button(
    text.dropMine,
    () => {
      dialog.root.close()
      void outbox().undo(submission.key)
    },
    { quiet: true },
  )
  if (now.theirs === undefined) {
    const { mergedInto } = now
    body.replaceChildren(
      element('p', {}, mergedInto === undefined ? text.gone : text.merged),
      element(
        'div',
        { class: 'actions' },
        mergedInto === undefined ? undefined : button(text.goOn, () => void continueWith(shown, mergedInto)),
        submission.kind === 'edit' && submission.base
          ? button(text.asNew, () => void addAsNew(shown), { quiet: true })
          : undefined,
        drop,
        later,
      ),
    )
    return
  }
  const found = submission.kind === 'edit' ? differences(submission, now.theirs) : []
  const sets = found.map((one, index) => choice(wording, one, index))
  body.replaceChildren(
    element(
      'p',
      {},
      submission.kind === 'edit' ? (found.length === 0 ? text.same : text.choose) : text.changed,
    ),
    ...sets.map(({ set }) => set),
    element(
      'div',
      { class: 'actions' },
      button(submission.kind === 'edit' && found.length === 0 ? text.finish : text.send, () => {
        const chosen = sets.flatMap(({ field, isMine }) => (isMine() ? [field] : []))
        void sendChosen(shown, now, chosen)
      }),
      drop,
      later,
    ),
  )
}

function choice(
  wording: Wording,
  difference: Difference,
  index: number,
): { readonly field: string; readonly set: HTMLElement; isMine(): boolean } {
  const { outbox: text } = wording.words
  const name = `outbox-field-${index}`
  const option = (
    label: string,
    value: string,
    isChosen: boolean,
  ): readonly [HTMLElement, HTMLInputElement] => {
    const input = element('input', { type: 'radio', name, checked: isChosen })
    const words = element(
      'span',
      {},
      element('span', { class: 'outbox-side' }, label),
      element('bdi', {}, value),
    )
    return [element('label', { class: 'outbox-option' }, input, ' ', words), input]
  }
  const [mine, isMine] = option(text.mine, valueText(wording, difference, difference.mine), true)
  const [theirs] = option(text.theirs, valueText(wording, difference, difference.theirs), false)
  const legend = element('legend', {}, fieldName(wording, difference.field))
  return {
    field: difference.field,
    set: element('fieldset', { class: 'outbox-choice' }, legend, mine, theirs),
    isMine: () => isMine.checked,
  }
}

async function sendChosen(shown: Shown, now: Conflict, chosen: readonly string[]): Promise<void> {
  const { submission, dialog, wording } = shown
  const { words } = wording
  if (submission.ifMatch !== undefined && now.theirsEtag === undefined) {
    dialog.problem(words.problem.offline)
    await show(shown, await latest(submission))
    return
  }
  dialog.problem('')
  const outcome = await outbox().revise(submission.key, (kept) => resolved(kept, now, chosen))
  if (outcome?.state !== 'conflict') return dialog.root.close()
  dialog.problem(words.outbox.changedAgain)
  await show({ ...shown, submission: outcome.submission }, await latest(outcome.submission))
}

/** Continues with the merge target. */
async function continueWith(shown: Shown, id: number): Promise<void> {
  const { submission, dialog, wording } = shown
  try {
    const now = await read(siteOfPage(), id)
    // An edit is first compared with it; a review or a report can be sent.
    if (submission.kind === 'edit' || now.theirs === undefined) {
      const { base: _base, ...about } = submission
      await show({ ...shown, submission: { ...about, state: 'conflict' } }, now)
    } else await sendChosen(shown, now, [])
  } catch {
    dialog.problem(wording.words.problem.offline)
  }
}

async function addAsNew({ submission, dialog }: Shown): Promise<void> {
  dialog.root.close()
  await outbox().revise(submission.key, asNew)
}
