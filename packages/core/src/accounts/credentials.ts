import { z } from 'zod'
import { keepFor, keepPersonal, keepToken, endSecret, useSecret } from '../decide/account.ts'
import { user, type UserActor, token, userByToken, type TokenActor } from '../decide/contributor.ts'
import { notFound, RegistryError, required } from '../errors.ts'
import { lifetimes } from '../rules.ts'
import { answerOf } from '../log/script.ts'
import type { SessionInfo, PersonalTokenInfo, TokenInfo } from '../schemas/credential.ts'
import { knownOptions, parse } from '../schemas/parse.ts'
import { text } from '../schemas/text.ts'
import {
  keyOfCredential,
  minutesAfter,
  minutesOf,
  newCredential,
  secretId,
  type StoredSecret,
  type SecretOf,
  tokenScopes,
  type TokenScope,
  type SecretValues,
  type Secret,
  type SecretKind,
} from '../secrets.ts'
import { Part } from '../shared.ts'
import { apart } from '../store/write-queue.ts'
import type { Store } from '../store/port.ts'

const { session: lifetime } = lifetimes

const isIdle = (lastUse: string, now: string): boolean =>
  minutesAfter(lastUse, lifetime.idleDays * minutesOf.day) <= now

/** A new session: its secret, its id, and its row once it is known whose it is and when it begins. */
export function newSession(device: string | undefined) {
  const { secret, id, row } = newCredential('session')
  const begun = (userId: string, at: string): SecretOf<'session'> => {
    const expiresAt = minutesAfter(at, lifetime.days * minutesOf.day)
    return row(device === undefined ? {} : { device }, { userId, createdAt: at, usedAt: at, expiresAt })
  }
  return { secret, id, begun }
}

function infoOf(kept: StoredSecret<'session'>): SessionInfo {
  const { number: id, userId = '', createdAt, usedAt = createdAt, expiresAt = createdAt, value } = kept
  const { device } = value
  return { id, userId, createdAt, expiresAt, lastUsedAt: usedAt, device }
}

export interface CurrentSession extends Pick<SessionInfo, 'id' | 'userId' | 'createdAt' | 'expiresAt'> {
  /** Whether it began within the last ten minutes, as is needed for changing an address or a way to sign in. */
  readonly isRecent: boolean
}

/** Sessions of signed-in users. */
export class Sessions extends Part {
  /**
   * Signs a user in for thirty days, or until seven days without use. `session`, the cookie, is not stored.
   *
   * @param options `device` is a label for the user, such as `Firefox on Linux`
   * @throws RegistryError NOT_FOUND, CLOCK_BEHIND
   */
  async create(
    userId: string,
    options: { readonly device?: string | undefined } = {},
  ): Promise<SessionInfo & { readonly session: string }> {
    const { device } = knownOptions(options, ['device'])
    const { secret, id, begun } = newSession(device)
    await this.store.write({ decide: (at) => keepFor(userId, begun(userId, at)) })
    const info = infoOf(await writtenSecret(this.store, 'session', id))
    this.shared.report('session.created', { user: userId, session: info.id, until: info.expiresAt })
    return { ...info, session: secret }
  }

  /** The actor of this secret, or undefined when it is unknown, expired, unused for too long, or revoked. */
  async resolve(secret: string): Promise<UserActor | undefined> {
    const found = await this.find(secret)
    return found && user(found.userId)
  }

  /** The session of this secret, or undefined as `resolve` returns it. Remembers that it was used. */
  async find(secret: string): Promise<CurrentSession | undefined> {
    const id = secretId('session', keyOfCredential(secret))
    const found = await this.read.secrets.standing(id)
    if (found === undefined || found.userId === null || found.expiresAt === null) return undefined
    const { number, userId, createdAt, usedAt, expiresAt } = found
    const now = await this.store.time()
    const lastUse = usedAt ?? createdAt
    if (expiresAt <= now || isIdle(lastUse, now)) {
      // A clock that is set back would revive it.
      await quietly(endOne(this.store, { id, kind: 'session' }))
      return undefined
    }
    await noticeUse(this.store, id, { lastUse, now })
    const isRecent = now < minutesAfter(createdAt, lifetime.recentMinutes)
    return { id: number, userId, createdAt, expiresAt, isRecent }
  }

  /** Sessions that are neither expired nor revoked, of one user or of all. */
  async list(userId?: string): Promise<SessionInfo[]> {
    const now = await this.store.time()
    const all = await this.read.secrets.list('session', userId)
    return all.map(infoOf).filter(({ expiresAt, lastUsedAt }) => expiresAt > now && !isIdle(lastUsedAt, now))
  }

