import type { Writer } from './writer.ts'
import type { ImportFile, ImportOptions } from './import/options.ts'
import { ImportRun } from './import/run.ts'
import { mergedIndexes } from './store/sqlite/search/index.ts'
import { sourceRows } from './store/sqlite/nouns/source-records.ts'
import { yieldToEventLoop } from './event-loop.ts'

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
  readonly #writer: Writer

  /** @internal Created by the registry. */
  constructor(writer: Writer) {
    this.#writer = writer
  }

  /**
   * Starts a run, or continues an interrupted one. Nothing is written before the first batch is applied.
   *
   * @throws RegistryError INVALID_INPUT for a source without name or licence
   */
  start(options: ImportOptions): ImportRun {
    return new ImportRun(this.#writer, options)
  }

  /**
   * Merges the segments that imports left in the search index, which makes searches faster. It works in short steps
   * and yields to the event loop between them. `importFile` calls it when an import added a tenth of the registry, or
   * 100,000 waypoints.
   *
   * @param signal stops it between two steps; merged segments stay merged
   */
  async merge(signal?: AbortSignal): Promise<void> {
    const step = (index: (typeof mergedIndexes)[number], isFirst: boolean): boolean =>
      this.#writer.transact(({ write, noChange }) => {
        noChange()
        return write.search.merge(index, isFirst)
      })
    for (const index of mergedIndexes) {
      let isFirst = true
      while (step(index, isFirst)) {
        if (signal?.aborted === true) return
        isFirst = false
        await yieldToEventLoop()
      }
    }
  }

  /** All runs, oldest first. */
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
