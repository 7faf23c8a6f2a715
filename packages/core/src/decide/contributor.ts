import {
  apiUserId,
  isActor,
  observerUserId,
  tokenScopes,
  userIdOf,
  type Actor,
  type TokenScope,
} from '../actor.ts'
import { RegistryError } from '../errors.ts'
import type { Award } from '../log/entry.ts'
import type { Block, Person, Profile } from '../log/nouns.ts'
import type { DeclaredProperties } from '../properties-declared.ts'
import type { Rules } from '../rules.ts'
import type { Deciding, Facts, Need } from './deciding.ts'

/** The author of a write, with the facts that decisions depend on. */
export interface Contributor {
  readonly kind: 'user' | 'token'
  /** The user id that the log records for the write. */
  readonly userId: string
  readonly xp: number
  readonly isModerator: boolean
  /** The rights of an API token. Default `administer` */
  readonly scope?: TokenScope | undefined
}

/** The circumstances of a write: the rules in force, who makes it, and its time. */
export interface Occasion {
  readonly rules: Rules
  /** The custom fields that the registry takes. Default none. */
  readonly properties?: DeclaredProperties | undefined
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

/** Whether a block holds at a time. */
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

/**
 * Somebody may leave between being identified and writing: nothing of them may be written after the erasure.
 *
 * @throws RegistryError UNAUTHORIZED for a person who left
 */
function mustNotHaveLeft(profile: Profile | undefined): void {
  if (profile?.leftAt !== undefined) throw new RegistryError('UNAUTHORIZED', 'There is no such account')
}

export const isBuiltIn = (id: string): boolean => id === apiUserId || id === observerUserId

/** A person with their profile. */
export interface PersonWithProfile {
  readonly person: Person
  readonly profile: Profile
}

/** A person with their profile; undefined for the built-in users, and for people who have left. */
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

/**
 * Refuses private actions, such as adding a way to sign in, of a person who is blocked or has left.
 *
 * @throws RegistryError FORBIDDEN `{ reason, blockedUntil? }`, UNAUTHORIZED
 */
export function* mayWrite(userId: string, at: string): Deciding<void> {
  const facts = yield [
    { noun: 'user', key: userId },
    { noun: 'profile', key: userId },
  ]
  mustNotHaveLeft(facts.get('profile', userId))
  const person = facts.get('user', userId)
  if (person !== undefined) mustNotBeBlocked(person, at)
}

/**
 * The author of a write, loaded together with the other needs of its decision.
 *
 * @throws RegistryError UNAUTHORIZED for anonymous actors, unknown users and those who left, FORBIDDEN for blocked ones
 */
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
  const who: Contributor = { kind, userId: id, xp: person.xp, isModerator, scope }
  if (kind === 'token') mustHaveScope(who, 'contribute')
  return { who, facts }
}

/** Whether somebody is a token with at least this scope. */
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

/** Whether somebody is a moderator, or a token with that scope. */
export const mayModerate = (who: Contributor): boolean => who.isModerator || hasScope(who, 'moderate')

/**
 * Refuses who has less XP than a gate needs; API tokens pass every gate.
 *
 * @throws RegistryError INSUFFICIENT_XP `{ required, current }`
 */
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

/** The award for an event, or none when it earns nothing. The built-in user never earns XP. */
export function earn({ rules }: Pick<Occasion, 'rules'>, userId: string, event: keyof Rules['xp']): Award[] {
  // Rules that a program was compiled with may be older than an event.
  const amount = (rules.xp as Partial<Rules['xp']>)[event] ?? 0
  return userId === apiUserId || amount === 0 ? [] : [[userId, event, amount]]
}
