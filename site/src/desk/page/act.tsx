import { limits } from '@openfountain/core/rules'
import { createContext, type ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { Refusal } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { openDialog } from '../../ui/dialog.tsx'
import { Field, filled, Form, textIn } from '../../ui/form.tsx'
import { desk, wordingOf } from './config.ts'

export interface Act {
  readonly label: string
  readonly key?: string
  /** Whether it is likely; the first such act of an item stands out. */
  readonly isMain?: boolean
  readonly question?: Question
  /** @returns what was done or the act that follows; undefined when there is nothing to say. @throws Refusal */
  work(data: FormData): Promise<Done | Act | undefined>
}

export interface Question {
  readonly title?: string
  readonly text?: string
  readonly content?: ComponentChildren
  /** Whether a public reason must be given, or may be where something is deleted. */
  readonly reason?: 'required' | 'optional'
  readonly confirm?: string
  readonly isDanger?: boolean
}

export interface Done {
  readonly said: string
  undo?(): Promise<unknown>
}

/** Whether the fountain was changed since it was shown. */
export const isChanged = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.code === 'PRECONDITION_FAILED'

let sending = 0

/** Whether the answer to a question is being sent: keys are then for the desk, not for the dialog. */
export const isSending = (): boolean => sending > 0

/** Does an act and those that follow it; `refuseKeys` is called with each question. @returns its announcement; undefined when cancelled @throws Refusal */
export async function perform(act: Act, refuseKeys: () => void): Promise<Done | undefined> {
  let next: Done | Act | undefined = act
  while (next && 'work' in next)
    next = await (next.question ? asked(next, next.question, refuseKeys) : next.work(new FormData()))
  return next
}

/** Does an act once the moderator has agreed; on an error the dialog stays open and shows it. */
async function asked(
  { label, work }: Act,
  question: Question,
  refuseKeys: () => void,
): Promise<Done | Act | undefined> {
  refuseKeys()
  const { title = label, text, content, reason, confirm = label, isDanger } = question
  let result: ReturnType<Act['work']> | undefined
  await inDialog(title, (close) => (
    <Form
      wordingOf={wordingOf}
      work={async (data) => {
        const working = work(data)
        sending += 1
        try {
          await working
        } catch (error) {
          if (!isChanged(error)) {
            refuseKeys()
            throw error
          }
        } finally {
          sending -= 1
        }
        result = working
        close()
      }}
      actions={
        <>
          <Button kind="quiet" onPress={close} text={desk.cancel} />
          <Button kind={isDanger ? 'danger' : 'main'} isSubmit text={confirm} />
        </>
      }
    >
      {text !== undefined && <p>{text}</p>}
      {content}
      {reason !== undefined && <ReasonField reason={reason} />}
    </Form>
  ))
  return result
}

/** Shows a dialog until it is closed; Escape must not hide running work. */
export function inDialog(title: string, content: (close: () => void) => ComponentChildren): Promise<void> {
  const dialog = openDialog({ title, class: 'desk-dialog' })
  dialog.show(content(dialog.close))
  dialog.root.addEventListener('cancel', (event) => {
    if (dialog.root.querySelector('[aria-busy="true"]')) event.preventDefault()
  })
  dialog.root.querySelector('input')?.focus()
  return dialog.closed
}

export const ReasonField = ({ reason }: { readonly reason?: Question['reason'] }) => (
  <Field
    name="reason"
    hint={desk.reasonHint}
    {...(reason === 'optional'
      ? { label: desk.reasonOptional, maxLength: limits.deletionReason }
      : {
          label: desk.reason,
          maxLength: limits.description,
          pattern: filled,
          required: reason === 'required',
        })}
  />
)

export const momentIn = (data: FormData, name: string): string | undefined => {
  const value = textIn(data, name)
  return value === '' ? undefined : `${value.slice(0, 16)}:00.000Z`
}

/** Does an act about the open item, and shows what follows. */
export const Run = createContext<(act: Act) => void>(() => undefined)

export function ActButton({
  act,
  isMain,
  isSmall,
  about,
}: {
  readonly act: Act
  readonly isMain?: boolean
  readonly isSmall?: boolean
  /** The accessible label, where several buttons have the same text. */
  readonly about?: string
}) {
  const run = useContext(Run)
  const { label, key } = act
  return (
    <Button
      kind={isMain ? 'main' : 'quiet'}
      isSmall={isSmall}
      label={about}
      shortcut={key}
      onPress={() => run(act)}
      text={label}
    />
  )
}
