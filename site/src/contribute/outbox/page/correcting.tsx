import { Button } from '../../../ui/button.tsx'
import { openDialog } from '../../../ui/dialog.tsx'
import type { Assets } from '../../assets.ts'
import type { Submission } from '../submission.ts'
import type { Wording } from '../words.ts'

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
    const dialog = openDialog({ title: submission.subject })
    dialog.show(
      <>
        <p>{navigator.onLine ? problem.server : problem.offline}</p>
        <Button kind="quiet" onPress={dialog.close} text={account.cancel} />
      </>,
    )
    await dialog.closed
  }
}
