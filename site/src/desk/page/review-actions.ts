import type { Review } from '@openfountain/core'
import { desk } from './config.ts'
import { ask, deletionQuery, deletionReasonField } from './dialog.ts'
import type { Setting } from './panel.ts'
import { read, send } from './send.ts'

interface LogPage {
  readonly changes: readonly {
    readonly id: number
    readonly subject: string
    readonly subjectId: number | string
    readonly action: string
  }[]
}

/** Deletes a review after a confirmation; the undo reverts that entry. */
export async function deleteReview({ id }: Review, setting: Setting): Promise<void> {
  let before: number | undefined
  const isDone = await ask({
    title: desk.deleteReview,
    text: desk.deleteReviewText,
    content: [deletionReasonField()],
    confirm: desk.deleteReview,
    isDanger: true,
    async work(data) {
      // When the response to a deletion was lost, its entry follows the head before the first try.
      before ??= (await read<{ head: { id: number } }>('/logs/head')).head.id
      await send('DELETE', `/reviews${deletionQuery(data, { id: String(id) })}`)
    },
  })
  if (!isDone || before === undefined) return
  const after = before
  setting.settle(desk.did.reviewDeleted, async () => {
    const entry = await deletionAfter(after, id)
    if (entry !== undefined)
      await send('POST', `/logs/${entry}/revert`, { body: { reason: desk.undoReason } })
  })
}

/** The entry of a review's deletion. */
async function deletionAfter(head: number, reviewId: number): Promise<number | undefined> {
  for (let after = head; ;) {
    const { changes } = await read<LogPage>(`/changes?after=${after}`)
    const found = changes.find(
      ({ subject, subjectId, action }) =>
        subject === 'review' && subjectId === reviewId && action === 'deleted',
    )
    const last = changes.at(-1)
    if (found !== undefined || last === undefined) return found?.id
    after = last.id
  }
}
