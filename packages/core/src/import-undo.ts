import { operator } from './decide/contributor.ts'
import type { Job } from './decide/deciding.ts'
import { isOfDecision, undoDoubt } from './decide/doubt.ts'
import { beginRun, finishRun, undoEntry, type UndoingRun, type UndoneEntry } from './decide/import-run.ts'
import { mustHaveReason } from './decide/user.ts'
import { notFound, RegistryError, required } from './errors.ts'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { StoredEntry } from './log/entry.ts'
import type { RunState, StoredDoubt } from './log/nouns.ts'
import { pagesOf } from './paged.ts'
import { answerOf } from './log/script.ts'
import type { Source } from './schemas/source.ts'
import { isUndoing, runsInForce, type RunWithProgress, undoable } from './store/nouns/imports.ts'
import type { Store } from './store/port.ts'

const page = 500

interface Choice {
  readonly run: number | undefined
  readonly sourceId: number | undefined
}

/** The run to undo. @throws RegistryError NOT_FOUND, INVALID_INPUT, CONFLICT */
function chosen(runs: readonly RunWithProgress[], { run, sourceId }: Choice): RunState {
  const left = runsInForce(runs).filter((each) => sourceId === undefined || each.run.sourceId === sourceId)
  if (run === undefined) {
    const last = left.findLast((each) => !isUndoing(each))
    if (last === undefined) throw new RegistryError('NOT_FOUND', 'There is no import that could be undone')
    return last.run
  }
  const known = runs.find((each) => each.run.id === run)
  if (known === undefined) throw notFound('import', run)
  const found = left.find((each) => each.run.id === run)
  if (found === undefined) throw new RegistryError('CONFLICT', 'This import is undone already', { run })
  const newer = left.findLast(
    (each) =>
      each.run.sourceId === found.run.sourceId &&
      each.run.id > run &&
      // An undoing does not prevent the undoing of a third run.
      (isUndoing(found) || !isUndoing(each)),
  )
  if (newer === undefined) return found.run
  const message = `A newer import of the same source follows: undo import ${newer.run.id} first`
  throw new RegistryError('CONFLICT', message, { run: newer.run.id })
}

/** The ids of the entries that began and ended a run; where it did not end, of the newest one. */
async function boundsOf(store: Store, runId: number): Promise<readonly [first: number, last: number]> {
  const about = { subject: 'import', subjectId: runId } as const
  const entries = await store.write({
    *decide() {
      const facts = yield [{ ask: 'entriesAbout', of: about }]
      return { entries: [], by: operator, answer: facts.ask('entriesAbout', about) }
    },
    dryRun: true,
  })
  const first = entries.find(({ action }) => action === 'started')?.id ?? 0
  const last = entries.findLast(({ action }) => action === 'finished')?.id
  return [first, last ?? (await store.read.entries.head()).id]
}

class Tally {
  readonly #counts = { removed: 0, reverted: 0, restored: 0, delisted: 0 }
  readonly #all: Tally | undefined
  readonly #removed = new Set<number>()
  readonly #kept = new Map<number, Set<string>>()

  /** @param all the counts of several runs, which include these */
  constructor(all?: Tally) {
    this.#all = all
  }

  add(entry: UndoneEntry): void {
    const { outcome, waypointId, fields = [] } = entry
    this.#all?.add(entry)
    if (outcome !== 'relisted' && outcome !== 'kept' && outcome !== 'nothing') this.#counts[outcome] += 1
    if (waypointId === undefined) return
    if (outcome === 'removed') this.#removed.add(waypointId)
    if (outcome !== 'kept') return
    const known = this.#kept.get(waypointId) ?? new Set()
    for (const field of fields) known.add(field)
    this.#kept.set(waypointId, known)
  }