  /** Ends a session, given its id or its secret. @throws RegistryError NOT_FOUND */
  async delete(session: number | string): Promise<void> {
    const { secrets } = this.read
    const isId = typeof session === 'number'
    const found = isId
      ? await secrets.byNumber('session', session)
      : await secrets.get('session', secretId('session', keyOfCredential(session)))
    if (found === undefined || !(await endOne(this.store, found)))
      throw notFound('session', isId ? session : '')
    const { userId, number } = found
    this.shared.report('session.revoked', { user: userId, session: number })
  }

  /** Ends all sessions of a user but one. @param options `tokens` also revokes their personal tokens; default false */
  async deleteOthers(
    userId: string,
    except: number,
    { tokens: andTokens = false }: { readonly tokens?: boolean | undefined } = {},
  ): Promise<void> {
    const { secrets } = this.read
    const sessions = await secrets.list('session', userId)
    const others = sessions.filter(({ number }) => number !== except)
    const tokens = andTokens ? await secrets.list('personal', userId) : []
    const ended = await endSecrets(this.store, [...others, ...tokens])
    for (const [index, { number }] of others.entries())
      if (ended[index] === true) this.shared.report('session.revoked', { user: userId, session: number })
    const revoked = tokens.filter((_token, index) => ended[others.length + index] === true)
    for (const { number } of revoked) this.shared.report('token.revoked', { user: userId, token: number })
    const name = revoked.map(({ value }) => value.name).join(', ')
    if (revoked.length > 0) this.shared.access.tell({ userId, change: 'removed', what: 'token', name })
  }
}

const Name = text({ min: 1, max: 80, trim: true, isName: true })
const { apiToken } = lifetimes
export const TokenInput = z.object({
  name: Name,
  ownerId: z.string().optional(),
  scope: z.enum(tokenScopes).default('administer'),
  days: z.int().min(1).max(apiToken.maxDays).optional(),
})

/** API tokens: exempt from XP gates, and allowed to set flags and creators. */
export class Tokens extends Part {
  /**
   * Creates an API token; `token`, the secret, is shown once. It writes as its owner, or the built-in user.
   *
   * @param input `scope` is `administer` by default; after `days`, 3,650 at most, it ends, by default never
   * @throws RegistryError INVALID_INPUT, also for an unknown owner; CLOCK_BEHIND
   */
  async create(input: {
    readonly name: string
    readonly ownerId?: string | undefined
    readonly scope?: TokenScope | undefined
    readonly days?: number | undefined
  }): Promise<TokenInfo & { readonly token: string }> {
    const { name, ownerId, scope, days } = parse(TokenInput, input)
    const { secret, id, row } = newCredential('token')
    const value = { name, ...(scope !== 'administer' && { scope }) }
    const kept = (at: string) => {
      const expiresAt = days === undefined ? undefined : minutesAfter(at, days * minutesOf.day)
      return row(value, { createdAt: at, userId: ownerId, expiresAt })
    }
    await this.store.write({ decide: (at) => keepToken(kept(at)) })
    const stored = await writtenSecret(this.store, 'token', id)
    this.shared.report('token.created', { user: ownerId, token: stored.number })
    return { ...tokenInfo(stored), token: secret }
  }

  /** The actor of this secret, or undefined when it is unknown, expired or revoked. */
  async resolve(secret: string): Promise<TokenActor | undefined> {
    const found = await this.read.secrets.standing(secretId('token', keyOfCredential(secret)))
    if (found === undefined) return undefined
    const { userId, expiresAt, value } = found
    if (expiresAt !== null && expiresAt <= (await this.store.time())) return undefined
    const { scope } = JSON.parse(value) as SecretValues['token']
    return token(userId ?? undefined, scope)
  }

  /** All tokens by id, including revoked ones, without their secrets. Some time after they expired they are gone. */
  async list(): Promise<TokenInfo[]> {
    return (await this.read.secrets.list('token')).map(tokenInfo)
  }

  /** Revokes a token. @throws RegistryError NOT_FOUND */
  async delete(id: number): Promise<void> {
    const found = await this.read.secrets.byNumber('token', id)
    if (found === undefined || !(await endOne(this.store, found))) throw notFound('token', id)
    this.shared.report('token.revoked', { token: id })
  }
}

function tokenInfo({
  number,
  userId,
  value,
  createdAt,
  expiresAt,
  endedAt,
}: StoredSecret<'token'>): TokenInfo {
  return {
    id: number,
    name: value.name,
    ownerId: userId,
    scope: value.scope ?? 'administer',
    createdAt,
    expiresAt,
    revokedAt: endedAt,
  }
}

const { personalToken } = lifetimes

