import { icon } from '../map/card/icons.ts'
import { element } from '../map/card/markup.ts'
import type { Setting } from './setting.ts'

/** A form in a dialog: a sheet from below on a phone, in the middle of a larger screen. */
export interface Sheet {
  readonly root: HTMLDialogElement
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
  readonly submit?: string
  readonly more?: readonly (Node | undefined)[]
  /** Run once at a time when the form is submitted. */
  onSubmit?(sheet: Sheet): Promise<void>
}

/** Opens a sheet. The focus moves to its title, and back afterwards. */
export function openSheet(setting: Setting, options: SheetOptions): Sheet {
  const { title, content, submit, more = [], onSubmit } = options
  const close = element(
    'button',
    { type: 'button', class: 'icon-button', 'aria-label': setting.words.map.close },
    icon('close'),
  )
  const heading = element(
    'h2',
    { class: 'contribute-title', id: 'contribute-title', tabindex: '-1' },
    element('bdi', {}, title),
  )
  const problem = element('p', { class: 'problem', role: 'alert' })
  const form = element(
    'form',
    { method: 'dialog', novalidate: true },
    element('div', { class: 'contribute-body' }, ...content),
    element(
      'div',
      { class: 'contribute-foot' },
      problem,
      element(
        'div',
        { class: 'actions' },
        submit === undefined ? undefined : element('button', { type: 'submit', class: 'button' }, submit),
        ...more,
      ),
    ),
  )
  const root = element(
    'dialog',
    { class: 'contribute-sheet', 'aria-labelledby': 'contribute-title' },
    element('header', { class: 'contribute-head' }, heading, close),
    form,
  )
  const before = document.activeElement
  const sheet: Sheet = {
    root,
    form,
    problem(text, link) {
      // Screen readers announce the same text twice only when it was cleared in between.
      problem.textContent = ''
      if (text !== '')
        setTimeout(() => {
          problem.textContent = text
          if (link) problem.append(' ', element('a', { href: link.href }, link.label))
        }, 0)
    },
    close: () => root.close(),
    closed: new Promise((resolve) =>
      root.addEventListener(
        'close',
        () => {
          root.remove()
          if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
          resolve()
        },
        { once: true },
      ),
    ),
  }
  close.addEventListener('click', () => root.close())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (form.ariaBusy === 'true') return
    form.ariaBusy = 'true'
    sheet.problem('')
    void onSubmit?.(sheet).finally(() => (form.ariaBusy = 'false'))
  })
  document.body.append(root)
  root.showModal()
  heading.focus()
  return sheet
}

/** Asks for a confirmation, with yes or by closing. */
export async function isAgreed(setting: Setting, question: string, yes: string): Promise<boolean> {
  let agreed = false
  const sheet = openSheet(setting, {
    title: question,
    content: [],
    submit: yes,
    onSubmit: async (open) => {
      agreed = true
      open.close()
    },
  })
  await sheet.closed
  return agreed
}
