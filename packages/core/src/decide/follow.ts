import { invalidBecause, notFound, RegistryError, required } from '../errors.ts'
import { canonicalJson } from '../log/leaf.ts'
import { delivering, following } from '../rules.ts'
import type {
  Digest,
  FollowInput,
  PushDevice,
  ReadUpTo,
  Rhythm,
  StoredDevice,
  StoredFollow,
  StoredMail,
} from '../schemas/follow.ts'
import type { HappenedEvent } from '../waypoint-events.ts'
import { hashOf, minutesAfter, secretId, secretUnder, type Secret, type SecretOf } from '../secrets.ts'
import { presentPerson } from './contributor.ts'
import {
  kept,
  nounsWhere,
  removed,
  secretOf,
  withoutEntries,
  type Decision,
  type Decided,
} from './deciding.ts'
import { mustDeliver } from './webhook.ts'

export const ownFollow = 'mine'

const keyOf = (userId: string, id: string): string => `${userId} ${id}`
export const followKey = (userId: string, id: string): string => secretId('follow', keyOf(userId, id))

export const followId = ({ id, userId = '' }: SecretOf<'follow'>): string =>
  id.slice(followKey(userId, '').length)

type FollowSecret = SecretOf<'follow'>

const own = (userId: string, at: string, value: Partial<StoredFollow>): FollowSecret =>
  secretUnder(
    'follow',
    keyOf(userId, ownFollow),
    { what: { mine: true }, told: [], ...value },
    { userId, createdAt: at },
  )

const begun = (after: FollowSecret): Decision<FollowSecret> => ({
  ...withoutEntries(after, [kept(after)]),
  subject: followId(after),
})

/** The address of a way to sign in, if it is one. */
export const addressOf = (way: Secret): string | undefined =>
  way.kind === 'identity' && way.value.provider === 'email' ? way.value.label : undefined

/** @throws RegistryError FORBIDDEN for others than moderators, INVALID_INPUT unless it is daily or weekly, by mail */
function mustFollowQueue(
  { isModerator }: { readonly isModerator: boolean },
  { by, rhythm }: FollowInput,
): void {
  if (!isModerator) throw new RegistryError('FORBIDDEN', 'Only moderators may follow the queue')
  if (by?.includes('mail') !== true)
    throw invalidBecause('by', 'must have mail, which alone tells of the queue')
  if (rhythm === 'at-once') throw invalidBecause('rhythm', 'must be daily or weekly for the queue')
}

/** Mails of what happens from now on; the first one that tells at once need not wait. */
function mailOf(
  { rhythm = 'daily', language }: FollowInput & { readonly language?: string | undefined },
  at: string,
  entry: number,
  before: StoredMail | undefined,
): StoredMail {
  const waited = rhythm === 'at-once' ? following.mailMinutes[rhythm] : 0
  return { entry, at: minutesAfter(at, -waited), decisionsTo: at, ...before, rhythm, language }
}

export const isMailDue = (mails: readonly StoredMail[], rhythm: Rhythm, at: string): boolean =>
  mails.every((mail) => minutesAfter(mail.at, following.mailMinutes[rhythm]) <= at)

/** Remembers a mail, and how far it told; one that could not be sent told nothing. @throws RegistryError CONFLICT */
export function* mailed(
  at: string,
  lease: string,
  { userId, upTo }: Pick<Digest, 'userId' | 'upTo'>,
): Decided<undefined> {
  yield* mustDeliver(lease)
  const after: FollowSecret[] = []
  for (const { follow, entry, decisionsTo = '' } of upTo) {
    const before = yield* secretOf('follow', keyOf(userId, follow))
    const mail = before?.value.mail
    if (before === undefined || mail === undefined) continue
    const decided = mail.decisionsTo ?? mail.at
    const told = {
      ...mail,
      entry: Math.max(entry, mail.entry),
      at,
      decisionsTo: decisionsTo > decided ? decisionsTo : decided,
    }
    after.push({ ...before, value: { ...before.value, mail: told } })
  }
  return withoutEntries(undefined, after.map(kept))
}

