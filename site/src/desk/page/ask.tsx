import { limits } from '@openfountain/core/rules'
import type { ComponentChildren } from 'preact'
import { Button } from '../../ui/button.tsx'
import { openDialog } from '../../ui/dialog.tsx'
import { Field, filled, Form, textIn } from '../../ui/form.tsx'
import { desk, wordingOf } from './config.ts'
import type { Done, Setting } from './panel.tsx'

/** The content of a dialog. */
export interface Question {
  readonly title: string
  readonly text?: string
  readonly content?: ComponentChildren
  /** Whether a public reason must be given, or may be where something is deleted. */
  readonly reason?: 'required' | 'optional'
  /** The text of the button that agrees; default the title. */
  readonly confirm?: string
  readonly isDanger?: boolean
  /** Run when the moderator confirms; on an error the dialog stays open and shows it. */
  work(data: FormData): Promise<Done | (() => void)>
}

/** Asks in a dialog, runs the work, and announces what was done, or goes on. */
export async function ask(setting: Setting, question: Question): Promise<void> {
  const { title, text, content, reason, confirm = title, isDanger, work } = question
  let next: Done | (() => void) | undefined
  await inDialog(title, (close) => (
    <Form
      wordingOf={wordingOf}
      work={async (data) => {
        next = await work(data)
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
      {reason === 'required' && <ReasonField />}
      {reason === 'optional' && <DeletionReasonField />}
    </Form>
  ))
  if (typeof next === 'function') next()
  else if (next) setting.done(next)
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

/** The field for a public reason. */
export const ReasonField = ({ isOptional = false }) => (
  <Field
    label={desk.reason}
    hint={desk.reasonHint}
    name="reason"
    maxLength={limits.description}
    pattern={filled}
    required={!isOptional}
  />
)

/** The optional, public reason of a deletion. */
const DeletionReasonField = () => (
  <Field label={desk.reasonOptional} hint={desk.reasonHint} name="reason" maxLength={limits.deletionReason} />
)

/** The query of a deletion, with its reason. */
export function deletionQuery(data: FormData, more: Readonly<Record<string, string>> = {}): string {
  const reason = textIn(data, 'reason')
  const query = new URLSearchParams({ ...more, ...(reason !== '' && { reason }) }).toString()
  return query === '' ? '' : `?${query}`
}

/** A field for a moment in UTC. */
export const MomentField = ({
  iso,
  ...field
}: {
  readonly name: string
  readonly label: string
  readonly iso?: string | undefined
  readonly required?: boolean
  readonly onInput?: () => void
}) => <Field type="datetime-local" defaultValue={iso?.slice(0, 16)} {...field} />

/** The moment in a field as ISO 8601 in UTC; undefined when it is empty. */
export const momentIn = (data: FormData, name: string): string | undefined => {
  const value = textIn(data, name)
  return value === '' ? undefined : `${value.slice(0, 16)}:00.000Z`
}
