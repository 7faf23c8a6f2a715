import { rowCount } from '../../sql/query.ts'
import { sql } from 'kysely'
import type { SearchQuery } from '../../../schemas/filter.ts'
import { fold } from '../../../search/letters.ts'
import type { FoundWaypoint } from '../../../schemas/waypoint.ts'
import { foundWaypointOf } from '../../rows.ts'
import { mostCandidates, searchedTrigrams } from '../../few.ts'
import { inAll, rarest, searchCandidates } from './candidates.ts'
import { matches, termsOf } from '../../../search/rule.ts'
import { build, param, type Statements } from '../connection/statement.ts'

/** Rows that are read by one statement. */
const piece = 125

/** Ids in ascending order, a few at a time: most pages are full after the first few. */
function* pieces(ids: readonly number[]): Generator<number[]> {
  const ascending = ids.toSorted((a, b) => a - b).filter((id, at, all) => id !== all[at - 1])
  for (let from = 0; from < ascending.length; from += piece) yield ascending.slice(from, from + piece)
}

/** Finds waypoints by their text; see `Waypoints.search`. */
export function search(statements: Statements) {
  const found = ['id', 'name', 'latitude', 'longitude', 'description', 'region', 'foldedName'] as const
  const beginning = statements.prepare(() =>
    build
      .selectFrom('waypoints')
      .select(found)
      .where('id', 'in', (within) =>
        within
          .selectFrom(
            build
              .selectFrom('waypoints')
              .select('id')
              .where('foldedName', '>=', param<string>('from'))
              .where('foldedName', '<', param<string>('to'))
              .where('deletedAt', 'is', null)
              .limit(sql.lit(mostCandidates))
              .as('first'),
          )
          .select('first.id'),
      )
      .orderBy('id')
      .limit(rowCount('limit')),
  )
  const backlog = statements.prepare(() =>
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
  // Without those that begin with the query, which are found already.
  const among = build
    .selectFrom('waypoints')
    .select(found)
    .where('id', 'in', sql<number>`(select value from json_each(${param('ids')}))`)
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`not (foldedName >= ${param('from')} and foldedName < ${param('to')})`)
    .orderBy('id')
  const naming = statements.prepare(() =>
    among.where(sql<number>`instr(foldedName, ${param('from')})`, '>', 0),
  )
  const having = statements.prepare(() => among)
  const candidates = searchCandidates(statements)

  return function find({ q, limit, offset }: SearchQuery): FoundWaypoint[] {
    const query = fold(q)
    // No stored text has a control character, and SQLite would stop reading at a NUL.
    if (query === '' || /\p{Cc}/u.test(query)) return []
    const range = { from: query, to: `${query}\u{10FFFF}` }
    const wanted = offset + limit
    const first = beginning.all({ ...range, limit: wanted })
    if (first.length >= wanted) return first.slice(offset).map(foundWaypointOf)

    const terms = termsOf(query)
    // A term of one or two punctuation characters is in no index: it only narrows what other terms find.
    const indexed = terms.filter((term) => term.words.length > 0 || term.anywhere)
    if (indexed.length === 0) return first.slice(offset).map(foundWaypointOf)
    const most = indexed.length === 1 ? searchedTrigrams.only : searchedTrigrams.several

    const unindexed = backlog.all().map(({ waypointId }) => waypointId)

    function rest(exact: boolean): { rows: typeof first; coarse: boolean } {
      const proposed = indexed.map((term) => candidates(term, most, exact))
      // The rarest term proposes waypoints, the others only exclude some.
      const ids = inAll(rarest(proposed)?.ids ?? [], proposed)
      const names = proposed.flatMap((each) => each.names ?? [])
      const rows = new Map<number, (typeof first)[number]>()
      const coarse = proposed.some((each) => each.coarse)
      const result = () => ({ rows: [...rows.values()], coarse })
      // Names that contain the whole query come first.
      const looks = [
        { statement: naming, ids: inAll(ids, names) },
        { statement: having, ids },
      ]
      for (const { statement, ids } of looks) {
        for (const some of pieces([...unindexed, ...ids])) {
          for (const row of statement.all({ ...range, ids: JSON.stringify(some) })) {
            if (first.length + rows.size >= wanted) return result()
            if (!rows.has(row.id) && matches(terms, row)) rows.set(row.id, row)
          }
          if (first.length + rows.size >= wanted) return result()
        }
      }
      return result()
    }

    let { rows, coarse } = rest(false)
    if (coarse && first.length + rows.length < wanted) ({ rows } = rest(true))
    return [...first, ...rows].slice(offset, wanted).map(foundWaypointOf)
  }
}
