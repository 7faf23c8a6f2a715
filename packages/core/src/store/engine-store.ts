import type { Job } from '../decide/deciding.ts'
import { timeOfWrite, type Outcome } from '../log/script.ts'
import type { PlaceLookup } from '../schemas/place.ts'
import type { Commits } from './commits.ts'
import type { BatchOptions, Store } from './port.ts'
import type { Reads } from './reads.ts'
import type { Random } from './seeds.ts'
import { WriteQueue, type RunTransaction } from './write-queue.ts'

/** The clock of the machine. */
export const systemClock = (): Date => new Date()

/** How an engine writes. */
export interface WritingOptions {
  /** The current time. */
  readonly clock: () => Date
  /** Random bytes for the seeds of entries. */
  readonly random?: Random | undefined
  /** Writes although the clock is more than a day behind the last write. */
  readonly acceptClock?: boolean | undefined
  /** Finds the places of waypoints. Default: none is known. */
  readonly places?: PlaceLookup | undefined
}

/** The common part of all engines' stores: the queue of writes, and the time. */
export abstract class EngineStore implements Pick<
  Store,
  'now' | 'time' | 'timeOfWrite' | 'write' | 'writeBatch'
> {
  abstract readonly read: Reads
  protected readonly queue: WriteQueue
  readonly #options: WritingOptions

  constructor(run: RunTransaction, options: WritingOptions) {
    this.queue = new WriteQueue(run)
    this.#options = options
  }

  get commits(): Commits {
    return this.queue.commits
  }

  /** Writes, and resolves once the write is durable. */
  write<Answer>(job: Job<Answer>): Promise<Answer> {
    return this.queue.write(job)
  }

  writeBatch<Answer>(jobs: readonly Job<Answer>[], options: BatchOptions = {}): Promise<Outcome<Answer>[]> {
    return this.queue.writeBatch(jobs, options)
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
}
