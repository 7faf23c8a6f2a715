import { takeFrom, type Allowance } from '../allowance.ts'
import { RegistryError } from '../errors.ts'
import { type Award, apiUserId, observerUserId } from '../log/entry.ts'
import type { Block, Person, Profile, WaypointState } from '../log/nouns.ts'
import type { LabelOf } from '../places/labels.ts'
import type { DeclaredProperties } from '../properties-declared.ts'
import type { Kept } from '../schemas/user.ts'
import type { Rules } from '../rules.ts'
import {
  minutesAfter,
  minutesOf,
  secretUnder,
  type SecretOf,
  tokenScopes,
  type TokenScope,
} from '../secrets.ts'
import {
  type Deciding,
  type Facts,
  type Need,
  nounOf,
  type Unlogged,
  kept,
  secretOf,
  removed,
} from './deciding.ts'

/** Who makes a request; which users are moderators is stored in the registry. */
export type Actor = Anonymous | UserActor | TokenActor

interface Anonymous {
  readonly kind: 'anonymous'
}

export interface UserActor {
  readonly kind: 'user'
  readonly userId: string
  /** A program that acts with a personal token: never a moderator. Absent for the user. */
  readonly through?: 'token'
}

export interface TokenActor {
  readonly kind: 'token'
  /** The author of the token's writes; the built-in user when absent. */
  readonly ownerId?: string | undefined
  /** Default `administer`. */
  readonly scope?: TokenScope | undefined
}

export const anonymous: Anonymous = { kind: 'anonymous' }

/** The user with this id, subject to the gates. */
export function user(userId: string): UserActor {
  return { kind: 'user', userId }
}

/** A program that acts as this user, with a personal token: subject to the gates, and never a moderator. */
export function userByToken(userId: string): UserActor {
  return { kind: 'user', userId, through: 'token' }
}

/**
 * The holder of an API token, exempt from XP gates; writes are attributed to `ownerId` or the built-in user.
 *
 * @param scope default `administer`
 */
export function token(ownerId?: string, scope?: TokenScope): TokenActor {
  return {
    kind: 'token',
    ownerId,
    ...(scope !== undefined && scope !== 'administer' && { scope }),
  }
}

const isId = (given: unknown): given is string => typeof given === 'string' && given !== ''

/** Whether something is an actor that is well formed: no user without an id, no kind that there is not, no built-in user. */
function isActor(given: unknown): given is Actor {
  if (typeof given !== 'object' || given === null || !('kind' in given)) return false
  if (given.kind === 'anonymous') return true
  if (given.kind === 'user') {
    const { userId, through } = given as { readonly userId?: unknown; readonly through?: unknown }
    return isId(userId) && !isBuiltIn(userId) && (through === undefined || through === 'token')
  }
  if (given.kind !== 'token') return false
  const { ownerId, scope } = given as { readonly ownerId?: unknown; readonly scope?: unknown }
  return (
    (ownerId === undefined || (isId(ownerId) && ownerId !== observerUserId)) &&
    (scope === undefined || tokenScopes.some((each) => each === scope))
  )
}

/** The id of the user who is recorded in the log for an actor's writes, or undefined for an anonymous actor. */
export function userIdOf(actor: Actor): string | undefined {
  if (actor.kind === 'user') return actor.userId
  if (actor.kind === 'token') return actor.ownerId ?? apiUserId
  return undefined
}

export interface Contributor {
  readonly kind: 'user' | 'token'
  /** The user id that the log records for the write. */
  readonly userId: string
  readonly xp: number
  readonly isModerator: boolean
  /** The rights of an API token. Default `administer` */
  readonly scope?: TokenScope | undefined
  readonly keeps?: readonly Kept[] | undefined
}

/** The circumstances of a write: the rules in force, who makes it, and its time. */
export interface Occasion {
  readonly rules: Rules
  readonly properties?: DeclaredProperties | undefined
  /** The label of a waypoint without a name, null for others. Default in English, without places. */
  readonly labelOf?: LabelOf | undefined
  readonly actor: Actor
  /** ISO 8601 in UTC. */
  readonly at: string
}

/** Acts of the operator, who has a shell: recorded for the built-in user. */
export const operator = apiUserId

/** An actor. @throws RegistryError UNAUTHORIZED for a value that is no well-formed actor */
export function actorOf(given: unknown): Actor {
  if (isActor(given)) return given
  throw new RegistryError(
    'UNAUTHORIZED',
    'Who does this is not known: give user(id) of somebody, token() or anonymous',
  )
}

