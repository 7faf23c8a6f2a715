import { createHash } from 'node:crypto'
import type { Actor } from './decide/contributor.ts'
import { mailFrom } from './decide/follow.ts'
import * as decisions from './decide/webhook.ts'
import type { Delivery } from './decide/webhook.ts'
import { invalidBecause, required } from './errors.ts'
import { loggedEntry, type StoredEntry } from './log/entry.ts'
import { foldSubject } from './log/fold.ts'
import { published, type StoredWebhook, type WaypointState } from './log/nouns.ts'
import { delivering } from './rules.ts'
import { parse } from './schemas/parse.ts'
import { type City, CityInput, type CityRequest, WebhookInput, WebhookPatch } from './schemas/webhook.ts'
import { secretId } from './secrets.ts'
import { Part } from './shared.ts'
import type { WebhooksFound } from './store/nouns/webhooks.ts'
import type { Waypoint } from './schemas/waypoint.ts'
import { isWatched, mayBeWatched, type WaypointEvent, type HappenedEvent } from './waypoint-events.ts'

export type { Delivery } from './decide/webhook.ts'

export interface DeliveryState extends Omit<WebhooksFound, 'worker'> {
  /** Whether the operator has not said yet that the events of this database are told. */
  readonly isPaused: boolean
}

/** The next event for a webhook; without one, all up to `place` is nothing for it. */
export interface Upcoming {
  readonly place: number
  readonly event?: HappenedEvent | undefined
}

/** The body of a delivery: the same whenever it is made, unless text of the log was erased. */
interface DeliveryBody {
  readonly type: `waypoint.${WaypointEvent}`
  readonly timestamp: string
  /** The entry, and the waypoint as the log had it then. */
  readonly data: { readonly entry: object; readonly waypoint: Waypoint }
}

/** Addresses of programs that are told what happens. Not in the log. For administrators' tokens and the operator. */
export class Webhooks extends Part {
  #pages = { newest: 0, after: new Map<number, Promise<StoredEntry[]>>() }

  /** The oldest first. @throws RegistryError UNAUTHORIZED for all but API tokens, FORBIDDEN for a smaller scope */
  async list(actor: Actor): Promise<readonly StoredWebhook[]> {
    await this.shared.contribute(actor, decisions.seeWebhooks, { dryRun: true })
    return (await this.state()).webhooks
  }

  /**
   * Adds one that is told what happens from now on; with `city` an endpoint of Open311 GeoReport v2, which gets faults.
   *
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, INVALID_INPUT, also when there are 200
   */
  async create(input: WebhookInput, actor: Actor, city?: CityInput): Promise<StoredWebhook> {
    const given = parse(WebhookInput, input)
    const at = city && parse(CityInput, city)
    const { webhooks, origin, isPaused } = await this.state()
    if (webhooks.length >= delivering.webhooks)
      throw invalidBecause('url', `there are ${delivering.webhooks} webhooks, which is the most: remove one`)
    const { contribute, newId } = this.shared
    const line = isPaused ? undefined : origin
    return contribute(actor, (occasion) => decisions.createWebhook(occasion, newId(), given, line, at))
  }

  /** @throws RegistryError UNAUTHORIZED, FORBIDDEN, INVALID_INPUT, NOT_FOUND */
  async update(id: string, patch: WebhookPatch, actor: Actor): Promise<StoredWebhook> {
    const given = parse(WebhookPatch, patch)
    return this.shared.contribute(actor, (occasion) => decisions.updateWebhook(occasion, id, given))
  }

  /** @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND */
  async delete(id: string, actor: Actor): Promise<void> {
    return this.shared.contribute(actor, (occasion) => decisions.removeWebhook(occasion, id))
  }

  async city(id: string): Promise<City | undefined> {
    return (await this.read.secrets.get('city', secretId('city', id)))?.value
  }

  /** Records the id of a city's request, or, without one, that it is closed. @throws RegistryError CONFLICT */
  async settle(lease: string, id: string, request: CityRequest): Promise<void> {
    return this.store.write({ decide: () => decisions.settleRequest(lease, id, request) })
  }

  /** Gives it another secret; the one before signs too for a day. @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND */
  async rotate(id: string, actor: Actor): Promise<StoredWebhook> {
    return this.shared.contribute(actor, (occasion) => decisions.rotateSecret(occasion, id))
  }

