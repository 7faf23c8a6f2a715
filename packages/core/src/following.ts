import { invalidBecause, RegistryError, type ErrorCode } from './errors.ts'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { loggedEntry, type Head, type LoggedEntry } from './log/entry.ts'
import { knownOptions } from './schemas/parse.ts'
import type { Commits } from './store/write-queue.ts'
import type { Reads } from './store/reads.ts'

export interface FollowOptions {
  /** The id of the last known entry; 0 for the whole log. Default the newest: only new entries. */
  readonly after?: number | undefined
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal | undefined
  /** How often to look for writes of other processes, in milliseconds. Default 1,000. */
  readonly everyMilliseconds?: number | undefined
}

const pageSize = 1000
const usualDelay = 1000
/** The longest delay that a timer of Node can have. */
const longestDelay = 2 ** 31 - 1

/** @internal */
interface Followed {
  readonly entries: Pick<Reads['entries'], 'head' | 'after'>
  readonly commits: Commits
}

/**
 * Entries of the log as they come, in order and each once. With `keepsAlive` the process lives as long.
 *
 * @throws RegistryError INVALID_INPUT
 * @internal
 */
export async function* follow(
  { entries, commits }: Followed,
  options: FollowOptions,
  keepsAlive = true,
): AsyncGenerator<LoggedEntry, void> {
  const {
    after,
    signal,
    everyMilliseconds = usualDelay,
  } = knownOptions(options, ['after', 'signal', 'everyMilliseconds'])
  mustBeOptions(after, everyMilliseconds)
  const { id: newest } = await entries.head()
  if (after !== undefined && after > newest)
    throw invalidBecause(
      'after',
      `the log ends at entry ${newest}: an older backup was restored, or this is another registry; begin again`,
    )
  const isOver = () => commits.isClosed || signal?.aborted === true
  const end = commits.follow()
  try {
    for (let from = after ?? newest; !isOver();) {
      const { count } = commits
      const page = await entries.after(from, pageSize)
      for (const entry of page) {
        if (isOver()) return
        from = entry.id
        yield loggedEntry(entry)
      }
      if (page.length === pageSize) await yieldToEventLoop()
      else if (commits.count === count && !isOver())
        await next(commits, everyMilliseconds, keepsAlive, signal)
    }
  } catch (error) {
    // The database may have been closed while it was read.
    if (!isOver()) throw error
  } finally {
    end()
  }
}

/** Calls a function with each entry from now on, or after one. @returns what ends it @internal */
export function listen(
  followed: Followed,
  listener: (entry: LoggedEntry) => void,
  options: Pick<FollowOptions, 'after'> = {},
): () => void {
  const { after } = knownOptions(options, ['after'])
  mustBeOptions(after, usualDelay)
  const ending = new AbortController()
  const start =
    after === undefined
      ? followed.commits.hold(Promise.resolve(followed.entries.head()))
      : Promise.resolve({ id: after })
  void listening(followed, start, listener, ending.signal)
  return () => ending.abort()
}

async function listening(
  followed: Followed,
  start: Promise<Pick<Head, 'id'>>,
  listener: (entry: LoggedEntry) => void,
  signal: AbortSignal,
): Promise<void> {
  let { id: after } = await start
  while (!signal.aborted && !followed.commits.isClosed) {
    try {
      for await (const entry of follow(followed, { after, signal }, false)) {
        after = entry.id
        called(listener, entry)
      }
    } catch (error) {
      // A server that cannot be reached for a while has not lost anything.
      if (!(error instanceof RegistryError && passing.has(error.code))) throw error
      await next(followed.commits, usualDelay, false, signal)
    }
  }
}

const passing: ReadonlySet<ErrorCode> = new Set(['STORAGE_UNAVAILABLE', 'STORAGE_BUSY'])

/** An error of a listener becomes an uncaught exception, as with any event; the next entry follows all the same. */
function called(listener: (entry: LoggedEntry) => void, entry: LoggedEntry): void {
  try {
    listener(entry)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

function mustBeOptions(after: number | undefined, everyMilliseconds: number): void {
  if (after !== undefined && !(Number.isSafeInteger(after) && after >= 0))
    throw invalidBecause('after', 'must be a whole number of at least 0')
  if (!(everyMilliseconds >= 1 && everyMilliseconds <= longestDelay))
    throw invalidBecause('everyMilliseconds', `must be 1 to ${longestDelay}`)
}

/** Waits for a write of this process, for the time to look for writes of others, or for the end. */
function next(
  commits: Commits,
  milliseconds: number,
  keepsAlive: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stop()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    if (!keepsAlive) timer.unref()
    const stop = commits.onNext(done)
    signal?.addEventListener('abort', done, { once: true })
  })
}
