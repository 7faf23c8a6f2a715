import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import { fold, wordsOf } from '../../../search/letters.ts'
import { param, type Statement, type Statements } from '../connection/connection.ts'
import { isLive, type Replacement } from '../../../log/nouns.ts'
import type { PlacedWaypoint } from '../../rows.ts'

/** Shorter words are completed by the index of words itself, which has prefixes of up to three characters. */
export const completedFrom = 4

/** The number of new waypoints, or edits, that are indexed together. Until then every search reads their rows. */
const backlogSize = 128

/** The indexes that bulk writes leave in segments. */
const mergedIndexes = ['waypointWords', 'waypointNames'] as const

/** How many segments of one size FTS5 merges into one; its default of four would slow bulk writes down. */
const merged = { usually: 4n, inBulk: 64n }

/** How many segments of one size FTS5 merges at once; its default of 16 blocks for seconds at a million waypoints. */
const mergedAtOnce = 128n

/** The number of new waypoints from which a bulk write counts as large. */
const manyNew = 1000

/** The number of pages that a merging step writes: few, so that a step is short. */
const mergedPages = 500

interface SearchText {
  readonly foldedName: string
  readonly description?: string | null | undefined
  readonly region?: string | null | undefined
}

/** The extent of the index within the registry, as a transaction reads it. */
interface Extent {
  indexedTo: number
  readonly lastWaypointId: number
  readonly revision: number
  /** A hash unique to the log; see `Counters`. */
  readonly peaks: string
}

/** A column in the form for the index of words, which folds the case of ASCII itself. */
function searchable(column: string): RawBuilder<string> {
  const text = sql.ref<string>(column)
  return sql`case when ${text} is null then '' when ${text} glob '*[^ -~]*' then searchable(${text}) else ${text} end`
}

type Saved = Replacement<PlacedWaypoint>

/** Whether the searched texts changed, or whether the waypoint became live or a tombstone. */
function isReworded({ before: was, after: is }: Saved): boolean {
  const [before, after] = [was?.state, is.state]
  return (
    isLive(before) !== isLive(after) ||
    before?.name !== after.name ||
    before.description !== after.description ||
    before.region !== after.region
  )
}

/**
 * Maintains the search indexes of live waypoints: words, prefixes of words, and trigrams of names.
 *
 * Each index is updated by one statement for many waypoints: FTS5 flushes what it has buffered when a statement begins
 * and at the end of a transaction, so that each text alone would become a segment; and copying values inside SQLite is
 * faster than through JavaScript. New waypoints of a bulk are indexed at its end; writes of single requests go to a
 * backlog that search reads too.
 */