  /** The counts; without waypoints that were removed after they had first been kept. */
  get result(): Omit<UndoneImport, 'run' | 'source'> {
    const kept = [...this.#kept]
      .filter(([waypointId]) => !this.#removed.has(waypointId))
      .map(([waypointId, changed]) => ({ waypointId, changed: [...changed] }))
    return { ...this.#counts, kept: kept.toSorted((one, other) => one.waypointId - other.waypointId) }
  }

  get counts(): Record<string, number> {
    const { kept, ...counts } = this.result
    return { ...counts, kept: kept.length }
  }
}

type Terms = Omit<UndoingRun, 'runId'>
type Following = Pick<UndoOptions, 'dryRun' | 'onProgress' | 'signal'>

async function undoPage(
  store: Store,
  newestFirst: readonly StoredEntry[],
  {
    tally,
    dryRun = false,
    ...run
  }: UndoingRun & { readonly tally: Tally; readonly dryRun?: boolean | undefined },
): Promise<void> {
  const jobs = newestFirst.map((entry): Job<UndoneEntry> => ({
    decide: (at) => undoEntry(entry, run, at),
    dryRun,
  }))
  for (const outcome of await store.writeBatch(jobs)) tally.add(answerOf(outcome))
}

/** The most entries that a decision about a doubtful row makes. */
const mostOfDecision = 20

/** Undoes what people decided about doubtful rows of a run, and ends the rows that it brought. */
async function undoDoubts(
  store: Store,
  run: UndoingRun,
  tally: Tally,
  dryRun: boolean | undefined,
): Promise<void> {
  const { sourceId, runId, undoingId } = run
  const read = (last?: StoredDoubt) =>
    store.read.doubts.ofRun({ sourceId, runId, after: last?.number ?? 0, limit: page })
  for await (const doubts of pagesOf(page, read)) {
    for (const doubt of doubts) {
      const { entry, seenIn } = doubt
      if (entry === undefined || seenIn !== runId) continue
      const made = await store.read.entries.after(entry - 1, mostOfDecision)
      const own = made.filter((each) => isOfDecision(doubt, each))
      await undoPage(store, own.toReversed(), { ...run, tally, dryRun })
    }
    if (undoingId !== undefined)
      await store.writeBatch(doubts.map(({ id }) => ({ decide: () => undoDoubt(id, { runId, undoingId }) })))
  }
}

/** Undoes the entries of a run, the newest first. @returns whether all of them were looked at */
async function undoEntries(
  store: Store,
  { runId, ...terms }: UndoingRun,
  tally: Tally,
  { dryRun = false, onProgress, signal }: Following,
): Promise<boolean> {
  const [first, last] = await boundsOf(store, runId)
  for (let end = last; end > first;) {
    if (signal?.aborted === true) return false
    const after = Math.max(first, end - page)
    const entries: readonly StoredEntry[] = await store.read.entries.after(after, end - after)
    await undoPage(store, entries.toReversed(), { ...terms, runId, tally, dryRun })
    end = after
    onProgress?.(last - end, last - first)
    await yieldToEventLoop()
  }
  return true
}

async function undoOne(
  store: Store,
  { runId, ...given }: Omit<UndoingRun, 'undoingId'>,
  { tally, source, ...following }: Following & { readonly tally: Tally; readonly source: Source },
): Promise<boolean> {
  const { name, license } = source
  const isDry = following.dryRun === true
  const begun = isDry
    ? undefined
    : await store.write({ decide: (at) => beginRun(at, { source: { name, license } }) })
  const own = new Tally(tally)
  const terms: Terms = { ...given, undoingId: begun?.runId }
  await undoDoubts(store, { ...terms, runId }, own, following.dryRun)
  const isWhole = await undoEntries(store, { ...terms, runId }, own, following)
  if (begun === undefined) return isWhole
  const counts = { ...own.counts, ...(isWhole && { undoes: runId }) }
  await store.write({
    decide: (at) =>
      finishRun(at, {
        runId: begun.runId,
        sourceId: begun.sourceId,
        counts,
        isComplete: false,
        by: operator,
      }),
  })
  return isWhole
}

async function sourceNamed(store: Store, name: string): Promise<Source> {
  const found = await store.read.sources.byName(name)
  if (found === undefined) throw new RegistryError('NOT_FOUND', 'There is no source with this name', { name })
  return found
}

const reasonFor = ({ name }: Source, reason: string | undefined): string =>
  mustHaveReason(reason ?? `The import of ${name} is undone`)

/** Undoes a run, as `registry.imports.undo` describes. @internal */
export async function undoRun(store: Store, { reason, ...options }: UndoOptions): Promise<UndoneImport> {
  const named = options.source === undefined ? undefined : await sourceNamed(store, options.source)
  const run = chosen(await store.read.imports.list(), { run: options.run, sourceId: named?.id })
  const source = required(await store.read.sources.byId(run.sourceId), 'source', run.sourceId)
  const tally = new Tally()
  const terms = { sourceId: source.id, runId: run.id, reason: reasonFor(source, reason) }
  await undoOne(store, terms, { ...options, tally, source })
  return { run: run.id, source: source.name, ...tally.result }
}

/** Undoes all runs of a source, the newest first, as `registry.sources.delete` describes. @internal */
export async function removeSource(
  store: Store,
  name: string,
  { reason, ...options }: Omit<UndoOptions, 'run' | 'source'>,
): Promise<Omit<UndoneImport, 'run'>> {
  const source = await sourceNamed(store, name)
  const tally = new Tally()
  const terms = { sourceId: source.id, reason: reasonFor(source, reason) }
  const runs = await store.read.imports.list()
  const left = runs.filter(({ run }) => run.sourceId === source.id)
  for (const { run } of undoable(left).toReversed())
    if (!(await undoOne(store, { ...terms, runId: run.id }, { ...options, tally, source }))) break
  return { source: source.name, ...tally.result }
}

export interface UndoOptions {
  readonly run?: number | undefined
  /** The name of a source. */
  readonly source?: string | undefined
  /** Default that the import of the source is undone. */
  readonly reason?: string | undefined
  /** Default false. */
  readonly dryRun?: boolean | undefined
  /** Called after each page of entries. Default: nothing. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  /** Ends it after the page that is being undone; calling it again goes on. */
  readonly signal?: AbortSignal | undefined
}

/** A waypoint that was not undone completely, because somebody changed it since. */
export interface KeptWaypoint {
  readonly waypointId: number
  /** Names of fields; `reviews`, `photos`, `observations` and `sources` for data that would be lost with a waypoint. */
  readonly changed: readonly string[]
}

export interface UndoneImport {
  readonly run: number
  readonly source: string
  /** Waypoints that became tombstones. */
  readonly removed: number
  /** Edits that were taken back. */
  readonly reverted: number
  /** Waypoints that the run had removed, and that are back. */
  readonly restored: number
  /** Waypoints that were here before, and that the source no longer lists. */
  readonly delisted: number
  readonly kept: readonly KeptWaypoint[]
}
