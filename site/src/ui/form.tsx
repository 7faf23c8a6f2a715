import {
  createContext,
  type ComponentChildren,
  type InputHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'preact'
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Refusal } from '../api/request.ts'
import { Icon } from './icon.tsx'
import { Problem } from './problem.tsx'

/** A pattern that spaces alone do not match. */
export const filled = String.raw`[\s\S]*\S[\s\S]*`

/** Problems of fields by name; a field may be marked without a text. */
export type Problems = Readonly<Record<string, string>>

/** The fields that were refused at the last attempt. */
const Refused = createContext<Problems>({})

export interface FormProps {
  readonly class?: string
  readonly id?: string
  readonly children?: ComponentChildren
  readonly actions: ComponentChildren
  readonly error?: unknown
  wordingOf(error: unknown): string
  /** The fields that an error is about; default those that the server refused, without texts. */
  problemsOf?(error: unknown): Problems
  /** The names of wrong fields that the browser finds valid. */
  check?(data: FormData): readonly string[]
  changed?(data: FormData): void
  /** Run when the form is submitted, one run at a time. */
  work(data: FormData, form: HTMLFormElement): Promise<void>
}

const refusedBy = (error: unknown): Problems =>
  Object.fromEntries(error instanceof Refusal ? error.fields.map((name) => [name, '']) : [])

/** A form: an error is shown above its buttons, and the first wrong field gets the focus. */
export function Form({ class: name = '', id, children, actions, error, changed, ...given }: FormProps) {
  const { wordingOf, problemsOf = refusedBy, check, work } = given
  const form = useRef<HTMLFormElement>(null)
  const isBusy = useRef(false)
  const [state, setState] = useState<{ isBusy?: boolean; problem?: string; wrong?: Problems }>({})
  const { wrong } = state
  const fail = (failure: unknown): void =>
    setState({ problem: wordingOf(failure), wrong: problemsOf(failure) })
  useEffect(() => {
    if (error !== undefined) fail(error)
  }, [])
  useLayoutEffect(() => {
    const first = [...(form.current ?? [])].find((one) => (one.getAttribute('name') ?? '') in (wrong ?? {}))
    if (!(first instanceof HTMLElement)) return
    first.closest('details')?.setAttribute('open', '')
    first.focus()
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
      const found = [...invalidIn(current), ...(check?.(data) ?? [])]
      if (found.length > 0) throw wrongFields(...found)
      await work(data, current)
      setState({})
    } catch (failure) {
      setTimeout(() => fail(failure), 0)
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
      onInput={({ currentTarget }) => changed?.(new FormData(currentTarget))}
    >
      <Refused.Provider value={wrong ?? {}}>{children}</Refused.Provider>
      <div class="form-foot">
        <Problem text={state.problem ?? ''} />
        <div class="actions">{actions}</div>
      </div>
    </form>
  )
}

export const wrongFields = (...names: readonly string[]): Refusal =>
  new Refusal('INVALID_INPUT', { issues: names.map((path) => ({ path })) })

/** The names of the fields that the browser finds invalid; a stored value (`data-stored`) is right until it is changed. */
const invalidIn = (form: HTMLFormElement): readonly string[] =>
  [...form.elements].flatMap((field) => {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return []
    const isStored =
      'stored' in field.dataset && field.defaultValue !== '' && field.value === field.defaultValue
    return field.validity.valid || isStored ? [] : [field.name]
  })

interface FieldOptions {
  readonly name: string
  readonly label: ComponentChildren
  readonly hint?: string | undefined
}

export interface FieldProps
  extends FieldOptions, Omit<InputHTMLAttributes<HTMLInputElement>, 'label' | 'name'> {
  /** The number of lines of a longer text. */
  readonly rows?: number
  /** Marks a value that was stored under other rules. */
  readonly 'data-stored'?: ''
}

let fields = 0

/** The attributes of a field's control, and the texts below it, which screen readers announce with it. */
export function useField(name: string, hint: string | undefined, given?: string) {
  // Preact's own ids begin again in each dialog.
  const [id] = useState(() => given ?? `field-${(fields += 1)}`)
  const problem = useContext(Refused)[name]
  const [problemId, hintId] = [problem && `${id}-problem`, hint && `${id}-hint`]
  return {
    id,
    control: {
      name,
      'aria-invalid': problem === undefined ? undefined : ('true' as const),
      'aria-describedby': [problemId, hintId].filter(Boolean).join(' ') || undefined,
    },
    notes: (
      <>
        {problemId && (
          <p class="field-problem" id={problemId}>
            {problem}
          </p>
        )}
        {hintId && (
          <p class="faint" id={hintId}>
            {hint}
          </p>
        )}
      </>
    ),
  }
}

export function Field({ label, hint, name, id: given, rows, ...input }: FieldProps) {
  const { id, control, notes } = useField(name, hint, given as string | undefined)
  const attributes = {
    id,
    autoComplete: 'off',
    spellcheck: false,
    dir: 'auto' as const,
    ...control,
    ...input,
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows === undefined ? (
        <input {...attributes} />
      ) : (
        <textarea rows={rows} {...(attributes as TextareaHTMLAttributes<HTMLTextAreaElement>)} />
      )}
      {notes}
    </div>
  )
}