  /** All webhooks, for the operator and for who delivers. */
  async state(): Promise<DeliveryState> {
    const { webhooks, secrets } = this.read
    const { worker, ...found } = await webhooks.found()
    const isOther = worker?.origin !== found.origin
    const isPaused =
      isOther &&
      (found.webhooks.length > 0 || (await secrets.get('place', secretId('place', 'follows'))) !== undefined)
    return { ...found, isPaused }
  }

  /** Tells events again after a restore or a copy, by mail too: those from now on, or all after the place of each webhook. */
  async resume(from: 'now' | 'place' = 'now'): Promise<DeliveryState> {
    const { origin, newest, webhooks } = await this.state()
    const ids = webhooks.map(({ id }) => id)
    const { store } = this
    if (from === 'now') await store.write({ decide: (at) => mailFrom(at, newest) })
    await store.write({ decide: () => decisions.resumeDeliveries(origin, from, ids) })
    return this.state()
  }

  /** Begins to deliver, or goes on. @returns whether nobody else does */
  async begin(lease: string): Promise<boolean> {
    const { origin, isPaused } = await this.state()
    const line = isPaused ? undefined : origin
    return this.store.write({ decide: (at) => decisions.takeDeliveries(at, lease, line) })
  }

  async end(lease: string): Promise<void> {
    return this.store.write({ decide: () => decisions.endDeliveries(lease) })
  }

  async upcoming({ what, events }: StoredWebhook, after: number, newest: number): Promise<Upcoming> {
    const page = await this.#page(after, newest)
    const watched = { ...what, events: events && [...events] }
    const some = page.filter((entry) => mayBeWatched(watched, entry))
    const happened = await this.read.waypointEvents.among(some)
    const event = happened.find((each) => isWatched(watched, each))
    return { place: event?.id ?? page.at(-1)?.id ?? after, event }
  }

  /** A page of the log, which webhooks at the same place share. */
  #page(after: number, newest: number): Promise<StoredEntry[]> {
    if (this.#pages.newest !== newest) this.#pages = { newest, after: new Map() }
    const known = this.#pages.after.get(after)
    if (known !== undefined) return known
    const page = Promise.resolve(this.read.entries.after(after, delivering.page))
    if (this.#pages.after.size < 4) this.#pages.after.set(after, page)
    return page
  }

  /** The body of the message about an event. @throws RegistryError NOT_FOUND */
  async body({ id, event, waypoint }: HappenedEvent): Promise<DeliveryBody> {
    const { entries, webhooks } = this.read
    const entry = required(await entries.get(id), 'log entry', id)
    let state: WaypointState | undefined
    for (const each of await webhooks.historyUpTo(waypoint.id, id))
      state = foldSubject('waypoint', state, each)
    const { seed: _seed, salts: _salts, commitments: _sealed, awards: _xp, ...logged } = loggedEntry(entry)
    const then = published(required(state, 'waypoint', waypoint.id), () => null)
    return { type: `waypoint.${event}`, timestamp: entry.at, data: { entry: logged, waypoint: then } }
  }

  async keptFor({ kept }: Pick<StoredWebhook, 'kept'>): Promise<HappenedEvent[]> {
    const { entries, waypointEvents } = this.read
    const found = await Promise.all(kept.map((entry) => entries.get(entry)))
    return waypointEvents.among(found.flatMap((entry) => entry ?? []))
  }

  async sent(id: string, entry: number, request?: CityRequest): Promise<void> {
    return this.store.write({ decide: () => decisions.sentAgain(id, entry, request) })
  }

  /** Records a delivery. @returns its webhook, unless that is removed or further on. @throws RegistryError CONFLICT */
  async record(lease: string, id: string, delivery: Delivery): Promise<StoredWebhook | undefined> {
    return this.store.write({ decide: (at) => decisions.recordDelivery(at, lease, id, delivery) })
  }
}

/** The id of what is told of an entry of a line of history: the same for ever, and of no other entry. */
export const messageId = (origin: string, entry: number): string =>
  `msg_${createHash('sha256').update(`${origin} ${entry}`).digest('base64url').slice(0, 32)}`
