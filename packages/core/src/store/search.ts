import { sql } from 'kysely'
import type { SearchQuery } from '../filter.ts'
import { fold, hasCjk, wordsOf } from '../text.ts'
import type { FoundWaypoint } from '../waypoint.ts'
import { foundWaypointOf } from './rows.ts'
import { completedFrom } from './searchIndex.ts'
import { build, param, type Statements } from './statement.ts'

/** How many candidates each step looks at, newest first: the bound that keeps every query fast. */
const candidates = 1000
/** How many words a beginning is completed to before the index of beginnings does it. */
const completions = 200

/** One term of a query, folded. */
interface Term {
  readonly text: string
  /** Its words, the last of them unfinished. */
  readonly words: readonly string[]
  /** Whether it may stand in the middle of a word of the name. */
  readonly anywhere: boolean
}

function termsOf(query: string): Term[] {
  return query.split(' ').map((text) => ({
    text,
    words: wordsOf(text),
    anywhere: [...text].length >= 3 || hasCjk(text),
  }))
}

/** FTS5's string literal: nothing in it means anything to the query syntax. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

function trigramsOf(text: string): string[] {
  const characters = [...text]
  return [...new Set(characters.slice(2).map((_, index) => characters.slice(index, index + 3).join('')))]
}

/** Whether a term begins a word: nothing, or nothing that belongs to a word, stands before it. */
function beginsWord(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at)
    if (before === '' || !/[\p{L}\p{N}\p{M}\p{Co}]$/u.test(before) || hasCjk(before)) return true
  }
  return false
}

/** Finds waypoints by their text; how, is told at `Waypoints.search`. */
export function search(statements: Statements) {
  const beginning = statements.prepare(() =>
    build
      .selectFrom('waypoints')
      .select('id')
      .where('foldedName', '>=', param<string>('from'))
      .where('foldedName', '<', param<string>('to'))
      .where('deletedAt', 'is', null)
      .limit(candidates),
  )
  const words = statements.prepare(() =>
    build
      .selectFrom('waypointWords')
      .select('rowid as id')
      .where(sql<boolean>`waypointWords match ${param('match')}`)
      .orderBy('rowid', 'desc')
      .limit(candidates),
  )
  const names = statements.prepare(() =>
    build
      .selectFrom('waypointNames')
      .select('rowid as id')
      .where(sql<boolean>`waypointNames match ${param('match')}`)
      .orderBy('rowid', 'desc')
      .limit(candidates),
  )
  const completing = statements.prepare(() =>
    build
      .selectFrom('searchWords')
      .select('word')
      .where('word', '>=', param<string>('from'))
      .where('word', '<', param<string>('to'))
      .limit(completions + 1),
  )
  const row = statements.prepare(() =>
    build
      .selectFrom('waypoints')
      .select(['id', 'name', 'latitude', 'longitude', 'description', 'region', 'foldedName'])
      .where('id', '=', param<number>('id')),
  )

  const after = (text: string) => `${text}\u{10FFFF}`

  /** Words that begin with a text, as an FTS5 expression that walks the index instead of merging it. */
  function completed(word: string): string {
    if (word.length < completedFrom) return `${quoted(word)} *`
    const found = completing.all({ from: word, to: after(word) })
    if (found.length === 0) return quoted(word)
    if (found.length > completions) return `${quoted(word)} *`
    return `(${found.map((each) => quoted(each.word)).join(' OR ')})`
  }

  function wordsExpression({ words }: Term): string | undefined {
    const [only] = words
    if (only === undefined) return undefined
    // CJK characters are words of their own: the unfinished one is complete as it stands.
    if (words.length === 1) return hasCjk(only) ? quoted(only) : completed(only)
    return hasCjk(words.at(-1) ?? '') ? quoted(words.join(' ')) : `${quoted(words.join(' '))} *`
  }

  function namesExpression({ text, anywhere }: Term): string | undefined {
    const trigrams = anywhere ? trigramsOf(text) : []
    return trigrams.length === 0 ? undefined : trigrams.map(quoted).join(' AND ')
  }

  function joined(expressions: readonly (string | undefined)[]): string | undefined {
    const known = expressions.filter((each) => each !== undefined)
    return known.length === 0 ? undefined : known.join(' AND ')
  }

  /** Exactly the rule, whatever the indexes proposed. */
  function matches(
    terms: readonly Term[],
    found: { foldedName: string; description: string | null; region: string | null },
  ) {
    let rest: string[] | undefined
    return terms.every(({ text, anywhere }) => {
      if (anywhere && found.foldedName.includes(text)) return true
      rest ??= [found.foldedName, fold(found.description ?? ''), fold(found.region ?? '')]
      return rest.some((each) => beginsWord(each, text))
    })
  }

  return function find({ q, limit, offset }: SearchQuery): FoundWaypoint[] {
    const query = fold(q)
    // No text of a waypoint has a control character in it, and FTS5 would take a NUL for the end.
    if (query === '' || /\p{Cc}/u.test(query)) return []
    const terms = termsOf(query)
    const wanted = offset + limit
    const seen = new Set<number>()
    const result: number[] = []

    function add(ids: readonly number[]): boolean {
      for (const id of ids.toSorted((a, b) => a - b)) {
        seen.add(id)
        result.push(id)
      }
      return result.length >= wanted
    }

    function propose(match: string | undefined, from: typeof words, containing: boolean): number[] {
      if (match === undefined) return []
      return from
        .all({ match })
        .map(({ id }) => id)
        .filter((id) => {
          if (seen.has(id)) return false
          const found = row.get({ id })
          if (found === undefined || found.foldedName.startsWith(query)) return false
          return containing === found.foldedName.includes(query) && matches(terms, found)
        })
    }

    const everyWord = joined(terms.map(wordsExpression))
    const everyName = joined(terms.map(namesExpression))
    const single = terms.length > 1 ? terms.map(namesExpression) : []
    const tiers = [
      () => beginning.all({ from: query, to: after(query) }).map(({ id }) => id),
      () => [...new Set([...propose(everyName, names, true), ...propose(everyWord, words, true)])],
      () => [
        ...new Set([
          ...propose(everyWord, words, false),
          ...propose(everyName, names, false),
          ...single.flatMap((each) => propose(each, names, false)),
        ]),
      ],
    ]
    for (const tier of tiers) if (add(tier())) break
    return result.slice(offset, wanted).flatMap((id) => {
      const found = row.get({ id })
      return found ? [foundWaypointOf(found)] : []
    })
  }
}
