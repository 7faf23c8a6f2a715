import type { WaypointState } from '../waypoint.ts'
import type { Extent, SearchIndex } from './searchIndex.ts'
import { build, param, type Statements } from './statement.ts'

/** A waypoint before and after, as far as indexes are concerned. */
interface Turn {
  readonly before: WaypointState | undefined
  readonly after: WaypointState
  /** The new name after `fold`. */
  readonly foldedName: string
}

const isLive = (state: WaypointState | undefined): state is WaypointState =>
  state !== undefined && state.deletedAt === undefined

function isMoved({ before, after }: Turn): boolean {
  return before?.latitude !== after.latitude || before.longitude !== after.longitude
}

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
 * Keeps the indexes of places and of words, which hold live waypoints alone.
 *
 * Texts are indexed many at a time: FTS5 writes out what it has gathered at the end of a transaction and whenever
 * another statement needs a savepoint, so that one by one each text would become a segment of its own. New waypoints
 * of a bulk are indexed together at its end; what single requests write waits in a backlog that search looks through.
 */
export function waypointIndexes(statements: Statements, search: SearchIndex) {
  const position = {
    id: param('id'),
    west: param('longitude'),
    east: param('longitude'),
    south: param('latitude'),
    north: param('latitude'),
  }
  const putPosition = statements.prepare(() => build.insertInto('waypointPosition').values(position as never))
  const putPositions = statements.prepare(() =>
    build
      .insertInto('waypointPosition')
      .columns(['id', 'west', 'east', 'south', 'north'])
      .expression(
        build
          .selectFrom('waypoints')
          .select(['id', 'longitude as west', 'longitude as east', 'latitude as south', 'latitude as north'])
          .where('id', '>=', param<number>('first'))
          .where('id', '<=', param<number>('last'))
          .where('deletedAt', 'is', null)
          .orderBy('id'),
      ),
  )
  const dropPosition = statements.prepare(() =>
    build.deleteFrom('waypointPosition').where('id', '=', param<number>('id')),
  )
  /** The ids of waypoints that are new in the bulk that runs, all of which come at its end. */
  let bulk: { readonly first: number; last: number } | undefined

  function place(turn: Turn): void {
    const { before, after } = turn
    if (isLive(before) && (!isLive(after) || isMoved(turn))) dropPosition.run({ id: after.id })
    if (isLive(after) && (!isLive(before) || isMoved(turn))) {
      putPosition.run({ id: after.id, latitude: after.latitude, longitude: after.longitude })
    }
  }

  return {
    /** Brings the indexes up to what a waypoint has become; those of a new one in bulk, when the bulk ends. */
    follow(turn: Turn, extent: Extent): void {
      const { before, after, foldedName } = turn
      if (bulk !== undefined && after.id >= bulk.first) {
        bulk.last = Math.max(bulk.last, after.id)
        if (isReworded(turn))
          search.remember({ foldedName, description: after.description, region: after.region })
        return
      }
      place(turn)
      if (!isReworded(turn)) return
      if (after.id > extent.indexedTo) return search.added(extent)
      search.edited(after.id, isLive(before))
      if (bulk === undefined) search.relieve(extent)
    },
    /** Runs many writes, and indexes at their end what they did. */
    inBulk<Answer>(extent: Extent, work: () => Answer): Answer {
      search.begin(extent)
      const made = { first: extent.lastWaypointId + 1, last: extent.lastWaypointId }
      bulk = made
      try {
        const answer = work()
        if (made.last >= made.first) putPositions.run(made)
        search.end(extent)
        return answer
      } finally {
        bulk = undefined
      }
    },
  }
}
