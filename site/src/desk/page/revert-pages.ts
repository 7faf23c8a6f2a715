export interface RevertPage {
  readonly reverted: readonly number[]
  /** Entries that stay, since others changed the same fields later. */
  readonly conflicts: readonly { readonly entry: number; readonly fields: readonly string[] }[]
  /** The entry before which the next page begins; absent on the last page. */
  readonly next?: number | undefined
}

export interface RevertSum {
  readonly reverted: number
  readonly conflicts: RevertPage['conflicts']
  /** Whether the last page is included. */
  readonly isWhole: boolean
}

/** Requests page after page, and gives the sum after each; a reader who stops leaves the rest as it is. */
export async function* revertPages(
  page: (before: number | undefined) => Promise<RevertPage>,
): AsyncGenerator<RevertSum, void> {
  let sum: RevertSum = { reverted: 0, conflicts: [], isWhole: false }
  for (let before: number | undefined; !sum.isWhole;) {
    const { reverted, conflicts, next } = await page(before)
    sum = {
      reverted: sum.reverted + reverted.length,
      conflicts: [...sum.conflicts, ...conflicts],
      isWhole: next === undefined,
    }
    yield sum
    before = next
  }
}
