import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { Repeated, type Job, type RequestOnce } from '../decide/deciding.ts'
import { invalidBecause, RegistryError } from '../errors.ts'
import { timeOfWrite, type Outcome } from '../log/script.ts'
import type { AssignedPlace } from './answers.ts'
import type { Reads } from './reads.ts'
import type { MaybePromise } from './sql/query.ts'
import type { Alongside } from './host-statements.ts'
import type { Labelling } from '../places/labels.ts'
import type { PlaceLookup } from '../schemas/place.ts'

export interface BatchOptions {
  /** Whether the batch is part of a first import into an empty registry: an engine may leave indexes out until `maintain` is called. */
  readonly isFirst?: boolean | undefined
  /** Writes although the clock is far behind: the end of a secret must not wait for that. Default false. */
  readonly acceptClock?: boolean | undefined
}

interface Engine {
  /** Runs jobs in one transaction, undone by any error but a refusal. @param options of a batch; undefined for single writes */
  run(jobs: readonly Job<unknown>[], options?: BatchOptions): MaybePromise<readonly Outcome<unknown>[]>
  /** Sets the places of waypoints that are still where they were found. */
  assignPlaces(places: readonly AssignedPlace[]): MaybePromise<void>
}

/** How many waypoints a registry has at least when its first import defers indexes. */
export const manyAtFirst = 5000

/** The most writes that share one transaction: nobody waits long for it. */
const mostAtOnce = 500

interface Waiting {
  readonly job: Job<unknown>
  readonly settle: (outcome: Outcome<unknown>) => void
}

/** The current request, whose first write stores its key. */
const requests = new AsyncLocalStorage<{ readonly once: RequestOnce; isTaken: boolean }>()

export const whileRequested = <Result>(once: RequestOnce, make: () => Promise<Result>): Promise<Result> =>
  requests.run({ once, isTaken: false }, make)

/** The job with the key of the request that is being made, if it is its first. */
function withRequest<Answer>(job: Job<Answer>): Job<Answer> {
  const pending = requests.getStore()
  if (job.dryRun === true || pending === undefined || pending.isTaken) return job
  pending.isTaken = true
  return { ...job, once: pending.once }
}

/** What engines' stores share: the time, and one transaction after the other for the writes that wait, each settled after the commit. */
export abstract class EngineStore {
  abstract readonly read: Reads
  readonly commits = new Commits()
  protected abstract readonly engine: Engine
  readonly #options: WritingOptions
  #waiting: Waiting[] = []
  #isScheduled = false
  /** The end of the running and scheduled writes. */
  #tail: Promise<unknown> = Promise.resolve()

  constructor(options: WritingOptions) {
    this.#options = options
  }

  async write<Answer>(given: Job<Answer>): Promise<Answer> {
    mustNotBeStating()
    if (given.dryRun === true) return this.#add(given)
    const job = withRequest(withAlongside(given))
    return this.#noticed(() => this.#add(job))
  }

  async writeBatch<Answer>(
    [first, ...more]: readonly Job<Answer>[],
    options: BatchOptions = {},
  ): Promise<Outcome<Answer>[]> {
    mustNotBeStating()
    mustNotBeAlongside()
    const jobs = first === undefined ? [] : [withRequest(first), ...more]
    const outcomes = await this.#noticed(() => this.alone(() => this.engine.run(jobs, options)))
    const [outcome] = outcomes
    if (outcome?.ok === false && outcome.error instanceof Repeated) throw outcome.error
    return outcomes as Outcome<Answer>[]
  }

  assignPlaces(places: readonly AssignedPlace[]): Promise<void> {
    return this.alone(() => this.engine.assignPlaces(places))
  }

  /** Runs work between the writes, after those already waiting. */
  protected alone<Result>(work: () => MaybePromise<Result>): Promise<Result> {
    const result = this.#tail.then(work)
    this.#tail = result.catch(() => undefined)
    return result
  }

