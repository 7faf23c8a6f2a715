import type { Reads } from '../../reads.ts'
import type { Statements } from '../connection/statement.ts'
import type { moderationReads } from '../../nouns/moderation.ts'
import type { AtOnce } from '../../sql/reading.ts'
import type { SourceReads } from '../nouns/sources.ts'
import { Duplicates } from './duplicates.ts'
import { following } from './following.ts'
import { SourceTotals } from './source-totals.ts'

/** Reads that no index bounds, made quick by columns in memory. What is bounded is read as always. */

/** What moderators look at. */
export function quickModeration(
  statements: Statements,
  reads: AtOnce<typeof moderationReads>,
): Reads['moderation'] {
  const duplicates = following(statements, () => new Duplicates(statements))()
  return {
    ...reads,
    async duplicates(place) {
      // No statement finds them, so that they are kept from the first question on.
      const kept = (await duplicates()) ?? (await duplicates())
      return kept?.page(place) ?? { pairs: [], total: 0 }
    },
  }
}

/** Sources, with what each lists. */
export function quickSources(statements: Statements, reads: SourceReads): Reads['sources'] {
  const totals = following(statements, () => new SourceTotals(statements))()
  return {
    ...reads,
    async list() {
      const kept = reads.isShort() ? undefined : await totals()
      return kept === undefined ? reads.list() : reads.listWith((id) => kept.of(id))
    },
  }
}
