import { invalid, notFound, RegistryError, required } from '../errors.ts'
import { apiUserId, draftOf } from '../log/entry.ts'
import type { Person, Profile } from '../log/nouns.ts'
import { attempts, lifetimes, type Rules } from '../rules.ts'
import { isGood, minutesAfter, secretUnder, type Invited, type Secret, type SecretOf } from '../secrets.ts'
import {
  taken,
  blocked,
  mayWrite,
  joinedFrom,
  signedUp,
  presentPerson,
  isInForce,
  operator,
} from './contributor.ts'
import {
  nounOf,
  nounsWhere,
  withoutEntries,
  type Deciding,
  type Unlogged,
  kept,
  removed,
  secretOf,
  type Decided,
} from './deciding.ts'
import { forgottenObservations } from './observation.ts'
import { keptCredits } from './photo.ts'
import { forgottenReports } from './report.ts'
import { createUser, mustNotBeModerators, setModerator } from './user.ts'

/** A proven way to sign in: an account with a provider, or an address. */
export interface Way {
  /** `ISSUER SUBJECT`, or `mailto:ADDRESS` in lower case. */
  readonly key: string
  /** The id of the provider, or `email`. */
  readonly provider: string
  /** How its owner recognises it. */
  readonly label: string
  /** An address verified by the provider: `mailto:ADDRESS`. It is compared, and not stored. */
  readonly address?: string | undefined
  /** The key under which a block outlives an account with this way to sign in: a keyed hash. */
  readonly barredKey: string
}

/** Who may have a new account: anybody, who is invited by a link, or nobody. People who have one sign in all the same. */
export type Registration = 'open' | 'invite' | 'closed'

export interface SigningIn {
  readonly at: string
  readonly rules: Rules
  readonly newId: () => string
  readonly session: (userId: string) => SecretOf<'session'>
}

export interface SignedIn {
  readonly userId: string
  readonly isNew: boolean
}

const conflict = (message: string): RegistryError => new RegistryError('CONFLICT', message)

/** Signs in a user with an account. @throws RegistryError UNAUTHORIZED when they left */
function* entering(userId: string, { session }: SigningIn, unlogged: readonly Unlogged[]): Decided<SignedIn> {
  const profile = yield* nounOf('profile', userId)
  if (profile === undefined || profile.leftAt !== undefined)
    throw new RegistryError('UNAUTHORIZED', 'There is no such account')
  return withoutEntries({ userId, isNew: false }, [...unlogged, kept(session(userId))])
}

/** Makes an account and signs in. @throws RegistryError INVALID_INPUT without a name */
function* joining(
  { name, isModerator, xp }: Partial<Invited>,
  { at, newId, session }: SigningIn,
  waysOf: (userId: string) => readonly Unlogged[],
): Decided<SignedIn> {
  if (name === undefined) throw invalid('name', 'is required: choose the name that everybody sees')
  if (isModerator !== true) yield* mustNotBeModerators(name)
  const made = yield* createUser(at, { name, isModerator: isModerator ?? false, xp }, newId)
  const userId = made.answer.person.id
  return {
    ...made,
    unlogged: [...(made.unlogged ?? []), ...waysOf(userId), kept(session(userId))],
    answer: { userId, isNew: true },
  }
}

function noNewcomers(registration: Exclude<Registration, 'open'>, isInvited: boolean): RegistryError {
  const rest = isInvited ? '; your link stays good until it expires' : ''
  const reason =
    registration === 'closed'
      ? `Those who run this registry have closed it to new accounts${rest}`
      : 'New accounts need an invitation: ask those who run this registry'
  return new RegistryError('FORBIDDEN', reason, { registration })
}

/** Signs in with a link, as `accounts.redeemLink` says. The other sessions end: a lost device may be in other hands. */
export function* redeemLink(
  { key, name, registration = 'invite' }: { key: string; name?: string; registration?: Registration },
  signing: SigningIn,
): Decided<SignedIn> {
  const link = yield* secretOf('link', key)
  if (link === undefined || !isGood(link, signing.at))
    throw new RegistryError('UNAUTHORIZED', 'This link was used or has expired: ask for a new one')
  if (link.userId !== undefined) {
    const sessions = yield* nounsWhere('secret', { userId: link.userId, kind: 'session' })
    const others = sessions.filter(({ isGone }) => isGone !== true)
    return yield* entering(link.userId, signing, [link, ...others].map(removed))
  }
  if (registration === 'closed') throw noNewcomers(registration, true)
  const { invited } = link.value
  return yield* joining({ ...invited, name: name ?? invited?.name }, signing, () => [removed(link)])
}

