import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { actorOf, token, userIdOf, type TokenActor, operator } from './decide/contributor.ts'
import type { Job } from './decide/deciding.ts'
import {
  beginRun,
  continueRun,
  delist,
  finishRun,
  recordProgress,
  type BegunRun,
  type Delisted,
} from './decide/import-run.ts'
import { endDoubt, noteDoubt } from './decide/doubt.ts'
import {
  importRow,
  rememberedBy,
  type ImportOutcome,
  type ImportRow,
  type RunTerms,
  type ImportedValues,
} from './decide/import.ts'
import { RegistryError, invalid } from './errors.ts'
import {
  concern,
  shrinkConcerns,
  type Acceptance,
  type ConcernFacts,
  type ImportConcern,
} from './import-concerns.ts'
import { undoRun, type UndoneImport, type UndoOptions } from './import-undo.ts'
import type { Progress, RunState, StoredDoubt } from './log/nouns.ts'
import { answerOf } from './log/script.ts'
import { pagesOf } from './paged.ts'
import type { Place } from './places/geodesy.ts'
import type { WriteTerms } from './properties-declared.ts'
import { knownOptions, mustBeKnown, parse } from './schemas/parse.ts'
import { SourceInput } from './schemas/source.ts'
import { type Neighbour, type RecordCounts, undoable } from './store/nouns/imports.ts'
import type { Store } from './store/port.ts'
import { Part } from './shared.ts'

export interface ImportInfo {
  readonly id: number
  readonly sourceId: number
  readonly file?: ImportFile
  readonly startedAt: string
  readonly finishedAt?: string
  readonly counts: Readonly<Record<string, number>>
}

/** Rows of an import after which the search index is merged, however large the registry is. */
const manyRows = 100_000

/** Runs of imports. */
export class Imports extends Part {
  /**
   * Starts a run, or continues an interrupted one. Nothing is written before the first batch, which throws NOT_ACCEPTED
   * for `concerns` that are not accepted.
   *
   * @throws RegistryError INVALID_INPUT for a source without name or licence, UNAUTHORIZED for others than API tokens
   */
  async start(options: ImportOptions): Promise<ImportRun> {
    mustBeKnown(options, [
      ...(['source', 'file', 'actor', 'approved', 'published', 'resume', 'recheck'] as const),
      ...(['accept', 'partial', 'isPart'] as const),
    ])
    const { actor } = options
    if (actor !== undefined && actorOf(actor).kind !== 'token') throw new RegistryError('UNAUTHORIZED')
    const source = parse(SourceInput, options.source)
    const { sources, imports, state } = this.read
    const known = await sources.byName(source.name)
    const [finished, runs, records, open, statistics, placeKey, newestWaypoint] = await Promise.all([
      known && imports.last(known.id, true),
      known === undefined ? [] : imports.list(known.id),
      known === undefined ? { listed: 0, marked: 0 } : imports.counted(known.id),
      known && options.resume === true ? imports.last(known.id, false) : undefined,
      state.statistics(),
      state.placeKey(),
      imports.newestWaypoint(),
    ])
    const { rules, properties } = this.shared
    return new ImportRun(this.store, { rules, properties }, options, {
      source,
      sourceId: known?.id,
      records,
      newest: known?.published,
      earlier: undoable(runs).flatMap(({ run }) => (run.finishedAt === undefined ? [] : [run])),
      finished: finished?.run,
      open,
      placeKey,
      newestWaypoint,
      isFirst: statistics.totalContributions === 0,
    })
  }

