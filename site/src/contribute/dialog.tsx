import { Button } from '../ui/button.tsx'
import { Nodes, openDialog } from '../ui/dialog.tsx'
import { Problem } from '../ui/problem.tsx'
import type { Setting } from './setting.ts'

/** A form in a dialog: a sheet from below on a phone, in the middle of a larger screen. */
export interface Sheet {
  readonly form: HTMLFormElement
  /** Shows an error in a live region, or clears it. */
  problem(text: string, link?: { readonly label: string; readonly href: string }): void
  close(): void
  /** Resolves when it is closed, in any way. */
  readonly closed: Promise<void>
}

export interface SheetOptions {
  readonly title: string
  readonly content: readonly (Node | undefined)[]
  /** Label of the submit button. Without it the sheet is read-only. */
  readonly submit?: string | undefined
  readonly more?: readonly (Node | undefined)[] | undefined
  /** Run once at a time when the form is submitted. */
  onSubmit?(sheet: Sheet): Promise<void>
}

/** Opens a sheet. The focus moves to its title, and back afterwards. */
export function openSheet(setting: Setting, options: SheetOptions): Sheet {
  const { title, content, submit, more = [], onSubmit } = options
  const dialog = openDialog({ title, class: 'contribute-sheet', close: setting.words.map.close })
  const submitted = (event: Event): void => {
    event.preventDefault()
    if (sheet.form.ariaBusy === 'true') return
    sheet.form.ariaBusy = 'true'
    sheet.problem('')
    void onSubmit?.(sheet).finally(() => (sheet.form.ariaBusy = 'false'))
  }
  const draw = (text: string, link?: { readonly label: string; readonly href: string }): void =>
    dialog.show(
      <form method="dialog" noValidate onSubmit={submitted}>
        <Nodes class="contribute-body" of={content} />
        <div class="contribute-foot">
          <Problem text={text} {...link} />
          <div class="actions">
            {submit !== undefined && <Button isSubmit text={submit} />}
            <Nodes class="contribute-more" of={more} />
          </div>
        </div>
      </form>,
    )
  draw('')
  const form = dialog.root.querySelector('form')
  if (!form) throw new Error('A sheet has a form')
  const sheet: Sheet = {
    form,
    problem(text, link) {
      // Screen readers announce the same text twice only when it was cleared in between.
      draw('')
      if (text !== '') setTimeout(() => draw(text, link), 0)
    },
    close: dialog.close,
    closed: dialog.closed,
  }
  return sheet
}