function identity(userId: string, { key, provider, label }: Way, at: string): SecretOf<'identity'> {
  return secretUnder('identity', key, { provider, label }, { userId, createdAt: at })
}

/** @throws RegistryError FORBIDDEN `{ reason, blockedUntil? }` when somebody blocked left with this way */
function* mustNotBeBarred({ barredKey }: Way, at: string): Deciding<void> {
  const barred = yield* secretOf('barred', barredKey)
  if (barred !== undefined && isGood(barred, at)) throw blocked({ ...barred.value, until: barred.expiresAt })
}

/** Signs in with a way that was proven, as `accounts.signIn` says. */
export function* signInWith(
  way: Way,
  {
    name,
    registration,
    networkOn,
  }: {
    readonly name?: string | undefined
    readonly registration: Registration
    /** The keyed hash of the network and the day, where the network is known. */
    readonly networkOn?: ((day: string) => string) | undefined
  },
  signing: SigningIn,
): Decided<SignedIn> {
  const { at } = signing
  const known = yield* secretOf('identity', way.key)
  if (known?.userId !== undefined)
    return yield* entering(known.userId, signing, [kept({ ...known, usedAt: at })])
  if (way.address !== undefined && (yield* secretOf('identity', way.address)) !== undefined)
    throw conflict(
      'Your address has an account here: sign in as you did before, then add this way in your account',
    )
  yield* mustNotBeBarred(way, at)
  if (registration !== 'open') throw noNewcomers(registration, false)
  const joined = yield* joinedFrom(networkOn?.(at.slice(0, 10)), signing)
  return yield* joining({ name }, signing, (userId) => [
    kept(identity(userId, way, at)),
    kept(signedUp(userId, at)),
    ...joined,
  ])
}

/** Adds a way. @throws RegistryError CONFLICT when it is of another account, FORBIDDEN while the person is blocked */
export function* addWay(at: string, userId: string, way: Way): Decided<boolean> {
  yield* mayWrite(userId, at)
  const known = yield* secretOf('identity', way.key)
  if (known !== undefined && known.userId !== userId)
    throw conflict('This belongs to another account here: sign in with it, or remove it there first')
  if (known !== undefined) return withoutEntries(false)
  return withoutEntries(true, [kept(identity(userId, way, at))])
}

/** Adds a passkey. @throws RegistryError CONFLICT when it was added before, FORBIDDEN while the person is blocked */
export function* addPasskey(userId: string, passkey: Omit<SecretOf<'passkey'>, 'userId'>): Decided<boolean> {
  yield* mayWrite(userId, passkey.createdAt)
  if ((yield* nounOf('secret', passkey.id)) !== undefined) throw conflict('This passkey was added before')
  return withoutEntries(true, [kept({ ...passkey, userId })])
}

/** @throws RegistryError NOT_FOUND, FORBIDDEN while the person is blocked */
export function* renamePasskey(
  { id, userId, name }: { readonly id: string; readonly userId: string; readonly name: string },
  at: string,
): Decided<boolean> {
  yield* mayWrite(userId, at)
  const found = yield* nounOf('secret', id)
  if (found?.kind !== 'passkey' || found.userId !== userId || found.isGone === true)
    throw notFound('passkey', '')
  return withoutEntries(true, [kept({ ...found, value: { ...found.value, name } })])
}

/** Signs in with a verified passkey; undefined for a copy, whose counter did not rise. @throws RegistryError UNAUTHORIZED */
export function* signInWithPasskey(
  { id, counter }: { readonly id: string; readonly counter: number },
  signing: SigningIn,
): Decided<SignedIn | undefined> {
  const found = yield* nounOf('secret', id)
  if (found?.kind !== 'passkey' || found.userId === undefined || found.isGone === true)
    throw new RegistryError('UNAUTHORIZED', 'This passkey is not known here')
  const { value } = found
  if ((counter > 0 || value.counter > 0) && counter <= value.counter) return withoutEntries(undefined)
  const used = kept({ ...found, usedAt: signing.at, value: { ...value, counter } })
  return yield* entering(found.userId, signing, [used])
}

