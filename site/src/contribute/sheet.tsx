import { limits } from '@openfountain/core/rules'
import type { ComponentChildren } from 'preact'
import { Refusal } from '../api/request.ts'
import { Button } from '../ui/button.tsx'
import { openDialog, type Dialog } from '../ui/dialog.tsx'
import { Field, Form, textIn, type Problems } from '../ui/form.tsx'
import type { FormDraft } from './drafts.ts'
import type { Fields } from './members.ts'
import { refusalOf } from './outbox/submission.ts'
import type { Setting } from './setting.ts'
import { fieldProblem, refusalText, refusedFields } from './wording.ts'

export interface SheetOptions {
  readonly title: string
  readonly content: ComponentChildren
  readonly fields: readonly string[]
  readonly submit: string
  readonly more?: ComponentChildren
  /** Keeps its entries; without it nothing is kept. */
  readonly draft?: FormDraft
  /** The names of wrong fields that the browser finds valid. */
  check?(data: FormData): readonly string[]
  /** Sends the entries. The sheet stays open when they are refused. @throws Refusal */
  send(data: FormData): Promise<unknown>
  valuesOf?(data: FormData): Fields
}

const looks = { class: 'sheet' }

export function openSheet(setting: Setting, options: SheetOptions): Dialog {
  const { title, content, fields, submit, more, draft, check, send } = options
  const { valuesOf = (data) => Object.fromEntries(fields.map((name) => [name, textIn(data, name)])) } =
    options
  const { contribute, map, outbox } = setting.words
  const refused = draft?.refused
  const dialog = openDialog({ title, close: map.close, ...looks })
  const problemsOf = (error: unknown): Problems => {
    if (!(error instanceof Refusal)) return {}
    const names = refusedFields(error).filter((name) => fields.includes(name))
    return Object.fromEntries(
      names.map((name) => [name, fieldProblem(setting, name, error.status !== undefined)]),
    )
  }
  dialog.show(
    <Form
      error={refused?.refusal && refusalOf(refused.refusal)}
      problemsOf={problemsOf}
      wordingOf={(error) =>
        Object.keys(problemsOf(error)).length > 0 ? contribute.problem.marked : refusalText(setting, error)
      }
      check={check}
      changed={(data) => draft?.keep(valuesOf(data))}
      work={async (data) => {
        await send(data)
        draft?.forget()
        dialog.close()
      }}
      actions={
        <>
          <Button isSubmit text={refused ? outbox.again : submit} />
          {more}
        </>
      }
    >
      <div class="stack-4 sheet-body">{content}</div>
    </Form>,
  )
  return dialog
}

/** Everybody's words on a fountain. */
export const Comment = ({ label, hint, value }: { label: string; hint: string; value?: unknown }) => (
  <Field
    name="comment"
    rows={3}
    label={label}
    hint={hint}
    maxLength={limits.comment}
    defaultValue={String(value ?? '')}
  />
)

export function openMessage(setting: Setting, title: string, content: ComponentChildren): Promise<void> {
  const body = <div class="stack-4 sheet-body">{content}</div>
  return openDialog({ title, close: setting.words.map.close, content: body, ...looks }).closed
}
