import { sql } from 'kysely'
import type { SearchQuery } from '../filter.ts'
import { fold, hasCjk } from '../text.ts'
import type { FoundWaypoint } from '../waypoint.ts'
import { foundWaypointOf } from './rows.ts'
import { completedFrom } from './searchIndex.ts'
import {
  matches,
  namesExpression,
  quoted,
  shared,
  termsOf,
  type Candidates,
  type Term,
} from './searchTerms.ts'
import { build, param, type Statement, type Statements } from './statement.ts'

/** How many waypoints each step looks at, newest first: the bound that keeps every query fast. */
const candidates = 1000
/** How many words a beginning is completed to; each costs as much as 60 waypoints that are merely read. */
const completions = 60

/** Trigrams that are asked for: of the only term as many as it has, of each of several the first and the last. */
const trigrams = { only: Number.POSITIVE_INFINITY, several: 2 }

/** What to look for; coarse when that finds more than the term. */
interface Expression {
  readonly match: string | undefined
  readonly coarse: boolean
}

type Match = Statement<{ ids: string }>

/** Finds waypoints by their text; how, is told at `Waypoints.search`. */
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
              .limit(candidates)
              .as('first'),
          )
          .select('first.id'),
      )
      .orderBy('id')
      .limit(param<number>('limit')),
  )
  const newest = (index: 'waypointWords' | 'waypointNames'): Match =>
    statements.prepare(() =>
      build
        .selectFrom(
          build
            .selectFrom(index)
            .select('rowid as id')
            .where(sql<boolean>`${sql.ref(index)} match ${param('match')}`)
            .orderBy('rowid', 'desc')
            .limit(candidates)
            .as('newest'),
        )
        .select(sql<string>`json_group_array(id)`.as('ids')),
    )
  const byWords = newest('waypointWords')
  const byNames = newest('waypointNames')
  const completing = statements.prepare(() =>
    build
      .selectFrom('searchWords')
      .select('word')
      .where('word', '>=', param<string>('from'))
      .where('word', '<', param<string>('to'))
      .limit(completions + 1),
  )
  const backlog = statements.prepare(() => build.selectFrom('searchBacklog').select('waypointId'))
  // Names that have the query as it is come first; those that begin with it are told already. Only ids are sorted,
  // rows are read as far as the answer reaches.
  const ranked = statements.prepare(() =>
    build
      .selectFrom(
        build
          .selectFrom('waypoints')
          .select('id as rankedId')
          .where('id', 'in', sql<number>`(select value from json_each(${param('ids')}))`)
          .where('deletedAt', 'is', null)
          .where(sql<boolean>`not (foldedName >= ${param('from')} and foldedName < ${param('to')})`)
          .orderBy(sql`instr(foldedName, ${param('from')}) = 0`)
          .orderBy('id')
          .limit(-1)
          .as('ranking'),
      )
      .crossJoin('waypoints')
      .whereRef('waypoints.id', '=', 'rankedId')
      .select(found),
  )

  const after = (text: string) => `${text}\u{10FFFF}`

  /**
   * Words that begin with a text, as an FTS5 expression. The index keeps beginnings of up to three characters;
   * longer ones are completed to whole words. Where there are too many of those, a coarse expression takes
   * everything with the same first three characters, and an exact one makes FTS5 merge all those words.
   */
  function completed(word: string, exact: boolean): Expression {
    if (word.length < completedFrom) return { match: `${quoted(word)} *`, coarse: false }
    const words = completing.all({ from: word, to: after(word) })
    if (words.length === 0) return { match: undefined, coarse: false }
    if (words.length <= completions) {
      return { match: `(${words.map((each) => quoted(each.word)).join(' OR ')})`, coarse: false }
    }
    const known = exact ? word : [...word].slice(0, completedFrom - 1).join('')
    return { match: `${quoted(known)} *`, coarse: !exact }
  }

  function wordsExpression({ words }: Term, exact: boolean): Expression {
    const last = words.at(-1)
    if (last === undefined) return { match: undefined, coarse: false }
    // CJK characters are words of their own: the unfinished one is complete as it stands.
    if (hasCjk(last)) return { match: quoted(words.join(' ')), coarse: false }
    const { match, coarse } = completed(last, exact)
    if (match === undefined || words.length === 1) return { match, coarse }
    return { match: `${quoted(words.slice(0, -1).join(' '))} AND ${match}`, coarse }
  }

  function newestOf(match: string | undefined, from: Match): { ids: number[]; floor: number } {
    const text = match === undefined ? '[]' : (from.get({ match })?.ids ?? '[]')
    const ids = JSON.parse(text) as number[]
    return { ids, floor: ids.length < candidates ? 0 : (ids.at(-1) ?? 0) }
  }

  function candidatesOf(term: Term, most: number, exact: boolean): Candidates & { coarse: boolean } {
    const { match, coarse } = wordsExpression(term, exact)
    const words = newestOf(match, byWords)
    const names = newestOf(namesExpression(term, most), byNames)
    const ids = new Set(words.ids)
    for (const id of names.ids) ids.add(id)
    const floor = Math.max(words.floor, names.floor)
    // Where even the coarse list is whole, an exact one would tell nothing more.
    return { ids, floor, coarse: coarse && floor > 0 }
  }

  return function find({ q, limit, offset }: SearchQuery): FoundWaypoint[] {
    const query = fold(q)
    // No text has a control character in it, and SQLite would stop reading at a NUL.
    if (query === '' || /\p{Cc}/u.test(query)) return []
    const range = { from: query, to: after(query) }
    const wanted = offset + limit
    const first = beginning.all({ ...range, limit: wanted })
    if (first.length >= wanted) return first.slice(offset).map(foundWaypointOf)

    const terms = termsOf(query)
    // A term of one or two signs alone, such as a dash, is in no index: it only narrows what other terms find.
    const indexed = terms.filter((term) => term.words.length > 0 || term.anywhere)
    if (indexed.length === 0) return first.slice(offset).map(foundWaypointOf)
    const most = indexed.length === 1 ? trigrams.only : trigrams.several

    const unindexed = backlog.all().map(({ waypointId }) => waypointId)

    function rest(exact: boolean): { rows: typeof first; coarse: boolean } {
      const proposed = indexed.map((term) => candidatesOf(term, most, exact))
      const ids = JSON.stringify([...unindexed, ...shared(proposed)])
      const rows: typeof first = []
      for (const row of ids === '[]' ? [] : ranked.iterate({ ...range, ids })) {
        if (matches(terms, row) && rows.push(row) >= wanted - first.length) break
      }
      return { rows, coarse: proposed.some((each) => each.coarse) }
    }

    let { rows, coarse } = rest(false)
    if (coarse && first.length + rows.length < wanted) ({ rows } = rest(true))
    return [...first, ...rows].slice(offset, wanted).map(foundWaypointOf)
  }
}
