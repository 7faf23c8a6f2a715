import { invalidBecause, notFound, required } from '../errors.ts'
import { canonicalJson } from '../log/leaf.ts'
import { following } from '../rules.ts'
import type { FollowInput, StoredFollow } from '../schemas/follow.ts'
import type { HappenedEvent } from '../waypoint-events.ts'
import { secretId, secretUnder, type SecretOf } from '../secrets.ts'
import { presentPerson } from './contributor.ts'
import { kept, removed, secretOf, withoutEntries, type Deciding, type Decision } from './deciding.ts'
import { mustDeliver } from './webhook.ts'

/** The id of the follow of one's own fountains. */
export const ownFollow = 'mine'

const keyOf = (userId: string, id: string): string => `${userId} ${id}`
export const followKey = (userId: string, id: string): string => secretId('follow', keyOf(userId, id))

/** The id of a follow among those of its person. */
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

/**
 * Begins to tell somebody of something; who follows it already is told of these events instead.
 *
 * @throws RegistryError NOT_FOUND, INVALID_INPUT after too many
 */
export function* addFollow(
  at: string,
  userId: string,
  newId: string,
  given: FollowInput,
): Deciding<Decision<FollowSecret>> {
  required(yield* presentPerson(userId), 'user', userId)
  const facts = yield [{ noun: 'secret', where: { userId, kind: 'follow' } }]
  const all = facts.find('secret', { userId, kind: 'follow' }) as FollowSecret[]
  const others = all.filter(({ isGone }) => isGone !== true)
  const said = canonicalJson(given.what)
  const before = others.find(({ value }) => canonicalJson(value.what) === said)
  if (before !== undefined) {
    const { events: _events, isOff: _off, ...value } = before.value
    const after = { ...before, value: { ...value, events: given.events } }
    return begun(after)
  }
  if (given.what.mine === true) return begun(own(userId, at, { events: given.events }))
  if (others.filter(({ value }) => value.what.mine !== true).length >= following.follows)
    throw invalidBecause('what', `you follow ${following.follows} things, which is the most: end one first`)
  const value = { ...given, since: facts.nextEntry - 1, told: [] }
  return begun(secretUnder('follow', keyOf(userId, newId), value, { userId, createdAt: at }))
}

/** Ends a follow. That of one's own fountains stays, and tells nothing. @throws RegistryError NOT_FOUND */
export function* endFollow(at: string, userId: string, id: string): Deciding<Decision<undefined>> {
  required(yield* presentPerson(userId), 'user', userId)
  const before = yield* secretOf('follow', keyOf(userId, id))
  if (id === ownFollow) {
    const { value, ...rest } = before ?? own(userId, at, {})
    return withoutEntries(undefined, [kept({ ...rest, value: { ...value, told: [], isOff: true } })])
  }
  if (before === undefined) throw notFound('follow', id)
  return withoutEntries(undefined, [removed(before)])
}

/** Remembers how far somebody has read. @throws RegistryError NOT_FOUND */
export function* readNotifications(at: string, userId: string, upTo: number): Deciding<Decision<undefined>> {
  required(yield* presentPerson(userId), 'user', userId)
  const before = (yield* secretOf('follow', keyOf(userId, ownFollow))) ?? own(userId, at, {})
  const readTo = Math.max(upTo, before.value.readTo ?? 0)
  return withoutEntries(undefined, [kept({ ...before, value: { ...before.value, readTo } })])
}

/** Entries that a follow tells. */
export interface Told {
  readonly userId: string
  readonly follow: string
  /** In the order of the log. */
  readonly events: readonly Pick<HappenedEvent, 'id' | 'event'>[]
}

/**
 * Adds entries to those that follows tell; what they tell already is left out, so that a repetition changes nothing.
 *
 * @throws RegistryError CONFLICT when another process tells since
 */
export function* tellFollows(at: string, lease: string, all: readonly Told[]): Deciding<Decision<undefined>> {
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
export function* toldUpTo(at: string, lease: string, entry: number): Deciding<Decision<undefined>> {
  yield* mustDeliver(lease)
  const before = yield* secretOf('place', 'follows')
  const place = secretUnder('place', 'follows', { entry }, { number: before?.number, createdAt: at })
  return withoutEntries(undefined, [kept(place)])
}
