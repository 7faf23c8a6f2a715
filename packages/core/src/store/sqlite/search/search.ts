import { sql } from 'kysely'
import type { SearchQuery, FoundWaypoint } from '../../../schemas/waypoint.ts'
import { fold } from '../../../search/letters.ts'
import { matches, termsOf, type Term } from '../../../search/rule.ts'
import { foundWaypointOf, type Row } from '../../rows.ts'
import { mostCandidates, searchedTrigrams } from '../../sizes.ts'
import { query, rowCount, text } from '../../sql/query.ts'
import type { Reading } from '../../sql/reading.ts'
import { build, param } from '../connection/statement.ts'
import { candidates, inAll, rarest, type Candidates } from './candidates.ts'

/** Rows that are read by one statement. */
const piece = 125

/** Ids in ascending order, a few at a time: most pages are full after the first few. */
function* pieces(ids: readonly number[]): Generator<number[]> {
  const ascending = ids.toSorted((a, b) => a - b).filter((id, at, all) => id !== all[at - 1])
  for (let from = 0; from < ascending.length; from += piece) yield ascending.slice(from, from + piece)
}

const found = ['id', 'name', 'latitude', 'longitude', 'description', 'region', 'foldedName'] as const
const beginning = query(() =>
  build
    .selectFrom('waypoints')
    .select(found)
    .where('id', 'in', (within) =>
      within
        .selectFrom(
          build
            .selectFrom('waypoints')
            .select('id')
            .where('foldedName', '>=', text('from'))
            .where('foldedName', '<', text('to'))
            .where('deletedAt', 'is', null)
            .limit(sql.lit(mostCandidates))
            .as('first'),
        )
        .select('first.id'),
    )
    .orderBy('id')
    .limit(rowCount('limit')),
)
const backlog = query(() =>
  build
    .selectFrom('searchBacklog')
    .select('waypointId')
    .unionAll(
      build
        .selectFrom('waypoints')
        .select('id as waypointId')
        .where('id', '>', (eb) => eb.selectFrom('state').select('indexedTo')),
    ),
)
// Without names that begin with the query, which are found already.
const among = () =>
  build
    .selectFrom('waypoints')
    .select(found)
    .where('id', 'in', sql<number>`(select value from json_each(${param('ids')}))`)
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`not (foldedName >= ${param('from')} and foldedName < ${param('to')})`)
    .orderBy('id')
const naming = query(() => among().where(sql<number>`instr(foldedName, ${param('from')})`, '>', 0))
const having = query(among)

/** The columns of a waypoint for search. */
type FoundRow = Pick<Row<'waypoints'>, (typeof found)[number]>

interface Search {
  readonly terms: readonly Term[]
  /**
   * The terms found by an index. A term of one or two punctuation characters only narrows the results of other terms.
   */
  readonly indexed: readonly Term[]
  readonly range: { readonly from: string; readonly to: string }
  /** Waypoints whose texts are not in the indexes yet. */
  readonly unindexed: readonly number[]
  /** How many are still wanted. */
  readonly wanted: number
}

/** Waypoints with the terms, those with the whole query in their name first. */
function* rest(
  { terms, indexed, range, unindexed, wanted }: Search,
  exact: boolean,
): Reading<{ rows: FoundRow[]; coarse: boolean }> {
  const most = indexed.length === 1 ? searchedTrigrams.only : searchedTrigrams.several
  const proposed: Candidates[] = []
  for (const term of indexed) proposed.push(yield* candidates(term, most, exact))
  // The rarest term proposes waypoints, the others only exclude some.
  const all = inAll(rarest(proposed)?.ids ?? [], proposed)
  const names = proposed.flatMap((each) => each.names ?? [])
  const coarse = proposed.some((each) => each.coarse)
  const rows = new Map<number, FoundRow>()
  const looks = [
    { statement: naming, ids: inAll(all, names) },
    { statement: having, ids: all },
  ]
  for (const { statement, ids } of looks)
    for (const some of pieces([...unindexed, ...ids])) {
      if (rows.size >= wanted) break
      for (const row of yield* statement.all({ ...range, ids: JSON.stringify(some) }))
        if (rows.size < wanted && !rows.has(row.id) && matches(terms, row)) rows.set(row.id, row)
    }
  return { rows: [...rows.values()], coarse }
}

/** Finds waypoints by their text; see `Waypoints.search`. */
export function* search({ q, limit, offset }: SearchQuery): Reading<FoundWaypoint[]> {
  const folded = fold(q)
  // No stored text has a control character, and SQLite would stop reading at a NUL.
  if (folded === '' || /\p{Cc}/u.test(folded)) return []
  const range = { from: folded, to: `${folded}\u{10FFFF}` }
  const first = yield* beginning.all({ ...range, limit: offset + limit })
  const wanted = offset + limit - first.length
  const terms = termsOf(folded)
  const indexed = terms.filter((term) => term.words.length > 0 || term.anywhere)
  if (wanted <= 0 || indexed.length === 0) return first.slice(offset).map(foundWaypointOf)
  const unindexed = (yield* backlog.all()).map(({ waypointId }) => waypointId)
  const given = { terms, indexed, range, unindexed, wanted }
  let { rows, coarse } = yield* rest(given, false)
  if (coarse && rows.length < wanted) ({ rows } = yield* rest(given, true))
  return [...first, ...rows].slice(offset, offset + limit).map(foundWaypointOf)
}
