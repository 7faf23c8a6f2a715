import { limits } from '../limits.ts'
import { busy, ClientDisconnected } from '../problem.ts'

export interface HeavyWorkOptions {
  /** Heavy responses made at the same time. Default 4. */
  readonly atOnce?: number | undefined
  /** Most waiting requests. Default 16. */
  readonly waiting?: number | undefined
  /** The longest wait, in milliseconds. Default 10,000. */
  readonly waitMilliseconds?: number | undefined
  /** Concurrent responses of one client. Default 2. */
  readonly perClient?: number | undefined
  /** Waiting requests of one client. Default twice `perClient`. */
  readonly waitingPerClient?: number | undefined
}

interface TurnRequest {
  /** Its network, as in the rate limit. Without one the limits per client do not apply. */
  readonly client?: string | undefined
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal | undefined
}

interface Waiter {
  readonly client: string | undefined
  readonly enter: () => void
}

/** The queue of whole lists: a burst is refused instead of piling up, and no client takes all turns. */
export class HeavyWork {
  readonly #limits: { readonly [Name in keyof HeavyWorkOptions]-?: number }
  /** Waiting requests, oldest first. */
  readonly #queue: Waiter[] = []
  readonly #turns = new Map<string, number>()
  #running = 0

  constructor(options: HeavyWorkOptions = {}) {
    const { perClient = limits.list.perClient } = options
    const chosen = Object.entries(options).filter(([, value]) => value !== undefined)
    const waitingPerClient = perClient * 2
    this.#limits = { ...limits.list, waitingPerClient, ...Object.fromEntries(chosen) }
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#queue.length
  }

  /** Waits for a turn. @returns its end @throws Problem UNAVAILABLE with Retry-After; ClientDisconnected when aborted before */
  async begin({ client, signal }: TurnRequest = {}): Promise<() => void> {
    if (signal?.aborted === true) throw new ClientDisconnected()
    if (this.#mayEnter(client)) this.#enter(client)
    else await this.#wait(client, signal)
    let ended = false
    return () => {
      if (ended) return
      ended = true
      this.#leave(client)
    }
  }

  #wait(client: string | undefined, signal: AbortSignal | undefined): Promise<void> {
    if (this.#queue.length >= this.#limits.waiting) throw busy(2)
    if (client !== undefined) {
      const own = this.#queue.filter((waiter) => waiter.client === client).length
      if (own >= this.#limits.waitingPerClient)
        throw busy(2, 'Too many responses to this client are waiting already')
    }
    return new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', left)
        then()
      }
      const waiter: Waiter = { client, enter: () => settle(resolve) }
      const giveUp = (reason: Error): void => {
        this.#queue.splice(this.#queue.indexOf(waiter), 1)
        settle(() => reject(reason))
      }
      const left = (): void => giveUp(new ClientDisconnected())
      const timer = setTimeout(() => giveUp(busy(5)), this.#limits.waitMilliseconds).unref()
      signal?.addEventListener('abort', left)
      this.#queue.push(waiter)
    })
  }

  #mayEnter(client: string | undefined): boolean {
    if (this.#running >= this.#limits.atOnce) return false
    return client === undefined || (this.#turns.get(client) ?? 0) < this.#limits.perClient
  }

  #enter(client: string | undefined): void {
    this.#running += 1
    if (client !== undefined) this.#turns.set(client, (this.#turns.get(client) ?? 0) + 1)
  }

  #leave(client: string | undefined): void {
    this.#running -= 1
    if (client !== undefined) {
      const left = (this.#turns.get(client) ?? 1) - 1
      if (left === 0) this.#turns.delete(client)
      else this.#turns.set(client, left)
    }
    // The first waiter whose client is below its limit takes the turn, before any new request.
    const index = this.#queue.findIndex((waiter) => this.#mayEnter(waiter.client))
    const [next] = index < 0 ? [] : this.#queue.splice(index, 1)
    if (next === undefined) return
    this.#enter(next.client)
    next.enter()
  }
}