export function searchIndex(statements: Statements) {
  const spaced = new Map<string, string>()
  // Most waypoints of a batch share a few regions and remarks.
  statements.define('searchable', (text: string) => {
    let words = spaced.get(text)
    if (words === undefined) {
      // FTS5 takes characters unknown to its Unicode tables, such as newer emoji, for letters.
      words = wordsOf(fold(text)).join(' ')
      if (spaced.size > 5000) spaced.clear()
      if (text.length <= 200) spaced.set(text, words)
    }
    return words
  })
  const between = sql`waypoints where deletedAt is null and id between ${param('first')} and ${param('last')} order by id`
  // SQLite keeps the order of a cross join: it reads the backlog first, never all waypoints.
  const waiting = sql`searchBacklog cross join waypoints
    where waypoints.id = searchBacklog.waypointId and deletedAt is null order by waypointId`
  const statement = <Row = unknown>(text: RawBuilder<Row>): Statement<Row> => statements.prepare(() => text)
  const into = (from: RawBuilder<unknown>) => [
    statement(sql`insert into waypointWords (rowid, name, description, region)
      select id, ${searchable('foldedName')}, ${searchable('description')}, ${searchable('region')} from ${from}`),
    statement(sql`insert into waypointNames (rowid, name) select id, foldedName from ${from}`),
  ]
  const [putNew, putWaiting] = [into(between), into(waiting)]
  const dropWaiting = mergedIndexes.map((index) =>
    statement(sql`delete from ${sql.table(index)}
      where rowid in (select waypointId from searchBacklog where indexed = 1)`),
  )
  const putWord = statement(sql`insert into searchWords values (${param('word')}) on conflict do nothing`)
  const dropWord = statement(sql`delete from searchWords where word = ${param('word')}`)
  const stillIndexed = statement(
    sql`select rowid from waypointWords where waypointWords match ${param('match')} limit 1`,
  )
  // All words of the index (https://www.sqlite.org/fts5.html#the_fts5vocab_virtual_table_module).
  const createVocabulary = statement(
    sql`create virtual table if not exists temp.vocabulary using fts5vocab(main, waypointWords, row)`,
  )
  const unlisted = statement<{ word: string }>(
    sql`select word from searchWords where word not in (select term from temp.vocabulary)`,
  )
  // FTS5 takes its commands as rows.
  const commandTo = (index: (typeof mergedIndexes)[number]) => {
    const name = sql.table(index)
    return statement(sql`insert into ${name} (${name}, rank) values (${param('command')}, ${param('rank')})`)
  }
  const command = { waypointWords: commandTo('waypointWords'), waypointNames: commandTo('waypointNames') }
  /** See https://www.sqlite.org/fts5.html#the_automerge_configuration_option and the one behind it. */
  function configure(option: 'automerge' | 'crisismerge', pieces: bigint): void {
    for (const index of mergedIndexes) command[index].run({ command: option, rank: pieces })
  }
  const written = statement<{ n: number }>(sql`select total_changes() as n`)
  const putBacklog = statement(
    sql`insert into searchBacklog (waypointId, indexed) values (${param('id')}, ${param('indexed')})
      on conflict do nothing`,
  )
  const countBacklog = statement<{ n: number }>(sql`select count(*) as n from searchBacklog`)
  const textsOf = (from: RawBuilder<unknown>) =>
    statement<SearchText>(sql`select foldedName, description, region from ${from}`)
  const [backlog, newTexts] = [textsOf(waiting), textsOf(between)]
  const clearBacklog = statement(sql`delete from searchBacklog`)
  // Most words of a batch repeat: inserting each again would cost more than the rest of the index.
  const known = new Set<string>()
  const knownTexts = new Set<string>()
  /** The state of the registry that includes all of them: that after the last bulk, if it was committed. */
  let knownIn: string | undefined
  /** The log when the running bulk began, and the first id of its new waypoints. */
  let peaksAtBegin = ''
  let firstNew: number | undefined

  const nameOf = (revision: number, { peaks }: Extent): string => `${revision} ${peaks}`

  /** Words of an earlier transaction may be missing: it may have been rolled back, or another process purged them. */
  function clearKnown(): void {
    known.clear()
    knownTexts.clear()
    knownIn = undefined
  }

  function rememberWords(folded: string): void {
    for (const word of wordsOf(folded, completedFrom)) {
      if (known.has(word)) continue
      putWord.run({ word })
      if (known.size > 50_000) known.clear()
      known.add(word)
    }
  }

  function rememberText(text: string | null | undefined): void {
    if (text === undefined || text === null || knownTexts.has(text)) return
    rememberWords(fold(text))
    if (knownTexts.size > 5000) knownTexts.clear()
    if (text.length <= 200) knownTexts.add(text)
  }

  function remember({ foldedName, description, region }: SearchText): void {
    rememberWords(foldedName)
    rememberText(description)
    rememberText(region)
  }

  function indexEdits(): void {
    if ((countBacklog.get()?.n ?? 0) === 0) return
    clearKnown()
    for (const text of backlog.all()) remember(text)
    for (const each of [...dropWaiting, ...putWaiting]) each.run()
    clearBacklog.run()
  }

  function indexNew(extent: Extent): void {
    const range = { first: extent.indexedTo + 1, last: extent.lastWaypointId }
    if (range.last < range.first) return
    const isLarge = range.last - range.first >= manyNew
    if (isLarge) {
      configure('crisismerge', mergedAtOnce)
      configure('automerge', merged.inBulk)
    }
    for (const each of putNew) each.run(range)
    if (isLarge) configure('automerge', merged.usually)
    extent.indexedTo = range.last
  }

  function indexBacklog(extent: Extent): void {
    indexEdits()
    clearKnown()
    const range = { first: extent.indexedTo + 1, last: extent.lastWaypointId }
    for (const text of newTexts.all(range)) remember(text)
    indexNew(extent)
  }

  function begin(extent: Extent): void {
    // When nothing was written since the last bulk, the backlog is empty and its words are stored.
    const continues = knownIn === nameOf(extent.revision, extent)
    knownIn = undefined
    peaksAtBegin = extent.peaks
    if (continues) return
    indexBacklog(extent)
    clearKnown()
  }

  function end(extent: Extent): void {
    indexEdits()
    indexNew(extent)
    // Without an own entry in the log, the state cannot be distinguished from one that others wrote.
    if (extent.peaks !== peaksAtBegin) knownIn = nameOf(extent.revision + 1, extent)
  }

  return {
    /** Updates the index for one waypoint; a new one in a bulk is indexed when the bulk ends. */
    follow(saved: Saved, extent: Extent): void {
      if (!isReworded(saved)) return
      const { state: after, foldedName } = saved.after
      const { id, description, region } = after
      if (firstNew !== undefined && id >= firstNew) remember({ foldedName, description, region })
      // A new one is in the backlog by its id.
      else if (id > extent.indexedTo) {
        if (extent.lastWaypointId - extent.indexedTo >= backlogSize) indexBacklog(extent)
      } else {
        putBacklog.run({ id, indexed: isLive(saved.before?.state) ? 1 : 0 })
        if (firstNew === undefined && (countBacklog.get()?.n ?? 0) >= backlogSize) indexBacklog(extent)
      }
    },
    /** Runs many writes, and indexes their waypoints at the end. */
    inBulk<Result>(extent: Extent, work: () => Result): Result {
      begin(extent)
      firstNew = extent.lastWaypointId + 1
      try {
        const result = work()
        end(extent)
        return result
      } finally {
        firstNew = undefined
      }
    },
    indexAll: indexBacklog,
    /** Merges the segments that bulk writes left, in steps (https://www.sqlite.org/fts5.html#the_merge_command). @param transacted runs one */
    async merge(transacted: (step: () => boolean) => boolean, signal?: AbortSignal): Promise<void> {
      for (const index of mergedIndexes) {
        const step = (isFirst: boolean) => (): boolean => {
          const before = written.get()?.n ?? 0
          command[index].run({ command: 'merge', rank: isFirst ? -mergedPages : mergedPages })
          return (written.get()?.n ?? 0) - before >= 2
        }
        for (let isFirst = true; transacted(step(isFirst)); isFirst = false) {
          if (signal?.aborted === true) return
          await yieldToEventLoop()
        }
      }
    },
    /** Removes entries without a waypoint from the indexes. Rewrites them completely, which is slow for large registries. */
    purge(extent: Extent): void {
      indexBacklog(extent)
      for (const index of mergedIndexes) command[index].run({ command: 'optimize', rank: null })
      createVocabulary.run()
      // The index may split a word that is whole here, so that it is asked for each that it does not list.
      for (const { word } of unlisted.all())
        if (stillIndexed.get({ match: `"${word}"` }) === undefined) dropWord.run({ word })
    },
  }
}
export type SearchIndex = ReturnType<typeof searchIndex>
