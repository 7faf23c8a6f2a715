import type { LogEntry, Review, Waypoint, WaypointPlace } from '@openfountain/core'
import { Refusal, request } from '../../api/request.ts'
import type { Nameable } from '../../naming.ts'

/** A contribution, and the current state of its fountain. */
export interface Contribution {
  readonly what: LogEntry['action'] | 'reviewed'
  readonly fields: readonly string[]
  readonly at: string
  readonly fountain: Fountain
}

export interface Fountain extends Nameable {
  readonly id: number
  readonly now: 'live' | 'unapproved' | 'verified' | 'gone' | 'merged'
}

const pageSize = 20
const atOnce = 4

/** The contributions of one user, newest first, in pages: log entries about fountains, and reviews. */
export class History {
  readonly #userId: string
  readonly #fountains = new Map<number, Fountain>()
  #offset = 0
  #total = Infinity
  /** The reviews that are not shown yet, newest first. */
  #reviews: readonly Review[] | undefined

  constructor(userId: string) {
    this.#userId = userId
  }

  get hasMore(): boolean {
    return this.#offset < this.#total || (this.#reviews?.length ?? 1) > 0
  }

  /** The next page. @throws Refusal */
  async next(): Promise<readonly Contribution[]> {
    const reviews = (this.#reviews ??= await this.#ownReviews())
    const { logs, total } = await this.#get<{ logs: LogEntry[]; total: number }>('/logs', {
      userId: this.#userId,
      limit: pageSize,
      offset: this.#offset,
    })
    const offset = this.#offset + logs.length
    const oldest = offset < total ? logs.at(-1)?.timestamp : undefined
    const due = reviews.filter(({ createdAt }) => oldest === undefined || createdAt >= oldest)
    const done = [
      ...logs.map(({ action, changes, timestamp: at, bubblerId, id: entry }) => {
        const fields = action === 'edited' ? Object.keys(changes) : []
        return { what: action, fields, at, bubblerId, entry }
      }),
      ...due.map(({ bubblerId, createdAt: at }) => {
        return { what: 'reviewed' as const, fields: [], at, bubblerId, entry: undefined }
      }),
    ].toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    await this.#readFountains(new Map(done.map(({ bubblerId, entry }) => [bubblerId, entry])))
    // A page that could not be read in whole is read again.
    this.#offset = offset
    this.#total = logs.length === 0 ? offset : total
    this.#reviews = reviews.slice(due.length)
    return done.flatMap(({ bubblerId, what, fields, at }) => {
      const fountain = this.#fountains.get(bubblerId)
      return fountain ? [{ what, fields, at, fountain }] : []
    })
  }

  async #ownReviews(): Promise<readonly Review[]> {
    const { reviews } = await this.#get<{ reviews: Review[] }>('/reviews', { userId: this.#userId })
    return reviews.toReversed()
  }

  async #readFountains(ids: ReadonlyMap<number, number | undefined>): Promise<void> {
    const wanted = [...ids].filter(([id]) => !this.#fountains.has(id))
    while (wanted.length > 0)
      await Promise.all(
        wanted
          .splice(0, atOnce)
          .map(async ([id, entry]) => this.#fountains.set(id, await this.#fountain(id, entry))),
      )
  }

  /** The log is read first: a 404 of a removed fountain would be an error in the browser's console. */
  async #fountain(id: number, entry: number | undefined): Promise<Fountain> {
    const { logs } = await this.#get<{ logs: LogEntry[] }>('/logs', { bubblerId: id, limit: 1 })
    const [newest] = logs
    if (newest?.action === 'deleted') {
      const { log } = await this.#get<{ log: { waypoint: { name: string } } }>(`/logs/${entry ?? newest.id}`)
      return { id, name: log.waypoint.name, amenities: [], now: 'gone' }
    }
    try {
      const { waypoint, place } = await this.#get<{ waypoint: Waypoint; place?: WaypointPlace }>(
        `/waypoints/${id}`,
      )
      const now = waypoint.verified ? 'verified' : waypoint.approved ? 'live' : 'unapproved'
      const { name, nameIsMade, amenities, region } = waypoint
      return { id, name, nameIsMade, amenities, region, place: place?.name, now }
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'NOT_FOUND') throw error
      return { id, name: `#${id}`, amenities: [], now: 'mergedInto' in error.details ? 'merged' : 'gone' }
    }
  }

  async #get<Body>(path: string, query: Readonly<Record<string, string | number>> = {}): Promise<Body> {
    const pairs = Object.entries(query).map(([name, value]) => [name, String(value)])
    return request('GET', `${path}?${new URLSearchParams(pairs).toString()}`)
  }
}
