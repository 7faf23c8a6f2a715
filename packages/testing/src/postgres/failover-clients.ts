import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

export interface Writer {
  readonly userId: string
  readonly token: string
}

export interface Acknowledged {
  readonly userId: string
  readonly id: number
  readonly name: string
}

/** A client's timeout in milliseconds, after which it sends the request again. */
const patience = 20_000
const pause = 50

/** Concurrent clients that add fountains, each with one request at a time, and retry it until it is acknowledged. */
export class Clients {
  readonly acknowledged: Acknowledged[] = []
  /** Failed responses, by status, and requests without a response. */
  readonly errors = new Map<string, number>()
  /** The longest time without an acknowledged write, in milliseconds. */
  longestPause = 0
  #last: number | undefined
  readonly #servers: readonly string[]
  readonly #ends: Promise<void>[]
  #isOver = false
  #made = 0

  /** @param servers their addresses */
  constructor(servers: readonly string[], writers: readonly Writer[]) {
    this.#servers = servers
    this.#ends = writers.map((writer, index) => this.#work(writer, index))
  }

  async #work(writer: Writer, index: number): Promise<void> {
    for (let turn = index; !this.#isOver; turn++) await this.#add(writer, turn)
  }

  async #add({ userId, token }: Writer, first: number): Promise<void> {
    const number = ++this.#made
    const name = `Fountain ${number}`
    const place = { latitude: -60 + (number % 1200) / 10, longitude: -170 + Math.floor(number / 1200) / 10 }
    const key = randomUUID()
    for (let turn = first; ; turn++) {
      const server = this.#servers[turn % this.#servers.length] ?? ''
      const answer = await fetch(`${server}/api/waypoints`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          'idempotency-key': key,
        },
        body: JSON.stringify({ name, ...place }),
        signal: AbortSignal.timeout(patience),
      })
        .then(async (response) => ({
          status: response.status,
          body: (await response.json()) as { id?: number },
        }))
        .catch(() => undefined)
      if (answer?.status === 201 || answer?.status === 200) {
        this.acknowledged.push({ userId, id: answer.body.id ?? 0, name })
        const now = performance.now()
        this.longestPause = Math.max(this.longestPause, now - (this.#last ?? now))
        this.#last = now
        return
      }
      const what = answer === undefined ? 'no response' : String(answer.status)
      this.errors.set(what, (this.errors.get(what) ?? 0) + 1)
      if (answer !== undefined && answer.status < 500 && answer.status !== 429)
        throw new Error(`A write was refused: ${what} ${JSON.stringify(answer.body)}`)
      await wait(pause)
    }
  }

  async acknowledge(more: number): Promise<void> {
    const goal = this.acknowledged.length + more
    const over = Promise.all(this.#ends)
    while (this.acknowledged.length < goal) await Promise.race([wait(20), over])
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#ends)
  }
}