  /** Resolves once everything is written that was added before. */
  protected async drain(): Promise<void> {
    await this.#tail
  }

  /** Resolves once nothing waits any more. */
  protected async idle(): Promise<void> {
    for (let tail: unknown; tail !== this.#tail;) {
      tail = this.#tail
      await tail
    }
  }

  async #noticed<Result>(write: () => Promise<Result>): Promise<Result> {
    const { held } = this.commits
    if (held !== undefined) await held
    const result = await write()
    this.commits.notice()
    return result
  }

  #add<Answer>(job: Job<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: Outcome<unknown>): void => {
        if (outcome.ok) resolve(outcome.answer as Answer)
        else reject(outcome.error as Error)
      }
      this.#waiting.push({ job, settle })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    void this.alone(async () => {
      await new Promise((resolve) => setImmediate(resolve))
      this.#isScheduled = false
      const some = this.#waiting.splice(0, sharing(this.#waiting))
      if (this.#waiting.length > 0) this.#schedule()
      const outcomes = await this.#together(some.map(({ job }) => job))
      for (const [index, outcome] of outcomes.entries()) some[index]?.settle(outcome)
    })
  }

  now(): Date {
    return this.#options.clock()
  }

  async time(): Promise<string> {
    const [now, lastWrite] = [this.now().toISOString(), await this.read.state.lastWrite()]
    return now > lastWrite ? now : lastWrite
  }

  async timeOfWrite(): Promise<string> {
    const { acceptClock } = this.#options
    return timeOfWrite({ now: this.now(), acceptClock, lastWrite: await this.read.state.lastWrite() })
  }

  /** Runs jobs together, or each alone when something unexpected undid them all. */
  async #together(jobs: readonly Job<unknown>[]): Promise<readonly Outcome<unknown>[]> {
    try {
      return await this.engine.run(jobs)
    } catch (error) {
      // Storage errors concern all jobs of a batch.
      const isCommon = error instanceof RegistryError && error.code.startsWith('STORAGE_')
      if (jobs.length === 1 || isCommon) return jobs.map(() => ({ ok: false, error }))
      const outcomes: Outcome<unknown>[] = []
      for (const job of jobs) outcomes.push(...(await this.#together([job])))
      return outcomes
    }
  }
}

/** How many of the waiting writes share one transaction: a write with statements of the host has its own. */
function sharing(waiting: readonly Waiting[]): number {
  const some = waiting.slice(0, mostAtOnce)
  const first = some.findIndex(({ job }) => job.alongside !== undefined)
  return first < 0 ? some.length : Math.max(1, first)
}

interface Pending {
  readonly alongside: Alongside
  isTaken: boolean
  isTwice: boolean
  isOver: boolean
}

/** The act whose only write has statements beside it. */
const acting = new AsyncLocalStorage<Pending>()

/** The statements that are running: a write that they made would wait for itself. */
const stating = new AsyncLocalStorage<{ isOver: boolean }>()

/** Writes, with statements of the host in the same transaction. @throws RegistryError INVALID_INPUT without a write, and for a second one */
export async function whileAlongside<Result>(
  alongside: Alongside,
  write: () => Promise<Result>,
): Promise<Result> {
  const pending: Pending = { alongside, isTaken: false, isTwice: false, isOver: false }
  try {
    const result = await acting.run(pending, write)
    if (!pending.isTaken)
      throw invalidBecause('write', 'nothing was to be written, so that the statements beside it did not run')
    return result
  } finally {
    pending.isOver = true
  }
}

/** Runs statements of the host, during which nothing else can be written. */
export function whileStating<Result>(work: () => Result): Result {
  const state = { isOver: false }
  const end = (): void => void (state.isOver = true)
  const result = stating.run(state, work)
  if (result instanceof Promise) result.then(end, end)
  else end()
  return result
}

/** @throws RegistryError INVALID_INPUT inside statements of the host, whose transaction the write would wait for */
function mustNotBeStating(): void {
  if (stating.getStore()?.isOver === false)
    throw invalidBecause('statements', 'a statement beside a write must not call the registry')
}