  /**
   * Merges the segments that imports left in the search index, in short steps, which makes searches faster.
   *
   * @param options `written` rows under 100,000 and a tenth of the registry merge nothing; default always. What was
   * merged before `signal` stays
   */
  async merge(
    options: { readonly written?: number | undefined; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    const { written = manyRows, signal } = knownOptions(options, ['written', 'signal'])
    if (written < manyRows) {
      const { totalWaypoints } = await this.read.state.statistics()
      if (written * 10 < totalWaypoints) return
    }
    await this.store.maintain({ signal })
  }

  /**
   * Undoes a run, entry by entry, the newest first: untouched waypoints become tombstones or get their former values,
   * removed waypoints come back, and links to the source are removed. Later changes by people stay, and are listed. A
   * later import of the source restores the removed waypoints. For operators only; the undoing is a run of its own,
   * which can be undone by its id.
   *
   * @param options `run` is the run's id; default the newest one that is not undone, of `source` if that is given.
   * `reason` is public. `dryRun` writes nothing and returns the expected result
   * @throws RegistryError NOT_FOUND, INVALID_INPUT, CONFLICT for a run that is undone or that a newer one of the same
   * source follows
   * @example
   * const run = await registry.imports.start({ source: { name: 'City of Lund', license: 'CC0-1.0' } })
   * await run.apply([{ row: 1, ref: 'a1', input: { name: 'Square', latitude: 55.7, longitude: 13.2 } }])
   * await run.finish({ counts: {}, missing: 'keep' })
   * const { removed, kept } = await registry.imports.undo()
   */
  async undo(options: UndoOptions = {}): Promise<UndoneImport> {
    return undoRun(
      this.store,
      knownOptions(options, ['run', 'source', 'reason', 'dryRun', 'onProgress', 'signal']),
    )
  }

  /** The day, `YYYY-MM-DD`, at the registry's time: imports leave out what a source says of later days. */
  async today(): Promise<string> {
    return (await this.store.time()).slice(0, 10)
  }

  /** How many of some places are as near to a waypoint as a city is large, about 28 kilometres. */
  async closeToKnown(places: readonly Place[]): Promise<number> {
    return this.read.imports.closeToKnown(places)
  }

  /** All runs, oldest first. */
  async list(): Promise<ImportInfo[]> {
    const runs = await this.read.imports.list()
    return runs.map(({ run: { id, sourceId, file, startedAt, finishedAt }, progress }) => ({
      id,
      sourceId,
      file,
      startedAt,
      finishedAt,
      counts: JSON.parse(progress.counts) as Record<string, number>,
    }))
  }
}

/** The registry's data of a source at the start of a run. @internal */
interface RunOrigin {
  readonly source: SourceInput
  /** Absent for a new source. */
  readonly sourceId: number | undefined
  /** Its records of live waypoints. */
  readonly records: RecordCounts
  /** The day of publication of its newest complete import. */
  readonly newest: string | undefined
  /** Finished imports in force, oldest first. */
  readonly earlier: readonly RunState[]
  readonly finished: RunState | undefined
  /** A run that was not finished, if it may be continued. */
  readonly open: { readonly run: RunState; readonly progress: Progress } | undefined
  readonly placeKey: string
  /** The greatest id of a waypoint. */
  readonly newestWaypoint: number
  /** Whether nothing is in the registry yet. */
  readonly isFirst: boolean
}

export interface KnownRow {
  readonly waypointId: number
  /** The values, without redacted ones. */
  readonly values: Partial<ImportedValues>
}

const decided = (terms: RunTerms, row: ImportRow, at: string) =>
  row.doubt === undefined ? importRow(terms, row, at) : noteDoubt(terms, row, at)

/** Rows that are decided in one transaction at most. */
const page = 500

/** The name of a file as every engine can keep it: a NUL and halves of characters, which no file name has, are replaced. */
const keptName = (name: string): string => name.toWellFormed().replaceAll('\0', '\u{FFFD}')

/** A run of an import: rows are decided like single requests and applied in batches. */
export class ImportRun {
  readonly #store: Store
  readonly #terms: WriteTerms
  readonly #origin: RunOrigin
  readonly #file: ImportOptions['file']
  readonly #actor: TokenActor
  readonly #approved: boolean
  readonly #published: string | undefined
  #run: BegunRun | undefined
  #sourceId: number | undefined
  #isContinued = false
  /** Whether the last finished import of this source read the same file, byte for byte, as of the same day. */
  readonly repeated: boolean
  /** Live waypoints that the source listed when the run began. */
  readonly listed: number
  /** Concerns about the file's age and completeness, accepted or not. */
  readonly concerns: readonly ImportConcern[]
  readonly #accept: readonly Acceptance[]
  readonly #isPartial: boolean
  /** The checkpoint of the last batch that was applied, where an unfinished run continues. */
  readonly checkpoint: unknown

