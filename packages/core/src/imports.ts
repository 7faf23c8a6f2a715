import type { Writer } from './writer.ts'
import type { ImportFile, ImportOptions } from './import/options.ts'
import { ImportRun } from './import/run.ts'
import { mergedIndexes } from './store/sqlite/search/index.ts'
import { sourceRows } from './store/sqlite/nouns/source-records.ts'
import { yieldToEventLoop } from './event-loop.ts'

/** A run of an import, as `registry.imports.list()` tells it. */
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
  readonly #writer: Writer

  /** @internal Made by the registry. */
  constructor(writer: Writer) {
    this.#writer = writer
  }

  /**
   * Begins a run, or goes on with one that was cut off. Nothing is written before the first batch is applied.
   *
   * @throws RegistryError INVALID_INPUT for a source without name or licence
   */
  start(options: ImportOptions): ImportRun {
    return new ImportRun(this.#writer, options)
  }

  /**
   * Merges what imports left of the search index in pieces, after which searches take half the time or less. A
   * million waypoints take some three seconds, in steps of a few milliseconds between which others get their turn.
   * `importFile` does it when an import brought a tenth of the registry, or 100,000 waypoints.
   *
   * @param signal stops it between two steps; what is merged so far stays so
   */
  async merge(signal?: AbortSignal): Promise<void> {
    const step = (index: (typeof mergedIndexes)[number], begins: boolean): boolean =>
      this.#writer.transact(({ write, noChange }) => {
        noChange()
        return write.search.merge(index, begins)
      })
    for (const index of mergedIndexes) {
      let begins = true
      while (step(index, begins)) {
        if (signal?.aborted === true) return
        begins = false
        await yieldToEventLoop()
      }
    }
  }

  /** Every run, oldest first. */
  async list(): Promise<ImportInfo[]> {
    return sourceRows(this.#writer.statements)
      .imports()
      .map(({ id, sourceId, fileName, fileSha256, fileBytes, startedAt, finishedAt, counts }) => ({
        id,
        sourceId,
        ...(fileName !== null && {
          file: { name: fileName, sha256: fileSha256 ?? '', bytes: fileBytes ?? 0 },
        }),
        startedAt,
        ...(finishedAt !== null && { finishedAt }),
        counts: JSON.parse(counts) as Record<string, number>,
      }))
  }
}