export function* endMails(userId: string, rhythm: Rhythm): Decided<undefined> {
  const all = (yield* nounsWhere('secret', { userId, kind: 'follow' })) as FollowSecret[]
  const some = all.filter(({ isGone, value }) => isGone !== true && value.mail?.rhythm === rhythm)
  return withoutEntries(
    undefined,
    some.map((each) => kept({ ...each, value: { ...each.value, mail: undefined } })),
  )
}

/** Mails tell nothing up to an entry. */
export function* mailFrom(at: string, entry: number): Decided<undefined> {
  const before = yield* secretOf('place', 'mail')
  return withoutEntries(undefined, [
    kept(secretUnder('place', 'mail', { entry }, { number: before?.number, createdAt: at })),
  ])
}

/** Begins to tell somebody of something, as `follows.create` says. */
export function* addFollow(
  at: string,
  userId: string,
  newId: string,
  given: FollowInput & { readonly language?: string | undefined },
): Decided<FollowSecret> {
  const { person } = required(yield* presentPerson(userId), 'user', userId)
  if (given.what.queue === true) mustFollowQueue(person, given)
  const facts = yield [
    { noun: 'secret', where: { userId, kind: 'follow' } },
    { noun: 'secret', where: { userId, kind: 'identity' } },
  ]
  const newest = facts.nextEntry - 1
  const byMail = given.by?.includes('mail') === true
  const ways = facts.find('secret', { userId, kind: 'identity' })
  if (byMail && !ways.some((each) => each.isGone !== true && addressOf(each) !== undefined))
    throw invalidBecause('by', 'mail needs an address in your account: add one first')
  const told = (before?: StoredMail): Pick<StoredFollow, 'events' | 'mail' | 'isPushed'> => ({
    events: given.events,
    mail: byMail ? mailOf(given, at, newest, before) : undefined,
    isPushed: given.by?.includes('push'),
  })
  const all = facts.find('secret', { userId, kind: 'follow' }) as FollowSecret[]
  const others = all.filter(({ isGone }) => isGone !== true)
  const said = canonicalJson(given.what)
  const before = others.find(({ value }) => canonicalJson(value.what) === said)
  if (before !== undefined) {
    const { isOff: _off, ...value } = before.value
    return begun({ ...before, value: { ...value, ...told(value.mail) } })
  }
  if (given.what.mine === true) return begun(own(userId, at, told()))
  if (others.filter(({ value }) => value.what.mine !== true).length >= following.follows)
    throw invalidBecause('what', `you follow ${following.follows} things, which is the most: end one first`)
  const value = { what: given.what, ...told(), since: newest, told: [] }
  return begun(secretUnder('follow', keyOf(userId, newId), value, { userId, createdAt: at }))
}

/** Ends a follow. That of one's own fountains stays, and tells nothing. @throws RegistryError NOT_FOUND */
export function* endFollow(at: string, userId: string, id: string): Decided<undefined> {
  required(yield* presentPerson(userId), 'user', userId)
  const before = yield* secretOf('follow', keyOf(userId, id))
  if (id === ownFollow) {
    const { value, ...rest } = before ?? own(userId, at, {})
    return withoutEntries(undefined, [
      kept({ ...rest, value: { ...value, told: [], mail: undefined, isPushed: false, isOff: true } }),
    ])
  }
  if (before === undefined) throw notFound('follow', id)
  return withoutEntries(undefined, [removed(before)])
}

/** Pushes to a device what happens from now on; the oldest of too many devices are forgotten. @throws RegistryError NOT_FOUND */
export function* addDevice(
  at: string,
  userId: string,
  given: PushDevice & Pick<StoredDevice, 'language'>,
): Decided<undefined> {
  required(yield* presentPerson(userId), 'user', userId)
  const key = hashOf(given.endpoint)
  const before = yield* secretOf('push', key)
  const facts = yield [{ noun: 'secret', where: { userId, kind: 'push' } }]
  const others = facts
    .find('secret', { userId, kind: 'push' })
    .filter(({ id, isGone }) => isGone !== true && id !== secretId('push', key))
  // The same browser may be another person's now.
  const entry = before?.userId === userId ? before.value.entry : facts.nextEntry - 1
  const rest = { number: before?.number, userId, createdAt: at }
  return withoutEntries(undefined, [
    kept(secretUnder('push', key, { ...given, entry }, rest)),
    ...others.slice(0, Math.max(0, others.length + 1 - following.push.devices)).map(removed),
  ])
}

