import { element } from '../card/markup.ts'

/** Short messages over the map, announced to screen readers too. */
export class Toast {
  readonly #box: HTMLElement
  readonly #status: HTMLElement
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(stage: HTMLElement, status: HTMLElement) {
    this.#status = status
    this.#box = element('div', { class: 'toast', hidden: true })
    stage.append(this.#box)
  }

  /** Shows a sentence, with an optional button; `seconds` 0 keeps it until the next one. */
  show(sentence: string, seconds = 6, action?: { readonly label: string; pressed(): void }): void {
    clearTimeout(this.#timer)
    this.#status.textContent = sentence
    const text = element('p', { 'aria-hidden': 'true' }, sentence)
    this.#box.replaceChildren(text)
    if (action) {
      const button = element('button', { type: 'button', class: 'toast-action' }, action.label)
      button.addEventListener('click', action.pressed)
      this.#box.append(button)
    }
    this.#box.hidden = false
    if (seconds > 0) this.#timer = setTimeout(() => this.hide(), seconds * 1000)
  }

  hide(): void {
    this.#box.hidden = true
  }
}