  /** @internal Created by the registry. */
  constructor(store: Store, terms: WriteTerms, options: ImportOptions, origin: RunOrigin) {
    const { file, actor = token(), approved = true, published, recheck = false, accept = [] } = options
    if (published !== undefined && !z.iso.date().safeParse(published).success)
      throw invalid('published', 'must be a day, such as 2026-01-31')
    this.#store = store
    this.#terms = terms
    this.#origin = origin
    this.#file = file && { ...file, name: keptName(file.name) }
    this.#actor = actor
    this.#approved = approved
    this.#published = published
    this.#sourceId = origin.sourceId
    const { finished, open } = origin
    const isSame = finished?.file !== undefined && finished.file.sha256 === file?.sha256
    // The same file with another day of publication is as of that day.
    this.repeated = !recheck && isSame && (published ?? finished.published) === finished.published
    this.listed = origin.records.listed
    this.#accept = accept
    this.#isPartial = options.partial !== undefined
    this.concerns = this.repeated ? [] : concernsOf(options, origin)
    if (open !== undefined && open.run.file?.sha256 === file?.sha256) {
      const { id: runId, sourceId, startedAt } = open.run
      this.#run = { runId, sourceId, startedAt }
      const { checkpoint } = open.progress
      this.checkpoint = checkpoint === undefined ? undefined : JSON.parse(checkpoint)
    }
  }

  /** Whether the run continues an interrupted one. */
  get resumed(): boolean {
    return this.checkpoint !== undefined
  }

  /**
   * A reference from a text, such as a place. References are public: without the database it reveals nothing of it.
   *
   * @returns `place:` and 16 hexadecimal digits, the same for the same text in this registry
   */
  placeRef(text: string): string {
    return `place:${createHmac('sha256', this.#origin.placeKey).update(text).digest('hex').slice(0, 16)}`
  }

