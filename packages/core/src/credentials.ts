import { hash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { apiUserId, token, user, type TokenActor, type UserActor } from './actor.ts'
import type { Writer } from './writer.ts'
import { invalid, notFound } from './errors.ts'
import type { SessionInfo, TokenInfo } from './schemas/credential.ts'
import { parse } from './schemas/parse.ts'
import { text } from './schemas/text.ts'
import { credentialRows } from './store/sqlite/nouns/credentials.ts'

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
  readonly #writer: Writer
  readonly #rows: ReturnType<typeof credentialRows>

  /** @internal Created by the registry. */
  constructor(writer: Writer) {
    this.#writer = writer
    this.#rows = credentialRows(writer.statements)
  }

  /**
   * Signs a user in for thirty days. `session` is the secret, the value of the cookie of that name; it is not stored.
   *
   * @throws RegistryError NOT_FOUND
   */
  async create(userId: string): Promise<SessionInfo & { readonly session: string }> {
    const { secret, secretHash } = newSecret('ofs')
    return this.#writer.transact(({ load, at, noChange }) => {
      noChange()
      if (load.user(userId) === undefined || userId === apiUserId) throw notFound('user', userId)
      const expiresAt = new Date(Date.parse(at) + sessionDays * day).toISOString()
      const id = this.#rows.insertSession({ secretHash, userId, at, expiresAt })
      return { id, userId, createdAt: at, expiresAt, session: secret }
    })
  }

  /** The actor of this secret, or undefined when it is unknown, expired or revoked. */
  async resolve(secret: string): Promise<UserActor | undefined> {
    if (secret.length > longest) return undefined
    const userId = this.#rows.sessionUser(hashOfSecret(secret), this.#writer.now())
    return userId === undefined ? undefined : user(userId)
  }

  /** Sessions that are neither expired nor revoked, of one user or of all. */
  async list(userId?: string): Promise<SessionInfo[]> {
    return this.#rows.sessions(this.#writer.now(), userId)
  }

  /** Ends a session, given its id or its secret. @throws RegistryError NOT_FOUND */
  async revoke(session: number | string): Promise<void> {
    this.#writer.transact(({ at, noChange }) => {
      noChange()
      const id = typeof session === 'number' ? session : (this.#rows.sessionId(hashOfSecret(session)) ?? 0)
      if (!this.#rows.revokeSession(id, at))
        throw notFound('session', typeof session === 'number' ? session : '')
    })
  }
}

const TokenInput = z.object({ name: text({ min: 1, max: 80, trim: true }), ownerId: z.string().optional() })

/** API tokens: exempt from XP gates, and allowed to set flags and creators. */
export class Tokens {
  readonly #writer: Writer
  readonly #rows: ReturnType<typeof credentialRows>

  /** @internal Created by the registry. */
  constructor(writer: Writer) {
    this.#writer = writer
    this.#rows = credentialRows(writer.statements)
  }

  /**
   * Creates an API token; `token` is the secret, shown once and not stored. Its writes are attributed to the owner,
   * or to the built-in user without one.
   *
   * @throws RegistryError INVALID_INPUT, also for an unknown owner
   */
  async create(input: {
    readonly name: string
    readonly ownerId?: string | undefined
  }): Promise<TokenInfo & { readonly token: string }> {
    const { name, ownerId } = parse(TokenInput, input)
    const { secret, secretHash } = newSecret('oft')
    return this.#writer.transact(({ load, at, noChange }) => {
      noChange()
      if (ownerId !== undefined && load.user(ownerId) === undefined)
        throw invalid('ownerId', 'names no user of this registry')
      const id = this.#rows.insertToken({ secretHash, name, ownerId: ownerId ?? null, at })
      return { id, name, ...(ownerId !== undefined && { ownerId }), createdAt: at, token: secret }
    })
  }

  /** The actor of this secret, or undefined when it is unknown or revoked. */
  async resolve(secret: string): Promise<TokenActor | undefined> {
    if (secret.length > longest) return undefined
    const found = this.#rows.tokenOwner(hashOfSecret(secret))
    return found && token(found.ownerId ?? undefined)
  }

  /** All tokens by id, including revoked ones; without their secrets. */
  async list(): Promise<TokenInfo[]> {
    return this.#rows.tokens()
  }

  /** Revokes a token. @throws RegistryError NOT_FOUND */
  async revoke(id: number): Promise<void> {
    this.#writer.transact(({ at, noChange }) => {
      noChange()
      if (!this.#rows.revokeToken(id, at)) throw notFound('token', id)
    })
  }
}
