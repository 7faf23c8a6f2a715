import { timeOfWrite } from '../log/script.ts'
import type { Store } from './port.ts'
import type { Reads } from './reads.ts'

/** What tells a store the time. */
export interface ClockOptions {
  /** The current time. */
  readonly clock: () => Date
  /** Writes although the clock is more than a day behind the last write. */
  readonly acceptClock?: boolean | undefined
}

/** The times of a store. */
export abstract class ClockedStore implements Pick<Store, 'now' | 'time' | 'timeOfWrite'> {
  abstract readonly read: Reads
  readonly #options: ClockOptions

  constructor(options: ClockOptions) {
    this.#options = options
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
