import { z } from 'zod'
import { token, userByToken, type TokenActor, type UserActor } from '../decide/contributor.ts'
import { keepPersonal, keepToken } from '../decide/secret.ts'
import { notFound } from '../errors.ts'
import { lifetimes } from '../rules.ts'
import type { PersonalTokenInfo, TokenInfo } from '../schemas/credential.ts'
import { parse } from '../schemas/parse.ts'
import { text } from '../schemas/text.ts'
import {
  tokenScopes,
  type TokenScope,
  keyOfCredential,
  minutesAfter,
  minutesOf,
  newCredential,
  secretId,
  type StoredSecret,
  type SecretValues,
} from '../secrets.ts'
import type { Shared } from '../shared.ts'
import type { Store } from '../store/port.ts'
import { endOne, lastUseOf, noticeUse, writtenSecret } from './kept.ts'

const Name = text({ min: 1, max: 80, trim: true, isName: true })
const { apiToken } = lifetimes
export const TokenInput = z.object({
  name: Name,
  ownerId: z.string().optional(),
  scope: z.enum(tokenScopes).default('administer'),
  days: z.int().min(1).max(apiToken.maxDays).optional(),
})

/** API tokens: exempt from XP gates, and allowed to set flags and creators. */
export class Tokens {
  readonly #shared: Shared
  readonly #store: Store

  /** @internal Created by the registry. */
  constructor(shared: Shared) {
    this.#shared = shared
    this.#store = shared.store
  }

  /**
   * Creates an API token; `token` is the secret, shown once and not stored. Its writes are attributed to the owner, or
   * to the built-in user without one.
   *
   * @param input `scope` is `administer` by default; after `days`, 3,650 at most, it ends by itself, by default never
   *
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
    await this.#store.write({ decide: (at) => keepToken(kept(at)) })
    const stored = await writtenSecret(this.#store, 'token', id)
    this.#shared.report('token.created', {
      user: ownerId,
      token: stored.number,
    })
    return { ...tokenInfo(stored), token: secret }
  }

  /** The actor of this secret, or undefined when it is unknown, expired or revoked. */
  async resolve(secret: string): Promise<TokenActor | undefined> {
    const found = await this.#store.read.secrets.standing(secretId('token', keyOfCredential(secret)))
    if (found === undefined) return undefined
    const { userId, expiresAt, value } = found
    if (expiresAt !== null && expiresAt <= (await this.#store.time())) return undefined
    const { scope } = JSON.parse(value) as SecretValues['token']
    return token(userId ?? undefined, scope)
  }

  /** All tokens by id, including revoked ones, without their secrets. Some time after they expired they are gone. */
  async list(): Promise<TokenInfo[]> {
    return (await this.#store.read.secrets.list('token')).map(tokenInfo)
  }

  /** Revokes a token. @throws RegistryError NOT_FOUND */
  async delete(id: number): Promise<void> {
    const found = await this.#store.read.secrets.byNumber('token', id)
    if (found === undefined || !(await endOne(this.#store, found))) throw notFound('token', id)
    this.#shared.report('token.revoked', { token: id })
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

/** The input of a personal token. */
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
export class PersonalTokens {
  readonly #shared: Shared
  readonly #store: Store

  /** @internal Created by the registry. */
  constructor(shared: Shared) {
    this.#shared = shared
    this.#store = shared.store
  }

  /**
   * Creates a personal token; `token` is the secret, shown once and not stored.
   *
   * @param input `{ name, days }`; it ends after 90 days by default, 365 at most
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
    await this.#store.write({ decide: (at) => keepPersonal(userId, kept(at)) })
    const stored = await writtenSecret(this.#store, 'personal', id)
    this.#shared.report('token.created', { user: userId, token: stored.number })
    this.#shared.access.tell({ userId, change: 'added', what: 'token', name })
    return { ...personalInfo(stored), token: secret }
  }

  /** The actor of this secret, or undefined when it is unknown, expired or revoked. Remembers that it was used. */
  async resolve(secret: string): Promise<UserActor | undefined> {
    const id = secretId('personal', keyOfCredential(secret))
    const found = await this.#store.read.secrets.standing(id)
    if (found === undefined || found.userId === null || found.expiresAt === null) return undefined
    const now = await this.#store.time()
    if (found.expiresAt <= now) return undefined
    await noticeUse(this.#store, id, { lastUse: found.usedAt, now })
    return userByToken(found.userId)
  }

  /** The tokens of a user that are neither expired nor revoked, by id; without their secrets. */
  async list(userId: string): Promise<PersonalTokenInfo[]> {
    const now = await this.#store.time()
    const all = await this.#store.read.secrets.list('personal', userId)
    return all
      .filter(({ endedAt, expiresAt = now }) => endedAt === undefined && expiresAt > now)
      .map(personalInfo)
  }

  /** Revokes a token of a user. @throws RegistryError NOT_FOUND */
  async delete(userId: string, id: number): Promise<void> {
    const found = await this.#store.read.secrets.byNumber('personal', id)
    if (found?.userId !== userId || !(await endOne(this.#store, found))) throw notFound('token', id)
    this.#shared.report('token.revoked', { user: userId, token: id })
    this.#shared.access.tell({ userId, change: 'removed', what: 'token', name: found.value.name })
  }
}

function personalInfo(kept: StoredSecret<'personal'>): PersonalTokenInfo {
  const { number: id, value, createdAt, expiresAt = createdAt } = kept
  return { id, name: value.name, createdAt, expiresAt, ...lastUseOf(kept) }
}
