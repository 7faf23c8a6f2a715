import { sql, type RawBuilder } from 'kysely'
import { fold, spaceCjk, wordsOf } from '../../../search/letters.ts'
import { build, param, type Statements } from '../connection/statement.ts'

/** Words shorter than this are completed by the index of words itself, which keeps beginnings of up to three. */
export const completedFrom = 4

/** New waypoints, or edits, that wait before they are indexed together. Each costs every search a look at its row. */
const backlogSize = 64

/** The indexes that bulks leave in pieces. */
export const mergedIndexes = ['waypointWords', 'waypointNames'] as const

/** Pieces of one size that FTS5 merges into one; four is its default, which would cost a bulk a tenth of its time. */
const merged = { usually: 4n, inBulk: 64n }

/** Pieces of one size that FTS5 merges at once, not step by step; for its default of 16 a million waypoints wait seconds. */
const mergedAtOnce = 128n

/** New waypoints from which on a bulk is large. */
const manyNew = 1000

/** Pages that a step of merging writes, which takes some ten milliseconds. */
const mergedPages = 500

/** What search looks in, of one waypoint. */
export interface SearchText {
  readonly foldedName: string
  readonly description?: string | null | undefined
  readonly region?: string | null | undefined
}

/** How far the indexes reach, in the registry as a transaction finds it. */
export interface Extent {
  /** Waypoints with higher ids are not in the indexes yet. */
  indexedTo: number
  readonly lastWaypointId: number
  readonly revision: number
  readonly headHash: string
}

/** A column as the index of words takes it, which knows the case of ASCII itself. */
function searchable(column: string): RawBuilder<string> {
  const text = sql.ref<string>(column)
  return sql`case when ${text} is null then '' when ${text} glob '*[^ -~]*' then searchable(${text}) else ${text} end`
}

/**
 * Keeps what search looks in: words, beginnings of words, and every three characters of names.
 *
 * Each index is brought up to date by one statement for very many waypoints: FTS5 writes out whatever it has gathered
 * when a statement begins, and a value costs less on its way inside SQLite than through JavaScript.
 */
