import { hash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { apiUserId, token, user, type TokenActor, type UserActor } from './actor.ts'
import { invalid, notFound, RegistryError } from './errors.ts'
import type { ReportSecurity } from './security-events.ts'
import type { SessionInfo, TokenInfo } from './schemas/credential.ts'
import { parse } from './schemas/parse.ts'
import { text } from './schemas/text.ts'
import type { Store } from './store/port.ts'

/** A secret is shown once, when it is created; only its SHA-256 is stored. Scanners recognise it by its prefix. */
function newSecret(prefix: string): { secret: string; secretHash: Uint8Array } {
  const secret = `${prefix}_${randomBytes(32).toString('base64url')}`
  return { secret, secretHash: hashOfSecret(secret) }
}

function hashOfSecret(secret: string): Uint8Array {
  return hash('sha256', secret, 'buffer')
}

/** In characters; longer secrets are not ours and are not looked up. */
const longest = 128
const day = 24 * 60 * 60 * 1000

/** How long a session lasts, in days. */
export const sessionDays = 30

/** Sessions of signed-in users. */
export class Sessions {
  readonly #store: Store
  readonly #report: ReportSecurity

  /** @internal Created by the registry. */
  constructor(store: Store, report: ReportSecurity) {
    this.#store = store
    this.#report = report
  }

  /**
   * Signs a user in for thirty days. `session` is the secret, the value of the cookie of that name; it is not stored.
   *
   * @throws RegistryError NOT_FOUND, CLOCK_BEHIND
   */
  async create(userId: string): Promise<SessionInfo & { readonly session: string }> {
    const { secret, secretHash } = newSecret('ofs')
    const known = userId === apiUserId ? undefined : await this.#store.read.users.get(userId)
    if (known === undefined) throw notFound('user', userId)
    const at = await this.#store.timeOfWrite()
    const expiresAt = new Date(Date.parse(at) + sessionDays * day).toISOString()
    const id = await this.#store.credentials.insertSession({ secretHash, userId, at, expiresAt })
    this.#report('session.created', { user: userId, session: id, until: expiresAt })
    return { id, userId, createdAt: at, expiresAt, session: secret }
  }

  /** The actor of this secret, or undefined when it is unknown, expired or revoked. */
  async resolve(secret: string): Promise<UserActor | undefined> {
    if (secret.length > longest) return undefined
    const found = await this.#store.credentials.unrevokedSession(hashOfSecret(secret))
    if (found === undefined) return undefined
    const now = await this.#store.time()
    if (found.expiresAt > now) return user(found.userId)
    await this.#end(found.id, now)
    return undefined
  }

  /** Revokes an expired session, which a clock that is set back would revive. */
  async #end(id: number, at: string): Promise<void> {
    try {
      await this.#store.credentials.revokeSession(id, at)
    } catch (error) {
      // It is expired all the same where nothing can be written, or another process writes.
      if (!(error instanceof RegistryError)) throw error
    }
  }

  /** Sessions that are neither expired nor revoked, of one user or of all. */
  async list(userId?: string): Promise<SessionInfo[]> {
    return this.#store.credentials.sessions(await this.#store.time(), userId)
  }

  /** Ends a session, given its id or its secret. @throws RegistryError NOT_FOUND */
  async revoke(session: number | string): Promise<void> {
    const { credentials } = this.#store
    const isId = typeof session === 'number'
    const id = isId ? session : ((await credentials.sessionId(hashOfSecret(session))) ?? 0)
    if (!(await credentials.revokeSession(id, await this.#store.time())))
      throw notFound('session', isId ? session : '')
    this.#report('session.revoked', { session: id })
  }
}

const TokenInput = z.object({ name: text({ min: 1, max: 80, trim: true }), ownerId: z.string().optional() })

/** API tokens: exempt from XP gates, and allowed to set flags and creators. */
export class Tokens {
  readonly #store: Store
  readonly #report: ReportSecurity

  /** @internal Created by the registry. */
  constructor(store: Store, report: ReportSecurity) {
    this.#store = store
    this.#report = report
  }

  /**
   * Creates an API token; `token` is the secret, shown once and not stored. Its writes are attributed to the owner,
   * or to the built-in user without one.
   *
   * @throws RegistryError INVALID_INPUT, also for an unknown owner; CLOCK_BEHIND
   */
  async create(input: {
    readonly name: string
    readonly ownerId?: string | undefined
  }): Promise<TokenInfo & { readonly token: string }> {
    const { name, ownerId } = parse(TokenInput, input)
    const { secret, secretHash } = newSecret('oft')
    if (ownerId !== undefined && (await this.#store.read.users.get(ownerId)) === undefined)
      throw invalid('ownerId', 'names no user of this registry')
    const at = await this.#store.timeOfWrite()
    const row = { secretHash, name, ownerId: ownerId ?? null, at }
    const id = await this.#store.credentials.insertToken(row)
    this.#report('token.created', { ...(ownerId !== undefined && { user: ownerId }), token: id })
    return { id, name, ...(ownerId !== undefined && { ownerId }), createdAt: at, token: secret }
  }

  /** The actor of this secret, or undefined when it is unknown or revoked. */
  async resolve(secret: string): Promise<TokenActor | undefined> {
    if (secret.length > longest) return undefined
    const found = await this.#store.credentials.tokenOwner(hashOfSecret(secret))
    return found && token(found.ownerId ?? undefined)
  }

  /** All tokens by id, including revoked ones; without their secrets. */
  async list(): Promise<TokenInfo[]> {
    return this.#store.credentials.tokens()
  }

  /** Revokes a token. @throws RegistryError NOT_FOUND */
  async revoke(id: number): Promise<void> {
    const at = await this.#store.time()
    if (!(await this.#store.credentials.revokeToken(id, at))) throw notFound('token', id)
    this.#report('token.revoked', { token: id })
  }
}
