import type { AnyEntry } from '../data/entry.ts'
import { ask, isId, record, type Answer } from './asking.ts'

export interface LogPage {
  readonly entries: readonly AnyEntry[]
  readonly head: { readonly id: number; readonly hash: string }
  /** Which line of history this is. */
  readonly origin: string
  /** Entity tag: every write changes it. */
  readonly tag?: string | undefined
}

/** Most entries per request; a server that sends more is not followed. */
const pageSize = 1000

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u

/** Validates an entry as far as it is used. */
function entryIn({ id, at, by, subject, subjectId, action, ...given }: Answer): AnyEntry | undefined {
  const fields = record(given['fields'])
  const { mergedInto, ...links } = record(given['links']) ?? {}
  if (!isId(id) || typeof at !== 'string' || !time.test(at) || Number.isNaN(Date.parse(at))) return undefined
  if (typeof subject !== 'string' || typeof action !== 'string' || !fields) return undefined
  if (typeof subjectId !== 'string' && !isId(subjectId)) return undefined
  const known = { ...links, ...(isId(mergedInto) && { mergedInto }) }
  return { id, at, by: String(by), subject, subjectId, action, fields, links: known }
}

/** Validates a response with a page of the log after an id. @throws {Error} */
export function readPage(given: unknown, after: number): LogPage {
  const { changes, head, origin } = record(given) ?? {}
  const { id, hash } = record(head) ?? {}
  const isPage = Array.isArray(changes) && changes.length <= pageSize && typeof origin === 'string'
  if (!isPage || typeof hash !== 'string' || typeof id !== 'number' || !Number.isSafeInteger(id))
    throw new Error('This is no page of the log')
  let last = after
  const entries = changes.map((one) => {
    const entry = entryIn(record(one) ?? {})
    if (!entry || entry.id <= last || entry.id > id) throw new Error('This is no entry of the log')
    last = entry.id
    return entry
  })
  return { entries, head: { id, hash }, origin }
}

async function pageAfter(
  api: string,
  after: number,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<LogPage> {
  const { answer, tag } = await ask(`${api}/changes?after=${after}&limit=${limit}`, signal)
  return { ...readPage(answer, after), tag }
}

/** An entry of the log; undefined when there is none with this id. @throws {Error} when it cannot be read */
export async function readEntry(
  api: string,
  id: number,
  signal?: AbortSignal,
): Promise<AnyEntry | undefined> {
  return (await pageAfter(api, id - 1, 1, signal)).entries.find((entry) => entry.id === id)
}

export interface LogReaderOptions {
  /** Address of the API without a slash at its end. */
  readonly api: string
  /** The start: the newest known entry; absent for the server's current one. */
  readonly head?: LogPage['head']
  /** Takes entries of all kinds in order. After an error they are read again. */
  onEntries(entries: readonly AnyEntry[], signal: AbortSignal): void | Promise<void>
  /** There was a write that is not in the log, or may have been before the first reading. */
  onUnlogged?(): void
  /** There are too many entries to catch up; only new ones follow. */
  onTooMany?(): void
  /** The server has another log now; earlier entries are invalid. */
  onAnother?(): void
}

/** Most entries that are read to catch up: some 3 MB over the network. */
const mostToCatchUp = 20_000

/** Most entries that are taken while a page is open: their changes are kept in memory. */
const mostTaken = 100_000

/** Follows the log of a server from the entry of the build. */
export class LogReader {
  readonly #options: LogReaderOptions
  #after: number | undefined
  #origin: string | undefined
  #taken = 0
  #tag: string | undefined
  #isCompared = false

  constructor(options: LogReaderOptions) {
    this.#options = options
    this.#after = options.head?.id
  }

  /** Reads all pages of new entries. @throws the errors of a request, and Error when a response is not valid */
  async read(signal: AbortSignal): Promise<void> {
    const { api, onEntries, onUnlogged, onTooMany } = this.#options
    for (let pages = 0; pages <= mostToCatchUp / pageSize; pages += 1) {
      if (this.#taken >= mostTaken) return
      const after = this.#after ?? Number.MAX_SAFE_INTEGER
      const before = this.#tag
      const page = await pageAfter(api, after, pageSize, signal)
      this.#tag = page.tag
      if (page.entries.length === 0 && (before === undefined || before !== page.tag)) onUnlogged?.()
      if (this.#origin !== undefined && this.#origin !== page.origin) return this.#forget()
      this.#origin = page.origin
      if (this.#after === undefined) {
        this.#after = page.head.id
        return
      }
      if (page.head.id < after || !this.#isOurs(page)) return
      if (page.head.id - after > mostToCatchUp) {
        this.#after = page.head.id
        return onTooMany?.()
      }
      const last = page.entries.at(-1)
      if (!last) return
      await onEntries(page.entries, signal)
      this.#after = last.id
      this.#taken += page.entries.length
      if (this.#taken >= mostTaken) onTooMany?.()
      if (last.id >= page.head.id) return
    }
  }

  /** Whether this is the log of the build, compared when the server is at the same entry. */
  #isOurs({ head }: LogPage): boolean {
    const built = this.#options.head
    if (this.#isCompared || built === undefined || head.id !== built.id) return true
    this.#isCompared = head.hash === built.hash
    return this.#isCompared
  }

  #forget(): void {
    this.#origin = undefined
    this.#after = this.#options.head?.id
    this.#isCompared = false
    this.#options.onAnother?.()
  }
}
