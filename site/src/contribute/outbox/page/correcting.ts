import { element } from '../../../map/card/markup.ts'
import type { Assets } from '../../assets.ts'
import type { Submission } from '../submission.ts'
import type { Wording } from '../words.ts'
import { button, openDialog } from './dialog.ts'

/** The addresses of the forms; inserted when the scripts are bundled. */
declare const FORMS: Assets & { readonly forms: string }

/** Opens the form of a refused submission with its entries. */
export async function correctSubmission(
  { words: { problem, account } }: Wording,
  submission: Submission,
): Promise<void> {
  const given = FORMS
  try {
    const { correct }: typeof import('../../open.ts') = await import(given.forms)
    await correct(submission.key, given)
  } catch {
    const { root, closed } = openDialog(
      submission.subject,
      element('p', {}, navigator.onLine ? problem.server : problem.offline),
      button(account.cancel, () => root.close(), { quiet: true }),
    )
    await closed
  }
}
