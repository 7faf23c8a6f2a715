import { sql } from 'kysely'
import type { Duplicate, QueuePlace } from '../answers.ts'
import {
  type ComparableOf,
  DuplicatePairs,
  type ListedComparable,
  type PlacedRow,
} from '../duplicate-pairs.ts'
import {
  asId,
  isAmong,
  build,
  differing,
  query,
  type Reading,
  type RowsPromised,
  soon,
  whole,
  wholes,
} from '../sql/query.ts'
import { known } from '../counters.ts'
import type { Row } from '../rows.ts'

const step = 2000

const placed = sql`id, latitude, longitude, "deletedAt"`
const state = query(() => build.selectFrom('state').select(['size', 'origin']))
const loading = query<PlacedRow>(
  () => sql`select ${placed} from waypoints where id > ${whole('after')} order by id limit ${sql.lit(step)}`,
)
// By the ids of entries: none of their indexes begins with them.
const subjectsOf = (subject: 'waypoint' | 'record') => sql`select ${asId(sql.ref('subjectId'))}
  from ${differing({ sqlite: sql`entries not indexed`, postgres: sql`entries` })}
  where id > ${whole('after')} and id <= ${whole('to')} and subject = ${sql.lit(subject)}`
const changed = query<PlacedRow>(
  () => sql`select ${placed} from waypoints where id in (${subjectsOf('waypoint')})
    or id in (select "waypointId" from records where id in (${subjectsOf('record')})) order by id`,
)
const named = query<Pick<Row<'waypoints'>, 'id' | 'name' | 'amenities'>>(
  () => sql`select id, name, amenities from waypoints where ${isAmong(sql.ref('id'), wholes('ids'))}`,
)
const listedBy = query<Pick<Row<'records'>, 'waypointId' | 'sourceId'>>(
  () => sql`select "waypointId", "sourceId" from records
    where "missingSince" is null and ${isAmong(sql.ref('waypointId'), wholes('ids'))}`,
)
const distinct = query<Row<'distinctions'>>(
  () => sql`select * from distinctions where number > ${whole('after')} order by number`,
)

interface DuplicateCache {
  readonly pairs: DuplicatePairs
  readonly origin: string
  size: number
  lastDistinction: number
}

function* comparablesOf(ids: Iterable<number>): Reading<ComparableOf> {
  const all = { ids: [...ids] }
  const sources = Map.groupBy(yield* listedBy.all(all), ({ waypointId }) => waypointId)
  const found = new Map<number, ListedComparable>()
  for (const { id, name, amenities } of yield* named.all(all))
    found.set(id, {
      name,
      amenities: JSON.parse(amenities) as string[],
      sources: (sources.get(id) ?? []).map(({ sourceId }) => sourceId),
    })
  return (id) => found.get(id) ?? { name: '', amenities: [], sources: [] }
}

function* look({ pairs }: DuplicateCache, ids: ReadonlySet<number>): Reading<void> {
  if (ids.size > 0) pairs.look(ids, yield* comparablesOf(pairs.compared(ids)))
}

function* followDistinctions(kept: DuplicateCache): Reading<void> {
  for (const distinction of yield* distinct.all({ after: kept.lastDistinction })) {
    kept.lastDistinction = distinction.number
    yield* look(kept, new Set(kept.pairs.distinguish(distinction)))
  }
}

/** The complete result, as of `size` entries of the log or later. */
function* loaded(size: number, origin: string): Reading<DuplicateCache> {
  const kept = { pairs: new DuplicatePairs(), origin, size, lastDistinction: 0 }
  yield* followDistinctions(kept)
  for (let after = 0; ;) {
    const rows = yield* loading.all({ after })
    yield* look(kept, kept.pairs.put(rows))
    const last = rows.at(-1)
    if (last === undefined) return kept
    after = last.id
  }
}

/** The earlier result, brought up to date with the log, whichever process wrote it; computed completely at first. */
function* upToDate(before: DuplicateCache | undefined): Reading<DuplicateCache> {
  let kept = before
  for (;;) {
    const { size, origin } = yield* known(state.get())
    if (kept === undefined || kept.origin !== origin || kept.size > size) {
      // After the restore of another line of history, the same ids are of other entries. Later writes are read below.
      kept = yield* loaded(size, origin)
    } else if (kept.size === size) {
      yield* followDistinctions(kept)
      return kept
    } else {
      const to = Math.min(size, kept.size + step)
      yield* look(kept, kept.pairs.put(yield* changed.all({ after: kept.size, to })))
      kept.size = to
    }
  }
}

function* page({ pairs }: DuplicateCache, place: QueuePlace): Reading<Page> {
  const found = pairs.page(place)
  const comparableOf = yield* comparablesOf(found.flatMap(({ newer, older }) => [newer, older]))
  return { pairs: found.map((pair) => pairs.described(pair, comparableOf)), total: pairs.total }
}
interface Page {
  readonly pairs: readonly Duplicate[]
  readonly total: number
}

/** Waypoints that may be the same as an older one, by id, with their number. Cached from the first call on. */
export function duplicatesBy(rows: RowsPromised): (place: QueuePlace) => Promise<Page> {
  let kept: DuplicateCache | undefined
  let turn: Promise<unknown> = Promise.resolve()
  return (place) => {
    const answer = async () => {
      kept = await soon(upToDate(kept), rows)
      return soon(page(kept, place), rows)
    }
    // One after another, also after one that failed.
    const next = turn.then(answer, answer)
    turn = next
    return next
  }
}
