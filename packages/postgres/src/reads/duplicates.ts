import { sql } from 'kysely'
import {
  DuplicatePairs,
  type Comparable,
  type ComparableOf,
  type Reads,
  type PlacedRow,
} from '@openfountain/core/engine'
import { build, whole, wholes } from '@openfountain/core/engine'
import { type Statements } from '../connection/statement.ts'

/** Rows that are read in one step. */
const step = 2000

/**
 * Pairs of waypoints that may be the same. They are kept in memory from the first question on; before each answer they
 * are brought up to date with the log as the database has it, whichever server wrote it.
 */
export function duplicateReads(statements: Statements): Reads['moderation']['duplicates'] {
  const placed = sql`id, latitude, longitude, "deletedAt"`
  const state = statements.prepare(() => build.selectFrom('state').select(['size', 'origin']))
  const loading = statements.prepare<PlacedRow>(
    () =>
      sql`select ${placed} from waypoints where id > ${whole('after')} order by id limit ${sql.lit(step)}`,
  )
  const changed = statements.prepare<PlacedRow>(
    () => sql`select ${placed} from waypoints where id in (select "subjectId"::bigint from entries
      where id > ${whole('after')} and id <= ${whole('to')} and subject = 'waypoint') order by id`,
  )
  const named = statements.prepare<{
    readonly id: number
    readonly name: string
    readonly amenities: string
  }>(() => sql`select id, name, amenities from waypoints where id = any(${wholes('ids')})`)
  const distinct = statements.prepare(() =>
    build
      .selectFrom('distinctions')
      .select(['number', 'smaller', 'greater'])
      .where('number', '>', whole('after'))
      .orderBy('number'),
  )

  interface Kept {
    readonly pairs: DuplicatePairs
    readonly origin: string
    size: number
    lastDistinction: number
  }
  let kept: Kept | undefined
  let turn: Promise<unknown> = Promise.resolve()

  async function comparablesOf(ids: Iterable<number>): Promise<ComparableOf> {
    const known = new Map<number, Comparable>()
    for (const { id, name, amenities } of await named.all({ ids: [...ids] }))
      known.set(id, { name, amenities: JSON.parse(amenities) as string[] })
    return (id) => known.get(id) ?? { name: '', amenities: [] }
  }

  async function look(pairs: DuplicatePairs, ids: Iterable<number>): Promise<void> {
    pairs.look(ids, await comparablesOf(pairs.compared(ids)))
  }

  async function followDistinctions(current: Kept): Promise<void> {
    for (const distinction of await distinct.all({ after: current.lastDistinction })) {
      current.lastDistinction = distinction.number
      await look(current.pairs, current.pairs.distinguish(distinction))
    }
  }

  /** Everything, as it was when the log had `size` entries or later. */
  async function loaded(size: number, origin: string): Promise<Kept> {
    const current = { pairs: new DuplicatePairs(), origin, size, lastDistinction: 0 }
    await followDistinctions(current)
    for (let after = 0; ;) {
      const rows = await loading.all({ after })
      await look(current.pairs, current.pairs.put(rows))
      const last = rows.at(-1)
      if (last === undefined) return current
      after = last.id
    }
  }

  async function upToDate(): Promise<Kept> {
    for (;;) {
      const { size = 0, origin = '' } = (await state.get()) ?? {}
      // After another line of history was restored, the same ids are of other entries.
      if (kept === undefined || kept.origin !== origin || kept.size > size) {
        kept = undefined
        // What was written meanwhile is read again below.
        kept = await loaded(size, origin)
      } else if (kept.size === size) {
        await followDistinctions(kept)
        return kept
      } else {
        const after = kept.size
        const to = Math.min(size, after + step)
        await look(kept.pairs, kept.pairs.put(await changed.all({ after, to })))
        kept.size = to
      }
    }
  }

  return (place) => {
    const answer = async () => {
      const { pairs } = await upToDate()
      const page = pairs.page(place)
      const comparableOf = await comparablesOf(page.flatMap(({ newer, older }) => [newer, older]))
      return { pairs: page.map((pair) => pairs.described(pair, comparableOf)), total: pairs.total }
    }
    // One after another, also after one that failed.
    const next = turn.then(answer, answer)
    turn = next
    return next
  }
}
