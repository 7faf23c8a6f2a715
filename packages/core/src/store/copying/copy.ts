import { createHash } from 'node:crypto'
import { RegistryError } from '../../errors.ts'
import { copiedTables, type CopiedTable } from '../tables.ts'
import type { CopyOptions, CopyResult } from './copy-options.ts'
import { countLines, LogOfLines } from './lines.ts'

export type OnProgress = (done: number, total: number) => void

/** The source of a copy: a registry at one moment, without later writes. */
export interface CopySource {
  count(table: CopiedTable): Promise<number>
  pages(table: CopiedTable): AsyncIterable<Buffer>
  hostTables(): Promise<readonly string[]>
  close(): Promise<void>
}

/** Where a copy comes to be. It is no registry before it is published. */
export interface CopyTarget {
  fill(table: CopiedTable, pages: AsyncIterable<Buffer>): Promise<void>
  /** Makes indexes and the tables' triggers, once all rows are there. */
  finish(onProgress: OnProgress): Promise<void>
  pages(table: CopiedTable): AsyncIterable<Buffer>
  publish(): Promise<void>
  close(): Promise<void>
}

class Digest {
  readonly #hash = createHash('sha256')
  rows = 0

  add(page: Buffer): void {
    this.#hash.update(page)
    this.rows += countLines(page)
  }

  get value(): string {
    return `${this.rows} ${this.#hash.copy().digest('hex')}`
  }
}

async function* digested(
  pages: AsyncIterable<Buffer>,
  digest: Digest,
  signal: AbortSignal | undefined,
  onRows: (rows: number) => void,
): AsyncGenerator<Buffer> {
  for await (const page of pages) {
    signal?.throwIfAborted()
    const before = digest.rows
    digest.add(page)
    onRows(digest.rows - before)
    yield page
  }
}

interface Copied {
  readonly rows: Readonly<Record<string, number>>
  readonly total: number
  readonly digests: ReadonlyMap<string, string>
}

/** Copies the rows of all tables. The copy is neither finished nor verified. */
export async function copyRows(
  source: CopySource,
  target: CopyTarget,
  { onProgress, signal }: CopyOptions = {},
): Promise<Copied> {
  const rows: Record<string, number> = {}
  for (const table of copiedTables) rows[table.name] = await source.count(table)
  const total = Object.values(rows).reduce((one, other) => one + other)
  const digests = new Map<string, string>()
  let done = 0
  for (const table of copiedTables) {
    const digest = new Digest()
    const pages = digested(source.pages(table), digest, signal, (copied) => {
      done += copied
      onProgress?.('rows', done, total)
    })
    await target.fill(table, pages)
    digests.set(table.name, digest.value)
  }
  signal?.throwIfAborted()
  return { rows, total, digests }
}

/** Compares the copied rows with those of the source, and verifies their log. @returns problems */
async function problemsOf(
  target: CopyTarget,
  { digests, total }: Copied,
  { onProgress, signal }: CopyOptions,
): Promise<readonly string[]> {
  const problems: string[] = []
  const log = new LogOfLines()
  let done = 0
  for (const table of copiedTables) {
    const digest = new Digest()
    const pages = digested(target.pages(table), digest, signal, (read) => {
      done += read
      onProgress?.('verification', done, total)
    })
    for await (const page of pages) log.pass(table, page)
    if (digest.value !== digests.get(table.name))
      problems.push(`the rows of ${table.name} in the copy are not those of the registry`)
  }
  return [...problems, ...log.problems]
}

/** Copies a registry row by row, verifies and publishes it. @throws RegistryError STORAGE_CORRUPT with `problems`; the signal's reason */
export async function copyTables(
  source: CopySource,
  target: CopyTarget,
  options: CopyOptions = {},
): Promise<CopyResult> {
  const { onProgress, signal } = options
  const copied = await copyRows(source, target, options)
  await target.finish((done, total) => onProgress?.('indexes', done, total))
  signal?.throwIfAborted()
  const problems = await problemsOf(target, copied, options)
  if (problems.length > 0)
    throw new RegistryError('STORAGE_CORRUPT', `The copy does not verify: ${problems[0] ?? ''}`, { problems })
  signal?.throwIfAborted()
  await target.publish()
  return { rows: copied.rows, left: await source.hostTables() }
}
