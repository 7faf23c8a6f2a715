import { timeOfWrite } from '../log/script.ts'
import type { PlaceLookup } from '../schemas/place.ts'
import type { Store } from './port.ts'
import type { Reads } from './reads.ts'
import type { Random } from './seeds.ts'

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

/** The times of a store. */
export abstract class ClockedStore implements Pick<Store, 'now' | 'time' | 'timeOfWrite'> {
  abstract readonly read: Reads
  readonly #options: WritingOptions

  constructor(options: WritingOptions) {
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
