import { sql, type RawBuilder } from 'kysely'
import {
  fold,
  foundWaypointOf,
  mostCandidates,
  termsOf,
  type FoundWaypoint,
  type SearchQuery,
} from '@openfountain/core/engine'
import { sought, type SoughtTerm } from '../search/columns.ts'
import {
  build,
  compilable,
  text,
  tokens,
  whole,
  type Statements,
  type Values,
} from '../connection/statement.ts'

const found = ['id', 'name', 'latitude', 'longitude', 'description', 'region'] as const

const columns = sql.join(found.map((name) => sql.ref(name)))

/** The trigrams to look for: all of a single term, the first and the last of each of several terms. */
const trigrams = { only: Number.POSITIVE_INFINITY, several: 2 }

/** The most terms of a query whose statement is kept. */
const mostKept = 3

/** The members that a term has, which determine its condition. */
const shapeOf = ({ words, name, anywhere }: SoughtTerm): string =>
  [words && 'words', name && 'name', anywhere !== undefined && 'anywhere'].filter(Boolean).join('+')

/** That a waypoint has a term: first by its tokens, under an index, then by its texts. */
function conditionOf({ words, name, anywhere }: SoughtTerm, at: number): RawBuilder<boolean> {
  const indexed = [
    ...(words ? [sql`"searchTokens" @> ${tokens(`words${at}`)}`] : []),
    ...(name ? [sql`"searchTokens" @> ${tokens(`name${at}`)}`] : []),
  ]
  const exact = [
    sql`strpos("searchText", ${text(`marked${at}`)}) > 0`,
    ...(anywhere === undefined ? [] : [sql`strpos("foldedName", ${text(`anywhere${at}`)}) > 0`]),
  ]
  const proposed = indexed.length === 0 ? sql`` : sql`(${sql.join(indexed, sql` or `)}) and `
  return sql<boolean>`${proposed}(${sql.join(exact, sql` or `)})`
}

const valuesOf = ({ words, name, marked, anywhere }: SoughtTerm, at: number): Values => ({
  ...(words && { [`words${at}`]: words }),
  ...(name && { [`name${at}`]: name }),
  [`marked${at}`]: marked,
  ...(anywhere !== undefined && { [`anywhere${at}`]: anywhere }),
})

/** What the index of names has: an entry of an index has at most 2700 bytes. */
const indexedLength = 400
const indexedName = sql<string>`substr("foldedName", 1, ${sql.lit(indexedLength)})`

/** The names that begin with a query: by the index, and exactly. */
function rangeOf(query: string): Values {
  const indexed = [...query].slice(0, indexedLength).join('')
  return { from: query, to: `${query}${highest}`, indexedFrom: indexed, indexedTo: `${indexed}${highest}` }
}

/** The character after all others. */
const highest = '\u{10FFFF}'

/** Finds waypoints by their text, by the rules of `Waypoints.search`. */
export function search(statements: Statements) {
  const beginning = statements.prepare(
    () =>
      build
        .selectFrom(
          build
            .selectFrom('waypoints')
            .select([...found, 'foldedName'])
            .where(indexedName, '>=', text('indexedFrom'))
            .where(indexedName, '<', text('indexedTo'))
            .where('deletedAt', 'is', null)
            .orderBy(indexedName)
            .orderBy('id')
            .limit(sql.lit(mostCandidates))
            .as('first'),
        )
        .select(found)
        .where('foldedName', '>=', text('from'))
        .where('foldedName', '<', text('to'))
        .orderBy('id')
        .limit(whole('limit')),
    { forValues: true },
  )
  /**
   * Without those that begin with the query, which are found already. The newest candidates are looked at; those with
   * the whole query in their name come first.
   */
  const having = (terms: readonly SoughtTerm[]) => {
    const query = () =>
      sql<FoundRow>`select ${columns} from (
          select ${columns}, strpos("foldedName", ${text('from')}) > 0 as "isNamed" from waypoints
            where "deletedAt" is null
              and not ("foldedName" >= ${text('from')} and "foldedName" < ${text('to')})
              and ${sql.join(terms.map(conditionOf), sql` and `)}
            order by id desc limit ${sql.lit(mostCandidates)}) as candidates
          order by "isNamed" desc, id limit ${whole('limit')}`
    // There is no end of queries with many terms: what is built for them is not kept.
    return terms.length > mostKept
      ? statements.written(query, { forValues: true })
      : statements.shaped<FoundRow>(`search: ${terms.map(shapeOf).join(' ')}`, () => compilable(query()), {
          forValues: true,
        })
  }
  type FoundRow = Awaited<ReturnType<typeof beginning.all>>[number]

  return async function find({ q, limit, offset }: SearchQuery): Promise<FoundWaypoint[]> {
    const query = fold(q)
    // No stored text has a control character, and PostgreSQL takes no NUL.
    if (query === '' || /\p{Cc}/u.test(query)) return []
    const range = rangeOf(query)
    const wanted = offset + limit
    const first = await beginning.all({ ...range, limit: wanted })
    const given = termsOf(query)
    const terms = given.map((term) => sought(term, given.length === 1 ? trigrams.only : trigrams.several))
    // A term of one or two punctuation characters is in no index: it only narrows what other terms find.
    const isIndexed = terms.some(({ words, name }) => words !== undefined || name !== undefined)
    if (first.length >= wanted || !isIndexed) return first.slice(offset).map(foundWaypointOf)
    const values = Object.assign({}, ...terms.map(valuesOf)) as Values
    const others = await having(terms).all({ ...values, ...range, limit: wanted - first.length })
    return [...first, ...others].slice(offset, wanted).map(foundWaypointOf)
  }
}