export function* endDevice(userId: string, endpoint: string): Decided<undefined> {
  const before = yield* secretOf('push', hashOf(endpoint))
  return withoutEntries(undefined, before?.userId === userId ? [removed(before)] : [])
}

/** What came of a push: the id of the entry that was told, or that the device is gone, or does not answer. */
export type Pushed = number | 'gone' | 'failed'

/** Remembers a push; a device that is gone, or did not answer for days, is forgotten. @throws RegistryError CONFLICT when another process tells since */
export function* pushed(at: string, lease: string, endpoint: string, outcome: Pushed): Decided<undefined> {
  yield* mustDeliver(lease)
  const before = yield* secretOf('push', hashOf(endpoint))
  if (before === undefined) return withoutEntries(undefined)
  const { attempts = 0, nextAt: _next, ...value } = before.value
  const seconds = outcome === 'failed' ? delivering.retrySeconds[attempts] : undefined
  if (typeof outcome === 'number')
    return withoutEntries(undefined, [kept({ ...before, value: { ...value, entry: outcome } })])
  if (seconds === undefined) return withoutEntries(undefined, [removed(before)])
  const nextAt = minutesAfter(at, seconds / 60)
  return withoutEntries(undefined, [kept({ ...before, value: { ...value, attempts: attempts + 1, nextAt } })])
}

/** Remembers how far somebody has read, at most until now. @throws RegistryError NOT_FOUND */
export function* readNotifications(
  at: string,
  userId: string,
  { upTo = 0, decisionsTo = '' }: ReadUpTo,
): Decided<undefined> {
  required(yield* presentPerson(userId), 'user', userId)
  const before = (yield* secretOf('follow', keyOf(userId, ownFollow))) ?? own(userId, at, {})
  const { nextEntry } = yield []
  const { readTo = 0, decisionsTo: earlier } = before.value
  const decided = decisionsTo > at ? at : decisionsTo
  const value = {
    ...before.value,
    readTo: Math.max(Math.min(upTo, nextEntry - 1), readTo),
    decisionsTo: decided > (earlier ?? '') ? decided : earlier,
  }
  return withoutEntries(undefined, [kept({ ...before, value })])
}

export interface Told {
  readonly userId: string
  readonly follow: string
  /** In the order of the log. */
  readonly events: readonly Pick<HappenedEvent, 'id' | 'event'>[]
}

/** Adds entries to those that follows tell; a repetition changes nothing. @throws RegistryError CONFLICT */
export function* tellFollows(at: string, lease: string, all: readonly Told[]): Decided<undefined> {
  yield* mustDeliver(lease)
  yield all.flatMap(({ userId, follow }) => [
    { noun: 'secret', key: followKey(userId, follow) } as const,
    ...(follow === ownFollow
      ? ([
          { noun: 'user', key: userId },
          { noun: 'profile', key: userId },
        ] as const)
      : []),
  ])
  const after: FollowSecret[] = []
  for (const { userId, follow, events } of all) {
    let before = yield* secretOf('follow', keyOf(userId, follow))
    if (before === undefined && follow === ownFollow && (yield* presentPerson(userId)) !== undefined)
      before = own(userId, at, {})
    if (before === undefined || before.value.isOff === true) continue
    const { events: wanted, told, since = 0 } = before.value
    const last = told.at(-1) ?? since
    const more = events.filter(({ id, event }) => id > last && (wanted?.includes(event) ?? true))
    if (more.length === 0) continue
    const ids = [...told, ...more.map(({ id }) => id)]
    after.push({ ...before, value: { ...before.value, told: ids.slice(-following.kept) } })
  }
  return withoutEntries(undefined, after.map(kept))
}

/** Remembers how far followers were told. @throws RegistryError CONFLICT when another process tells since */
export function* toldUpTo(at: string, lease: string, entry: number): Decided<undefined> {
  yield* mustDeliver(lease)
  const before = yield* secretOf('place', 'follows')
  const place = secretUnder('place', 'follows', { entry }, { number: before?.number, createdAt: at })
  return withoutEntries(undefined, [kept(place)])
}
