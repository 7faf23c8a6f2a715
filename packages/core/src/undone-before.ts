import { ownFields, type RevertConflict } from './decide/revert.ts'
import type { Reads } from './store/reads.ts'

/** A page of entries that are undone, newest first, with what stays of them. */
interface UndonePage {
  readonly undone: readonly number[]
  readonly conflicts: readonly RevertConflict[]
  readonly next?: number | undefined
}

/**
 * A page that was undone before, as it is now.
 *
 * @param left the same page as it would be undone now
 * @param written the first and the last entry that undid it
 */
export async function undoneBefore(
  { entries }: Pick<Reads, 'entries'>,
  left: UndonePage,
  [first, last]: readonly [number, number] = [1, 0],
): Promise<UndonePage> {
  const [highest] = left.undone
  // Entries that can be undone now were not reached then, or were made since.
  const next = highest === undefined ? left.next : highest + 1
  const undone = new Set<number>()
  const conflicts = left.conflicts.filter(({ entry }) => next === undefined || entry >= next)
  for (let after = first - 1; after < last;) {
    const page = await entries.after(after, Math.min(500, last - after))
    if (page.length === 0) break
    for (const undoing of page) {
      const { reverts } = undoing.links
      if (reverts === undefined) continue
      undone.add(reverts)
      const entry = await entries.get(reverts)
      const kept = entry?.action === 'edited' ? ownFields(entry) : []
      const fields = kept.filter((field) => !(field in undoing.fields))
      if (fields.length > 0) conflicts.push({ entry: reverts, fields })
    }
    after = page.at(-1)?.id ?? last
  }
  const descending = (one: number, other: number): number => other - one
  return {
    undone: [...undone].toSorted(descending),
    conflicts: conflicts.toSorted((one, other) => descending(one.entry, other.entry)),
    next,
  }
}
