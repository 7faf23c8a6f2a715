import { desk, elementBy } from './config.ts'
import { wordingOf } from './problem.ts'

/** Undoes the last act. */
export type Undo = () => Promise<void>

/** Shows a problem in the live region of `within`; an empty text clears it. */
export function showProblem(within: HTMLElement, text: string): void {
  const place = elementBy('.problem', within)
  // Screen readers announce the same text twice only when it was cleared in between.
  place.textContent = ''
  if (text !== '') setTimeout(() => (place.textContent = text), 0)
}

/** Shows a problem above the list. */
export const showPageProblem = (text: string): void => showProblem(elementBy('#desk-head'), text)

let undoLast: Undo | undefined

/** Shows an act in the page's polite live region, with an offer to undo it. */
export function announce(text: string, undo?: Undo): void {
  elementBy('#desk-status').textContent = text
  undoLast = undo
  const button = elementBy<HTMLButtonElement>('#desk-undo')
  button.hidden = undo === undefined
  elementBy('#desk-said').hidden = text === ''
}

/** Undoes the last announced act, once. */
export async function undoAnnounced(): Promise<void> {
  const undo = undoLast
  if (undo === undefined) return
  undoLast = undefined
  elementBy<HTMLButtonElement>('#desk-undo').hidden = true
  try {
    await undo()
    showPageProblem('')
    announce(desk.undone)
  } catch (error) {
    announce('')
    showPageProblem(wordingOf(error))
  }
}
