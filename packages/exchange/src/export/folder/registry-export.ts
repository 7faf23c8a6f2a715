import { Worker } from 'node:worker_threads'
import { RegistryError, type Registry } from '@openfountain/core'
import { isOnServer } from '@openfountain/core/internal'
import { LicenceConflict } from '../../licences/clearance.ts'
import {
  drafted,
  type ExportReport,
  type RegistryExportOptions,
  writeExport,
  type WrittenExport,
} from '../export.ts'
import type { ExportMessage, ExportTask } from './export-worker.ts'
import type { Progress } from './publish.ts'
import { dayState, timeOfStates } from './state.ts'

/**
 * Writes a consistent view of a registry as files. A database in a file is read by a worker thread on a
 * connection of its own, while others read and write; one in memory, or the copy of one on a server, is read in this thread.
 *
 * @throws {LicenceConflict} when the records may not be published together under the licence
 * @throws {RegistryError} INVALID_INPUT for an unknown format or permitted name, a bad choice, time or since; CHAIN_BROKEN when
 * since names an entry that the log does not have
 * @example
 * const { folder, files } = await exportRegistry(registry, { out: 'public/data' })
 */
export async function exportRegistry(
  registry: Registry,
  options: RegistryExportOptions,
): Promise<ExportReport> {
  const { name, author, license, database, rules, properties } = registry
  const publisher = { name, author, license, properties }
  const { out: _out, dated: _dated, now: _now, onProgress, signal, asOf: given, ...rest } = options
  const { downloads, earlier, ...content } = rest
  signal?.throwIfAborted()
  const asOf = await timeOfStates(registry, given)
  const daily =
    downloads === 'daily' ? { from: await dayState(registry, { ...content, asOf }), earlier } : undefined
  if (database === ':memory:' || isOnServer(database)) {
    const snapshot = await registry.snapshot({ asOf })
    const stoppable = (progress: Progress) => {
      onProgress?.(progress)
      signal?.throwIfAborted()
    }
    try {
      return await drafted(options, (path) =>
        writeExport(snapshot, publisher, path, content, stoppable, daily),
      )
    } finally {
      snapshot.close()
    }
  }
  return drafted(options, (path) =>
    inWorker({ database, rules, publisher, path, asOf, content, daily }, onProgress, signal),
  )
}

/** The worker's file is beside this one, as source or built. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const workerFile = new URL(`export-worker.${extension}`, import.meta.url)

function inWorker(
  task: ExportTask,
  onProgress: ((progress: Progress) => void) | undefined,
  signal: AbortSignal | undefined,
): Promise<WrittenExport> {
  const worker = new Worker(workerFile, {
    workerData: task,
    // Rows are short-lived: a small young generation suffices, and a bounded heap is collected before it grows.
    resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 },
    // With this condition sources import the sources of the other packages.
    execArgv: extension === 'ts' ? ['--conditions=openfountain-source'] : [],
  })
  const { promise, resolve, reject } = Promise.withResolvers<WrittenExport>()
  const stop = () => void worker.terminate()
  signal?.addEventListener('abort', stop, { once: true })
  worker.on('message', (message: ExportMessage) => {
    if ('progress' in message) onProgress?.(message.progress)
    else resolve(message.written)
  })
  worker.on('error', (error) => reject(inItsClass(error)))
  worker.on('exit', (code) => {
    const early = new Error(`The export's thread ended early with exit code ${code}`)
    reject(signal?.aborted ? signal.reason : early)
  })
  return promise.finally(() => signal?.removeEventListener('abort', stop))
}

/** An error of a thread in its class again, which it loses on the way. */
function inItsClass(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error.name === 'LicenceConflict') {
    const { license, obstacles, origins } = error as LicenceConflict
    return new LicenceConflict(license, obstacles, origins)
  }
  if (error.name !== 'RegistryError') return error
  const { code, message, details } = error as RegistryError
  return new RegistryError(code, message, details)
}
