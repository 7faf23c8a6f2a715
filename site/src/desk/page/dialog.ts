import { limits } from '@openfountain/core/rules'
import { Refusal } from '../../api/request.ts'
import { desk } from './config.ts'
import { button, element, type Content } from './element.ts'
import { wordingOf } from './problem.ts'
import { showProblem } from './status.ts'

let counted = 0
/** An id for a label and its field. */
const freshId = (): string => `desk-field-${(counted += 1)}`

/** A field with its label, and a hint that screen readers announce with it. */
export function field(
  label: string,
  input: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement,
  hint?: string,
): HTMLElement {
  input.id = freshId()
  const name = element('label', '', label)
  name.htmlFor = input.id
  const made = element('div', 'account-field', name, input)
  if (hint !== undefined) {
    const text = element('p', 'faint', hint)
    text.id = `${input.id}-hint`
    input.setAttribute('aria-describedby', text.id)
    made.append(text)
  }
  return made
}

/** A field for a line of text. */
export function textInput(name: string, maxLength?: number): HTMLInputElement {
  const input = element('input')
  input.name = name
  input.dir = 'auto'
  input.autocomplete = 'off'
  if (maxLength !== undefined) input.maxLength = maxLength
  return input
}

/** The field for a public reason. */
export function reasonField(): HTMLElement {
  const input = textInput('reason', limits.description)
  input.required = true
  return field(desk.reason, input, desk.reasonHint)
}

/** The optional, public reason of a deletion. */
export function deletionReasonField(): HTMLElement {
  return field(desk.reasonOptional, textInput('reason', limits.deletionReason), desk.reasonHint)
}

/** The query of a deletion, with its reason. */
export function deletionQuery(data: FormData, more: Readonly<Record<string, string>> = {}): string {
  const reason = textIn(data, 'reason')
  const query = new URLSearchParams({ ...more, ...(reason !== '' && { reason }) }).toString()
  return query === '' ? '' : `?${query}`
}

/** A field for a moment in UTC. */
export function momentInput(name: string, iso?: string): HTMLInputElement {
  const input = element('input')
  input.type = 'datetime-local'
  input.name = name
  if (iso !== undefined) input.value = iso.slice(0, 16)
  return input
}

/** The moment in a field as ISO 8601 in UTC; undefined when it is empty. */
export const momentIn = (data: FormData, name: string): string | undefined => {
  const value = textIn(data, name)
  return value === '' ? undefined : `${value.slice(0, 16)}:00.000Z`
}

/** The text in a field. */
export const textIn = (data: FormData, name: string): string => {
  const value = data.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** A single choice. */
export function choices(
  legend: string,
  name: string,
  options: readonly { readonly value: string; readonly label: Content; readonly isChosen?: boolean }[],
): HTMLFieldSetElement {
  const set = element('fieldset', 'account-choices', element('legend', '', legend))
  for (const { value, label, isChosen = false } of options) {
    const input = element('input')
    input.type = 'radio'
    input.name = name
    input.value = value
    input.checked = isChosen
    set.append(element('label', '', input, element('span', '', label)))
  }
  return set
}

/** The content of a dialog. */
export interface Question {
  readonly title: string
  readonly text?: string
  readonly content?: readonly Node[]
  readonly confirm: string
  readonly isDanger?: boolean
  /** Run when the moderator confirms; on an error the dialog stays open and shows it. */
  work(data: FormData): Promise<void>
}

/** Asks in a dialog and runs its work. @returns whether it was done */
export async function ask({
  title,
  text,
  content = [],
  confirm,
  isDanger,
  work,
}: Question): Promise<boolean> {
  const dialog = newDialog()
  const form = element('form', 'desk-form')
  form.noValidate = true
  const problem = element('p', 'problem')
  problem.role = 'alert'
  const yes = element('button', isDanger === true ? 'button button-danger' : 'button', confirm)
  yes.type = 'submit'
  const no = button(desk.cancel, () => dialog.close())
  form.append(
    ...(text === undefined ? [] : [element('p', '', text)]),
    ...content,
    problem,
    element('div', 'actions', no, yes),
  )
  let isDone = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (form.ariaBusy === 'true') return
    void submit()
  })
  async function submit(): Promise<void> {
    form.ariaBusy = 'true'
    showProblem(form, '')
    try {
      await work(new FormData(form))
      isDone = true
      dialog.close()
    } catch (error) {
      showProblem(form, wordingOf(error))
      if (error instanceof Refusal) markFields(form, error.fields)
    } finally {
      form.ariaBusy = 'false'
    }
  }
  // Escape must not hide running work.
  const keepOpen = (event: Event): void => {
    if (form.ariaBusy === 'true') event.preventDefault()
  }
  dialog.addEventListener('cancel', keepOpen)
  await show(dialog, title, form)
  return isDone
}

/** Shows content in a dialog until it is closed. */
export async function show(
  dialog: HTMLDialogElement,
  title: string,
  ...content: readonly Node[]
): Promise<void> {
  const heading = element('h2', '', title)
  heading.id = freshId()
  dialog.setAttribute('aria-labelledby', heading.id)
  dialog.append(heading, ...content)
  document.body.append(dialog)
  dialog.showModal()
  await new Promise<void>((resolve) => dialog.addEventListener('close', () => resolve(), { once: true }))
  dialog.remove()
}

/** A new dialog for each question: while one closes, the next may be open already. */
export const newDialog = (): HTMLDialogElement => element('dialog', 'dialog desk-dialog')

/** Marks invalid fields, and focuses the first. */
function markFields(form: HTMLFormElement, names: readonly string[]): void {
  let isFirst = true
  for (const one of form.querySelectorAll<HTMLInputElement>('input, textarea')) {
    one.removeAttribute('aria-invalid')
    if (!names.includes(one.name)) continue
    one.setAttribute('aria-invalid', 'true')
    if (isFirst) one.focus()
    isFirst = false
  }
}

/** The entered reason. @throws Refusal without one */
export function reasonIn(data: FormData): string {
  const reason = textIn(data, 'reason')
  if (reason === '') throw wrongField('reason')
  return reason
}

/** An invalid field. */
export const wrongField = (path: string): Refusal => new Refusal('INVALID_INPUT', { issues: [{ path }] })