const isWay = ({ kind }: Secret): boolean => kind === 'identity' || kind === 'passkey'

/** Removes a way to sign in, but never the last one, nor a blocked person's: blocks outlive accounts by them. */
export function* removeWay(id: string, userId: string, at: string): Decided<boolean> {
  yield* mayWrite(userId, at)
  const identities = yield* nounsWhere('secret', { userId, kind: 'identity' })
  const passkeys = yield* nounsWhere('secret', { userId, kind: 'passkey' })
  const ways = [...identities, ...passkeys].filter(({ isGone }) => isGone !== true)
  const found = ways.find((way) => way.id === id)
  if (found === undefined) throw notFound('way to sign in', '')
  if (ways.length === 1) throw conflict('This is your only way to sign in: add another one first')
  return withoutEntries(true, [removed(found)])
}

export type Redeemed<Answer> =
  | { readonly isRight: true; readonly answer: Answer }
  | { readonly isRight: false; readonly triesLeft: number }

const wrongCodes = (key: string) => ({
  key,
  allowance: attempts.codesPerAddress,
  message: 'Too many wrong codes were tried for this address: sign in in another way, or try again later',
})

/** Tries a code. A wrong one costs a try, here and for the address; a right one is used up unless `then` is refused. */
export function* redeemCode<Answer>(
  { key, answer, at }: { readonly key: string; readonly answer: string; readonly at: string },
  then: () => Decided<Answer>,
): Decided<Redeemed<Answer>> {
  const code = yield* secretOf('code', key)
  if (code === undefined || !isGood(code, at))
    throw new RegistryError('UNAUTHORIZED', 'This code was used or has expired: ask for a new one')
  const tried = yield* taken(wrongCodes(code.value.allowance), at)
  if (code.value.answer !== answer) {
    const triesLeft = code.value.tries - 1
    const after =
      triesLeft > 0 ? kept({ ...code, value: { ...code.value, tries: triesLeft } }) : removed(code)
    return withoutEntries({ isRight: false, triesLeft }, [after, tried])
  }
  const decision = yield* then()
  return {
    ...decision,
    unlogged: [...(decision.unlogged ?? []), removed(code)],
    answer: { isRight: true, answer: decision.answer },
  }
}

export interface NewCode {
  /** The hash of the secret of the browser that asked. */
  readonly key: string
  readonly answer: string
  /** The keys of the allowances of its address: mails for one network, mails for all, and wrong codes. */
  readonly allowances: { readonly network: string; readonly address: string; readonly wrong: string }
}

/** Stores a code, when a mail with it can be sent. @throws RegistryError RATE_LIMITED */
export function* keepCode(
  { key, answer, allowances: { network, address, wrong } }: NewCode,
  at: string,
): Decided<undefined> {
  yield* taken(wrongCodes(wrong), at)
  // The allowance of the network first: one network alone must not use up that of the address.
  const ofNetwork = yield* taken({ key: network, allowance: attempts.mailsPerClient }, at)
  const ofAddress = yield* taken({ key: address, allowance: attempts.mailsPerAddress }, at)
  const value = { answer, tries: lifetimes.code.tries, allowance: wrong }
  const expiresAt = minutesAfter(at, lifetimes.code.minutes)
  const code = secretUnder('code', key, value, { createdAt: at, expiresAt })
  return withoutEntries(undefined, [kept(code), ofNetwork, ofAddress])
}

/** Removes a ceremony. @returns undefined when there is none for this purpose */
export function* takeCeremony(
  key: string,
  { purpose, at }: { readonly purpose: string; readonly at: string },
): Decided<SecretOf<'ceremony'> | undefined> {
  const found = yield* secretOf('ceremony', key)
  if (found === undefined) return withoutEntries(undefined)
  const isRight = isGood(found, at) && found.value.purpose === purpose
  return withoutEntries(isRight ? found : undefined, [removed(found)])
}

/** Stores a secret without an owner; another one under the same key is replaced. */
export function* keepNew(secret: Secret): Decided<undefined> {
  const before = yield* nounOf('secret', secret.id)
  return withoutEntries(undefined, [kept({ ...secret, number: before?.number })])
}

