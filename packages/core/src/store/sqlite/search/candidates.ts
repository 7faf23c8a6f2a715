import { sql } from 'kysely'
import { hasCjk } from '../../../search/letters.ts'
import { mostCandidates } from '../../sizes.ts'
import { completedFrom } from './index.ts'
import type { Term } from '../../../search/rule.ts'
import { namesExpression, quoted } from './expressions.ts'
import { query, text, type Query } from '../../sql/query.ts'
import type { Reading } from '../../sql/reading.ts'
import { build, param } from '../connection/statement.ts'

/** The most words that a prefix is completed to; each costs as much as reading many waypoints. */
const completions = 60
/** Ids of waypoints, newest first. The list is complete from `floor` on; lower ids may be missing. */
export interface Newest {
  readonly ids: readonly number[]
  readonly floor: number
}

/** The waypoints that may contain a term. */
export interface Candidates extends Newest {
  /** Waypoints that may contain it anywhere in their name; absent when the index of names cannot be used. */
  readonly names: Newest | undefined
  /** Whether a less selective expression was used in place of the term. */
  readonly coarse: boolean
}

/** The union of two lists. */
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

/** The ids, newest first, that no list excludes. */
export function inAll(ids: readonly number[], lists: readonly Newest[]): readonly number[] {
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
export function rarest(terms: readonly Candidates[]): Candidates | undefined {
  return terms.toSorted((a, b) => a.floor - b.floor || a.ids.length - b.ids.length)[0]
}

const newest = (index: 'waypointWords' | 'waypointNames'): Query<{ ids: string }> =>
  query(() =>
    build
      .selectFrom(
        build
          .selectFrom(index)
          .select('rowid as id')
          .where(sql<boolean>`${sql.ref(index)} match ${param('match')}`)
          .orderBy('rowid', 'desc')
          .limit(sql.lit(mostCandidates))
          .as('newest'),
      )
      .select(sql<string>`json_group_array(id)`.as('ids')),
  )
const byWords = newest('waypointWords')
const byNames = newest('waypointNames')
const completing = query(() =>
  build
    .selectFrom(
      build
        .selectFrom('searchWords')
        .select('word')
        .where('word', '>=', text('from'))
        .where('word', '<', text('to'))
        .limit(sql.lit(completions + 1))
        .as('completed'),
    )
    .select(sql<string>`json_group_array(word)`.as('words')),
)

/** The search expression for words; undefined without words. */
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
export function* candidates(term: Term, trigrams: number, exact: boolean): Reading<Candidates> {
  const { match, coarse } = yield* wordsExpression(term, exact)
  const words = yield* newestOf(match, byWords)
  const inNames = namesExpression(term, trigrams)
  const names = inNames === undefined ? undefined : yield* newestOf(inNames, byNames)
  const { ids, floor } = names === undefined ? words : either(words, names)
  // When even the coarse list is complete, an exact one would add nothing.
  return { ids, floor, names, coarse: coarse && floor > 0 }
}
