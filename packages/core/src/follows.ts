import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import * as decisions from './decide/follow.ts'
import { followId, isMailDue, ownFollow, type Pushed, type Told } from './decide/follow.ts'
import { apiUserId, observerUserId, type StoredEntry } from './log/entry.ts'
import { pagesOf } from './paged.ts'
import { following, pages, rhythms } from './rules.ts'
import {
  FollowInput,
  PushDevice,
  ReadUpTo,
  watchedBy,
  type DecidedReport,
  type Digest,
  type Follow,
  type MailsOf,
  type Notification,
  type Push,
  type StoredFollow,
  type Teller,
} from './schemas/follow.ts'
import { parse } from './schemas/parse.ts'
import { secretId, type SecretOf, type StoredSecret } from './secrets.ts'
import type { Shared } from './shared.ts'
import { messageId } from './webhooks.ts'
import { isWatched, type HappenedEvent, type WaypointEvent } from './waypoint-events.ts'

/** Events of which followers hear that a moderator did them, without a name. */
const ofModerators: ReadonlySet<WaypointEvent> = new Set(['removed', 'merged', 'unapproved', 'unverified'])

export interface Notifications {
  readonly notifications: readonly Notification[]
  /** The newest decisions about their reports, newest first, on the first page. */
  readonly reports: readonly DecidedReport[]
  /** How many of both they have not read, of those that are kept. */
  readonly unread: number
}

/** What people follow, and what they are told. Not in the log. Everybody follows what they added or edited from the start. */
export class Follows {
  readonly #shared: Shared

  /** @internal Created by the registry. */
  constructor(shared: Shared) {
    this.#shared = shared
  }

  /** The follows of a user, `mine` first, then the oldest first. */
  async list(userId: string): Promise<readonly Follow[]> {
    const all = await this.#of(userId)
    const own = all.find((each) => followId(each) === ownFollow)
    const mine = own?.value.isOff === true ? [] : [{ id: ownFollow, ...shown(own?.value ?? ownDefault) }]
    return [...mine, ...all.filter((each) => each !== own).map(followOf)]
  }

  /**
   * Begins to tell somebody of something, or as it says now; `language` of mails is a tag such as `de`, default English.
   *
   * @throws RegistryError INVALID_INPUT, also after 50 of them, INVALID_COORDINATES, NOT_FOUND for an unknown user
   */
  async create(
    userId: string,
    input: FollowInput,
    { language }: { readonly language?: string | undefined } = {},
  ): Promise<Follow> {
    const given = { ...parse(FollowInput, input), language }
    const { store, newId } = this.#shared
    return followOf(await store.write({ decide: (at) => decisions.addFollow(at, userId, newId(), given) }))
  }

  /** Ends one; `mine` stays ended until it is created again. @throws RegistryError NOT_FOUND */
  async delete(userId: string, id: string): Promise<void> {
    return this.#shared.store.write({ decide: (at) => decisions.endFollow(at, userId, id) })
  }

  /** The newest 100 notifications of each follow, newest first, `after` an `entryId`; limit is 50, 100 at most. */
  async notifications(
    userId: string,
    query: { readonly after?: number | undefined; readonly limit?: number | undefined } = {},
  ): Promise<Notifications> {
    const { after = Infinity, limit = pages.notifications.default } = query
    const all = await this.#of(userId)
    const { readTo = 0, decisionsTo = '' } = all.find((each) => followId(each) === ownFollow)?.value ?? {}
    const reports = await this.#decided(userId, decisionsTo)
    const told = [...new Set(all.flatMap(({ value }) => value.told))].toSorted((a, b) => b - a)
    const page = told.filter((id) => id < after).slice(0, limit)
    return {
      notifications: await this.#about(page, readTo),
      reports: after === Infinity ? reports.slice(0, limit) : [],
      unread: told.filter((id) => id > readTo).length + reports.filter(({ isRead }) => !isRead).length,
    }
  }

