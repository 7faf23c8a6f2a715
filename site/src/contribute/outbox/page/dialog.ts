import { element } from '../../../map/card/markup.ts'

/** A dialog that is only in the page while it is open. */
export interface OpenDialog {
  readonly root: HTMLDialogElement
  /** Shows an error in a live region; an empty text clears it. */
  problem(text: string): void
  readonly closed: Promise<void>
}

/** Opens a dialog under a title. The focus returns to its former place. */
export function openDialog(title: string, ...content: readonly (Node | undefined)[]): OpenDialog {
  const id = 'outbox-dialog-title'
  const problem = element('p', { class: 'outbox-problem', role: 'alert' })
  const root = element(
    'dialog',
    { class: 'outbox-dialog', 'aria-labelledby': id },
    element('h2', { id, tabindex: '-1' }, element('bdi', {}, title)),
    ...content,
    problem,
  )
  document.body.append(root)
  const before = document.activeElement
  const closed = new Promise<void>((resolve) =>
    root.addEventListener(
      'close',
      () => {
        root.remove()
        if (before instanceof HTMLElement && before.isConnected) before.focus()
        resolve()
      },
      { once: true },
    ),
  )
  root.showModal()
  root.querySelector('h2')?.focus()
  return {
    root,
    closed,
    problem(text) {
      // Screen readers announce the same text twice only when it was cleared in between.
      problem.textContent = ''
      if (text !== '') setTimeout(() => (problem.textContent = text), 0)
    },
  }
}

export interface ButtonOptions {
  readonly quiet?: boolean
  readonly danger?: boolean
  readonly small?: boolean
  /** The accessible label, where several buttons have the same text. */
  readonly name?: string
}

/** A button that does something. */
export function button(
  text: string,
  pressed: () => void,
  { quiet, danger, small, name }: ButtonOptions = {},
): HTMLButtonElement {
  const classes = ['button', quiet && 'button-quiet', danger && 'outbox-danger', small && 'outbox-small']
  const made = element(
    'button',
    { type: 'button', class: classes.filter(Boolean).join(' '), 'aria-label': name },
    text,
  )
  made.addEventListener('click', pressed)
  return made
}

/** Asks for a confirmation. @returns whether the user agreed */
export async function isAgreed(question: string, yes: string, no: string): Promise<boolean> {
  let agreed = false
  const { root, closed } = openDialog(
    question,
    element(
      'div',
      { class: 'actions' },
      button(no, () => root.close(), { quiet: true }),
      button(
        yes,
        () => {
          agreed = true
          root.close()
        },
        { danger: true },
      ),
    ),
  )
  await closed
  return agreed
}
