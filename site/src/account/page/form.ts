import { Refusal } from '../../api/request.ts'
import { elementBy } from './config.ts'
import { wordingOf, type Operation } from './wording.ts'

/** Shows a problem in the live region of `within`; an empty text clears it. */
export function showProblem(within: HTMLElement, text: string): void {
  const place = elementBy('.problem', within)
  // Screen readers announce the same text twice only when it was cleared in between.
  place.textContent = ''
  if (text !== '') setTimeout(() => (place.textContent = text), 0)
}

/** The field of a form by its name. */
export const fieldOf = (form: HTMLFormElement, name: string): HTMLInputElement | undefined => {
  const found = form.elements.namedItem(name)
  return found instanceof HTMLInputElement ? found : undefined
}

/** The value of a field; empty when the form has no such field. */
export const valueOf = (form: HTMLFormElement, name: string): string => fieldOf(form, name)?.value ?? ''

/** Marks invalid fields, and focuses the first. */
function markFields(form: HTMLFormElement, names: readonly string[]): void {
  let isFirst = true
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement)) continue
    const isWrong = names.includes(field.name)
    if (!isWrong) {
      field.removeAttribute('aria-invalid')
      continue
    }
    field.setAttribute('aria-invalid', 'true')
    if (isFirst) field.focus()
    isFirst = false
  }
}

/**
 * Runs work when a form is submitted, one run at a time, and shows its error. Fields that the browser finds invalid are
 * marked without a request.
 */
export function onSubmit(form: HTMLFormElement, operation: Operation, work: () => Promise<void>): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const wrong = [...form.elements].flatMap((field) =>
      field instanceof HTMLInputElement && !field.validity.valid ? [field.name] : [],
    )
    if (wrong.length > 0) {
      const refusal = new Refusal('INVALID_INPUT', { issues: wrong.map((path) => ({ path })) })
      showProblem(form, wordingOf(refusal, operation))
      markFields(form, wrong)
      return
    }
    markFields(form, [])
    void doOnce(form, operation, work)
  })
}

/** Runs work when a button is pressed, one run at a time, and shows its problem in `within`. */
export function onPress(
  button: HTMLElement,
  within: HTMLElement,
  operation: Operation,
  work: () => Promise<void>,
): void {
  button.addEventListener('click', () => void doOnce(within, operation, work))
}

/** The control keeps the focus meanwhile: a disabled one would lose the keyboard position. */
export async function doOnce(
  within: HTMLElement,
  operation: Operation,
  work: () => Promise<void>,
): Promise<void> {
  if (within.ariaBusy === 'true') return
  within.ariaBusy = 'true'
  showProblem(within, '')
  announce('')
  try {
    await work()
  } catch (error) {
    showProblem(within, wordingOf(error, operation))
    if (within instanceof HTMLFormElement && error instanceof Refusal) markFields(within, error.fields)
  } finally {
    within.ariaBusy = 'false'
  }
}

/** Shows one step of a page under its own title, and focuses the title. */
export function showStep(step: HTMLElement, { focus = true } = {}): void {
  for (const other of document.querySelectorAll<HTMLElement>('[data-step]')) other.hidden = other !== step
  showTitle(step.dataset['title'] ?? '')
  if (focus) elementBy('#account-title').focus()
}

/** Sets the title of the page, which may be a user's name. */
export function showTitle(title: string): void {
  elementBy('#account-title bdi').textContent = title
}

const announcedMilliseconds = 10_000
let forgetting: ReturnType<typeof setTimeout> | undefined

/** Announces a text in the page's polite live region, for a while. */
export function announce(text: string): void {
  const place = elementBy('#account-status')
  clearTimeout(forgetting)
  place.textContent = text
  if (text !== '') forgetting = setTimeout(() => (place.textContent = ''), announcedMilliseconds)
}