/** @throws RegistryError UNAUTHORIZED for an anonymous actor, and for an invalid one */
export function signedIn(given: Actor): Exclude<Actor, { kind: 'anonymous' }> {
  const actor = actorOf(given)
  if (actor.kind === 'anonymous') throw new RegistryError('UNAUTHORIZED')
  return actor
}

export const isInForce = ({ until }: Block, at: string): boolean => until === undefined || until > at

/** The refusal of a blocked person, from writing or from everything. */
export function blocked({ reason, until }: Block, from = ''): RegistryError {
  const end = until === undefined ? '' : ` until ${until}`
  return new RegistryError('FORBIDDEN', `You are blocked${from}${end}: ${reason}`, {
    reason,
    blockedUntil: until,
  })
}

/** @throws RegistryError FORBIDDEN `{ reason, blockedUntil? }` while the person is blocked */
function mustNotBeBlocked({ block }: Person, at: string): void {
  if (block !== undefined && isInForce(block, at)) throw blocked(block, ' from writing')
}

/** Nothing of a person may be written after an erasure that came between. @throws RegistryError UNAUTHORIZED */
function mustNotHaveLeft(profile: Profile | undefined): void {
  if (profile?.leftAt !== undefined) throw new RegistryError('UNAUTHORIZED', 'There is no such account')
}

/** Whether a user was made by the registry itself: nobody can sign in as one. */
export const isBuiltIn = (id: string): boolean => id === apiUserId || id === observerUserId

export interface PersonWithProfile {
  readonly person: Person
  readonly profile: Profile
}

export function* presentPerson(id: string): Deciding<PersonWithProfile | undefined> {
  const facts = yield [
    { noun: 'user', key: id },
    { noun: 'profile', key: id },
  ]
  const person = facts.get('user', id)
  const profile = facts.get('profile', id)
  const isThere = profile !== undefined && profile.leftAt === undefined && !isBuiltIn(id)
  return isThere && person !== undefined ? { person, profile } : undefined
}

/** Refuses private actions of a person who is blocked or has left. @throws RegistryError FORBIDDEN, UNAUTHORIZED */
export function* mayWrite(userId: string, at: string): Deciding<void> {
  const facts = yield [
    { noun: 'user', key: userId },
    { noun: 'profile', key: userId },
  ]
  mustNotHaveLeft(facts.get('profile', userId))
  const person = facts.get('user', userId)
  if (person !== undefined) mustNotBeBlocked(person, at)
}

/** The author of a write. @throws RegistryError UNAUTHORIZED for anonymous, unknown and former users, FORBIDDEN for blocked ones */
export function* contribution(
  { actor, at }: Occasion,
  needs: readonly Need[] = [],
): Deciding<{ readonly who: Contributor; readonly facts: Facts }> {
  const signed = signedIn(actor)
  const { kind } = signed
  const id = userIdOf(actor) ?? apiUserId
  const isBuiltIn = id === apiUserId
  const facts = yield [
    { noun: 'user', key: id },
    ...(isBuiltIn ? [] : [{ noun: 'profile', key: id } as const]),
    ...needs,
  ]
  const person = facts.get('user', id)
  if (!isBuiltIn) mustNotHaveLeft(facts.get('profile', id))
  if (person === undefined) {
    throw new RegistryError('UNAUTHORIZED', 'There is no user with this id: create it first', { userId: id })
  }
  // Blocks do not hold for API tokens: they are the operator's, who revokes them.
  if (kind === 'user') mustNotBeBlocked(person, at)
  const isModerator = person.isModerator && signed.kind === 'user' && signed.through !== 'token'
  const scope = signed.kind === 'token' ? signed.scope : undefined
  const keeps = kind === 'user' ? person.keeps : undefined
  const who: Contributor = { kind, userId: id, xp: person.xp, isModerator, scope, keeps }
  if (kind === 'token') mustHaveScope(who, 'contribute')
  return { who, facts }
}

/** An API token that administers; `what` names in a refusal what it writes. @throws RegistryError UNAUTHORIZED, FORBIDDEN */
export function* administration(occasion: Occasion, what: string, needs: readonly Need[] = []) {
  if (signedIn(occasion.actor).kind !== 'token')
    throw new RegistryError('UNAUTHORIZED', `${what} can only be written with an API token`)
  const { who, facts } = yield* contribution(occasion, needs)
  mustHaveScope(who, 'administer')
  return { by: who.userId, facts }
}

export function hasScope({ kind, scope = 'administer' }: Contributor, least: TokenScope): boolean {
  return kind === 'token' && tokenScopes.indexOf(scope) >= tokenScopes.indexOf(least)
}