  async #decided(userId: string, readTo: string): Promise<DecidedReport[]> {
    const found = await this.#shared.store.read.reports.decided(userId, following.kept)
    return found.flatMap((report) => {
      const { number: id = 0, state, bubblerId, reviewId, photoId, userId: person, reason } = report
      const { createdAt, decidedAt = '' } = report
      if (state === 'open') return []
      const about = { bubblerId, reviewId, photoId, userId: person, reason }
      return { id, ...about, state, createdAt, decidedAt, isRead: decidedAt <= readTo }
    })
  }

  async #about(ids: readonly number[], readTo = 0): Promise<Notification[]> {
    const { entries, waypointEvents, state } = this.#shared.store.read
    const found = await Promise.all(ids.map((id) => entries.get(id)))
    const [events, { origin }] = await Promise.all([
      waypointEvents.among(found.flatMap((entry) => entry ?? [])),
      state.line(),
    ])
    return events.map((event) => notificationOf(event, origin, readTo))
  }

  /** The mails that are due, one after the other; those of people without an address wait for one. */
  async *digests(): AsyncGenerator<Digest> {
    const { store } = this.#shared
    const place = await store.read.secrets.get('place', secretId('place', 'mail'))
    const leftOut = { entry: place?.value.entry ?? 0, at: place?.createdAt ?? '' }
    for await (const page of this.#pages('follow'))
      for (const { id, userId = '', value } of page) {
        if (value.mail === undefined) continue
        const all = (await this.#of(userId)).filter((each) => each.value.mail !== undefined)
        // A person's mails are made where the first of their follows is.
        if (all[0]?.id === id) yield* this.#digestsOf(userId, all, leftOut)
      }
  }

  async *#pages<Kind extends 'follow' | 'push'>(kind: Kind): AsyncGenerator<readonly StoredSecret<Kind>[]> {
    const size = following.page
    const read = (last?: StoredSecret<Kind>) =>
      this.#shared.store.read.secrets.page(kind, last?.number ?? 0, size)
    for await (const page of pagesOf(size, read)) {
      yield page
      await yieldToEventLoop()
    }
  }

  async *#digestsOf(
    userId: string,
    all: readonly StoredSecret<'follow'>[],
    leftOut: { readonly entry: number; readonly at: string },
  ): AsyncGenerator<Digest> {
    const { store } = this.#shared
    const [now, ways, { origin }] = await Promise.all([
      store.time(),
      store.read.secrets.list('identity', userId),
      store.read.state.line(),
    ])
    const address = ways.map(decisions.addressOf).find((each) => each !== undefined)
    if (address === undefined) return
    for (const rhythm of rhythms) {
      const some = all.flatMap((each) => {
        const { mail, told } = each.value
        if (mail?.rhythm !== rhythm) return []
        const from = Math.max(mail.entry, leftOut.entry)
        const isQueue = each.value.what.queue === true
        return { follow: followId(each), mail, told, isQueue, unmailed: told.filter((id) => id > from) }
      })
      const ids = [...new Set(some.flatMap(({ unmailed }) => unmailed))].toSorted((a, b) => b - a)
      const mails = some.map(({ mail }) => mail)
      if (!isMailDue(mails, rhythm, now)) continue
      const waiting = some.some(({ isQueue }) => isQueue) ? await this.#waitingFor(userId) : 0
      const own = some.find(({ follow }) => follow === ownFollow)?.mail
      const decided = own === undefined ? [] : await this.#decided(userId, own.decisionsTo ?? own.at)
      const reports = decided.filter(({ isRead, decidedAt }) => !isRead && decidedAt > leftOut.at)
      if (ids.length === 0 && waiting === 0 && reports.length === 0) continue
      const last = mails.reduce((newest, { at }) => (at > newest ? at : newest), '')
      const isFull = some.some(
        ({ told, unmailed }) => told.length === following.kept && told.length === unmailed.length,
      )
      yield {
        id: messageId(`${origin} ${userId} ${rhythm} ${last}`, ids[0] ?? 0),
        userId,
        rhythm,
        language: mails.at(-1)?.language,
        address,
        notifications: await this.#about(ids.slice(0, following.mailed)),
        reports,
        waiting,
        isMore: isFull || ids.length > following.mailed,
        upTo: some.map(({ follow, mail, told }) => ({
          follow,
          entry: told.at(-1) ?? mail.entry,
          decisionsTo: reports[0]?.decidedAt,
        })),
      }
    }
  }

  /** How much waits for a moderator, without what nobody has verified; 0 for others. */
  async #waitingFor(userId: string): Promise<number> {
    const { users, moderation, reports, photos, doubts } = this.#shared.store.read
    if ((await users.get(userId))?.isModerator !== true) return 0
    const [unapproved, reported, waiting, doubtful] = await Promise.all([
      moderation.total('unapproved'),
      reports.total(),
      photos.waitingTotal(),
      doubts.open({ after: 0, limit: 0 }),
    ])
    return unapproved + reported + waiting + doubtful.total
  }

  /** Remembers a mail, or that it could not be sent and is tried as late as another. @throws RegistryError CONFLICT */
  async mailed(lease: string, { userId, upTo }: Digest, isSent: boolean): Promise<void> {
    const told = isSent ? upTo : upTo.map(({ follow }) => ({ follow, entry: 0 }))
    return this.#shared.store.write({ decide: (at) => decisions.mailed(at, lease, { userId, upTo: told }) })
  }

  /** Ends the mails of a rhythm, not the follows. */
  async endMails({ userId, rhythm }: MailsOf): Promise<void> {
    await this.#shared.store.write({ decide: () => decisions.endMails(userId, rhythm) })
  }

  /**
   * Pushes to a device of somebody what their follows tell from now on, in a `language` such as `de`, default English.
   *
   * @throws RegistryError INVALID_INPUT, NOT_FOUND for an unknown user
   */
  async addDevice(
    userId: string,
    input: PushDevice,
    { language }: { readonly language?: string | undefined } = {},
  ): Promise<void> {
    const given = { ...parse(PushDevice, input), language }
    await this.#shared.store.write({ decide: (at) => decisions.addDevice(at, userId, given) })
  }

  async endDevice(userId: string, endpoint: string): Promise<void> {
    await this.#shared.store.write({ decide: () => decisions.endDevice(userId, endpoint) })
  }

  /** The next pushes, one device after the other. */
  async *pushes(): AsyncGenerator<Push> {
    const { store } = this.#shared
    const { secrets } = store.read
    const leftOut = (await secrets.get('place', secretId('place', 'mail')))?.value.entry ?? 0
    const [place, now] = await Promise.all([this.place(), store.time()])
    for await (const page of this.#pages('push'))
      for (const { userId = '', value } of page) {
        if (value.nextAt !== undefined && value.nextAt > now) continue
        const from = Math.max(value.entry, leftOut)
        const told = (await this.#of(userId)).flatMap((each) => (each.value.isPushed ? each.value.told : []))
        const ids = [...new Set(told)].filter((id) => id > from && id <= place).toSorted((a, b) => a - b)
        const entry = ids.at(-1)
        if (entry === undefined) continue
        const some = ids.length > following.push.events ? [entry] : ids
        const { endpoint, keys, language } = value
        const notifications = await this.#about(some)
        yield { endpoint, keys, language, notifications, more: ids.length - some.length, entry }
      }
  }

  /** Remembers what came of a push. @throws RegistryError CONFLICT when another process tells since */
  async pushed(lease: string, endpoint: string, outcome: Pushed): Promise<void> {
    return this.#shared.store.write({ decide: (at) => decisions.pushed(at, lease, endpoint, outcome) })
  }

  /** Says how far somebody has read. @throws RegistryError INVALID_INPUT, NOT_FOUND */
  async read(userId: string, upTo: ReadUpTo): Promise<void> {
    const given = parse(ReadUpTo, upTo)
    return this.#shared.store.write({ decide: (at) => decisions.readNotifications(at, userId, given) })
  }

  /** Tells followers of the next page of the log, nobody of their own acts. @throws RegistryError CONFLICT */
  async tell(lease: string): Promise<void> {
    const { store } = this.#shared
    const { read } = store
    const from = await this.place()
    // In a new registry nobody waits for what happened before.
    const { newest } = await read.state.line()
    const page = from === -1 ? [] : await read.entries.after(from, following.page)
    const events = await read.waypointEvents.among(page)
    if (events.length > 0) {
      const isOwn = await this.#ownActs(page)
      await this.#tell(lease, await this.#toldOfOwn(page, events, isOwn))
      for await (const some of this.#pages('follow'))
        await this.#tell(
          lease,
          some.flatMap((each) => toldBy(each, events, isOwn)),
        )
    }
    const upTo = from === -1 ? newest : (page.at(-1)?.id ?? from)
    await store.write({ decide: (at) => decisions.toldUpTo(at, lease, upTo) })
  }

  async #tell(lease: string, told: readonly Told[]): Promise<void> {
    const { store } = this.#shared
    for (let from = 0; from < told.length; from += following.written)
      await store.write({
        decide: (at) => decisions.tellFollows(at, lease, told.slice(from, from + following.written)),
      })
  }

  /** The id of the entry up to which followers were told; -1 before the first look. */
  async place(): Promise<number> {
    const found = await this.#shared.store.read.secrets.get('place', secretId('place', 'follows'))
    return found?.value.entry ?? -1
  }

  async #of(userId: string): Promise<StoredSecret<'follow'>[]> {
    return this.#shared.store.read.secrets.list('follow', userId)
  }

  /** Whether an event is the own act of somebody; who observed is not in the log. */
  async #ownActs(page: readonly StoredEntry[]): Promise<IsOwn> {
    const observed = page.flatMap(({ id, subject }) => (subject === 'observation' ? id : []))
    const observers = await this.#shared.store.read.waypointEvents.observers(observed)
    return ({ id, by }, userId) => (observers.get(id) ?? by) === userId
  }

  async #authors(page: readonly StoredEntry[]): Promise<ReadonlyMap<number, string>> {
    const shown = page.filter(({ subject, action }) => subject === 'photo' && action === 'shown')
    const { photos } = this.#shared.store.read
    const found = await Promise.all(
      shown.map(
        async ({ id, subjectId }) => [id, (await photos.get(Number(subjectId)))?.userId ?? ''] as const,
      ),
    )
    return new Map(found.filter(([, userId]) => userId !== ''))
  }

  /** What those are told who added or edited the waypoints of events, or took a photo that waited. */
  async #toldOfOwn(
    page: readonly StoredEntry[],
    events: readonly HappenedEvent[],
    isOwn: IsOwn,
  ): Promise<Told[]> {
    const authors = await this.#authors(page)
    const ids = [...new Set(events.map(({ waypoint }) => waypoint.id))]
    const contributors = await this.#shared.store.read.waypointEvents.contributors(ids)
    const peopleOf = Map.groupBy(contributors, ({ waypoint }) => waypoint)
    const told = new Map<string, HappenedEvent[]>()
    for (const event of events) {
      const people = (peopleOf.get(event.waypoint.id) ?? []).filter(({ since }) => event.id > since)
      const author = authors.get(event.id)
      for (const userId of new Set([...people.map((each) => each.userId), ...(author ? [author] : [])]))
        if (!isOwn(event, userId)) told.set(userId, [...(told.get(userId) ?? []), event])
    }
    return Array.from(told, ([userId, own]) => ({ userId, follow: ownFollow, events: own }))
  }
}

