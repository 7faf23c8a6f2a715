import { createContext, type ComponentChildren, type InputHTMLAttributes } from 'preact'
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Refusal } from '../api/request.ts'
import { Problem } from './problem.tsx'

/** A pattern that spaces alone do not match. */
export const filled = String.raw`[\s\S]*\S[\s\S]*`

/** The names of the fields that were refused at the last attempt. */
const Refused = createContext<readonly string[]>([])

export interface FormProps {
  readonly class?: string
  readonly id?: string
  readonly children?: ComponentChildren
  /** The buttons. */
  readonly actions: ComponentChildren
  /** The text of an error. */
  wordingOf(error: unknown): string
  /** Run when the form is submitted, one run at a time. */
  work(data: FormData, form: HTMLFormElement): Promise<void>
}

/** A form: an error is shown above its buttons, and the first wrong field gets the focus. */
export function Form({ class: name = '', id, children, actions, wordingOf, work }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const isBusy = useRef(false)
  const [state, setState] = useState<{ isBusy?: boolean; problem?: string; wrong?: readonly string[] }>({})
  const { wrong = [] } = state
  useLayoutEffect(() => {
    const first = [...(form.current ?? [])].find((one) => wrong.includes(one.getAttribute('name') ?? ''))
    if (first instanceof HTMLElement) first.focus()
  }, [wrong])
  async function submitted(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const { current } = form
    if (isBusy.current || !current) return
    isBusy.current = true
    const data = new FormData(current, event.submitter)
    // Screen readers announce the same text twice only when it was cleared in between.
    setState({ isBusy: true })
    try {
      mustBeValid(current)
      await work(data, current)
      setState({})
    } catch (error) {
      setTimeout(
        () => setState({ problem: wordingOf(error), wrong: error instanceof Refusal ? error.fields : [] }),
        0,
      )
    } finally {
      isBusy.current = false
    }
  }
  return (
    <form
      class={`stack-3 ${name}`.trim()}
      id={id}
      method="post"
      noValidate
      ref={form}
      aria-busy={state.isBusy === true}
      onSubmit={(event) => void submitted(event)}
    >
      <Refused.Provider value={wrong}>{children}</Refused.Provider>
      <Problem text={state.problem ?? ''} />
      <div class="actions">{actions}</div>
    </form>
  )
}

/** The refusal of fields by their names. */
export const wrongFields = (...names: readonly string[]): Refusal =>
  new Refusal('INVALID_INPUT', { issues: names.map((path) => ({ path })) })

/** Fields that the browser finds invalid are refused without a request. */
function mustBeValid(form: HTMLFormElement): void {
  const wrong = [...form.elements].flatMap((field) =>
    (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && !field.validity.valid
      ? [field.name]
      : [],
  )
  if (wrong.length > 0) throw wrongFields(...wrong)
}

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'label'> {
  readonly name: string
  readonly label: ComponentChildren
  readonly hint?: string | undefined
}

let fields = 0

/** A line of text with its label, and a hint that screen readers announce with it. */
export function Field({ label, hint, name, id: given, ...input }: FieldProps) {
  // Preact's own ids begin again in each dialog.
  const [id] = useState(() => given ?? `field-${(fields += 1)}`)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        autoComplete="off"
        spellcheck={false}
        dir="auto"
        aria-describedby={hint === undefined ? undefined : `${String(id)}-hint`}
        aria-invalid={useContext(Refused).includes(name) ? 'true' : undefined}
        {...input}
      />
      {hint !== undefined && (
        <p class="faint" id={`${String(id)}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** A single choice. */
export const Choices = ({
  legend,
  name,
  options,
}: {
  readonly legend: string
  readonly name: string
  readonly options: readonly { readonly value: string; readonly label: ComponentChildren }[]
}) => (
  <fieldset class="stack-2 choices">
    <legend>{legend}</legend>
    {options.map(({ value, label }, index) => (
      <label key={value}>
        <input type="radio" name={name} value={value} defaultChecked={index === 0} /> <span>{label}</span>
      </label>
    ))}
  </fieldset>
)

/** The text in a field. */
export const textIn = (data: FormData, name: string): string => {
  const value = data.get(name)
  return typeof value === 'string' ? value.trim() : ''
}
