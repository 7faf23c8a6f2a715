import { elementBy } from './config.ts'

/** Opens a dialog of the page; the focus then returns to its former place. */
export async function isAgreed(question: string, yes: string): Promise<boolean> {
  const dialog = elementBy<HTMLDialogElement>('#ask')
  elementBy('[data-question]', dialog).textContent = question
  elementBy('[data-yes]', dialog).textContent = yes
  dialog.returnValue = ''
  dialog.showModal()
  await closed(dialog)
  return dialog.returnValue === 'yes'
}

/** Resolves when a dialog is closed. */
export const closed = (dialog: HTMLDialogElement): Promise<void> =>
  new Promise((resolve) => dialog.addEventListener('close', () => resolve(), { once: true }))
