import { knownOptions, mustBeKnown } from './checked-options.ts'
import { actorOf } from './decide/contributor.ts'
import { RegistryError } from './errors.ts'
import { ImportRun } from './import/run.ts'
import { undoRun } from './import/undo.ts'
import type { UndoneImport, UndoOptions } from './import/undone.ts'
import type { ImportFile, ImportOptions } from './import/options.ts'
import type { WriteTerms } from './properties-declared.ts'
import { parse } from './schemas/parse.ts'
import { SourceInput } from './schemas/source.ts'
import type { Store } from './store/port.ts'

/** A run of an import, as `registry.imports.list()` returns it. */
export interface ImportInfo {
  readonly id: number
  readonly sourceId: number
  readonly file?: ImportFile
  readonly startedAt: string
  readonly finishedAt?: string
  readonly counts: Readonly<Record<string, number>>
}

/** Runs of imports. */
export class Imports {
  readonly #store: Store
  readonly #terms: WriteTerms

  /** @internal Created by the registry. */
  constructor(store: Store, terms: WriteTerms) {
    this.#store = store
    this.#terms = terms
  }

  /**
   * Starts a run, or continues an interrupted one. Nothing is written before the first batch is applied.
   *
   * @throws RegistryError INVALID_INPUT for a source without name or licence, UNAUTHORIZED for an actor who is no API token
   */
  async start(options: ImportOptions): Promise<ImportRun> {
    mustBeKnown(options, ['source', 'file', 'actor', 'approved', 'published', 'resume', 'recheck'])
    const { actor } = options
    if (actor !== undefined && actorOf(actor).kind !== 'token') throw new RegistryError('UNAUTHORIZED')
    const source = parse(SourceInput, options.source)
    const { sources, imports, state } = this.#store.read
    const known = await sources.byName(source.name)
    const [finished, open, statistics, placeKey, newestWaypoint] = await Promise.all([
      known && imports.last(known.id, true),
      known && options.resume === true ? imports.last(known.id, false) : undefined,
      state.statistics(),
      state.placeKey(),
      imports.newestWaypoint(),
    ])
    return new ImportRun(this.#store, this.#terms, options, {
      source,
      sourceId: known?.id,
      finished: finished?.run,
      open,
      placeKey,
      newestWaypoint,
      isFirst: statistics.totalContributions === 0,
    })
  }

  /**
   * Merges the segments that imports left in the search index, which makes searches faster. It works in short steps
   * and yields to the event loop between them. `importFile` calls it when an import added a tenth of the registry, or
   * 100,000 waypoints.
   *
   * @param signal stops it between two steps; merged segments stay merged
   */
  async merge(signal?: AbortSignal): Promise<void> {
    await this.#store.maintain({ signal })
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
      this.#store,
      knownOptions(options, ['run', 'source', 'reason', 'dryRun', 'onProgress', 'signal']),
    )
  }

  /** All runs, oldest first. */
  async list(): Promise<ImportInfo[]> {
    const runs = await this.#store.read.imports.list()
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