type IsOwn = (event: HappenedEvent, userId: string) => boolean

const ownDefault: StoredFollow = { what: { mine: true }, told: [] }

const shown = ({ what, events, mail, isPushed }: StoredFollow) => ({
  what,
  ...(events && { events }),
  by: (['web', 'mail', 'push'] as const).filter(
    (way) => way === 'web' || (way === 'mail' ? mail !== undefined : isPushed === true),
  ),
  ...(mail && { rhythm: mail.rhythm }),
})

const followOf = (each: SecretOf<'follow'>): Follow => ({
  id: followId(each),
  ...shown(each.value),
  createdAt: each.createdAt,
})

function toldBy(each: SecretOf<'follow'>, events: readonly HappenedEvent[], isOwn: IsOwn): Told[] {
  const { userId, value } = each
  if (userId === undefined || value.what.mine === true || value.what.queue === true) return []
  const watched = watchedBy(value)
  const some = events.filter((event) => isWatched(watched, event) && !isOwn(event, userId))
  return some.length === 0 ? [] : [{ userId, follow: followId(each), events: some }]
}

function tellerOf({ event, by, byModerator }: HappenedEvent): Teller {
  if (by === apiUserId) return 'program'
  if (by === observerUserId) return 'observer'
  return byModerator && ofModerators.has(event) ? 'moderator' : 'person'
}

function notificationOf(happened: HappenedEvent, origin: string, readTo: number): Notification {
  const { id, event, at, byName, reason, waypoint } = happened
  const by = tellerOf(happened)
  return {
    id: messageId(origin, id),
    entryId: id,
    event,
    at,
    bubblerId: waypoint.id,
    name: waypoint.name,
    isRemoved: waypoint.isRemoved,
    by,
    ...(by === 'person' && byName !== '' && { byName }),
    ...(reason !== undefined && { reason }),
    isRead: id <= readTo,
  }
}