/** Stores a secret of an existing person. @throws RegistryError NOT_FOUND */
export function* keepFor(userId: string, secret: Secret): Decided<undefined> {
  required(yield* presentPerson(userId), 'user', userId)
  return withoutEntries(undefined, [kept(secret)])
}

/** Stores a token of a person. @throws RegistryError NOT_FOUND, FORBIDDEN while the person is blocked */
export function* keepPersonal(userId: string, personal: SecretOf<'personal'>): Decided<undefined> {
  yield* mayWrite(userId, personal.createdAt)
  return yield* keepFor(userId, personal)
}

/** Stores a token of the registry. @throws RegistryError INVALID_INPUT for an unknown owner */
export function* keepToken(token: SecretOf<'token'>): Decided<undefined> {
  const { userId = apiUserId } = token
  if (userId !== apiUserId && (yield* presentPerson(userId)) === undefined)
    throw invalid('ownerId', 'names no user of this registry: create the token’s owner first')
  return withoutEntries(undefined, [kept(token)])
}

/** Ends a secret: removes it, or marks it as ended when it stays listed. @returns whether it had not ended */
export function* endSecret(
  id: string,
  { isListed, at }: { readonly isListed: boolean; readonly at: string },
) {
  const found = yield* nounOf('secret', id)
  if (found === undefined || found.isGone === true || found.endedAt !== undefined)
    return withoutEntries(false)
  return withoutEntries(true, [isListed ? kept({ ...found, endedAt: at }) : removed(found)])
}

export function* useSecret(id: string, at: string): Decided<undefined> {
  const found = yield* nounOf('secret', id)
  if (found === undefined || found.isGone === true) return withoutEntries(undefined)
  return withoutEntries(undefined, [kept({ ...found, usedAt: at })])
}

/** A person leaves, and a block stays with their ways, by `barredKeyOf`. @returns the ids of their observations */
export function* leave(
  at: string,
  userId: string,
  {
    confirm,
    barredKeyOf,
    credit = false,
  }: {
    readonly confirm?: string | undefined
    readonly barredKeyOf: (way: string) => string
    readonly credit?: boolean
  },
): Decided<readonly number[]> {
  const { person, profile } = required(yield* presentPerson(userId), 'user', userId)
  if (confirm !== undefined && confirm.normalize('NFC').trim() !== profile.name)
    throw invalid('confirm', 'must be your name as it stands, which cannot be undone')
  const dismissal = person.isModerator ? yield* setModerator(at, userId, false) : undefined
  const observed = yield* nounsWhere('observer', { userId })
  return {
    entries: [
      ...(dismissal?.entries ?? []),
      ...(person.keeps ?? []).map((keeping) => draftOf('user', userId, 'relieved', keeping)),
    ],
    unlogged: [
      ...(yield* goneBy(at, person, barredKeyOf)),
      ...(credit ? yield* keptCredits(userId, profile.name) : []),
    ],
    by: operator,
    answer: observed.map(({ id }) => id),
  }
}

/** A person who is back by a backup leaves once more; the log has it, or lost it. @returns whether they were back */
export function* leaveAgain(
  at: string,
  userId: string,
  barredKeyOf: (way: string) => string,
): Decided<boolean> {
  const back = yield* presentPerson(userId)
  if (back === undefined) return withoutEntries(false)
  return withoutEntries(true, yield* goneBy(at, back.person, barredKeyOf))
}

/** The rows of a person who leaves: only their id stays, and a block with their ways to sign in. */
function* goneBy(
  at: string,
  { id: userId, block }: Person,
  barredKeyOf: (way: string) => string,
): Deciding<readonly Unlogged[]> {
  const secrets = (yield* nounsWhere('secret', { userId })).filter(({ isGone }) => isGone !== true)
  const gone: Profile = { id: userId, name: '', updatedAt: at, leftAt: at }
  const lasting = { createdAt: at, expiresAt: block?.until }
  const isBlocked = block !== undefined && isInForce(block, at)
  const barred = isBlocked
    ? secrets
        .filter(isWay)
        .map((way) => secretUnder('barred', barredKeyOf(way.id), { reason: block.reason }, lasting))
    : []
  const reports = yield* forgottenReports(userId)
  const observations = yield* forgottenObservations(userId)
  return [
    { noun: 'profile', after: gone },
    ...secrets.map(removed),
    ...barred.map(kept),
    ...reports,
    ...observations,
  ]
}
