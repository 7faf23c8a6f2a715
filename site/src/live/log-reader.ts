import { getJson } from './asking.ts'
import { type LiveEntry, type LogPage, pageSize, readPage } from './entries.ts'

export interface LogReaderOptions {
  /** Address of the API without a slash at its end. */
  readonly api: string
  /** The start: the newest known entry; absent for the server's current one. */
  readonly head?: { readonly id: number; readonly hash: string }
  /** Takes entries of all kinds in order. After an error they are read again. */
  onEntries(entries: readonly LiveEntry[], signal: AbortSignal): void | Promise<void>
  /** There was a write that is not in the log, or may have been before the first reading. */
  onUnlogged?(): void
  /** There are too many entries to catch up; only new ones follow. */
  onTooMany?(): void
  /** The server has another log now; earlier entries are invalid. */
  onAnother?(): void
}

/** Most entries that are read to catch up: some 3 MB over the network. */
export const mostToCatchUp = 20_000

/** Most entries that are taken while a page is open: their changes are kept in memory. */
const mostTaken = 100_000

/** Follows the log of a server from the entry of the build. */
export class LogReader {
  readonly #options: LogReaderOptions
  #after: number | undefined
  #origin: string | undefined
  #taken = 0
  /** Entity tag of the newest page: every write changes it. */
  #tag: string | undefined
  /** Whether the log was compared with that of the build. */
  #isCompared = false

  constructor(options: LogReaderOptions) {
    this.#options = options
    this.#after = options.head?.id
  }

  /** Reads all pages of new entries. @throws the errors of a request, and Error when a response is not valid */
  async read(signal: AbortSignal): Promise<void> {
    for (let pages = 0; pages <= mostToCatchUp / pageSize; pages += 1) {
      if (this.#taken >= mostTaken) return
      const after = this.#after ?? Number.MAX_SAFE_INTEGER
      const before = this.#tag
      const page = await this.#page(after, signal)
      if (page.entries.length === 0 && (before === undefined || before !== this.#tag))
        this.#options.onUnlogged?.()
      if (this.#origin !== undefined && this.#origin !== page.origin) return this.#forget()
      this.#origin = page.origin
      if (this.#after === undefined) {
        this.#after = page.head.id
        return
      }
      if (page.head.id < after || !this.#isOurs(page)) return
      if (page.head.id - after > mostToCatchUp) {
        this.#after = page.head.id
        return this.#options.onTooMany?.()
      }
      const last = page.entries.at(-1)
      if (!last) return
      await this.#options.onEntries(page.entries, signal)
      this.#after = last.id
      this.#taken += page.entries.length
      if (this.#taken >= mostTaken) this.#options.onTooMany?.()
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

  async #page(after: number, signal: AbortSignal): Promise<LogPage> {
    const { json, tag } = await getJson(
      `${this.#options.api}/changes?after=${after}&limit=${pageSize}`,
      signal,
    )
    this.#tag = tag
    return readPage(json, after)
  }
}
