import { randomUUID } from 'node:crypto'
import { type Registry, RegistryError, token } from '@openfountain/core'
import {
  happenedWordsIn,
  messageId,
  observerUserId,
  type City,
  type Delivery,
  type DeliveryState,
  type Digest,
  type HappenedEvent,
  type Notification,
  type Push,
  type StoredWebhook,
} from '@openfountain/core/internal'
import { delivering, following } from '@openfountain/core/rules'
import { news, report } from './open311.ts'
import type { Message, Sender } from './sending.ts'

export interface DeliveriesOptions {
  /** Called when a webhook is switched off because it did not answer. It must not throw. */
  readonly onOff?: ((webhook: StoredWebhook) => void) | undefined
  /** Sends a digest: `mailDigest` of `@openfountain/accounts`. Default no mail. */
  readonly mailDigest?: ((digest: Digest) => Promise<'done' | 'later' | 'unreachable'>) | undefined
  /** Called with each unexpected error; the work is tried again. It must not throw. */
  readonly onFailure?: ((error: unknown) => void) | undefined
}

const second = 1000
/** A lease is kept when less than this part of it has passed. */
const freshPart = 1 / 3

/** Tells followers and webhooks what happens, in the order of the log; one process of all does. */
export class Deliveries {
  readonly #registry: Registry
  readonly #sender: Sender
  readonly #options: DeliveriesOptions
  readonly #lease = randomUUID()
  /** Running deliveries by webhook, and questions to cities. */
  readonly #running = new Map<string, Promise<void>>()
  /** How far each was looked through, which its place follows. */
  readonly #seen = new Map<string, number>()
  #leasedAt: number | undefined
  #taking: Promise<boolean> | undefined
  #isOver = false
  #wake: () => void = () => {}
  #loop: Promise<void> | undefined
  #mailing: Promise<void> | undefined

