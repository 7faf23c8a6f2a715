import { sql, type RawBuilder } from 'kysely'
import {
  build,
  fold,
  foundWaypointOf,
  mostCandidates,
  query,
  searchedTrigrams,
  termsOf,
  text,
  tokens,
  whole,
  type FoundWaypoint,
  type Query,
  type QueryValues,
  type Reading,
  type Row,
  type SearchQuery,
} from '@openfountain/core/engine'
import { sought, type SearchTerm } from './columns.ts'

const found = ['id', 'name', 'latitude', 'longitude', 'description', 'region', 'label'] as const

const columns = sql.join(found.map((name) => sql.ref(name)))

/** The number of the newest waypoints read without the index: at first, and at most. */
const [fewest, most] = [2500, 80_000]

/** The most terms of a query whose statement is cached. */
const mostKept = 3

/** The members that a term has, which determine its condition. */
const shapeOf = ({ words, name, anywhere }: SearchTerm): string =>
  [words && 'words', name && 'name', anywhere !== undefined && 'anywhere'].filter(Boolean).join('+')

function exactly({ anywhere }: SearchTerm, at: number): RawBuilder<boolean> {
  const exact = [
    sql`strpos("searchText", ${text(`marked${at}`)}) > 0`,
    ...(anywhere === undefined ? [] : [sql`strpos("foldedName", ${text(`anywhere${at}`)}) > 0`]),
  ]
  return sql<boolean>`(${sql.join(exact, sql` or `)})`
}

/** Each term may double the number of conditions on an index: further terms only narrow the results. */
const mostWays = 32

/** The condition on the index, as one: PostgreSQL would read each of two to its end. */
function proposed(terms: readonly SearchTerm[]): RawBuilder<boolean> {
  let ways: readonly (readonly RawBuilder<number[]>[])[] = [[]]
  for (const [at, { words, name }] of terms.entries()) {
    const kinds = [...(words ? [tokens(`words${at}`)] : []), ...(name ? [tokens(`name${at}`)] : [])]
    if (kinds.length === 0) continue
    const more = ways.flatMap((way) => kinds.map((kind) => [...way, kind]))
    if (more.length > mostWays) break
    ways = more
  }
  const conditions = ways.map((way) => sql`"searchTokens" @> (${sql.join(way, sql` || `)})`)
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`
}

const valuesOf = ({ words, name, marked, anywhere }: SearchTerm, at: number): QueryValues => ({
  ...(words && { [`words${at}`]: words }),
  ...(name && { [`name${at}`]: name }),
  [`marked${at}`]: marked,
  ...(anywhere !== undefined && { [`anywhere${at}`]: anywhere }),
})

/** The length of names in the index: an entry of an index has at most 2700 bytes. */
const indexedLength = 400
const indexedName = sql<string>`substr("foldedName", 1, ${sql.lit(indexedLength)})`

function rangeOf(query: string): QueryValues {
  const indexed = [...query].slice(0, indexedLength).join('')
  return { from: query, to: `${query}${highest}`, indexedFrom: indexed, indexedTo: `${indexed}${highest}` }
}

const highest = '\u{10FFFF}'

const isPlannedForValues = true
const beginning = query(
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
  { isPlannedForValues },
)
const newest = query(() => build.selectFrom('state').select('lastWaypointId as id'))

type Candidate = Pick<Row<'waypoints'>, (typeof found)[number]> & { readonly candidates: number }

/** Without names that begin with the query, found already; only the newest candidates are checked. */
function candidates(terms: readonly SearchTerm[], isIndexed: boolean) {
  const where = sql`"deletedAt" is null
    and not ("foldedName" >= ${text('from')} and "foldedName" < ${text('to')})
    and ${sql.join(terms.map(exactly), sql` and `)}
    and ${isIndexed ? proposed(terms) : sql`id > ${whole('after')}`}`
  // A sum is in no index: in the order of ids, all waypoints would be read for terms that are frequent and never meet.
  const newestFirst = isIndexed ? sql`id + 0` : sql`id`
  return sql<Candidate>`with candidates as materialized (
      select ${columns}, strpos("foldedName", ${text('from')}) > 0 as "isNamed" from waypoints
        where ${where} order by ${newestFirst} desc limit ${sql.lit(mostCandidates)})
      select ${columns}, (select count(*) from candidates) as "candidates" from candidates
      order by "isNamed" desc, id limit ${whole('limit')}`
}

const kept = new Map<string, Query<Candidate>>()

function having(terms: readonly SearchTerm[], isIndexed: boolean): Query<Candidate> {
  const shape = `${isIndexed} ${terms.map(shapeOf).join(' ')}`
  const known = kept.get(shape)
  if (known !== undefined) return known
  const made = query(() => candidates(terms, isIndexed), { isPlannedForValues })
  // The number of possible queries with many terms is unlimited: they are not cached.
  if (terms.length <= mostKept) kept.set(shape, made)
  return made
}

/** The newest waypoints with all terms: frequent ones among the newest, rare ones by the index. */
function* others(terms: readonly SearchTerm[], values: QueryValues): Reading<Candidate[]> {
  const last = (yield* newest.get())?.id ?? 0
  for (let looked = fewest; looked < Math.min(last, most);) {
    const rows = yield* having(terms, false).all({ ...values, after: last - looked })
    const count = rows[0]?.candidates ?? 0
    if (count >= mostCandidates) return rows
    const expected = Math.ceil(((mostCandidates * looked) / Math.max(1, count)) * 1.2)
    if (expected > most) break
    looked = Math.max(expected, looked * 2)
  }
  return yield* having(terms, true).all(values)
}

export function* search({ q, limit, offset }: SearchQuery): Reading<FoundWaypoint[]> {
  const folded = fold(q)
  // No stored text has a control character, and PostgreSQL takes no NUL.
  if (folded === '' || /\p{Cc}/u.test(folded)) return []
  const range = rangeOf(folded)
  const wanted = offset + limit
  const first = yield* beginning.all({ ...range, limit: wanted })
  const given = termsOf(folded)
  const terms = given.map((term) =>
    sought(term, given.length === 1 ? searchedTrigrams.only : searchedTrigrams.several),
  )
  // A term of one or two punctuation characters is in no index: it only narrows what other terms find.
  const isIndexed = terms.some(({ words, name }) => words !== undefined || name !== undefined)
  if (first.length >= wanted || !isIndexed) return first.slice(offset).map(foundWaypointOf)
  const values = Object.assign({}, ...terms.map(valuesOf)) as QueryValues
  const more = yield* others(terms, { ...values, ...range, limit: wanted - first.length })
  return [...first, ...more].slice(offset, wanted).map(foundWaypointOf)
}
