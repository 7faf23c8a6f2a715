import { z } from 'zod'
import { invalid, RegistryError, required } from '../errors.ts'
import { draftOf, type Draft, apiUserId, observerUserId } from '../log/entry.ts'
import { isSameValue } from '../log/leaf.ts'
import type { Person, Profile } from '../log/nouns.ts'
import { newPerson } from '../log/states.ts'
import { limits } from '../rules.ts'
import { parse } from '../schemas/parse.ts'
import { Instant, Reason } from '../schemas/text.ts'
import { EnsuredUser, UserInput, UserPatch, type Kept } from '../schemas/user.ts'
import { likeness } from '../search/letters.ts'
import { secretUnder } from '../secrets.ts'
import {
  contribution,
  isBuiltIn,
  mayWrite,
  mustModerate,
  operator,
  presentPerson,
  type Occasion,
  type PersonWithProfile,
} from './contributor.ts'
import {
  asked,
  nounOf,
  withoutEntries,
  type Deciding,
  type Decision,
  kept,
  secretOf,
  type Decided,
} from './deciding.ts'

/** @throws RegistryError INVALID_INPUT */
export function mustNotBeBuiltIn(id: string): void {
  if (id === observerUserId) throw invalid('id', 'is that of the built-in user by whom observations are')
  if (id === apiUserId)
    throw invalid('id', 'is that of the built-in user of API tokens, which cannot be changed')
}

/** @throws RegistryError INVALID_INPUT for a name that reads like that of a moderator */
export function* mustNotBeModerators(name: string): Deciding<void> {
  const moderators = yield* asked('moderators', {})
  if (moderators.some((each) => likeness(each) === likeness(name)))
    throw invalid('name', 'is that of a moderator, or looks like it: choose another')
}

/** @throws RegistryError NOT_FOUND, INVALID_INPUT for the built-in user */
function* existing(id: string): Deciding<PersonWithProfile> {
  mustNotBeBuiltIn(id)
  return required(yield* presentPerson(id), 'user', id)
}

/** Adds a person. Several may give one address: nobody checked it, and a refusal would say that somebody has an account. */
export function* createUser(at: string, input: unknown, newId: () => string): Decided<PersonWithProfile> {
  const { name, email, id = newId(), isModerator = false, xp = 0 } = parse(UserInput, input)
  if ((yield* nounOf('user', id)) !== undefined) throw invalid('id', 'is taken by another user')
  const profile: Profile = { id, name, ...(email && { email }), updatedAt: at }
  const joining = draftOf('user', id, 'created', isModerator ? { moderator: true } : {})
  const person: Person = { ...newPerson(id, at), isModerator, xp }
  return {
    entries: xp > 0 ? [joining, grant(id, xp, 'granted at the beginning')] : [joining],
    unlogged: [{ noun: 'profile', after: profile }],
    by: operator,
    answer: { person, profile },
  }
}

export function grant(id: string, amount: number, reason: string): Draft {
  return { ...draftOf('user', id, 'granted', { reason }), awards: [[id, 'grant', amount]] }
}

/** Changes a name or an address, which are not in the log. `isOwn` says that the person does it. */
export function* updateUser(
  at: string,
  id: string,
  input: unknown,
  { isOwn = false }: { readonly isOwn?: boolean | undefined } = {},
): Decided<PersonWithProfile> {
  if (isOwn) yield* mayWrite(id, at)
  const patch = parse(UserPatch, input)
  const { person, profile: before } = yield* existing(id)
  const profile = profileAfter(before, patch, at)
  if (profile === before) return withoutEntries({ person, profile })
  const { name } = profile
  if (isOwn && name !== before.name && !person.isModerator) yield* mustNotBeModerators(name)
  return withoutEntries({ person, profile }, [{ noun: 'profile', after: profile }])
}

function profileAfter(before: Profile, { name = before.name, email }: UserPatch, at: string): Profile {
  const address = email === undefined ? before.email : (email ?? undefined)
  if (name === before.name && address === before.email) return before
  return { id: before.id, name, email: address, updatedAt: at }
}

interface EnsuredPerson extends PersonWithProfile {
  readonly rights?: 'appointed' | 'dismissed'
}

/** The user with this id at a host with its own accounts, as `users.ensure` says. The host's id is outside the log. */
export function* ensureUser(at: string, input: unknown, newId: () => string): Decided<EnsuredPerson> {
  const { externalId, ...given } = parse(EnsuredUser, input)
  const known = yield* secretOf('external', externalId)
  if (known?.userId !== undefined) return yield* followed(at, known.userId, given)
  const made: Decision<EnsuredPerson> = yield* createUser(at, given, newId)
  const external = secretUnder('external', externalId, {}, { userId: made.answer.person.id, createdAt: at })
  const answer = given.isModerator === true ? { ...made.answer, rights: 'appointed' as const } : made.answer
  return { ...made, unlogged: [...(made.unlogged ?? []), kept(external)], answer }
}

