import { sql } from 'kysely'
import { fold, spaceCjk, wordsOf } from '../text.ts'
import { build, param, type Statements } from './statement.ts'

/** Words shorter than this are completed by the index of words itself, which keeps beginnings of up to three. */
export const completedFrom = 4

/** Texts that wait before they are indexed together. Each costs every search a look at its row. */
const backlogSize = 64

/** A text to be indexed. */
export interface SearchText {
  readonly id: number
  readonly foldedName: string
  readonly description?: string | null | undefined
  readonly region?: string | null | undefined
}

/** Keeps what search looks in: words, beginnings of words, and every three characters of names. */
export function searchIndex(statements: Statements) {
  const putWords = statements.prepare(() =>
    build.insertInto('waypointWords').values({
      rowid: param('id'),
      name: param('name'),
      description: param('description'),
      region: param('region'),
    } as never),
  )
  const putName = statements.prepare(() =>
    build.insertInto('waypointNames').values({ rowid: param('id'), name: param('name') } as never),
  )
  const dropWords = statements.prepare(() =>
    build.deleteFrom('waypointWords').where('rowid', '=', param<number>('id')),
  )
  const dropName = statements.prepare(() =>
    build.deleteFrom('waypointNames').where('rowid', '=', param<number>('id')),
  )
  const putWord = statements.prepare(() =>
    build
      .insertInto('searchWords')
      .values({ word: param<string>('word') })
      .onConflict((conflict) => conflict.doNothing()),
  )
  const dropWord = statements.prepare(() =>
    build.deleteFrom('searchWords').where('word', '=', param<string>('word')),
  )
  const standing = statements.prepare(() =>
    build
      .selectFrom('waypointWords')
      .select('rowid')
      .where(sql<boolean>`waypointWords match ${param('match')}`)
      .limit(1),
  )
  const optimiseWords = statements.prepare(() =>
    build.insertInto('waypointWords').values({ waypointWords: 'optimize' } as never),
  )
  const optimiseNames = statements.prepare(() =>
    build.insertInto('waypointNames').values({ waypointNames: 'optimize' } as never),
  )
  const putBacklog = statements.prepare(() =>
    build
      .insertInto('searchBacklog')
      .values({ waypointId: param('id'), indexed: param('indexed') })
      .onConflict((conflict) => conflict.doNothing()),
  )
  const countBacklog = statements.prepare(() =>
    build.selectFrom('searchBacklog').select(({ fn }) => fn.countAll<number>().as('n')),
  )
  const backlog = statements.prepare(() =>
    build
      .selectFrom('searchBacklog')
      // SQLite keeps the order of a cross join: the few that wait first, never all waypoints.
      .crossJoin('waypoints')
      .whereRef('waypoints.id', '=', 'searchBacklog.waypointId')
      .select(['id', 'indexed', 'foldedName', 'description', 'region', 'deletedAt'])
      .orderBy('waypointId'),
  )
  const clearBacklog = statements.prepare(() => build.deleteFrom('searchBacklog'))
  // Most words of a batch are the same few: asking SQLite again would cost more than the rest of the index.
  const known = new Set<string>()
  const fields = new Map<string, string>()

  function remember(text: string): void {
    for (const word of wordsOf(text)) {
      if (word.length < completedFrom || known.has(word)) continue
      putWord.run({ word })
      if (known.size > 50_000) known.clear()
      known.add(word)
    }
  }

  /** Folded text of a field with its words remembered; most of a batch have the same few regions and remarks. */
  function indexed(text: string | null | undefined): string {
    if (text === undefined || text === null) return ''
    let words = fields.get(text)
    if (words === undefined) {
      const folded = fold(text)
      remember(folded)
      words = spaceCjk(folded)
      if (fields.size > 5000) fields.clear()
      if (text.length <= 200) fields.set(text, words)
    }
    return words
  }

  /** Drops the texts of some waypoints, then adds those of others, index after index. */
  function replace(drops: readonly number[], puts: readonly SearchText[]): void {
    // Words that were there in an earlier transaction may be gone: it was rolled back, or another process purged.
    known.clear()
    fields.clear()
    for (const id of drops) dropWords.run({ id })
    for (const id of drops) dropName.run({ id })
    for (const { foldedName } of puts) remember(foldedName)
    for (const { id, foldedName, description, region } of puts) {
      putWords.run({
        id,
        name: spaceCjk(foldedName),
        description: indexed(description),
        region: indexed(region),
      })
    }
    for (const { id, foldedName } of puts) putName.run({ id, name: foldedName })
  }

  /** Indexes the texts that wait. */
  function settle(): void {
    const waiting = backlog.all()
    if (waiting.length === 0) return
    clearBacklog.run()
    replace(
      waiting.filter(({ indexed }) => indexed === 1).map(({ id }) => id),
      waiting.filter(({ deletedAt }) => deletedAt === null),
    )
  }

  return {
    /**
     * Brings the indexes up to texts that changed, all at once.
     *
     * @param drops waypoints whose text was in the indexes or waits for it
     */
    replace(drops: readonly number[], puts: readonly SearchText[]): void {
      settle()
      replace(drops, puts)
    },
    /** Puts a waypoint whose text changed in the backlog, and indexes the backlog when it is full. */
    defer(id: number, wasLive: boolean): void {
      putBacklog.run({ id, indexed: wasLive ? 1 : 0 })
      if ((countBacklog.get()?.n ?? 0) >= backlogSize) settle()
    },
    /**
     * Leaves nothing in the indexes of texts that no waypoint has any more. Rewrites them whole, which takes
     * seconds for a million waypoints.
     */
    purge(texts: readonly string[]): void {
      settle()
      optimiseWords.run()
      optimiseNames.run()
      for (const word of texts.flatMap((text) => wordsOf(fold(text)))) {
        if (standing.get({ match: `"${word}"` }) === undefined) dropWord.run({ word })
      }
    },
  }
}
export type SearchIndex = ReturnType<typeof searchIndex>
