import { render, type ComponentChildren } from 'preact'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

/** A dialog that is only in the page while it is open. */
export interface Dialog {
  readonly root: HTMLDialogElement
  show(content: ComponentChildren): void
  close(): void
  /** Resolves when it is closed, in any way. */
  readonly closed: Promise<void>
}

export interface DialogOptions {
  readonly title: string
  readonly content?: ComponentChildren
  /** Further names of its style. */
  readonly class?: string
  /** Label of a button in its head that closes it. */
  readonly close?: string
}

let opened = 0

/** Opens a dialog under a title, which gets the focus. The focus returns to its former place. */
export function openDialog({ title, content, class: name = '', close }: DialogOptions): Dialog {
  opened += 1
  const id = `dialog-title-${opened}`
  const root = document.createElement('dialog')
  root.className = `dialog ${name}`.trim()
  root.setAttribute('aria-labelledby', id)
  const before = document.activeElement
  const closed = new Promise<void>((resolve) =>
    root.addEventListener(
      'close',
      () => {
        root.remove()
        render(null, root)
        if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
        resolve()
      },
      { once: true },
    ),
  )
  const show = (shown: ComponentChildren): void =>
    render(
      <>
        <header class="dialog-head">
          <h2 id={id} tabIndex={-1}>
            <bdi>{title}</bdi>
          </h2>
          {close !== undefined && (
            <button type="button" class="icon-button" aria-label={close} onClick={() => root.close()}>
              <Icon name="close" />
            </button>
          )}
        </header>
        {shown}
      </>,
      root,
    )
  show(content)
  document.body.append(root)
  root.showModal()
  root.querySelector('h2')?.focus()
  return { root, show, close: () => root.close(), closed }
}

/** Asks a question. @returns whether the user agreed */
export async function isAgreed(
  question: string,
  { yes, no }: { readonly yes: string; readonly no: string },
): Promise<boolean> {
  let agreed = false
  const dialog = openDialog({ title: question })
  dialog.root.id = 'ask'
  const agree = (): void => {
    agreed = true
    dialog.close()
  }
  dialog.show(
    <div class="actions">
      <Button kind="quiet" onPress={dialog.close} text={no} />
      <Button kind="danger" id="ask-yes" onPress={agree} text={yes} />
    </div>,
  )
  await dialog.closed
  return agreed
}
