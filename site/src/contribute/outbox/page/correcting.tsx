import { Button } from '../../../ui/button.tsx'
import { openDialog } from '../../../ui/dialog.tsx'
import type { Submission } from '../submission.ts'
import type { Wording } from '../words.ts'

/** Opens the form of a refused submission with its entries. */
export async function correctSubmission(
  { words: { problem, account } }: Wording,
  submission: Submission,
): Promise<void> {
  try {
    const { correct } = await import('../../open.ts')
    await correct(submission.key)
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