export const PersonalTokenInput = z
  .object({
    name: Name,
    days: z
      .int()
      .min(1)
      .max(personalToken.maxDays)
      .default(personalToken.defaultDays)
      .meta({ description: 'How long it is good for' }),
  })
  .meta({ id: 'PersonalTokenInput' })
export interface PersonalTokenInput {
  /** Its purpose. */
  readonly name: string
  /** Its lifetime in days: 1 to 365. Default 90. */
  readonly days?: number | undefined
}

/** Tokens with which programs act exactly as their owner, without moderator rights. */
export class PersonalTokens extends Part {
  /**
   * Creates a personal token; `token`, the secret, is shown once. It ends after 90 `days` by default, 365 at most.
   *
   * @throws RegistryError INVALID_INPUT, NOT_FOUND, FORBIDDEN while the user is blocked, CLOCK_BEHIND
   */
  async create(
    userId: string,
    input: PersonalTokenInput,
  ): Promise<PersonalTokenInfo & { readonly token: string }> {
    const { name, days } = parse(PersonalTokenInput, input)
    const { secret, id, row } = newCredential('personal')
    const kept = (at: string) =>
      row({ name }, { userId, createdAt: at, expiresAt: minutesAfter(at, days * minutesOf.day) })
    await this.store.write({ decide: (at) => keepPersonal(userId, kept(at)) })
    const stored = await writtenSecret(this.store, 'personal', id)
    this.shared.report('token.created', { user: userId, token: stored.number })
    this.shared.access.tell({ userId, change: 'added', what: 'token', name })
    return { ...personalInfo(stored), token: secret }
  }

  /** The actor of this secret, or undefined when it is unknown, expired or revoked. Remembers that it was used. */
  async resolve(secret: string): Promise<UserActor | undefined> {
    const id = secretId('personal', keyOfCredential(secret))
    const found = await this.read.secrets.standing(id)
    if (found === undefined || found.userId === null || found.expiresAt === null) return undefined
    const now = await this.store.time()
    if (found.expiresAt <= now) return undefined
    await noticeUse(this.store, id, { lastUse: found.usedAt, now })
    return userByToken(found.userId)
  }

  /** The tokens of a user that are neither expired nor revoked, by id; without their secrets. */
  async list(userId: string): Promise<PersonalTokenInfo[]> {
    const now = await this.store.time()
    const all = await this.read.secrets.list('personal', userId)
    return all
      .filter(({ endedAt, expiresAt = now }) => endedAt === undefined && expiresAt > now)
      .map(personalInfo)
  }

  /** Revokes a token of a user. @throws RegistryError NOT_FOUND */
  async delete(userId: string, id: number): Promise<void> {
    const found = await this.read.secrets.byNumber('personal', id)
    if (found?.userId !== userId || !(await endOne(this.store, found))) throw notFound('token', id)
    this.shared.report('token.revoked', { user: userId, token: id })
    this.shared.access.tell({ userId, change: 'removed', what: 'token', name: found.value.name })
  }
}

function personalInfo(kept: StoredSecret<'personal'>): PersonalTokenInfo {
  const { number: id, value, createdAt, expiresAt = createdAt } = kept
  return { id, name: value.name, createdAt, expiresAt, lastUsedAt: kept.usedAt }
}

/** A secret that was just written, with its public id. @internal */
export async function writtenSecret<Kind extends SecretKind>(
  { read }: Store,
  kind: Kind,
  id: string,
): Promise<StoredSecret<Kind>> {
  return required(await read.secrets.get(kind, id), kind, '')
}

/** Ends sessions and tokens in one transaction; tokens stay listed. @returns which of them had not ended @internal */
async function endSecrets(store: Store, all: readonly Pick<Secret, 'id' | 'kind'>[]): Promise<boolean[]> {
  const at = await store.time()
  const jobs = all.map(({ id, kind }) => ({
    decide: () => endSecret(id, { isListed: kind !== 'session', at }),
  }))
  return (await store.writeBatch(jobs, { acceptClock: true })).map(answerOf)
}

async function endOne(store: Store, secret: Pick<Secret, 'id' | 'kind'>): Promise<boolean> {
  const [isEnded = false] = await endSecrets(store, [secret])
  return isEnded
}

/** Remembers that a session or a token is used, to the hour. @internal */
async function noticeUse(
  store: Store,
  id: string,
  { lastUse, now }: { readonly lastUse: string | null; readonly now: string },
): Promise<void> {
  if (lastUse !== null && minutesAfter(lastUse, lifetimes.session.noticedAfterMinutes) > now) return
  await quietly(apart(() => store.write({ decide: (at) => useSecret(id, at) })))
}

/** Waits for a write that may fail, as where the database is read-only: the secret is as good or bad without it. */
export async function quietly(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
  }
}
