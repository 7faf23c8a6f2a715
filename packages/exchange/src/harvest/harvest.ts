import { type Registry, RegistryError } from '@openfountain/core'
import type { HarvestReason } from '@openfountain/core/fields'
import {
  FetchRefused,
  type FetchRefusalCode,
  type Acceptance,
  type HarvestResult,
  type ImportConcern,
  type Schedule,
  type StoredHarvest,
} from '@openfountain/core/internal'
import { harvesting } from '@openfountain/core/rules'
import { measured } from '../export/folder/written.ts'
import { fetchFile, type FetchFileOptions } from '../fetching/fetched-file.ts'
import { importFile } from '../import/import-file.ts'
import { ImportRefused, quotable } from '../import/read/refusal.ts'
import type { ImportProgress, ImportReport } from '../import/report.ts'
import { readyMaps } from '../import/understand/ready-maps.ts'
import { harvestOptions, secretHeaders, type HarvestOptions } from './options.ts'

export interface HarvestRun extends Pick<FetchFileOptions, 'pause' | 'onRedirect' | 'idleSeconds'> {
  /** The environment, with the values of secret headers. Default none. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Concerns for which it does not stop, as of `importFile`. Default none. */
  readonly accept?: readonly Acceptance[] | undefined
  /** Whether unchanged data is fetched and imported, too. Default false. */
  readonly anew?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Concerns in the words of the caller. Default their codes with their facts. */
  readonly worded?: ((concern: ImportConcern) => string) | undefined
  readonly onProgress?:
    | ((step: 'fetching' | ImportProgress['phase'], done: number, total?: number) => void)
    | undefined
}

/** A recorded harvest; `report` is of its import, or of a stopped one. */
export interface Harvested extends StoredHarvest {
  readonly report?: ImportReport | undefined
}

const reasons: { readonly [Code in FetchRefusalCode]: HarvestReason } = {
  UNREACHABLE: 'unreachable',
  TOO_SLOW: 'unreachable',
  STATUS: 'answer',
  ADDRESS: 'address',
  CREDENTIALS: 'address',
  SECRET: 'address',
  SCHEME: 'address',
  PRIVATE: 'address',
  REDIRECTS: 'address',
  ELSEWHERE: 'address',
  TOO_LARGE: 'size',
  PAGES: 'size',
  NO_PAGE: 'pages',
  REPEATED: 'pages',
  NO_RANGES: 'pages',
  CHANGED: 'pages',
  NO_SECRET: 'secret',
}

const mostCharacters = 500

/** A ready map by its name, or the map itself. @throws ImportRefused MAP */
async function mapOf({ map }: HarvestOptions): Promise<HarvestOptions['map']> {
  if (typeof map !== 'string') return map
  const found = (await readyMaps()).find(({ name }) => name === map)
  if (found !== undefined) return found.path
  throw new ImportRefused({ code: 'MAP' }, `There is no ready map ${quotable(map)}.`)
}

const rowsOf = ({ counts }: ImportReport) => ({
  read: counts.rows,
  added: counts.created,
  changed: counts.updated,
  missing: counts.missing + counts.removed,
  refused: counts.refused,
})

/** Whether no validators are sent, since a host may be wrong about changes. */
function isWholeDue({ wholeAt, leasedAt = '' }: Schedule): boolean {
  const age = Date.parse(leasedAt) - Date.parse(wholeAt ?? '')
  return !(age < harvesting.wholeDays * 24 * 3600 * 1000)
}

interface Attempt extends HarvestResult {
  readonly report?: ImportReport | undefined
}

function failureOf(error: unknown, { worded }: HarvestRun): Attempt | undefined {
  const failed = (reason: HarvestReason, message: string, more: Partial<Attempt> = {}): Attempt => ({
    outcome: 'failed',
    reason,
    message: quotable(message).slice(0, mostCharacters),
    ...more,
  })
  if (error instanceof FetchRefused) {
    const { refusal } = error
    const status = refusal.code === 'STATUS' ? { status: refusal.status } : {}
    return failed(reasons[refusal.code], error.message, status)
  }
  if (error instanceof ImportRefused) return failed('file', error.message, { status: 200 })
  if (!(error instanceof RegistryError) || error.code === 'STORAGE_UNAVAILABLE') return undefined
  if (error.code !== 'NOT_ACCEPTED') return failed('registry', error.message)
  const { concerns } = error.details
  const report = error.details['report'] as ImportReport | undefined
  const words = worded ?? (({ accept: _accept, ...facts }: ImportConcern) => JSON.stringify(facts))
  return failed(concerns[0]?.accept ?? 'partial', concerns.map(words).join('; '), {
    outcome: 'stopped',
    status: 200,
    report,
    ...(report !== undefined && { rows: rowsOf(report) }),
  })
}

