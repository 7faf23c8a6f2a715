import { limits } from '@openfountain/core/rules'
import { render, type ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { elementBy } from '../../client/element-by.ts'
import { Field, filled, Form, type FieldProps, type FormProps } from '../../ui/form.tsx'
import { opened } from '../../ui/opened.tsx'
import { Problem } from '../../ui/problem.tsx'
import { words } from './config.ts'
import { wordingOf, type Operation } from './wording.ts'

interface Step {
  readonly id: string
  readonly title: string
  readonly content: ComponentChildren
}

/** Until the first step, the page waits under the title that it was built with. */
let shown: Step = {
  id: 'step-waiting',
  title: elementBy('#account-title').textContent,
  content: <p class="lead">{words.loading}</p>,
}
let said = ''

function draw(): void {
  const { id, title, content } = shown
  render(
    <>
      <h1 class="account-title" id="account-title" tabIndex={-1}>
        <bdi>{title}</bdi>
      </h1>
      <p id="account-status" class="said account-status" role="status">
        {said}
      </p>
      <div class="stack-4" id={id} key={id}>
        {content}
      </div>
    </>,
    elementBy('#account'),
  )
}

export function showStep(step: Step, isFocused = false): void {
  shown = step
  draw()
  if (isFocused) elementBy('#account-title').focus()
}

/** Reads the data of a page, under its title. @param before a problem that is shown in place of that of reading */
export const begun = <Found,>(title: string, load: () => Promise<Found>, before = ''): Promise<Found> =>
  opened({
    words,
    load,
    wordingOf: (error) => before || wordingOf(error, 'other'),
    draw: (content) => showStep({ id: 'step-waiting', title, content }),
  })

const announcedMilliseconds = 10_000
let forgetting: ReturnType<typeof setTimeout> | undefined

/** Announces a text in the page's polite live region, for a while. */
export function announce(text: string): void {
  clearTimeout(forgetting)
  said = text
  draw()
  if (text !== '') forgetting = setTimeout(() => announce(''), announcedMilliseconds)
}

/** Runs the work of a part of the page, one run at a time, and keeps its problem to be shown. */
export function useWork(operation: Operation) {
  const [problem, setProblem] = useState('')
  const isBusy = useRef(false)
  const run = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy.current) return
    isBusy.current = true
    setProblem('')
    announce('')
    try {
      await work()
    } catch (error) {
      setTimeout(() => setProblem(wordingOf(error, operation)), 0)
    } finally {
      isBusy.current = false
    }
  }
  return { problem: <Problem text={problem} />, run: (work: () => Promise<void>) => void run(work) }
}

export const AccountForm = ({
  operation = 'other',
  work,
  looks,
  ...form
}: Omit<FormProps, 'wordingOf' | 'class'> & {
  readonly operation?: Operation
  readonly looks?: string
}) => (
  <Form
    class={looks}
    wordingOf={(error) => wordingOf(error, operation)}
    work={(data, element) => {
      announce('')
      return work(data, element)
    }}
    {...form}
  />
)

export const NameField = (field: Omit<FieldProps, 'name'>) => (
  <Field name="name" maxLength={limits.userName} pattern={filled} required {...field} />
)
