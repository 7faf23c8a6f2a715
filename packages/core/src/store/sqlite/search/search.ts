import { sql, type RawBuilder } from 'kysely'
import type { SearchQuery, FoundWaypoint } from '../../../schemas/waypoint.ts'
import { fold, hasCjk } from '../../../search/letters.ts'
import { foundWaypointOf, type Row } from '../../rows.ts'
import { query, rowCount, text, type Reading } from '../../sql/query.ts'
import { matches, mostCandidates, searchedTrigrams, termsOf, type Term } from '../../../search/rule.ts'
import { param } from '../connection/connection.ts'
import { completedFrom } from './index.ts'

const piece = 125

/** Ids in ascending order, a few at a time: most pages are full after the first few. */
function* pieces(ids: readonly number[]): Generator<number[]> {
  const ascending = ids.toSorted((a, b) => a - b).filter((id, at, all) => id !== all[at - 1])
  for (let from = 0; from < ascending.length; from += piece) yield ascending.slice(from, from + piece)
}

const found = ['id', 'name', 'latitude', 'longitude', 'description', 'region', 'label', 'foldedName'] as const
const columns = sql.join(found.map((name) => sql.ref(name)))
const beginning = query<FoundRow>(
  () => sql`select ${columns} from waypoints where id in (select id from waypoints
    where foldedName >= ${text('from')} and foldedName < ${text('to')} and deletedAt is null limit ${sql.lit(mostCandidates)})
    order by id limit ${rowCount('limit')}`,
)
const backlog = query<{ waypointId: number }>(
  () => sql`select waypointId from searchBacklog
    union all select id from waypoints where id > (select indexedTo from state)`,
)
// Without names that begin with the query, which are found already.
const among = (condition: RawBuilder<unknown>) =>
  query<FoundRow>(
    () => sql`select ${columns} from waypoints where id in (select value from json_each(${param('ids')}))
      and deletedAt is null and not (foldedName >= ${param('from')} and foldedName < ${param('to')})
      and ${condition} order by id`,
  )
const naming = among(sql`instr(foldedName, ${param('from')}) > 0`)
const having = among(sql`true`)

type FoundRow = Pick<Row<'waypoints'>, (typeof found)[number]>

