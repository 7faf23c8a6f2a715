import { user, type UserActor } from '../decide/contributor.ts'
import { keepFor } from '../decide/secret.ts'
import { notFound } from '../errors.ts'
import { lifetimes } from '../rules.ts'
import type { SessionInfo } from '../schemas/credential.ts'
import { knownOptions } from '../schemas/parse.ts'
import {
  keyOfCredential,
  minutesAfter,
  minutesOf,
  newCredential,
  secretId,
  type StoredSecret,
  type SecretOf,
} from '../secrets.ts'
import type { Shared } from '../shared.ts'
import type { Store } from '../store/port.ts'
import { endOne, endSecrets, noticeUse, quietly, writtenSecret } from './kept.ts'

const { session: lifetime } = lifetimes

/** Whether a session was not used for so long that it has ended. */
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

/** The current session. */
export interface CurrentSession extends Pick<SessionInfo, 'id' | 'userId' | 'createdAt' | 'expiresAt'> {
  /** Whether it began within the last ten minutes, as is needed for changing an address or a way to sign in. */
  readonly isRecent: boolean
}

/** Sessions of signed-in users. */
export class Sessions {
  readonly #shared: Shared
  readonly #store: Store

  /** @internal Created by the registry. */
  constructor(shared: Shared) {
    this.#shared = shared
    this.#store = shared.store
  }

  /**
   * Signs a user in for thirty days, or until seven days without use. `session` is the secret, the value of the cookie
   * of that name; it is not stored.
   *
   * @param options `device` is a label by which the user recognises the session, such as `Firefox on Linux`
   * @throws RegistryError NOT_FOUND, CLOCK_BEHIND
   */
  async create(
    userId: string,
    options: { readonly device?: string | undefined } = {},
  ): Promise<SessionInfo & { readonly session: string }> {
    const { device } = knownOptions(options, ['device'])
    const { secret, id, begun } = newSession(device)
    await this.#store.write({ decide: (at) => keepFor(userId, begun(userId, at)) })
    const info = infoOf(await writtenSecret(this.#store, 'session', id))
    this.#shared.report('session.created', { user: userId, session: info.id, until: info.expiresAt })
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
    const found = await this.#store.read.secrets.standing(id)
    if (found === undefined || found.userId === null || found.expiresAt === null) return undefined
    const { number, userId, createdAt, usedAt, expiresAt } = found
    const now = await this.#store.time()
    const lastUse = usedAt ?? createdAt
    if (expiresAt <= now || isIdle(lastUse, now)) {
      // A clock that is set back would revive it.
      await quietly(endOne(this.#store, { id, kind: 'session' }))
      return undefined
    }
    await noticeUse(this.#store, id, { lastUse, now })
    const isRecent = now < minutesAfter(createdAt, lifetime.recentMinutes)
    return { id: number, userId, createdAt, expiresAt, isRecent }
  }

  /** Sessions that are neither expired nor revoked, of one user or of all. */
  async list(userId?: string): Promise<SessionInfo[]> {
    const now = await this.#store.time()
    const all = await this.#store.read.secrets.list('session', userId)
    return all.map(infoOf).filter(({ expiresAt, lastUsedAt }) => expiresAt > now && !isIdle(lastUsedAt, now))
  }

  /** Ends a session, given its id or its secret. @throws RegistryError NOT_FOUND */
  async delete(session: number | string): Promise<void> {
    const { secrets } = this.#store.read
    const isId = typeof session === 'number'
    const found = isId
      ? await secrets.byNumber('session', session)
      : await secrets.get('session', secretId('session', keyOfCredential(session)))
    if (found === undefined || !(await endOne(this.#store, found)))
      throw notFound('session', isId ? session : '')
    const { userId, number } = found
    this.#shared.report('session.revoked', { user: userId, session: number })
  }

  /**
   * Ends all sessions of a user but one, at once.
   *
   * @param options `tokens` also revokes their personal tokens; default false
   */
  async deleteOthers(
    userId: string,
    except: number,
    { tokens: andTokens = false }: { readonly tokens?: boolean | undefined } = {},
  ): Promise<void> {
    const { secrets } = this.#store.read
    const sessions = await secrets.list('session', userId)
    const others = sessions.filter(({ number }) => number !== except)
    const tokens = andTokens ? await secrets.list('personal', userId) : []
    const ended = await endSecrets(this.#store, [...others, ...tokens])
    for (const [index, { number }] of others.entries())
      if (ended[index] === true) this.#shared.report('session.revoked', { user: userId, session: number })
    const revoked = tokens.filter((_token, index) => ended[others.length + index] === true)
    for (const { number } of revoked) this.#shared.report('token.revoked', { user: userId, token: number })
    const name = revoked.map(({ value }) => value.name).join(', ')
    if (revoked.length > 0) this.#shared.access.tell({ userId, change: 'removed', what: 'token', name })
  }
}
