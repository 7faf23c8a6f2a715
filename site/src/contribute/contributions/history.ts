import type { LogEntry, Observation, Photo, Review, Waypoint, WaypointPlace } from '@openfountain/core'
import { pages } from '@openfountain/core/rules'
import { isRefusal, request } from '../../api/request.ts'
import type { Nameable } from '../../naming.ts'

export interface Contribution {
  readonly what: LogEntry['action'] | 'reviewed' | 'photographed' | Observation['kind']
  readonly fields: readonly string[]
  readonly at: string
  readonly fountain: Fountain
  readonly photo?: Photo
}

export interface Fountain extends Nameable {
  readonly id: number
  readonly now: 'live' | 'unapproved' | 'verified' | 'gone' | 'merged'
}

type Other = Omit<Contribution, 'fountain'> & { readonly bubblerId: number }

const pageSize = 20

/** The contributions of one user, newest first, in pages: log entries about fountains, reviews, photos and observations. */
export class History {
  readonly #userId: string
  readonly #fountains = new Map<number, Promise<Fountain>>()
  #offset = 0
  #total = Infinity
  /** Those without an entry of the fountain's that are not shown yet, newest first. */
  #others: readonly Other[] | undefined

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
    const others = (this.#others ??= await this.#read(of))
    const { logs, total } = await get<{ logs: LogEntry[]; total: number }>('/logs', { ...of, ...page })
    const offset = this.#offset + logs.length
    const oldest = (offset < total && logs.at(-1)?.timestamp) || ''
    const due = others.filter(({ at }) => at >= oldest)
    const done = [
      ...logs.map(({ action, changes, timestamp: at, bubblerId, id: entry }) => {
        const fields = action === 'edited' ? Object.keys(changes) : []
        return { what: action, fields, at, fountain: this.#fountain(bubblerId, entry) }
      }),
      ...due.map(({ bubblerId, ...one }) => ({ ...one, fountain: this.#fountain(bubblerId) })),
    ].toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    const contributions = await Promise.all(
      done.map(async (one) => ({ ...one, fountain: await one.fountain })),
    )
    this.#offset = offset
    this.#total = logs.length === 0 ? offset : total
    this.#others = others.slice(due.length)
    return contributions
  }

  /** All reviews, photos, shown or not, and observations of the user. */
  async #read(of: { readonly userId: string }): Promise<readonly Other[]> {
    const { reviews } = await get<{ reviews: Review[] }>('/reviews', of)
    const photos = await all<Photo>('photos', '/photos', pages.photos.max, of)
    const seen = await all<Observation>('observations', '/user/observations', pages.observations.max)
    const fields: readonly string[] = []
    return [
      ...reviews.map(({ bubblerId, createdAt: at }) => ({
        what: 'reviewed' as const,
        fields,
        at,
        bubblerId,
      })),
      ...photos.map((photo) => {
        const { bubblerId, createdAt: at } = photo
        return { what: 'photographed' as const, fields, at, bubblerId, photo }
      }),
      ...seen.map(({ bubblerId, observedAt: at, kind: what }) => ({ what, fields, at, bubblerId })),
    ].toSorted((a, b) => (a.at < b.at ? 1 : -1))
  }

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

async function all<Noun extends { readonly id: number }>(
  name: string,
  path: string,
  limit: number,
  of = {},
): Promise<readonly Noun[]> {
  const found: Noun[] = []
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: Readonly<Record<string, Noun[]>> = await get(path, { ...of, limit, after })
    const nouns = page[name] ?? []
    found.push(...nouns)
    after = nouns[limit - 1]?.id
  }
  return found
}

function get<Body>(path: string, query: Readonly<Record<string, string | number>> = {}): Promise<Body> {
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)])
  return request('GET', `${path}?${new URLSearchParams(pairs).toString()}`)
}