interface Search {
  readonly terms: readonly Term[]
  /** The terms found by an index. A term of one or two punctuation characters only narrows the results of other terms. */
  readonly indexed: readonly Term[]
  readonly range: { readonly from: string; readonly to: string }
  readonly unindexed: readonly number[]
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

/** The most words that a prefix is completed to; each costs as much as reading many waypoints. */
const completions = 60
/** Ids of waypoints, newest first. The list is complete from `floor` on; lower ids may be missing. */
interface Newest {
  readonly ids: readonly number[]
  readonly floor: number
}

interface Candidates extends Newest {
  /** Waypoints that may contain it anywhere in their name; absent when the index of names cannot be used. */
  readonly names: Newest | undefined
  readonly coarse: boolean
}

function either(some: Newest, others: Newest): Newest {
  const ids: number[] = []
  let at = 0
  for (const id of some.ids) {
    for (let other = others.ids[at]; other !== undefined && other >= id; other = others.ids[++at])
      if (other !== id) ids.push(other)
    ids.push(id)
  }
  for (const id of others.ids.slice(at)) ids.push(id)
  return { ids, floor: Math.max(some.floor, others.floor) }
}

function inAll(ids: readonly number[], lists: readonly Newest[]): readonly number[] {
  return lists.reduce((left, list) => {
    let at = 0
    return left.filter((id) => {
      if (id < list.floor) return true
      while ((list.ids[at] ?? 0) > id) at++
      return list.ids[at] === id
    })
  }, ids)
}

/** The term that the fewest waypoints contain, judging by the lists. */
function rarest(terms: readonly Candidates[]): Candidates | undefined {
  return terms.toSorted((a, b) => a.floor - b.floor || a.ids.length - b.ids.length)[0]
}

const newest = (index: 'waypointWords' | 'waypointNames') =>
  query<{ ids: string }>(
    () => sql`select json_group_array(id) as ids from (select rowid as id from ${sql.table(index)}
      where ${sql.ref(index)} match ${param('match')} order by rowid desc limit ${sql.lit(mostCandidates)})`,
  )
const byWords = newest('waypointWords')
const byNames = newest('waypointNames')
const completing = query<{ words: string }>(
  () => sql`select json_group_array(word) as words from (select word from searchWords
    where word >= ${text('from')} and word < ${text('to')} limit ${sql.lit(completions + 1)})`,
)

interface Expression {
  readonly match: string | undefined
  readonly coarse: boolean
}

/**
 * An FTS5 expression for words with a prefix. The index has prefixes of up to three characters; longer ones are
 * completed to whole words. When there are too many of those, a coarse expression matches all words with the same
 * first three characters, and an exact one makes FTS5 merge all matching words.
 */
function* completed(word: string, exact: boolean): Reading<Expression> {
  if (word.length < completedFrom) return { match: `${quoted(word)} *`, coarse: false }
  const found = yield* completing.get({ from: word, to: `${word}\u{10FFFF}` })
  const words = JSON.parse(found?.words ?? '[]') as string[]
  if (words.length === 0) return { match: undefined, coarse: false }
  if (words.length <= completions) return { match: `(${words.map(quoted).join(' OR ')})`, coarse: false }
  const known = exact ? word : [...word].slice(0, completedFrom - 1).join('')
  return { match: `${quoted(known)} *`, coarse: !exact }
}

function* wordsExpression({ words }: Term, exact: boolean): Reading<Expression> {
  const last = words.at(-1)
  if (last === undefined) return { match: undefined, coarse: false }
  // Each CJK character is a word, so that there is no prefix to complete.
  if (hasCjk(last)) return { match: quoted(words.join(' ')), coarse: false }
  const { match, coarse } = yield* completed(last, exact)
  if (match === undefined || words.length === 1) return { match, coarse }
  return { match: `${quoted(words.slice(0, -1).join(' '))} AND ${match}`, coarse }
}

function* newestOf(match: string | undefined, from: typeof byWords): Reading<Newest> {
  const json = match === undefined ? '[]' : ((yield* from.get({ match }))?.ids ?? '[]')
  const ids = JSON.parse(json) as number[]
  return { ids, floor: ids.length < mostCandidates ? 0 : (ids.at(-1) ?? 0) }
}

/**
 * The newest thousand of each index.
 *
 * @param trigrams how many to query at most, spread over the term: the first few are the most selective
 * @param exact whether FTS5 merges all words that begin with the term, however many
 */
function* candidates(term: Term, trigrams: number, exact: boolean): Reading<Candidates> {
  const { match, coarse } = yield* wordsExpression(term, exact)
  const words = yield* newestOf(match, byWords)
  const inNames = namesExpression(term, trigrams)
  const names = inNames === undefined ? undefined : yield* newestOf(inNames, byNames)
  const { ids, floor } = names === undefined ? words : either(words, names)
  // When even the coarse list is complete, an exact one would add nothing.
  return { ids, floor, names, coarse: coarse && floor > 0 }
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/** The FTS5 expression for names that contain a term; undefined for terms without trigrams. @param most trigrams, spread over the term */
function namesExpression({ text, anywhere }: Term, most: number): string | undefined {
  if (!anywhere) return undefined
  const characters = [...text]
  const last = characters.length - 3
  if (last < 0) return undefined
  const count = Math.min(most, last + 1)
  const starts = Array.from({ length: count }, (_, index) =>
    count === 1 ? 0 : Math.round((index * last) / (count - 1)),
  )
  const trigrams = starts.map((start) => characters.slice(start, start + 3).join(''))
  return [...new Set(trigrams)].map(quoted).join(' AND ')
}