/** Gives a person the name, address and rights set by the operator or the host; absent members stay. */
function* followed(
  at: string,
  id: string,
  given: UserPatch & Pick<EnsuredUser, 'isModerator'>,
): Decided<EnsuredPerson> {
  const { person: before, profile: known } = yield* existing(id)
  const changed = profileAfter(known, given, at)
  const isModerator = given.isModerator ?? before.isModerator
  const isPromoted = isModerator !== before.isModerator
  if (changed === known && !isPromoted) return withoutEntries({ person: before, profile: known })
  const profile = { ...changed, updatedAt: at }
  const rights = isModerator ? 'appointed' : 'dismissed'
  return {
    entries: isPromoted ? [draftOf('user', id, rights)] : [],
    unlogged: [{ noun: 'profile', after: profile }],
    by: operator,
    answer: { person: { ...before, isModerator }, profile, ...(isPromoted && { rights }) },
  }
}

/** Gives XP as the operator; a negative amount takes XP away. @throws RegistryError NOT_FOUND, INVALID_INPUT */
export function* grantXp(id: string, amount: number, reason: string): Decided<PersonWithProfile> {
  if (!Number.isSafeInteger(amount) || amount === 0 || Math.abs(amount) > limits.xp)
    throw invalid('amount', `must be a whole number from ${-limits.xp} to ${limits.xp} other than zero`)
  const given = mustHaveReason(reason)
  const { person, profile } = yield* existing(id)
  return {
    entries: [grant(id, amount, given)],
    by: operator,
    answer: { person: { ...person, xp: person.xp + amount }, profile },
  }
}

/** Makes a person a keeper, or ends that. @throws RegistryError NOT_FOUND, INVALID_INPUT for an unknown source */
export function* setKeeper(id: string, keeping: Kept, isKeeper: boolean): Decided<PersonWithProfile> {
  const { person, profile } = yield* existing(id)
  if ('source' in keeping && (yield* nounOf('source', keeping.source)) === undefined)
    throw invalid('source', 'names no source of this registry')
  const others = (person.keeps ?? []).filter((each) => !isSameValue(each, keeping))
  const isOne = others.length < (person.keeps ?? []).length
  if (isOne === isKeeper) return withoutEntries({ person, profile })
  return {
    entries: [draftOf('user', id, isKeeper ? 'entrusted' : 'relieved', keeping)],
    by: operator,
    answer: { person: { ...person, keeps: isKeeper ? [...others, keeping] : others }, profile },
  }
}

/** Grants or revokes moderator rights as the operator. @throws RegistryError NOT_FOUND */
export function* setModerator(at: string, id: string, isModerator: boolean): Decided<PersonWithProfile> {
  return yield* followed(at, id, { isModerator })
}

export const Reasoned = z.object({ reason: Reason })

/** @throws RegistryError INVALID_INPUT */
export function mustHaveReason(reason: string): string {
  return parse(Reasoned, { reason }).reason
}

export const Block = z.object({ reason: Reason, until: Instant.optional() })

export function* blockUser(
  occasion: Occasion,
  id: string,
  { reason, until }: { readonly reason: string; readonly until?: string | undefined },
): Decided<PersonWithProfile> {
  const { who } = yield* contribution(occasion)
  mustModerate(who, 'Only moderators may block')
  const block = parse(Block, { reason, ...(until !== undefined && { until }) })
  if (block.until !== undefined && block.until <= occasion.at) throw invalid('until', 'must be in the future')
  if (isBuiltIn(id)) throw new RegistryError('FORBIDDEN', 'Built-in users cannot be blocked')
  const { person, profile } = yield* existing(id)
  if (person.isModerator || id === who.userId)
    throw new RegistryError('FORBIDDEN', 'Moderators cannot be blocked; take their rights away first')
  return {
    entries: [draftOf('user', id, 'blocked', block)],
    by: who.userId,
    answer: { person: { ...person, block }, profile },
  }
}

/** Ends a block. @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND */
export function* unblockUser(occasion: Occasion, id: string): Decided<PersonWithProfile> {
  const { who } = yield* contribution(occasion)
  mustModerate(who, 'Only moderators may end a block')
  const { person, profile } = yield* existing(id)
  const { block, ...unblocked } = person
  return {
    entries: block === undefined ? [] : [draftOf('user', id, 'unblocked')],
    by: who.userId,
    answer: { person: unblocked, profile },
  }
}