export function searchIndex(statements: Statements) {
  const spaced = new Map<string, string>()
  // Most of a batch have the same few regions and remarks.
  statements.define('searchable', (text: string) => {
    let words = spaced.get(text)
    if (words === undefined) {
      words = spaceCjk(fold(text))
      if (spaced.size > 5000) spaced.clear()
      if (text.length <= 200) spaced.set(text, words)
    }
    return words
  })
  const live = () => build.selectFrom('waypoints').where('deletedAt', 'is', null)
  const between = () =>
    live().where('id', '>=', param<number>('first')).where('id', '<=', param<number>('last')).orderBy('id')
  const waiting = () =>
    build
      .selectFrom('searchBacklog')
      // SQLite keeps the order of a cross join: the few that wait first, never all waypoints.
      .crossJoin('waypoints')
      .whereRef('waypoints.id', '=', 'searchBacklog.waypointId')
      .where('deletedAt', 'is', null)
      .orderBy('waypointId')
  const columns = [
    sql<number>`waypoints.id`.as('id'),
    searchable('foldedName').as('name'),
    searchable('description').as('description'),
    searchable('region').as('region'),
  ]
  const intoWords = (from: typeof between | typeof waiting) =>
    build
      .insertInto('waypointWords')
      .columns(['rowid', 'name', 'description', 'region'])
      .expression((from() as ReturnType<typeof live>).select(columns) as never)
  const intoNames = (from: typeof between | typeof waiting) =>
    build
      .insertInto('waypointNames')
      .columns(['rowid', 'name'])
      .expression((from() as ReturnType<typeof live>).select(['waypoints.id', 'foldedName']) as never)
  const put = {
    words: statements.prepare(() => intoWords(between)),
    names: statements.prepare(() => intoNames(between)),
    waitingWords: statements.prepare(() => intoWords(waiting)),
    waitingNames: statements.prepare(() => intoNames(waiting)),
  }
  const indexed = () => build.selectFrom('searchBacklog').select('waypointId').where('indexed', '=', 1)
  const dropWords = statements.prepare(() =>
    build.deleteFrom('waypointWords').where('rowid', 'in', indexed()),
  )
  const dropNames = statements.prepare(() =>
    build.deleteFrom('waypointNames').where('rowid', 'in', indexed()),
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
  // FTS5 takes its commands as rows.
  const commandTo = (index: (typeof mergedIndexes)[number]) =>
    statements.prepare(() =>
      build.insertInto(index).values({ [index]: param('command'), rank: param('rank') } as never),
    )
  const command = { waypointWords: commandTo('waypointWords'), waypointNames: commandTo('waypointNames') }
  /** See https://www.sqlite.org/fts5.html#the_automerge_configuration_option and the one behind it. */
  function configure(option: 'automerge' | 'crisismerge', pieces: bigint): void {
    for (const index of mergedIndexes) command[index].run({ command: option, rank: pieces })
  }
  const written = statements.prepare(() => build.selectNoFrom(sql<number>`total_changes()`.as('n')))
  const putBacklog = statements.prepare(() =>
    build
      .insertInto('searchBacklog')
      .values({ waypointId: param('id'), indexed: param('indexed') })
      .onConflict((conflict) => conflict.doNothing()),
  )
  const countBacklog = statements.prepare(() =>
    build.selectFrom('searchBacklog').select(({ fn }) => fn.countAll<number>().as('n')),
  )
  const texts = ['foldedName', 'description', 'region'] as const
  const backlog = statements.prepare(() => waiting().select(texts))
  const newTexts = statements.prepare(() => between().select(texts))
  const clearBacklog = statements.prepare(() => build.deleteFrom('searchBacklog'))
  // Most words of a batch are the same few: asking SQLite again would cost more than the rest of the index.
  const known = new Set<string>()
  const knownTexts = new Set<string>()
  /** The registry in which all of them are there: what the last bulk left, if it was committed. */
  let knownIn: string | undefined
  /** The newest hash when the bulk that runs began. */
  let begunAt = ''

  const nameOf = (revision: number, { headHash }: Extent): string => `${revision} ${headHash}`

  /** Words that were there in an earlier transaction may be gone: it was rolled back, or another process purged. */
  function forget(): void {
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

  /** Indexes the edits that wait. */
  function settleEdits(): void {
    if ((countBacklog.get()?.n ?? 0) === 0) return
    forget()
    for (const text of backlog.all()) remember(text)
    dropWords.run()
    put.waitingWords.run()
    dropNames.run()
    put.waitingNames.run()
    clearBacklog.run()
  }

  /** Indexes new waypoints whose words were remembered. */
  function addNew(extent: Extent): void {
    const range = { first: extent.indexedTo + 1, last: extent.lastWaypointId }
    if (range.last < range.first) return
    const isLarge = range.last - range.first >= manyNew
    if (isLarge) {
      configure('crisismerge', mergedAtOnce)
      configure('automerge', merged.inBulk)
    }
    put.words.run(range)
    put.names.run(range)
    if (isLarge) configure('automerge', merged.usually)
    extent.indexedTo = range.last
  }

  /** Indexes everything that waits. */
  function settle(extent: Extent): void {
    settleEdits()
    forget()
    const range = { first: extent.indexedTo + 1, last: extent.lastWaypointId }
    for (const text of newTexts.all(range)) remember(text)
    addNew(extent)
  }

  return {
    /** Begins a bulk, with nothing that waits. */
    begin(extent: Extent): void {
      // Nobody wrote since the last bulk: nothing waits, and its words are there.
      const goesOn = knownIn === nameOf(extent.revision, extent)
      knownIn = undefined
      begunAt = extent.headHash
      if (goesOn) return
      settle(extent)
      forget()
    },
    /** Notes the words of a new waypoint of the bulk. */
    remember,
    /** Ends a bulk: indexes its edits, and its new waypoints whose words were remembered. */
    end(extent: Extent): void {
      settleEdits()
      addNew(extent)
      // Only a hash of its own tells it from a registry that others wrote to.
      if (extent.headHash !== begunAt) knownIn = nameOf(extent.revision + 1, extent)
    },
    /** Lets a new waypoint wait, which it does by its id, and indexes those that wait when they are many. */
    added(extent: Extent): void {
      if (extent.lastWaypointId - extent.indexedTo >= backlogSize) settle(extent)
    },
    /** Lets a waypoint wait whose text changed. */
    edited(id: number, wasLive: boolean): void {
      putBacklog.run({ id, indexed: wasLive ? 1 : 0 })
    },
    /** Indexes what waits when there are many edits. */
    relieve(extent: Extent): void {
      if ((countBacklog.get()?.n ?? 0) >= backlogSize) settle(extent)
    },
    /**
     * Does a step of merging what bulks left in pieces, after which searches take half the time or less. Each of
     * `mergedIndexes` has a first step of its own; see https://www.sqlite.org/fts5.html#the_merge_command
     *
     * @returns whether that index needs another step
     */
    merge(index: (typeof mergedIndexes)[number], begins: boolean): boolean {
      const before = written.get()?.n ?? 0
      command[index].run({ command: 'merge', rank: begins ? -mergedPages : mergedPages })
      return (written.get()?.n ?? 0) - before >= 2
    },
    /**
     * Leaves nothing in the indexes of texts that no waypoint has any more. Rewrites them whole, which takes
     * seconds for a million waypoints.
     */
    purge(texts: readonly string[], extent: Extent): void {
      settle(extent)
      for (const index of mergedIndexes) command[index].run({ command: 'optimize', rank: null })
      for (const word of texts.flatMap((text) => wordsOf(fold(text)))) {
        if (standing.get({ match: `"${word}"` }) === undefined) dropWord.run({ word })
      }
    },
  }
}
export type SearchIndex = ReturnType<typeof searchIndex>