  constructor(registry: Registry, sender: Sender, options: DeliveriesOptions = {}) {
    this.#registry = registry
    this.#sender = sender
    this.#options = options
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  /** Resolves after the running deliveries. */
  async stop(): Promise<void> {
    this.#isOver = true
    this.#wake()
    await this.#loop
    await this.idle()
    if (this.#leasedAt !== undefined) await this.#registry.webhooks.end(this.#lease)
    this.#leasedAt = undefined
  }

  async #run(): Promise<void> {
    const end = this.#registry.on('entry', () => this.#wake())
    let followersAt = 0
    let citiesAt = 0
    let mailsAt = 0
    let pushedTo: number | undefined
    while (!this.#isOver) {
      const awake = new Promise<void>((resolve) => (this.#wake = resolve))
      const timer = setTimeout(() => this.#wake(), delivering.lookSeconds * second)
      await this.look().catch((error: unknown) => this.#options.onFailure?.(error))
      if (performance.now() >= followersAt) {
        const begun = performance.now()
        await this.tellFollowers().catch((error: unknown) => this.#failed(error))
        const pause = (performance.now() - begun) * following.pausePerWork
        followersAt = performance.now() + Math.max(following.lookSeconds * second, pause)
        const place = await this.#registry.follows.place().catch(() => pushedTo)
        if (place !== pushedTo || performance.now() >= mailsAt)
          await this.push().catch((error: unknown) => this.#failed(error))
        pushedTo = place
      }
      if (performance.now() >= citiesAt) {
        citiesAt = performance.now() + delivering.city.minutes * 60 * second
        await this.askCities().catch((error: unknown) => this.#failed(error))
      }
      if (performance.now() >= mailsAt) {
        mailsAt = performance.now() + following.mailLookSeconds * second
        this.#mailing ??= this.mail()
          .catch((error: unknown) => this.#failed(error))
          .finally(() => (this.#mailing = undefined))
      }
      await awake
      clearTimeout(timer)
    }
    end()
  }

  /** Begins to tell all webhooks for which there may be something. */
  async look(): Promise<void> {
    const state = await this.#registry.webhooks.state()
    if (state.isPaused) return
    const now = await this.#registry.time()
    for (const webhook of state.webhooks) {
      const { id, place, nextAt, disabledAt } = webhook
      const from = Math.max(place, this.#seen.get(id) ?? 0)
      const isDue = disabledAt === undefined && (nextAt === undefined || nextAt <= now) && from < state.newest
      if (!isDue || this.#running.has(id)) continue
      this.#begin(id, this.#tell(webhook, state))
    }
  }

  #begin(name: string, work: Promise<void>): void {
    const running = work
      .catch((error: unknown) => this.#failed(error))
      .finally(() => this.#running.delete(name))
    this.#running.set(name, running)
  }

  /** Tells followers of the entries after their place. */
  async tellFollowers(): Promise<void> {
    const { follows, webhooks } = this.#registry
    const { newest } = await webhooks.state()
    while (!this.#isOver && (await follows.place()) < newest && (await this.#mayDeliver()))
      await follows.tell(this.#lease)
  }

  async askCities(): Promise<void> {
    const state = await this.#registry.webhooks.state()
    if (state.isPaused) return
    for (const webhook of state.webhooks) {
      const name = `city ${webhook.id}`
      if (webhook.disabledAt === undefined && !this.#running.has(name)) this.#begin(name, this.#ask(webhook))
    }
  }

  /** Followers are told what a city closed, and it counts as `works` where the operator said so. */
  async #ask(webhook: StoredWebhook): Promise<void> {
    const { observations, waypoints, webhooks } = this.#registry
    const city = await webhooks.city(webhook.id)
    if (city === undefined || city.requests.length === 0) return
    const kind = city.closedMeansWorks === true ? 'works' : 'closed'
    for await (const said of news({ sender: this.#sender, webhook, city }))
      for (const { waypoint, id, isClosed, words } of said) {
        if (this.#isOver || !(await this.#mayDeliver())) return
        const isLive = (await waypoints.list({ id: waypoint })).length > 0
        if (isClosed && isLive)
          await observations.create({ bubblerId: waypoint, kind, comment: words }, token())
        await webhooks.settle(this.#lease, webhook.id, { waypoint, id })
      }
  }

  /** Starts the pushes that are due; a failed device is retried with the mails. */
  async push(): Promise<void> {
    const { follows, webhooks } = this.#registry
    if ((await webhooks.state()).isPaused) return
    for await (const device of follows.pushes()) {
      if (this.#isOver || !(await this.#mayDeliver())) return
      const name = `push ${device.endpoint}`
      if (this.#running.has(name)) continue
      while (this.#running.size >= following.push.atOnce) await Promise.race(this.#running.values())
      this.#begin(name, this.#push(device))
    }
  }

  async #push({ notifications, more, entry, ...device }: Push): Promise<void> {
    const { follows } = this.#registry
    for (const notification of notifications) {
      if (this.#isOver || !(await this.#mayDeliver())) return
      const { status, error } = await this.#sender.push(device, pushOf(notification, more, device.language))
      const isGone = status === 404 || status === 410
      const outcome = isGone ? 'gone' : error === undefined ? notification.entryId : 'failed'
      await follows.pushed(this.#lease, device.endpoint, outcome)
      if (error !== undefined) return
    }
    if (notifications.at(-1)?.entryId !== entry) await follows.pushed(this.#lease, device.endpoint, entry)
  }

  /** Sends the mails that are due. One that is sent and not remembered, in a crash, is sent again. */
  async mail(): Promise<void> {
    const { mailDigest } = this.#options
    const { follows, webhooks } = this.#registry
    if (mailDigest === undefined || (await webhooks.state()).isPaused) return
    for await (const digest of follows.digests()) {
      if (this.#isOver || !(await this.#mayDeliver())) return
      const { notifications, reports, waiting } = digest
      const isEmpty = notifications.length + reports.length + waiting === 0
      const outcome = isEmpty ? 'done' : await mailDigest(digest)
      if (outcome === 'unreachable') return
      await follows.mailed(this.#lease, digest, outcome === 'done')
    }
  }

  async idle(): Promise<void> {
    await this.#mailing
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  #failed(error: unknown): void {
    if (error instanceof RegistryError && error.code === 'CONFLICT') this.#leasedAt = undefined
    else this.#options.onFailure?.(error)
  }

  /** Whether this process delivers, and nobody else will for a while. */
  #mayDeliver(): Promise<boolean> {
    const fresh = delivering.leaseMinutes * 60 * second * freshPart
    if (this.#leasedAt !== undefined && performance.now() - this.#leasedAt < fresh)
      return Promise.resolve(true)
    this.#taking ??= this.#take().finally(() => (this.#taking = undefined))
    return this.#taking
  }

  async #take(): Promise<boolean> {
    const now = performance.now()
    const isOurs = await this.#registry.webhooks.begin(this.#lease)
    this.#leasedAt = isOurs ? now : undefined
    return isOurs
  }

  async #tell(webhook: StoredWebhook, { origin, newest }: DeliveryState): Promise<void> {
    const { webhooks } = this.#registry
    let told = webhook
    let at = Math.max(told.place, this.#seen.get(told.id) ?? 0)
    while (at < newest && !this.#isOver) {
      const { place, event } = await webhooks.upcoming(told, at, newest)
      at = place
      // A place is written where much would be looked through again.
      if (event === undefined && place - told.place < delivering.page) {
        this.#seen.set(told.id, place)
        continue
      }
      if (!(await this.#mayDeliver())) return
      const delivery =
        event === undefined
          ? { entry: place, isNone: true as const }
          : { entry: place, ...(await deliver(this.#registry, this.#sender, told, origin, event)) }
      const after = await webhooks.record(this.#lease, told.id, delivery)
      if (after?.disabledAt !== undefined) this.#options.onOff?.(after)
      if (after === undefined || after.place < place) return
      told = after
      this.#seen.set(told.id, place)
    }
  }
}

/** Tells a webhook an event once: a signed message, or at a city's endpoint a service request. */
export async function deliver(
  registry: Registry,
  sender: Sender,
  webhook: StoredWebhook,
  origin: string,
  event: HappenedEvent,
): Promise<Omit<Delivery, 'entry'>> {
  const city = await registry.webhooks.city(webhook.id)
  if (city !== undefined) return reported(registry, sender, webhook, city, event)
  return sender.send(webhook, await messageOf(registry, origin, event), await registry.time())
}

/** Posts a fault to a city, unless it has an open request about it, nobody here saw it, or it is over. */
async function reported(
  registry: Registry,
  sender: Sender,
  webhook: StoredWebhook,
  city: City,
  event: HappenedEvent,
): Promise<Omit<Delivery, 'entry'>> {
  const { id, isRemoved } = event.waypoint
  const isOpen = city.requests.some(({ waypoint }) => waypoint === id)
  if (isOpen || isRemoved || event.by !== observerUserId) return { isNone: true }
  const { state } = await registry.observations.status(id)
  return state === 'broken' || state === 'gone' ? report({ sender, webhook, city }, event) : { isNone: true }
}

/** The content of a push; without a fountain it opens the notifications. */
function pushOf(notification: Notification, more: number, language: string | undefined): Message {
  const { id, event, name, by, byName, reason, bubblerId, isRemoved } = notification
  const words = happenedWordsIn(language)
  const said = [byName ?? words.by[by], ...(reason === undefined ? [] : [reason])]
  const shown = {
    title: `${words.event[event]}: ${name}`.slice(0, following.push.characters),
    body: [...said, ...(more > 0 ? [`+ ${more}`] : [])].join(' · ').slice(0, following.push.characters),
    tag: id,
    ...(more === 0 && !isRemoved && { fountain: bubblerId }),
  }
  return { id, body: JSON.stringify(shown) }
}

const messageOf = async (registry: Registry, origin: string, event: HappenedEvent): Promise<Message> => ({
  id: messageId(origin, event.id),
  body: JSON.stringify(await registry.webhooks.body(event)),
})
