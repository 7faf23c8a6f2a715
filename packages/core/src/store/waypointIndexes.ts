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
 * another statement needs a savepoint, so that one by one each text would become a segment of its own. What a
 * batch writes is indexed after its rows; what single requests write waits in a backlog that search looks through.
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

  function place(turn: Turn): void {
    const { before, after } = turn
    if (isLive(before) && (!isLive(after) || isMoved(turn))) dropPosition.run({ id: after.id })
    if (isLive(after) && (!isLive(before) || isMoved(turn))) {
      putPosition.run({ id: after.id, latitude: after.latitude, longitude: after.longitude })
    }
  }

  function indexAll(turns: readonly Turn[]): void {
    for (const turn of turns) place(turn)
    const drops = turns.filter((turn) => isLive(turn.before) && isReworded(turn))
    const puts = turns.filter((turn) => isLive(turn.after) && isReworded(turn))
    search.replace(
      drops.map(({ after }) => after.id),
      puts.map(({ after: { id, description, region }, foldedName }) => ({
        id,
        foldedName,
        description,
        region,
      })),
    )
  }

  return {
    /** Brings the indexes up to what a waypoint has become; in bulk, when the bulk ends. */
    follow(turn: Turn): void {
      if (later !== undefined) {
        later.set(turn.after.id, { ...turn, before: (later.get(turn.after.id) ?? turn).before })
        return
      }
      place(turn)
      if (isReworded(turn)) search.defer(turn.after.id, isLive(turn.before))
    },
    /** Runs many writes and indexes what they did at their end. */
    inBulk<Answer>(work: () => Answer): Answer {
      const turns = new Map<number, Turn>()
      later = turns
      try {
        const answer = work()
        indexAll([...turns.values()])
        return answer
      } finally {
        later = undefined
      }
    },
  }
}
