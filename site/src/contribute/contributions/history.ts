import type { LogEntry, Photo, Review, Waypoint, WaypointPlace } from '@openfountain/core'
import { pages } from '@openfountain/core/rules'
import { isRefusal, request } from '../../api/request.ts'
import type { Nameable } from '../../naming.ts'

/** A contribution, and the current state of its fountain. */
export interface Contribution {
  readonly what: LogEntry['action'] | 'reviewed' | 'photographed'
  readonly fields: readonly string[]
  readonly at: string
  readonly fountain: Fountain
  readonly photo?: Photo
}

export interface Fountain extends Nameable {
  readonly id: number
  readonly now: 'live' | 'unapproved' | 'verified' | 'gone' | 'merged'
}

const pageSize = 20

/** The contributions of one user, newest first, in pages: log entries about fountains, reviews and photos. */
export class History {
  readonly #userId: string
  readonly #fountains = new Map<number, Promise<Fountain>>()
  #offset = 0
  #total = Infinity
  /** The reviews and photos that are not shown yet, newest first. */
  #others: readonly (Review | Photo)[] | undefined

  constructor(userId: string) {
    this.#userId = userId
  }

  get hasMore(): boolean {
    return this.#offset < this.#total || (this.#others?.length ?? 1) > 0
  }

  /** The next page. One that could not be read in whole is read again. @throws Refusal */
  async next(): Promise<readonly Contribution[]> {
    const of = { userId: this.#userId }
    const page = { limit: pageSize, offset: this.#offset }
    const others = (this.#others ??= [
      ...(await get<{ reviews: Review[] }>('/reviews', of)).reviews,
      ...(await this.#photos()),
    ].toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)))
    const { logs, total } = await get<{ logs: LogEntry[]; total: number }>('/logs', { ...of, ...page })
    const offset = this.#offset + logs.length
    const oldest = (offset < total && logs.at(-1)?.timestamp) || ''
    const due = others.filter(({ createdAt }) => createdAt >= oldest)
    const done = [
      ...logs.map(({ action, changes, timestamp: at, bubblerId, id: entry }) => {
        const fields = action === 'edited' ? Object.keys(changes) : []
        return { what: action, fields, at, fountain: this.#fountain(bubblerId, entry) }
      }),
      ...due.map((one) => {
        const { bubblerId, createdAt: at } = one
        const kind =
          'urls' in one ? ({ what: 'photographed', photo: one } as const) : ({ what: 'reviewed' } as const)
        return { ...kind, fields: [], at, fountain: this.#fountain(bubblerId) }
      }),
    ].toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    const contributions = await Promise.all(
      done.map(async (one) => ({ ...one, fountain: await one.fountain })),
    )
    this.#offset = offset
    this.#total = logs.length === 0 ? offset : total
    this.#others = others.slice(due.length)
    return contributions
  }

  /** All photos of the user, shown or not. */
  async #photos(): Promise<readonly Photo[]> {
    const all: Photo[] = []
    for (let after: number | undefined = 0; after !== undefined;) {
      const limit = pages.photos.max
      const page: { photos: Photo[] } = await get('/photos', { userId: this.#userId, limit, after })
      all.push(...page.photos)
      after = page.photos[limit - 1]?.id
    }
    return all
  }

  /** A fountain, read once. */
  #fountain(id: number, entry?: number): Promise<Fountain> {
    const known = this.#fountains.get(id) ?? fountainNow(id, entry)
    this.#fountains.set(id, known)
    known.catch(() => this.#fountains.delete(id))
    return known
  }
}

/** The log is read first: a 404 of a removed fountain would be an error in the browser's console. */
async function fountainNow(id: number, entry?: number): Promise<Fountain> {
  const { logs } = await get<{ logs: LogEntry[] }>('/logs', { bubblerId: id, limit: 1 })
  const [newest] = logs
  if (newest?.action === 'deleted') {
    const { log } = await get<{ log: { waypoint: { name: string } } }>(`/logs/${entry ?? newest.id}`)
    return { id, name: log.waypoint.name, amenities: [], now: 'gone' }
  }
  try {
    const found = await get<{ waypoint: Waypoint; place?: WaypointPlace }>(`/waypoints/${id}`)
    const { name, nameIsMade, amenities, region, verified, approved } = found.waypoint
    const now = verified ? 'verified' : approved ? 'live' : 'unapproved'
    return { id, name, nameIsMade, amenities, region, place: found.place?.name, now }
  } catch (error) {
    if (!isRefusal(error, 'NOT_FOUND')) throw error
    return { id, name: `#${id}`, amenities: [], now: 'mergedInto' in error.details ? 'merged' : 'gone' }
  }
}

function get<Body>(path: string, query: Readonly<Record<string, string | number>> = {}): Promise<Body> {
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)])
  return request('GET', `${path}?${new URLSearchParams(pairs).toString()}`)
}
