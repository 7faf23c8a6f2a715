import { render } from 'preact'

export interface ToastAction {
  readonly label: string
  pressed(): void
}

/** Short messages over a part of a page, announced to screen readers too. */
export class Toast {
  readonly #box = document.createElement('div')
  readonly #status: HTMLElement
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param status the page's live region */
  constructor(within: HTMLElement, status: HTMLElement) {
    this.#status = status
    this.#box.className = 'toast'
    this.#box.hidden = true
    placeIn(within).append(this.#box)
  }

  /** Shows a sentence, with an optional button; `seconds` 0 keeps it until the next one. */
  show(sentence: string, seconds = 6, action?: ToastAction): void {
    clearTimeout(this.#timer)
    this.#status.textContent = sentence
    render(
      <>
        <p aria-hidden="true">{sentence}</p>
        {action && (
          <button type="button" class="text-button" onClick={action.pressed}>
            {action.label}
          </button>
        )}
      </>,
      this.#box,
    )
    this.#box.hidden = false
    if (seconds > 0) this.#timer = setTimeout(() => this.hide(), seconds * 1000)
  }

  hide(): void {
    this.#box.hidden = true
  }
}

/** The messages over a part of a page, one below the other. */
function placeIn(within: HTMLElement): HTMLElement {
  const known = within.querySelector<HTMLElement>(':scope > .toasts')
  if (known) return known
  const made = document.createElement('div')
  made.className = 'toasts no-print'
  within.append(made)
  return made
}

let ofPage: { readonly toast: Toast; readonly status: HTMLElement } | undefined

/** Shows a sentence over the map of a page, else over the page; with a button it stays. It has its own live region. */
export function tell(sentence: string, action?: ToastAction): void {
  if (!ofPage) {
    const status = document.body.appendChild(document.createElement('p'))
    status.className = 'visually-hidden'
    status.role = 'status'
    const within = document.querySelector<HTMLElement>('.stage') ?? document.body
    ofPage = { toast: new Toast(within, status), status }
  }
  const { toast, status } = ofPage
  status.textContent = ''
  // Screen readers skip the first content of a new live region, and a text that did not change.
  setTimeout(() => toast.show(sentence, action ? 0 : 8, action), 50)
}
