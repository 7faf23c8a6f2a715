/** One field of a form. */
export interface Control {
  readonly name: string
  readonly root: HTMLElement
  /** The entered value; undefined when empty. */
  value: unknown
  /** The error shown beside the field; an empty text clears it. */
  problem: string
  /** Whether the value is valid as far as the browser can tell; default the validity of its inputs. */
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