/** @throws RegistryError FORBIDDEN `{ scope, required }` for a token with a smaller one */
export function mustHaveScope(who: Contributor, required: TokenScope): void {
  if (hasScope(who, required)) return
  const { scope } = who
  throw new RegistryError('FORBIDDEN', `This token has the scope ${scope}; this needs ${required}`, {
    scope,
    required,
  })
}

export const mayModerate = (who: Contributor): boolean => who.isModerator || hasScope(who, 'moderate')

/** The ids of a keeper's waypoints among these: attested ones of their maintainers, and those that their sources list. */
export function* keptOf(
  { keeps = [] }: Pick<Contributor, 'keeps'>,
  waypoints: readonly WaypointState[],
): Deciding<ReadonlySet<number>> {
  const names = new Set(keeps.map((each) => ('maintainer' in each ? each.maintainer : undefined)))
  const sources = new Set(keeps.flatMap((each) => ('source' in each ? [each.source] : [])))
  const isTheirs = ({ maintainer, isAttested }: WaypointState) =>
    isAttested && maintainer !== undefined && names.has(maintainer)
  const rest = sources.size === 0 ? [] : waypoints.filter((each) => !isTheirs(each))
  const needs = rest.map(({ id }) => ({ noun: 'record', where: { waypointId: id } }) as const)
  const facts = yield needs
  const listed = needs.flatMap(({ where }) =>
    facts
      .find('record', where)
      .filter(({ sourceId, missingSince }) => sources.has(sourceId) && missingSince === undefined),
  )
  return new Set([
    ...waypoints.filter(isTheirs).map(({ id }) => id),
    ...listed.map((each) => each.waypointId),
  ])
}

/** API tokens pass every gate. @throws RegistryError INSUFFICIENT_XP `{ required, current }` */
export function passGate({ rules }: Occasion, who: Contributor, gate: keyof Rules['gates']): void {
  const required = rules.gates[gate]
  if (who.kind === 'token' || who.xp >= required) return
  const current = who.xp
  throw new RegistryError('INSUFFICIENT_XP', `This needs ${required} XP; you have ${current}`, {
    required,
    current,
  })
}

/** @throws RegistryError FORBIDDEN for everybody else */
export function mustModerate(who: Contributor, message: string): void {
  if (mayModerate(who)) return
  if (who.kind === 'token') mustHaveScope(who, 'moderate')
  throw new RegistryError('FORBIDDEN', message)
}

export function earn({ rules }: Pick<Occasion, 'rules'>, userId: string, event: keyof Rules['xp']): Award[] {
  // Rules that a program was compiled with may be older than an event.
  const amount = (rules.xp as Partial<Rules['xp']>)[event] ?? 0
  return userId === apiUserId || amount === 0 ? [] : [[userId, event, amount]]
}

export function signedUp(userId: string, at: string): SecretOf<'signedUp'> {
  return secretUnder('signedUp', userId, {}, { userId, createdAt: at })
}

type Limits = Exclude<Rules['newcomers'], false>

interface Newcomer {
  readonly person: Person
  readonly limits: Limits
  readonly end: string
}

// Rules that a program was compiled with may be older than these limits, or than some of them.
const limitsOf = ({ newcomers = false }: Partial<Rules>): Partial<Limits> | false => newcomers

/** Somebody in the first hours of an account for which they signed up by themselves; undefined for all others. */
export function* newcomerOf(
  { rules, at }: Occasion,
  { kind, userId }: Contributor,
): Deciding<Newcomer | undefined> {
  const limits = limitsOf(rules)
  if (kind === 'token' || limits === false) return undefined
  const person = yield* nounOf('user', userId)
  if (person === undefined || person.isModerator) return undefined
  const end = minutesAfter(person.createdAt, (limits.hours ?? 0) * minutesOf.hour)
  if (at >= end || (yield* secretOf('signedUp', userId)) === undefined) return undefined
  return { person, limits: limits as Limits, end }
}

const words = {
  creates: (limit: number) => `adds at most ${limit} fountains`,
  edits: (limit: number) => `makes at most ${limit} edits`,
  reviews: (limit: number) => `posts at most ${limit} reviews`,
  observations: (limit: number) => `makes at most ${limit} observations`,
  photos: (limit: number) => `adds at most ${limit} photos`,
}

/** Counts of actions, which are all from the first hours of a new account. */
const done = { creates: 'waypointsCreated', edits: 'waypointsEdited', reviews: 'reviewsPosted' } as const

/** Refuses a new account that has reached its limit. @throws RegistryError RATE_LIMITED */
export function* mustNotBeTooMuch(
  occasion: Occasion,
  who: Contributor,
  act: keyof typeof done,
): Deciding<void> {
  const newcomer = yield* newcomerOf(occasion, who)
  if (newcomer !== undefined) mustBeLess(act, newcomer.person.stats[done[act]], { newcomer, at: occasion.at })
}