function pendingAct(): Pending | undefined {
  const pending = acting.getStore()
  return pending?.isOver === true ? undefined : pending
}

/** Runs writes by the registry itself, such as an award of XP, outside the current act. */
export const apart = <Result>(work: () => Result): Result => acting.exit(work)

const secondWrite = () =>
  invalidBecause(
    'write',
    'it writes a second time, and statements are beside one write: what was written before stays, unless both began together. Call one method that writes',
  )

/** The job with the statements that are to run beside it. @throws RegistryError INVALID_INPUT for a second one */
function withAlongside<Answer>(job: Job<Answer>): Job<Answer> {
  const pending = pendingAct()
  if (pending === undefined) return job
  mustBeFirst(pending)
  pending.isTaken = true
  const { alongside } = pending
  return {
    ...job,
    alongside: {
      sqlite(tables, entries) {
        mustBeOnly(pending)
        alongside.sqlite(tables, entries)
      },
      async postgres(tables, entries) {
        mustBeOnly(pending)
        await alongside.postgres(tables, entries)
      },
    },
  }
}

function mustBeFirst(pending: Pending): void {
  if (!pending.isTaken) return
  pending.isTwice = true
  throw secondWrite()
}

function mustBeOnly({ isTwice }: Pending): void {
  if (isTwice) throw secondWrite()
}

/** @throws RegistryError INVALID_INPUT when statements are to run beside a write that is a batch of many */
export function mustNotBeAlongside(): void {
  const pending = pendingAct()
  if (pending === undefined) return
  mustBeFirst(pending)
  throw invalidBecause('write', 'it makes more than one transaction, so that no statements can be beside it')
}

/** Tells who follows the log in this process when it has written. */
export class Commits {
  readonly #waiting = new Set<() => void>()
  #followers = 0
  /** Writes wait for it while somebody reads the end of the log. */
  held: Promise<unknown> | undefined
  count = 0
  isClosed = false

  get isFollowed(): boolean {
    return this.#followers > 0
  }

  /** Notices writes from now on. @returns a function that ends it */
  follow(): () => void {
    this.#followers++
    return () => void this.#followers--
  }

  notice(): void {
    this.count++
    for (const wake of this.#waiting) wake()
  }

  /** Calls a function after the next write. @returns a function that takes it back */
  onNext(wake: () => void): () => void {
    this.#waiting.add(wake)
    return () => void this.#waiting.delete(wake)
  }

  /** Delays writes until a promise is settled. */
  hold<Result>(until: Promise<Result>): Promise<Result> {
    const held = Promise.allSettled([this.held, until])
    this.held = held
    void this.#release(held)
    return until
  }

  async #release(held: Promise<unknown>): Promise<void> {
    await held
    if (this.held === held) this.held = undefined
  }

  close(): void {
    this.isClosed = true
    this.notice()
  }
}

export const systemClock = (): Date => new Date()

/** A source of random bytes. Default `node:crypto`. */
export type Random = (bytes: number) => Uint8Array

/** Random bytes, drawn many at a time: each call takes as long as four hashes. */
function drawnBytes(): Random {
  let drawn = Buffer.alloc(0)
  return (bytes) => {
    if (drawn.length < bytes) drawn = randomBytes(256 * bytes)
    const taken = drawn.subarray(0, bytes)
    drawn = drawn.subarray(bytes)
    return taken
  }
}

export const seeds =
  (random: Random = drawnBytes()) =>
  (): string =>
    Buffer.from(random(16)).toString('hex')

export interface WritingOptions {
  readonly clock: () => Date
  readonly random?: Random | undefined
  /** Writes although the clock is more than a day behind the last write. */
  readonly acceptClock?: boolean | undefined
  /** Finds the places of waypoints. Default: none is known. */
  readonly places?: PlaceLookup | undefined
  /** Labels waypoints without a name. Default in English. */
  readonly labelling?: Labelling | undefined
}
