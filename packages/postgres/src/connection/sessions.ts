import { setTimeout as wait } from 'node:timers/promises'
import { RegistryError } from '@openfountain/core/engine'
import { isTransient, openingError, type Refusal, SessionLost, storageError } from './failure.ts'
import { Session, type Purpose } from './session.ts'
import type { Settings } from './settings.ts'
import type { Planning, Queries, Value } from './statement.ts'

/**
 * The number of sessions shared by the reads of a process. Queries planned for their values, such as a search, may take
 * a hundred times as long; they have sessions of their own, so that the others do not wait.
 */
const readers = { short: 2, long: 2 }
/** A standby that takes over needs some seconds. */
const usualPatience = 10_000
/** How long between two tries, in milliseconds. */
const pause = 100

export interface SessionOptions {
  /** `full`: a write is acknowledged once the server, and standbys that are synchronous, have it on disk. */
  readonly durability?: 'full' | 'relaxed' | undefined
  /** How long it is tried again when the server is lost, and erasing waits for others, in milliseconds. Default 10,000. */
  readonly patience?: number | undefined
  /** How long a statement may take before its connection counts as lost, in milliseconds. Default 15,000. */
  readonly answerTimeout?: number | undefined
}

/** A session that is opened when it is first needed, and again when it was lost. */
class Slot {
  waiting = 0
  readonly #open: () => Promise<Session>
  #session: Session | undefined
  #opening: Promise<Session> | undefined

  constructor(open: () => Promise<Session>) {
    this.#open = open
  }

  get(): Promise<Session> {
    if (this.#session?.isOpen === true) return Promise.resolve(this.#session)
    this.#opening ??= this.#opened().finally(() => (this.#opening = undefined))
    return this.#opening
  }

  async #opened(): Promise<Session> {
    this.#session = await this.#open()
    return this.#session
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined)
    await this.#session?.close()
  }
}

/** The sessions of a process: shared ones for its reads, one for its writes, and others for long work. */
export class Sessions implements Queries {
  /** How long it is tried again when the server is lost, and waited for others, in milliseconds. */
  readonly patience: number
  readonly #settings: Settings
  readonly #options: SessionOptions
  readonly #readers: { readonly short: readonly Slot[]; readonly long: readonly Slot[] }
  readonly #writer: Slot
  #isClosed = false
  #found = 0
  #refusals: readonly Refusal[] = []

  constructor(settings: Settings, options: SessionOptions = {}) {
    this.#settings = settings
    this.#options = options
    this.patience = options.patience ?? usualPatience
    const slots = (length: number): Slot[] => Array.from({ length }, () => new Slot(() => this.open('read')))
    this.#readers = { short: slots(readers.short), long: slots(readers.long) }
    this.#writer = new Slot(() => this.open('write'))
  }

  /**
   * Opens a session of its own on the first host whose server matches the settings.
   *
   * @throws SessionLost when there is none at the moment; RegistryError for errors that waiting does not resolve
   */
  async open(purpose: Purpose): Promise<Session> {
    const { hosts } = this.#settings
    const refusals: Refusal[] = []
    for (let tried = 0; tried < hosts.length; tried++) {
      if (this.#isClosed) break
      const at = (this.#found + tried) % hosts.length
      const host = hosts[at]
      if (host === undefined) continue
      try {
        const session = await Session.open(host, this.#settings, { purpose, ...this.#options })
        this.#found = at
        return session
      } catch (error) {
        refusals.push({ host, error })
        if (isFinal(error)) break
      }
    }
    this.#refusals = refusals
    throw refusals.at(-1)?.error ?? closed()
  }

  refusal(error: unknown): unknown {
    return openingError(error, this.#settings, this.#refusals)
  }

  /**
   * Reads on one of the shared sessions. When that is lost, or a migration is in the way, it is tried again for a while: to
   * read twice changes nothing.
   *
   * @throws RegistryError STORAGE_UNAVAILABLE, STORAGE_BUSY, STORAGE_MISSING, STORAGE_CORRUPT
   */
  async query<Row>(text: string, values?: readonly Value[], planning?: Planning): Promise<Row[]> {
    const slots = this.#readers[planning?.forValues === true ? 'long' : 'short']
    const reader = slots.reduce((one, other) => (other.waiting < one.waiting ? other : one))
    reader.waiting += 1
    try {
      return await this.patiently(
        async () => (await reader.get()).query<Row>(text, values, planning),
        mayRepeat,
      )
    } finally {
      reader.waiting -= 1
    }
  }

  /** Works on a session of its own, which is opened patiently and closed afterwards. @throws as `open` */
  async during<Result>(purpose: Purpose, work: (session: Session) => Promise<Result>): Promise<Result> {
    const session = await this.patiently(() => this.open(purpose))
    try {
      return await work(session)
    } finally {
      await session.close()
    }
  }

  /** The session for this process's writes, which wait for each other. @throws as `open` */
  writer(): Promise<Session> {
    return this.#writer.get()
  }

  /**
   * Runs the work, and repeats it for some seconds when a session is lost.
   *
   * @param mayRepeat whether the work may be done again after an error
   * @throws RegistryError for refusals by the server, and errors of the work
   */
  async patiently<Result>(
    work: () => Promise<Result>,
    mayRepeat: (error: unknown) => boolean = (error) => error instanceof SessionLost,
  ): Promise<Result> {
    const until = performance.now() + this.patience
    for (;;) {
      try {
        if (this.#isClosed) throw closed()
        return await work()
      } catch (error) {
        if (!mayRepeat(error) || isFinal(error) || performance.now() > until) throw storageError(error)
        if (error instanceof SessionLost) await wait(pause)
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(
      [...this.#readers.short, ...this.#readers.long, this.#writer].map((slot) => slot.close()),
    )
  }
}

/** Whether waiting is useless: the server refuses the login, or has no such database. */
function isFinal(error: unknown): boolean {
  if (error instanceof RegistryError) return true
  const cause = error instanceof SessionLost ? error.cause : error
  return cause instanceof Error && 'code' in cause && /^(?:28...|3D000|EACCES)$/.test(String(cause.code))
}

/** Whether a read may be made again, or a migration, which is one transaction. */
export const mayRepeat = (error: unknown): boolean => error instanceof SessionLost || isTransient(error)

const closed = (): RegistryError => new RegistryError('REGISTRY_CLOSED')
