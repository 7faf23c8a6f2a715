import { fill } from '../../messages.ts'
import { desk, format, labelled, withName } from './config.ts'
import {
  ask,
  field,
  momentIn,
  momentInput,
  newDialog,
  reasonField,
  reasonIn,
  show,
  textIn,
  wrongField,
} from './dialog.ts'
import { button, element } from './element.ts'
import { fieldName } from './fountain.ts'
import type { Setting } from './panel.ts'
import { personName, type NamedPerson } from './people.ts'
import { wordingOf } from './problem.ts'
import { revertPages, type RevertSum } from './revert-pages.ts'
import { send } from './send.ts'
import { showProblem } from './status.ts'

/** The person whose changes may be reverted, with the suggested start time. */
export interface PersonToRevert extends NamedPerson {
  readonly since?: string | undefined
}

const pathOf = ({ id }: NamedPerson): string => `/users/${encodeURIComponent(id)}`

/** Blocks a person from writing; the undo ends the block. */
export async function blockPerson(setting: Setting, person: NamedPerson): Promise<void> {
  const name = personName(person)
  const isDone = await ask({
    title: withName(desk.did.blocked, name),
    text: desk.blockText,
    content: [field(desk.blockUntil, momentInput('until')), reasonField()],
    confirm: desk.block,
    isDanger: true,
    async work(data) {
      const until = momentIn(data, 'until')
      const body = { reason: reasonIn(data), until }
      await send('POST', `${pathOf(person)}/block`, { body })
    },
  })
  if (isDone)
    setting.update(withName(desk.did.blocked, name), () => send('DELETE', `${pathOf(person)}/block`))
}

/** Ends a block, once that was confirmed. */
export async function unblockPerson(setting: Setting, person: NamedPerson): Promise<void> {
  const isDone = await ask({
    title: desk.unblock,
    text: desk.unblockText,
    confirm: desk.unblock,
    work: () => send('DELETE', `${pathOf(person)}/block`),
  })
  if (isDone) setting.update(withName(desk.did.unblocked, personName(person)))
}

const mostShown = 50

/** Reverts a person's changes since a time: a preview first, then page by page. */
export async function revertPerson(setting: Setting, person: PersonToRevert): Promise<void> {
  const name = personName(person)
  const dialog = newDialog()
  const form = element('form', 'desk-form')
  form.noValidate = true
  const since = momentInput('since', person.since)
  since.required = true
  const preview = element('div', 'desk-told')
  preview.role = 'status'
  const problem = element('p', 'problem')
  problem.role = 'alert'
  const check = element('button', 'button', desk.dryRun)
  check.type = 'submit'
  const confirmButton = button(desk.revertAll, () => void run(false), { className: 'button button-danger' })
  confirmButton.hidden = true
  let isRunning = false
  let stopping = new AbortController()
  let undone = 0
  const leave = button(desk.cancel, () => {
    if (isRunning) stopping.abort()
    else dialog.close()
  })
  form.append(
    element('p', '', desk.revertPersonText),
    field(desk.sinceDay, since),
    reasonField(),
    preview,
    problem,
    element('div', 'actions', leave, check, confirmButton),
  )
  // A preview is only valid for its start time.
  since.addEventListener('input', () => {
    confirmButton.hidden = true
    preview.replaceChildren()
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void run(true)
  })
  async function run(isDry: boolean): Promise<void> {
    if (isRunning) return
    isRunning = true
    stopping = new AbortController()
    const { signal } = stopping
    form.ariaBusy = 'true'
    leave.textContent = desk.stop
    showProblem(form, '')
    const earlier = undone
    try {
      const data = new FormData(form)
      const moment = momentIn(data, 'since')
      if (moment === undefined) throw wrongField('since')
      const reason = isDry ? textIn(data, 'reason') || desk.dryRun : reasonIn(data)
      preview.replaceChildren(isDry ? desk.dryRunning : format.count(desk.reverting, 0))
      const body = { since: moment, reason, ...(isDry && { dryRun: true }) }
      const sum = await revertPages({
        page: (before) =>
          send('POST', `${pathOf(person)}/revert`, {
            body: { ...body, before },
          }),
        onPage({ reverted }) {
          if (isDry) return
          undone = earlier + reverted
          preview.replaceChildren(format.count(desk.reverting, reverted))
        },
        signal,
      })
      if (isDry) {
        preview.replaceChildren(...summary(sum))
        confirmButton.hidden = sum.reverted === 0 || signal.aborted
        if (!confirmButton.hidden) confirmButton.focus()
      } else if (sum.isWhole) dialog.close()
      else preview.replaceChildren(format.count(desk.stopped, sum.reverted))
    } catch (error) {
      preview.replaceChildren(...(undone > 0 ? [format.count(desk.stopped, undone)] : []))
      showProblem(form, wordingOf(error))
    } finally {
      isRunning = false
      form.ariaBusy = 'false'
      leave.textContent = desk.cancel
    }
  }
  const keepOpen = (event: Event): void => {
    if (!isRunning) return
    event.preventDefault()
    stopping.abort()
  }
  dialog.addEventListener('cancel', keepOpen)
  await show(dialog, labelled(desk.revertPerson, format.isolate(name)), form)
  if (undone > 0) setting.settle(format.count(desk.revertedAll, undone))
}

/** A summary of the reverted changes, and of the conflicts with their reasons. */
function summary({ reverted, conflicts }: RevertSum): readonly Node[] {
  if (reverted === 0 && conflicts.length === 0) return [element('p', '', desk.wouldNothing)]
  const parts: Node[] = [element('p', '', format.count(desk.wouldRevert, reverted))]
  if (conflicts.length === 0) return parts
  const list = element('ul', 'desk-conflicts')
  for (const { entry: id, fields } of conflicts.slice(0, mostShown)) {
    const names = fields.filter((one) => one !== 'deletedAt').map(fieldName)
    const entry = fill(desk.entry, { id: format.number(id) })
    list.append(element('li', '', names.length > 0 ? labelled(entry, names.join(', ')) : entry))
  }
  if (conflicts.length > mostShown) list.append(element('li', '', '…'))
  parts.push(element('p', '', format.count(desk.wouldConflict, conflicts.length)), list)
  return parts
}
