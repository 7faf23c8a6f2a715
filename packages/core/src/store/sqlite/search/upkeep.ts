import { isLive, type Replacement } from '../../../log/nouns.ts'
import type { PlacedWaypoint } from '../../rows.ts'
import type { Extent, SearchIndex } from './index.ts'

type Saved = Replacement<PlacedWaypoint>

/** Whether the searched texts changed, or whether the waypoint became live or a tombstone. */
function isReworded({ before: was, after: is }: Saved): boolean {
  const [before, after] = [was?.state, is.state]
  return (
    isLive(before) !== isLive(after) ||
    before?.name !== after.name ||
    before.description !== after.description ||
    before.region !== after.region
  )
}

/**
 * Updates the search index after writes; it contains live waypoints only.
 *
 * Texts are indexed many at a time: FTS5 flushes what it has buffered at the end of a transaction and whenever another
 * statement needs a savepoint, so that each text alone would become a segment. New waypoints of a bulk are indexed at
 * its end; writes of single requests go to a backlog that search reads too.
 */
export function searchUpkeep(search: SearchIndex) {
  /** The first id of the new waypoints in the running bulk. */
  let firstNew: number | undefined

  return {
    /** Updates the index for one waypoint; a new one in a bulk is indexed when the bulk ends. */
    follow(saved: Saved, extent: Extent): void {
      if (!isReworded(saved)) return
      const { state: after, foldedName } = saved.after
      if (firstNew !== undefined && after.id >= firstNew)
        return search.remember({ foldedName, description: after.description, region: after.region })
      if (after.id > extent.indexedTo) return search.added(extent)
      search.edited(after.id, isLive(saved.before?.state))
      if (firstNew === undefined) search.indexIfFull(extent)
    },
    /** Runs many writes, and indexes their waypoints at the end. */
    inBulk<Result>(extent: Extent, work: () => Result): Result {
      search.begin(extent)
      firstNew = extent.lastWaypointId + 1
      try {
        const result = work()
        search.end(extent)
        return result
      } finally {
        firstNew = undefined
      }
    },
  }
}