/** @throws RegistryError RATE_LIMITED as `mustNotBeTooMuch` */
export function mustBeLess(
  act: keyof typeof words,
  before: number,
  { newcomer: { limits, end }, at }: { readonly newcomer: Newcomer; readonly at: string },
): void {
  const limit = (limits as Partial<Limits>)[act]
  if (limit === undefined || before < limit) return
  throw tooOften(`A new account ${words[act](limit)} in its first ${limits.hours} hours: go on later`, {
    limit,
    minutes: limits.hours * minutesOf.hour,
    at,
    end,
  })
}

/** Counts a new account for a network on a day, by a keyed hash of both, if known. @throws RegistryError RATE_LIMITED */
export function* joinedFrom(
  network: string | undefined,
  { rules, at }: Pick<Occasion, 'rules' | 'at'>,
): Deciding<Unlogged[]> {
  const limits = limitsOf(rules)
  if (network === undefined || limits === false || limits.accounts === undefined) return []
  const before = yield* secretOf('joined', network)
  const accounts = before?.value.accounts ?? 0
  const expiresAt = endOfDay(at)
  if (accounts >= limits.accounts)
    throw tooOften(
      'Too many accounts were made from this network today: ask for an invitation, or try again tomorrow',
      { limit: limits.accounts, minutes: minutesOf.day, at, end: expiresAt },
    )
  const after = { number: before?.number, createdAt: before?.createdAt ?? at, expiresAt }
  return [kept(secretUnder('joined', network, { accounts: accounts + 1 }, after))]
}

/** Whether the XP of the next waypoint of a person is held back. */
export function* isHeld({ rules }: Occasion, { kind, userId }: Contributor): Deciding<boolean> {
  // Rules that a program was compiled with may be older than this one.
  const { earnOnApproval = false, newcomers = false }: Partial<Occasion['rules']> = rules
  if (!earnOnApproval || kind === 'token') return false
  const person = yield* nounOf('user', userId)
  return (person?.stats.waypointsCreated ?? 0) >= (newcomers === false ? 0 : newcomers.creates)
}

export function holding(waypointId: number, [userId, , xp]: Award, at: string): Unlogged {
  return kept(secretUnder('held', String(waypointId), { xp }, { userId, createdAt: at }))
}

/** The XP that the creator of a waypoint earns once somebody else approves or confirms it. */
export function* heldFor(
  waypointId: number,
  by: string,
): Deciding<{ readonly awards: readonly Award[]; readonly unlogged: readonly Unlogged[] }> {
  const held = yield* secretOf('held', String(waypointId))
  if (held?.userId === undefined || held.userId === by) return { awards: [], unlogged: [] }
  return { awards: [[held.userId, 'createWaypoint', held.value.xp]], unlogged: [removed(held)] }
}

export const endOfDay = (at: string): string =>
  minutesAfter(`${at.slice(0, 10)}T00:00:00.000Z`, minutesOf.day)

/** The refusal by a rate limit: `limit` in a number of minutes, retry at `end`. */
export function tooOften(
  message: string,
  { limit, minutes, at, end }: { limit: number; minutes: number; at: string; end: string },
): RegistryError {
  const seconds = Math.ceil((Date.parse(end) - Date.parse(at)) / 1000)
  return new RegistryError('RATE_LIMITED', message, {
    limit,
    windowSeconds: minutes * 60,
    retryAfterSeconds: Math.max(1, seconds),
  })
}

/** Takes one use from a rate limit of all processes of a registry. @returns the rest. @throws RegistryError RATE_LIMITED */
export function* taken(
  { key, allowance, message }: { key: string; allowance: Allowance; message?: string },
  at: string,
): Deciding<Unlogged> {
  const before = yield* secretOf('allowance', key)
  const { isAllowed, left, retryAfterSeconds, resetSeconds } = takeFrom(
    allowance,
    before && { left: before.value.left, at: Date.parse(before.usedAt ?? before.createdAt) },
    Date.parse(at),
  )
  if (!isAllowed) {
    const { times: limit, windowSeconds } = allowance
    throw new RegistryError('RATE_LIMITED', message, { limit, windowSeconds, retryAfterSeconds })
  }
  const after = {
    number: before?.number,
    createdAt: before?.createdAt ?? at,
    usedAt: at,
    expiresAt: minutesAfter(at, resetSeconds / 60),
  }
  return kept(secretUnder('allowance', key, { left }, after))
}
