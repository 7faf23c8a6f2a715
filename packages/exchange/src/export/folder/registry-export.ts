import { Worker } from 'node:worker_threads'
import { RegistryError, type Registry } from '@openfountain/core'
import { isOnServer, invalidBecause, packageDigest, served } from '@openfountain/core/internal'
import { LicenceConflict } from '../../licences/licences.ts'
import { drafted, writeExport } from '../export.ts'
import type { ExportReport, RegistryExportOptions, WrittenExport } from '../export.ts'
import type { ExportMessage, ExportTask } from './export-worker.ts'
import { type EarlierLog, withCheckpoint } from './log.ts'
import { withPhotos } from './photos.ts'
import type { Progress } from './publish.ts'
import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

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
  const { downloads, earlier, photos: limit = 0, witnesses, ...asked } = rest
  const content = { ...asked, where: asked.where && (await served(registry).chosen(asked.where)) }
  signal?.throwIfAborted()
  const asOf = await timeOfStates(registry, given)
  const daily =
    downloads === 'daily' ? { from: await dayState(registry, { ...content, asOf }), earlier } : undefined
  const log = await earlierLog(registry, options)
  const completed = async (folder: string, written: WrittenExport) =>
    withCheckpoint(registry, folder, await withPhotos(registry, { folder, limit }, written), witnesses)
  if (database === ':memory:' || isOnServer(database)) {
    const snapshot = await registry.snapshot({ asOf })
    const stoppable = (progress: Progress) => {
      onProgress?.(progress)
      signal?.throwIfAborted()
    }
    try {
      return await drafted(options, async (folder) =>
        completed(folder, await writeExport(snapshot, publisher, folder, content, stoppable, daily, log)),
      )
    } finally {
      snapshot.close()
    }
  }
  return drafted(options, async (path) =>
    completed(
      path,
      await inWorker({ database, rules, publisher, path, asOf, content, daily, log }, onProgress, signal),
    ),
  )
}

async function earlierLog(
  { changes }: Registry,
  { out, dated, earlier }: RegistryExportOptions,
): Promise<EarlierLog | undefined> {
  if ((await changes.keys()) === undefined) return undefined
  const { origin, head, isFollowed } = await changes.checkpoint()
  const folder = earlier ?? (dated ? join(out, 'latest') : out)
  return { origin, folder, size: isFollowed ? head.id : undefined }
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
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return invalidBecause('formats', 'need too much memory at once: export parts by country or bbox')
  if (error.name === 'LicenceConflict') {
    const { license, obstacles, origins } = error as LicenceConflict
    return new LicenceConflict(license, obstacles, origins)
  }
  if (error.name !== 'RegistryError') return error
  const { code, message, details } = error as RegistryError
  return new RegistryError(code, message, details)
}

type StateOptions = Omit<RegistryExportOptions, 'out' | 'dated' | 'now'>

/** A digest that changes with every change of the result of `exportRegistry`: of registry, day, publisher, options, program. */
export async function exportState(registry: Registry, options: StateOptions): Promise<string> {
  const keys = (await registry.changes.keys()) ?? []
  return digestOf([await dayState(registry, options), await registry.version(), keys])
}

/** The same without the registry's content: a text that is another one for each day, and for other options, rules and programs. */
async function dayState(registry: Registry, options: StateOptions): Promise<string> {
  const day = await timeOfStates(registry, options.asOf)
  const { onProgress: _onProgress, signal: _signal, earlier: _earlier, asOf: _asOf, ...content } = options
  const { name, author, license, rules, properties } = registry
  const about = { name, author, license, rules, properties }
  return digestOf([day, await programDigest(), process.versions, about, content])
}

const isoTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d))?$/iu

/**
 * The time of statuses, ISO 8601 in UTC with milliseconds: the beginning of a date in UTC, by default of today.
 *
 * @throws {RegistryError} INVALID_INPUT for anything but a date or a time with its zone
 */
async function timeOfStates(registry: Registry, asOf: string | undefined): Promise<string> {
  const text = (asOf ?? (await registry.observations.today())).trim()
  const time = isoTime.test(text) ? Date.parse(text) : Number.NaN
  const day = text.slice(0, 10)
  // Days that a month does not have are days of the next one to JavaScript.
  const isDay = !Number.isNaN(time) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
  if (isDay) return new Date(time).toISOString()
  throw invalidBecause(
    'asOf',
    `${JSON.stringify(text)} is neither a date such as 2026-01-31 nor a time with its zone such as 2026-01-31T12:00:00Z`,
  )
}

const digestOf = (about: unknown): string =>
  createHash('sha256').update(JSON.stringify(about)).digest('base64url')

/** The folders with the code of this package and of the core, as sources or built. */
const ownFolder = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/u, '')
const coreFolder = dirname(fileURLToPath(import.meta.resolve('@openfountain/core')))

let ofProgram: Promise<readonly string[]> | undefined

/** Of this package and of the core, whose versions of everything else are exact. */
function programDigest(): Promise<readonly string[]> {
  ofProgram ??= Promise.all(
    [ownFolder, coreFolder].map((code) => packageDigest(dirname(code), [basename(code), 'package.json'])),
  )
  return ofProgram
}