/** A value of a choice; without a text its icon has a label of its own. */
export interface Option {
  readonly value: string
  readonly label: ComponentChildren
  readonly icon?: string
  readonly spoken?: string
}

/** A choice from a list; none is chosen unless one is given. */
export function Select({
  label,
  hint,
  name,
  options,
  chosen = '',
}: FieldOptions & { readonly options: readonly Option[]; readonly chosen?: string | undefined }) {
  const { id, control, notes } = useField(name, hint)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} {...control}>
        {options.map(({ value, label: text }) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
      {notes}
    </div>
  )
}

export function Flag({ label, hint, name, ...input }: Omit<FieldProps, 'rows'>) {
  const { control, notes } = useField(name, hint)
  return (
    <div class="field">
      <label class="flag">
        <input type="checkbox" value="yes" {...control} {...input} />
        <span>{label}</span>
      </label>
      {notes}
    </div>
  )
}

export interface TogglesProps extends FieldOptions {
  readonly options: readonly Option[]
  readonly chosen?: readonly string[] | undefined
  /** Whether one must be chosen; default any number. */
  readonly isOne?: boolean
  readonly looks?: 'toggles-lines' | 'toggles-stars'
  /** Whether its problem is shown by another group of the same name. */
  readonly isSilent?: boolean
}

/** A choice as large buttons. */
export function Toggles({ label, hint, name, options, chosen = [], ...more }: TogglesProps) {
  const { isOne = false, looks = '', isSilent } = more
  const { control, notes } = useField(name, hint)
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <div class={`row checks toggles ${looks}`.trim()}>
        {options.map(({ value, label: text, icon, spoken }) => (
          <label key={value} class="chip">
            <input
              type={isOne ? 'radio' : 'checkbox'}
              value={value}
              required={isOne}
              aria-label={spoken}
              defaultChecked={chosen.includes(value)}
              {...control}
            />
            {icon && <Icon name={icon} />}
            {text && <bdi>{text}</bdi>}
          </label>
        ))}
      </div>
      {!isSilent && notes}
    </fieldset>
  )
}

export const Rating = ({
  stars,
  textOf,
  ...field
}: Omit<TogglesProps, 'options'> & { readonly stars: readonly number[]; textOf(stars: number): string }) => (
  <Toggles
    {...field}
    isOne
    looks="toggles-stars"
    options={stars.map((n) => ({ value: String(n), label: '', icon: 'star', spoken: textOf(n) }))}
  />
)

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

export const textIn = (data: FormData, name: string): string => {
  const value = data.get(name)
  return typeof value === 'string' ? value.trim() : ''
}
