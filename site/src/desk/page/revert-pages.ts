/** What undoing a page of a person's changes did, or would do. */
export interface RevertPage {
  /** Ids of entries. */
  readonly reverted: readonly number[]
  /** What stays, since others changed the same after it. */
  readonly conflicts: readonly { readonly entry: number; readonly fields: readonly string[] }[]
  /** What the next page begins before; absent when there is none. */
  readonly next?: number | undefined
}

/** What all pages so far did, or would do. */
export interface RevertSum {
  readonly reverted: number
  readonly conflicts: RevertPage['conflicts']
  /** Whether there is no further page. */
  readonly isWhole: boolean
}

/**
 * Asks for page after page until there is none, or until it is stopped: what was done until then is done.
 *
 * @param options `page` asks for one, after each of which `onPage` is called
 * @throws what `page` throws
 */
export async function revertPages(options: {
  page(before: number | undefined): Promise<RevertPage>
  onPage?(sum: RevertSum): void
  readonly signal: AbortSignal
}): Promise<RevertSum> {
  const { page, onPage, signal } = options
  let sum: RevertSum = { reverted: 0, conflicts: [], isWhole: false }
  for (let before: number | undefined; ;) {
    const { reverted, conflicts, next } = await page(before)
    sum = {
      reverted: sum.reverted + reverted.length,
      conflicts: [...sum.conflicts, ...conflicts],
      isWhole: next === undefined,
    }
    onPage?.(sum)
    if (next === undefined || signal.aborted) return sum
    before = next
  }
}
