import type { WaypointState } from '../../../schemas/waypoint.ts'
import type { Extent, SearchIndex } from './index.ts'

/** A waypoint before and after, as far as search is concerned. */
interface Turn {
  readonly before: WaypointState | undefined
  readonly after: WaypointState
  /** The new name after `fold`. */
  readonly foldedName: string
}

const isLive = (state: WaypointState | undefined): state is WaypointState =>
  state !== undefined && state.deletedAt === undefined

/** Whether what search looks in has changed, or whether it is to look at all. */
function isReworded({ before, after }: Turn): boolean {
  return (
    isLive(before) !== isLive(after) ||
    before?.name !== after.name ||
    before.description !== after.description ||
    before.region !== after.region
  )
}

/**
 * Tells the search index what becomes of waypoints; it holds live ones alone.
 *
 * Texts are indexed many at a time: FTS5 writes out what it has gathered at the end of a transaction and whenever
 * another statement needs a savepoint, so that one by one each text would become a segment of its own. New waypoints
 * of a bulk are indexed together at its end; what single requests write waits in a backlog that search looks through.
 */
export function searchUpkeep(search: SearchIndex) {
  /** The first id of waypoints that are new in the bulk that runs. */
  let firstNew: number | undefined

  return {
    /** Follows what a waypoint has become; a new one in bulk is indexed when the bulk ends. */
    follow(turn: Turn, extent: Extent): void {
      if (!isReworded(turn)) return
      const { before, after, foldedName } = turn
      if (firstNew !== undefined && after.id >= firstNew)
        return search.remember({ foldedName, description: after.description, region: after.region })
      if (after.id > extent.indexedTo) return search.added(extent)
      search.edited(after.id, isLive(before))
      if (firstNew === undefined) search.relieve(extent)
    },
    /** Runs many writes, and indexes at their end what they did. */
    inBulk<Result>(extent: Extent, work: () => Result): Result {
      search.begin(extent)
      firstNew = extent.lastWaypointId + 1
      try {
        const answer = work()
        search.end(extent)
        return answer
      } finally {
        firstNew = undefined
      }
    },
  }
}