/**
 * Fetches and imports a source from its address, unless the host says, or its bytes tell, that nothing changed, and records what
 * came of it. While it runs, nobody else harvests the source. An interrupted import is continued where the file is the same.
 *
 * @throws RegistryError NOT_FOUND, CONFLICT `{ state: 'harvesting' }` while another one harvests it; INVALID_INPUT for a
 * schedule of a newer program; the signal's reason
 */
export async function harvestSource(
  registry: Registry,
  sourceId: number,
  options: HarvestRun = {},
): Promise<Harvested> {
  const running = await registry.harvests.begin(sourceId)
  const lost = new AbortController()
  const signal = AbortSignal.any([lost.signal, ...(options.signal === undefined ? [] : [options.signal])])
  const renewing = setInterval(
    () => running.renew().catch((error: unknown) => lost.abort(error)),
    (harvesting.leaseMinutes * 60_000) / 4,
  ).unref()
  let attempt: Attempt
  try {
    attempt = await attempted(registry, running.schedule, { ...options, signal }).catch((error: unknown) => {
      lost.signal.throwIfAborted()
      if (options.signal?.aborted === true) return { outcome: 'failed', reason: 'interrupted' } as const
      const failure = failureOf(error, options)
      if (failure === undefined) throw error
      return failure
    })
  } finally {
    clearInterval(renewing)
  }
  const { report, ...result } = attempt
  const harvested = await running.end(result)
  options.signal?.throwIfAborted()
  return { ...harvested, report }
}

async function attempted(registry: Registry, schedule: Schedule, options: HarvestRun): Promise<Attempt> {
  const { accept, anew = false, env = {}, signal, onProgress, pause, onRedirect, idleSeconds } = options
  const source = await registry.sources.get(schedule.id)
  const { allowPrivate, megabytes, headers, map: _map, ...reading } = harvestOptions(schedule.options)
  const { etag, lastModified } = schedule
  await using fetched = await fetchFile(schedule.url, {
    allowPrivate,
    ...(megabytes !== undefined && { maxBytes: megabytes * 1e6 }),
    secretHeaders: secretHeaders(headers, env),
    ...(!anew && !isWholeDue(schedule) && { known: { etag, lastModified } }),
    signal,
    pause,
    onRedirect,
    idleSeconds,
    onProgress: ({ bytes }) => onProgress?.('fetching', bytes),
  })
  if (fetched === undefined) return { outcome: 'unchanged', status: 304 }
  const { file, url, partial } = fetched
  const { sha256 } = await measured('', file)
  const answer = { etag: fetched.etag, lastModified: fetched.lastModified, sha256 }
  const { origin, pathname } = new URL(url)
  const location = url === schedule.url ? undefined : `${origin}${pathname}`
  if (!anew && sha256 === schedule.sha256) return { outcome: 'unchanged', status: 200, location, answer }
  const { name, license, url: page, attribution } = source
  const map = await mapOf(schedule.options as HarvestOptions)
  const importing = (resume: boolean) =>
    importFile(registry, {
      ...reading,
      file,
      map,
      source: { name, license, url: page, attribution },
      accept,
      partial,
      resume,
      signal,
      onProgress: ({ phase, rows, total }) => onProgress?.(phase, rows, total),
    })
  const last = (await registry.imports.list()).findLast((each) => each.sourceId === schedule.id)
  const isOpen = last !== undefined && last.finishedAt === undefined
  const report = await importing(isOpen).catch((error: unknown) => {
    const isOther = isOpen && error instanceof ImportRefused && error.code === 'NOTHING_TO_RESUME'
    if (isOther) return importing(false)
    throw error
  })
  const message = lackingIn(report)
  return { outcome: 'imported', status: 200, location, answer, rows: rowsOf(report), message, report }
}

function lackingIn({ notes }: ImportReport): string | undefined {
  const columns = notes.flatMap((note) => (note.code === 'COLUMNS_LACKING' ? note.columns : []))
  const named = columns.map((column) => JSON.stringify(column)).join(', ')
  return columns.length === 0 ? undefined : quotable(`the map names ${named}, which the file lacks`)
}
