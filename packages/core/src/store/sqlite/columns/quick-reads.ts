import type { WaypointFilter } from '../../../schemas/filter.ts'
import { isNarrowed, longestNearest } from '../../../places/nearest.ts'
import type { Reads } from '../../reads.ts'
import { placesAreIndexed } from '../connection/deferred-indexes.ts'
import type { Statements } from '../connection/statement.ts'
import type { moderationReads } from '../nouns/moderation.ts'
import type { ChangeReads } from '../nouns/changes.ts'
import type { SourceReads } from '../nouns/sources.ts'
import type { Choice, WaypointReads } from '../nouns/waypoints.ts'
import { few } from '../../few.ts'
import { isUnindexed } from '../../unindexed.ts'
import { waypointBounds } from '../search/bounds.ts'
import { nearestPlaces } from '../search/nearest.ts'
import { ActionColumns } from './actions.ts'
import { Duplicates } from './duplicates.ts'
import { following } from './following.ts'
import { nearestIn } from './nearest.ts'
import { SourceTotals } from './source-totals.ts'
import { WaypointColumns } from './waypoints.ts'

/** Reads that no index bounds, made quick by columns in memory. What is bounded is read as always. */

/** The share that a filter leaves, from which the nearest are found sooner by looking around. */
const manyOf = 1 / 20

/** Lists of waypoints. */
export function quickWaypoints(statements: Statements, reads: WaypointReads) {
  const isBounded = waypointBounds(statements)
  const { near, byPieces } = nearestPlaces(statements, reads)
  const columns = following(statements, () => new WaypointColumns(statements))()
  const isLong = ({ limit }: WaypointFilter, most: number): boolean => limit === undefined || limit > most
  const isTime = (text: string | undefined): boolean => text === undefined || !Number.isNaN(Date.parse(text))

  /** The columns have no states and no places. */
  const isBesideColumns = (filter: WaypointFilter): boolean =>
    isUnindexed(filter) || (filter.status ?? filter.country ?? filter.subdivision) !== undefined

  /** The ids of a short list instead of what it asks, where no index bounds that. */
  async function chosen(filter: WaypointFilter): Promise<Choice> {
    const { limit, updatedSince } = filter
    if (isBesideColumns(filter)) return filter
    if (limit === undefined || isLong(filter, few) || isBounded(filter) || !isTime(updatedSince))
      return filter
    const found = (await columns())?.first({ ...filter, limit })
    return found === undefined ? filter : { among: JSON.stringify(found), limit }
  }

  return {
    async *chunks(filter: WaypointFilter) {
      yield* reads.chunks(await chosen(filter))
    },
    async *textChunks(filter: WaypointFilter) {
      yield* reads.textChunks(await chosen(filter))
    },
    async *pages(filter: WaypointFilter, opening: string) {
      yield* reads.pages(await chosen(filter), opening)
    },
    async near(filter: Parameters<Reads['waypoints']['near']>[0]) {
      const { limit } = filter
      if (
        isBesideColumns(filter) ||
        limit === undefined ||
        isLong(filter, longestNearest) ||
        isBounded(filter)
      )
        return near(filter)
      // Pieces of the globe are searched in the index of places.
      if (!isNarrowed(filter) && placesAreIndexed(statements)) return near(filter)
      const kept = isTime(filter.updatedSince) ? await columns() : undefined
      if (kept === undefined) return near(filter)
      const short = { ...filter, limit }
      const found = kept.share(filter) >= manyOf ? byPieces(short) : undefined
      return found ?? nearestIn(kept, short)
    },
    isBounded,
  } satisfies Partial<Reads['waypoints']>
}

/** What moderators look at. */
export function quickModeration(
  statements: Statements,
  reads: ReturnType<typeof moderationReads>,
  waypoints: WaypointReads,
): Reads['moderation'] {
  const columns = following(statements, () => new WaypointColumns(statements))()
  const duplicates = following(statements, () => new Duplicates(statements))()
  const { unverifiedAmongSome, ...others } = reads
  return {
    ...others,
    async duplicates(place) {
      // No statement finds them, so that they are kept from the first question on.
      const kept = (await duplicates()) ?? (await duplicates())
      return kept?.page(place) ?? { pairs: [], total: 0 }
    },
    async unverified({ after, limit }) {
      const some = unverifiedAmongSome(after, limit)
      const kept = some.isEnough ? undefined : ((await columns()) ?? (await columns()))
      const ids = kept?.first({ verified: false, after, limit }) ?? some.ids
      return ids.flatMap((id) => waypoints.get(id) ?? [])
    },
  }
}

/** Pages of the log. */
export function quickChanges(statements: Statements, reads: ChangeReads): Reads['changes'] {
  const columns = following(statements, () => new ActionColumns(statements))
  const forLists = columns()
  const forCounts = columns()
  return {
    ...reads,
    async list(filter) {
      const isIndexed = filter.bubblerId !== undefined || reads.isBounded(filter)
      const ids = isIndexed ? undefined : (await forLists())?.page(filter)
      return ids === undefined ? reads.list(filter) : reads.withIds(ids, filter.order)
    },
    async count(filter) {
      const isIndexed = filter.bubblerId !== undefined || reads.isCounted(filter)
      return (isIndexed ? undefined : (await forCounts())?.count(filter)) ?? reads.count(filter)
    },
  }
}

/** Sources, with what each lists. */
export function quickSources(statements: Statements, reads: SourceReads): Reads['sources'] {
  const totals = following(statements, () => new SourceTotals(statements))()
  return {
    ...reads,
    async list() {
      const kept = reads.isBounded() ? undefined : await totals()
      return kept === undefined ? reads.list() : reads.listWith((id) => kept.of(id))
    },
  }
}
