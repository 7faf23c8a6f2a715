import { createHash } from 'node:crypto'
import { RegistryError } from '../../errors.ts'
import type { Value } from '../value.ts'
import type { CopyOptions, CopyResult } from './copy-options.ts'
import { LogOfLines } from './log-of-lines.ts'
import { countLines, lastLineOf, pagesOf, rowOf } from './lines.ts'
import { copiedTables, type CopiedTable } from '../tables.ts'

/** Which data a registry has: its line of history, and the number of writes to it. */
export interface Moment {
  readonly origin: string
  readonly revision: number
}

export type OnProgress = (done: number, total: number) => void

/** What is copied: a registry at one moment, whatever is written meanwhile. */
export interface CopySource {
  readonly moment: Moment
  /** The number of rows of a table. */
  count(table: CopiedTable): Promise<number>
  /** The rows of a table as lines, ordered by its key, in pieces that may end anywhere. @param after a key */
  lines(table: CopiedTable, after?: readonly Value[]): AsyncIterable<Buffer>
  /** The names of tables that belong to a program which embeds the registry. */
  hostTables(): Promise<readonly string[]>
  /** Verifies the log, where the engine can. @returns problems */
  verifyLog?(onProgress: OnProgress): Promise<readonly string[]>
  close(): Promise<void>
}

/** How far a table has been copied: the key of its newest row there. */
export interface Reached {
  readonly key: readonly Value[]
  readonly rows: number
}

/** Where a copy comes to be. It is no registry before it is published. */
export interface CopyTarget {
  /** How far an interrupted copy of the same moment came, by table. */
  readonly reached: ReadonlyMap<string, Reached>
  /** Adds whole lines to a table, and notes in the same transaction how far it is. */
  add(table: CopiedTable, page: Buffer, reached: Reached): Promise<void>
  /** Makes what is made once all rows are there: indexes, and what guards the tables. */
  finish(onProgress: OnProgress): Promise<void>
  lines(table: CopiedTable): AsyncIterable<Buffer>
  verifyLog?(onProgress: OnProgress): Promise<readonly string[]>
  /** Makes the finished copy a registry. */
  publish(): Promise<void>
  /** Leaves an unpublished copy to be continued. */
  close(): Promise<void>
}

const usualPageBytes = 4_000_000

const sum = (numbers: Iterable<number>): number => {
  let total = 0
  for (const each of numbers) total += each
  return total
}

/** The number of lines, and what no other lines have. */
class Digest {
  readonly #hash = createHash('sha256')
  #lines = 0

  add(piece: Buffer): void {
    this.#hash.update(piece)
    this.#lines += countLines(piece)
  }

  get value(): string {
    return `${this.#lines} ${this.#hash.copy().digest('hex')}`
  }
}

async function digestOf(
  pieces: AsyncIterable<Buffer>,
  onLines: (lines: number) => void,
  signal: AbortSignal | undefined,
): Promise<string> {
  const digest = new Digest()
  for await (const piece of pieces) {
    signal?.throwIfAborted()
    digest.add(piece)
    onLines(countLines(piece))
  }
  return digest.value
}

/** The rows that were copied. */
interface Copied {
  /** Their number by table. */
  readonly rows: Readonly<Record<string, number>>
  readonly total: number
  /** Digests of the tables that were copied from their first row on. */
  readonly digests: ReadonlyMap<string, string>
}

/** Copies the rows of all tables. The copy is neither finished nor verified. */
export async function copyRows(
  source: CopySource,
  target: CopyTarget,
  { onProgress, signal, pageBytes = usualPageBytes }: CopyOptions = {},
): Promise<Copied> {
  const counts: Record<string, number> = {}
  for (const table of copiedTables) counts[table.name] = await source.count(table)
  const total = sum(Object.values(counts))
  const digests = new Map<string, string>()
  let done = sum([...target.reached.values()].map(({ rows }) => rows))
  for (const table of copiedTables) {
    const before = target.reached.get(table.name)
    const digest = new Digest()
    let rows = before?.rows ?? 0
    let adding = Promise.resolve()
    try {
      for await (const page of pagesOf(source.lines(table, before?.key), pageBytes)) {
        signal?.throwIfAborted()
        digest.add(page)
        const lines = countLines(page)
        rows += lines
        const key = rowOf(table, lastLineOf(page)).slice(0, table.key.length)
        await adding
        done += lines
        // The next page is read while the engine takes this one.
        adding = target.add(table, page, { key, rows })
        adding.catch(() => undefined)
        onProgress?.('rows', done, total)
      }
    } finally {
      await adding
    }
    if (before === undefined) digests.set(table.name, digest.value)
  }
  return { rows: counts, total, digests }
}

