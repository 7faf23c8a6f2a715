import type { WaypointState } from '../waypoint.ts'
import type { SearchIndex } from './searchIndex.ts'
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

function isRenamed({ before, after }: Turn): boolean {
  return (
    before?.name !== after.name || before.description !== after.description || before.region !== after.region
  )
}

/**
 * Keeps the indexes of places and of words, which hold live waypoints alone.
 *
 * Many waypoints are indexed after all their rows are written: FTS5 writes out what it has gathered whenever
 * another statement needs a savepoint, so that row by row each waypoint would become a segment of its own.
 */
export function waypointIndexes(statements: Statements, search: SearchIndex) {
  const putPosition = statements.prepare(() =>
    build.insertInto('waypointPosition').values({
      id: param('id'),
      west: param('longitude'),
      east: param('longitude'),
      south: param('latitude'),
      north: param('latitude'),
    } as never),
  )
  const dropPosition = statements.prepare(() =>
    build.deleteFrom('waypointPosition').where('id', '=', param<number>('id')),
  )
  let later: Map<number, Turn> | undefined

  function index(turns: readonly Turn[]): void {
    for (const turn of turns) {
      const { before, after } = turn
      if (isLive(before) && (!isLive(after) || isMoved(turn))) dropPosition.run({ id: after.id })
      if (isLive(after) && (!isLive(before) || isMoved(turn))) {
        putPosition.run({ id: after.id, latitude: after.latitude, longitude: after.longitude })
      }
    }
    search.replace(
      turns.filter((turn) => isLive(turn.before) && (!isLive(turn.after) || isRenamed(turn))).map(idOf),
      turns.filter((turn) => isLive(turn.after) && (!isLive(turn.before) || isRenamed(turn))),
    )
  }

  return {
    /** Brings the indexes up to what a waypoint has become; in bulk, when the bulk ends. */
    follow(turn: Turn): void {
      if (later === undefined) index([turn])
      else later.set(turn.after.id, { ...turn, before: (later.get(turn.after.id) ?? turn).before })
    },
    /** Runs many writes and indexes what they did at their end. */
    inBulk<Answer>(work: () => Answer): Answer {
      const turns = new Map<number, Turn>()
      later = turns
      try {
        const answer = work()
        index([...turns.values()])
        return answer
      } finally {
        later = undefined
      }
    },
  }
}

function idOf({ after }: Turn): number {
  return after.id
}