  /** The source's rows at its last import by their references; without new ones. */
  async known(refs: readonly string[]): Promise<ReadonlyMap<string, KnownRow>> {
    const found = new Map<string, KnownRow>()
    if (this.#sourceId === undefined || refs.length === 0) return found
    for (const { record, base } of await this.#store.read.imports.byRefs(this.#sourceId, refs)) {
      const { ref, waypointId } = record
      if (ref !== undefined) found.set(ref, { waypointId, values: rememberedBy(base) })
    }
    return found
  }

  /** The waypoints of before the run around each place, nearest first, as far as two entries of one fountain may be. */
  async near(places: readonly Place[]): Promise<readonly (readonly Neighbour[])[]> {
    const { newestWaypoint: newest } = this.#origin
    return this.#store.read.imports.near(places, { newest, sourceId: this.#sourceId })
  }

  /** Those of some references that a person decided not to import. */
  async skipped(refs: readonly string[]): Promise<ReadonlySet<string>> {
    if (this.#sourceId === undefined || refs.length === 0) return new Set()
    return new Set(await this.#store.read.doubts.skipped(this.#sourceId, refs))
  }

  /** A dry run of `apply`: writes nothing. New waypoints have no id yet. */
  async decide(rows: readonly ImportRow[]): Promise<ImportOutcome[]> {
    const terms = this.#runTerms()
    const outcomes: ImportOutcome[] = []
    for (let from = 0; from < rows.length; from += page) {
      const jobs = rows
        .slice(from, from + page)
        .map((row): Job<ImportOutcome> => ({ decide: (at) => decided(terms, row, at), dryRun: true }))
      for (const outcome of await this.#store.writeBatch(jobs)) {
        const { waypointId, ...rest } = answerOf(outcome)
        const isNew = rest.kind === 'created' || waypointId === undefined
        outcomes.push(isNew ? rest : { ...rest, waypointId })
      }
    }
    return outcomes
  }

  /** Decides rows, 5,000 at most, and writes them with `checkpoint`, JSON for continuing after them, in one transaction. */
  async apply(
    rows: readonly ImportRow[],
    checkpoint?: unknown,
    counts: Readonly<Record<string, number>> = {},
  ): Promise<ImportOutcome[]> {
    const { runId } = await this.#begin()
    const terms = this.#runTerms()
    const kept = checkpoint === undefined ? undefined : JSON.stringify(checkpoint)
    const progress: Job<ImportOutcome | undefined> = {
      decide: (at) => recordProgress(at, { runId, checkpoint: kept, counts: JSON.stringify(counts) }),
    }
    const jobs = rows.map((row): Job<ImportOutcome | undefined> => ({
      decide: (at) => decided(terms, row, at),
    }))
    const outcomes = await this.#store.writeBatch([...jobs, progress], { isFirst: this.#origin.isFirst })
    return outcomes.flatMap((outcome) => answerOf(outcome) ?? [])
  }

  /** The effect of `finish` on records that the file does not have (yet). @param kept waypoints that count as seen */
  async missing(mode: MissingRows, kept: ReadonlySet<number> = new Set()): Promise<MissingCounts> {
    const sourceId = this.#sourceId
    if (mode === 'keep' || sourceId === undefined || this.repeated) return { marked: 0, removed: 0, gone: 0 }
    if (mode === 'remove') return this.#removable(sourceId, kept)
    const { imports } = this.#store.read
    const runId = this.#run?.runId
    const all = runId === undefined ? this.#origin.records : await imports.counted(sourceId, { runId })
    let { listed, marked } = all
    const ids = [...kept]
    for (let from = 0; from < ids.length; from += page) {
      const seen = await imports.counted(sourceId, { runId, waypointIds: ids.slice(from, from + page) })
      listed -= seen.listed
      marked -= seen.marked
    }
    return { marked: listed + marked, removed: 0, gone: listed }
  }

  /** Whether the source has references of its own, not only ones derived from places. */
  async hasReferences(): Promise<boolean> {
    return this.#sourceId !== undefined && this.#store.read.imports.hasReferences(this.#sourceId)
  }

  /** Creates the indexes that the first import defers, for a run that will be resumed; else the next opening does. */
  async pause(): Promise<void> {
    await this.#store.maintain({ what: 'indexes' })
  }

  /**
   * Finishes the run: records its counts, and marks or removes waypoints that the source no longer lists, unless it is
   * partial. Pass `missing: 'keep'` when only part of the file was read.
   *
   * @throws RegistryError NOT_ACCEPTED where more would be marked or removed than may be; the run goes on
   */
  async finish(options: {
    readonly counts: Readonly<Record<string, number>>
    readonly missing: MissingRows
  }): Promise<{ marked: number; removed: number }> {
    mustBeKnown(options, ['counts', 'missing'])
    const { runId, sourceId } = await this.#begin()
    const found = { marked: 0, removed: 0 }
    const isComplete = options.missing !== 'keep' && !this.repeated && !this.#isPartial
    if (isComplete) {
      const remove = options.missing === 'remove'
      if (this.listed > 0 && !this.#accept.includes('shrink')) {
        const { gone } = await this.missing(options.missing)
        mustBeAccepted(shrinkConcerns({ listed: this.listed, gone }))
      }
      for await (const { outcome } of this.#delisted(sourceId, { remove, dryRun: false }))
        if (outcome !== 'gone') found[outcome]++
      await this.#endDoubts({ sourceId, runId })
    }
    const counts = { ...options.counts, ...found }
    const [by, published] = [this.#by, this.#published]
    await this.#store.write({
      decide: (at) => finishRun(at, { runId, sourceId, counts, isComplete, published, by }),
    })
    await this.pause()
    return found
  }

  async #removable(sourceId: number, kept: ReadonlySet<number>): Promise<MissingCounts> {
    const found = { marked: 0, removed: 0, gone: 0 }
    for await (const row of this.#delisted(sourceId, { remove: true, dryRun: true })) {
      if (row.outcome === 'gone' || kept.has(row.waypointId)) continue
      found[row.outcome] += 1
      if (!row.isMarked || row.outcome === 'removed') found.gone += 1
    }
    return found
  }

  async *#delisted(
    sourceId: number,
    { remove, dryRun }: Record<'remove' | 'dryRun', boolean>,
  ): AsyncGenerator<Delisted> {
    const actor = this.#actor
    const runId = this.#run?.runId ?? 0
    for (let after = 0; ;) {
      const ids = await this.#store.read.imports.unseen(sourceId, runId, after, page)
      const jobs = ids.map((id): Job<Delisted | undefined> => ({
        decide: () => delist(id, { actor, remove, runId }),
        dryRun,
      }))
      for (const outcome of await this.#store.writeBatch(jobs)) yield* [answerOf(outcome) ?? []].flat()
      const last = ids.at(-1)
      if (last === undefined || ids.length < page) return
      after = last
    }
  }

  async #endDoubts(of: { readonly sourceId: number; readonly runId: number }): Promise<void> {
    const { doubts } = this.#store.read
    const read = (last?: StoredDoubt) => doubts.unseen({ ...of, after: last?.number ?? 0, limit: page })
    for await (const rows of pagesOf(page, read))
      await this.#store.writeBatch(rows.map(({ id }) => ({ decide: () => endDoubt(id, of.runId) })))
  }

  /** The run, with its source; written when something is applied for the first time. */
  async #begin(): Promise<BegunRun> {
    mustBeAccepted(this.concerns, this.#accept)
    const { source } = this.#origin
    const [by, open, file] = [this.#by, this.#run, this.#file]
    if (open !== undefined && this.#isContinued) return open
    const run = await this.#store.write({
      decide: (at) =>
        open === undefined ? beginRun(at, { source, file, by }) : continueRun(open, source, by),
    })
    this.#isContinued = true
    this.#run = run
    this.#sourceId = run.sourceId
    return run
  }

  get #by(): string {
    return userIdOf(this.#actor) ?? operator
  }

  #runTerms(): RunTerms {
    return {
      ...this.#terms,
      actor: this.#actor,
      sourceId: this.#sourceId,
      runId: this.#run?.runId,
      approved: this.#approved,
    }
  }
}

/** @throws RegistryError NOT_ACCEPTED `{ concerns, report? }` where a concern is not accepted */
export function mustBeAccepted(
  concerns: readonly ImportConcern[],
  accept: readonly Acceptance[] = [],
  report?: object,
): void {
  const open = concerns.filter((each) => !accept.includes(each.accept))
  if (open.length > 0)
    throw new RegistryError('NOT_ACCEPTED', undefined, {
      concerns: open,
      ...(report !== undefined && { report }),
    })
}

function concernsOf(
  { file, published, partial, isPart = false }: ImportOptions,
  { earlier, newest: newestEver }: RunOrigin,
): ImportConcern[] {
  const days = earlier.flatMap((run) => run.published ?? []).toSorted()
  // The newest complete import may have been undone.
  const newest = days.includes(newestEver ?? '') ? newestEver : days.at(-1)
  const found: ImportConcern[] = partial === undefined || isPart ? [] : [concern('PARTIAL', partial)]
  if (published !== undefined && newest !== undefined && published < newest)
    found.push(concern('OLDER', { published, newest }))
  const isNewer = published !== undefined && newest !== undefined && published > newest
  const same = earlier.findLast((run) => run.file !== undefined && run.file.sha256 === file?.sha256)
  if (same !== undefined && same !== earlier.at(-1) && !isPart && !isNewer)
    found.push(concern('SUPERSEDED', { importedAt: same.finishedAt ?? same.startedAt }))
  return found
}

interface MissingCounts {
  readonly marked: number
  readonly removed: number
  /** Removed, or not marked by an earlier run. */
  readonly gone: number
}

interface ImportFile {
  readonly name: string
  /** Hexadecimal. */
  readonly sha256: string
  readonly bytes: number
}

export interface ImportOptions {
  readonly source: SourceInput
  readonly file?: ImportFile | undefined
  /** The actor who is the author of the rows. Default the built-in user. */
  readonly actor?: TokenActor | undefined
  /** Whether new waypoints are approved when their row does not say; with false none are. Default true. */
  readonly approved?: boolean | undefined
  /** The day as of which the source lists its rows, `YYYY-MM-DD`. Default: not known. */
  readonly published?: string | undefined
  /** Continues the unfinished run of this source and file, if there is one. Default false. */
  readonly resume?: boolean | undefined
  /** Updates when rows were last found, even of the same file, which else marks nothing as missing. Default false. */
  readonly recheck?: boolean | undefined
  /**
   * Concerns that do not stop the run. `shrink`: more than `importing.mostGone` (`rules.ts`) of the source's waypoints
   * would go or lose a field, or no reference is known. `older`: an earlier publication or file. `partial`: it calls
   * itself a part. Default none.
   */
  readonly accept?: readonly Acceptance[] | undefined
  /** Rows and total of a file that calls itself a part. */
  readonly partial?: ConcernFacts['PARTIAL'] | undefined
  /** Whether the caller knows that the file is one part of several. Default false. */
  readonly isPart?: boolean | undefined
}

/** The treatment of waypoints that the source no longer lists. `remove` only marks those that were changed here. */
export type MissingRows = 'mark' | 'remove' | 'keep'