/** Verifying a log, which may have begun before its progress is shown. */
class LogVerification {
  onProgress: OnProgress = () => {}
  readonly problems: Promise<readonly string[]>

  constructor(verifyLog: (onProgress: OnProgress) => Promise<readonly string[]>) {
    this.problems = verifyLog((done, total) => this.onProgress(done, total))
    this.problems.catch(() => undefined)
  }
}

/**
 * Finishes a copy, and finds out whether its rows are those of the source and their log verifies.
 *
 * @returns problems
 */
async function finished(
  source: CopySource,
  target: CopyTarget,
  { digests, total }: Copied,
  { onProgress, signal }: CopyOptions,
): Promise<readonly string[]> {
  const inSource = target.verifyLog === undefined && source.verifyLog?.bind(source)
  // A server makes its indexes while this process verifies.
  const early = inSource ? new LogVerification(inSource) : undefined
  await target.finish((done, all) => onProgress?.('indexes', done, all))
  signal?.throwIfAborted()
  const problems: string[] = []
  const log = new LogOfLines()
  const inTarget = target.verifyLog?.bind(target)
  const isWatched = early === undefined && inTarget === undefined
  let done = 0
  const step = (lines: number): void => {
    done += lines
    onProgress?.('verification', Math.min(done, total), isWatched ? total : total * 2)
  }
  for (const table of copiedTables) {
    const pieces = target.lines(table)
    const isLog = isWatched && table.name === 'entries'
    const there = await digestOf(isLog ? log.watched(table, pieces) : pieces, step, signal)
    const here = digests.get(table.name) ?? (await digestOf(source.lines(table), () => {}, signal))
    if (here !== there) problems.push(`the rows of ${table.name} in the copy are not those of the registry`)
  }
  if (problems.length > 0) return problems
  if (isWatched) return log.problems(await stateOf(target))
  const verification = early ?? (inTarget && new LogVerification(inTarget))
  if (verification === undefined) return problems
  verification.onProgress = (part, all) =>
    onProgress?.('verification', total + Math.floor((total * part) / Math.max(all, 1)), total * 2)
  return verification.problems
}

async function stateOf(target: CopyTarget): Promise<ReadonlyMap<string, Value>> {
  const [table] = copiedTables.slice(-1)
  if (table === undefined) throw new Error('there are no tables to copy')
  for await (const page of pagesOf(target.lines(table), usualPageBytes)) {
    const row = rowOf(table, lastLineOf(page))
    return new Map(table.columns.map(({ name }, index) => [name, row[index] ?? null]))
  }
  throw new Error('the row of the table state is missing')
}

/**
 * Copies a registry row by row, verifies the copy and publishes it. Closes neither.
 *
 * @throws RegistryError STORAGE_CORRUPT with `problems` when the copy is not what it should be, or the log that was copied
 * does not verify; whatever the engines throw; the signal's reason
 */
export async function copyTables(
  source: CopySource,
  target: CopyTarget,
  options: CopyOptions = {},
): Promise<CopyResult> {
  const { signal } = options
  const copied = await copyRows(source, target, options)
  signal?.throwIfAborted()
  const problems = await finished(source, target, copied, options)
  if (problems.length > 0)
    throw new RegistryError('STORAGE_CORRUPT', `The copy does not verify: ${problems[0] ?? ''}`, { problems })
  signal?.throwIfAborted()
  await target.publish()
  const continued = sum([...target.reached.values()].map((before) => before.rows))
  return { rows: copied.rows, continued, left: await source.hostTables() }
}
