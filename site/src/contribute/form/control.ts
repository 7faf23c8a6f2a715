/** One field of a form. */
export interface Control {
  readonly name: string
  readonly root: HTMLElement
  /** What was entered; undefined where nothing was. */
  value: unknown
  /** Shows what is wrong with it beside it; an empty text clears that. */
  problem: string
  /** Whether it can be sent, as far as the browser can tell; without, what its entries say of themselves. */
  readonly isRight?: boolean
  focus(): void
}

/** Marks a control as wrong or right. */
export function mark(entries: Iterable<Element>, place: HTMLElement, text: string): void {
  place.textContent = text
  for (const entry of entries)
    if (text === '') entry.removeAttribute('aria-invalid')
    else entry.setAttribute('aria-invalid', 'true')
}
