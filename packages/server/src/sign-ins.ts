import { type Registry, RegistryError } from '@openfountain/core'
import type { CurrentSession, SignInResult, WaysToSignIn, Allowance } from '@openfountain/core/internal'
import { lifetimes, attempts } from '@openfountain/core/rules'
import { sessionSecretOf, Origins } from './exchange.ts'
import { type Call, Reply } from './endpoint.ts'
import { clearCookie, setCookie } from './http/cookies.ts'
import type { HeaderPair } from './http/headers.ts'
import type { AppOptions } from './options.ts'
import { Problem, notFound } from './problem.ts'
import { createHash } from 'node:crypto'
import { Buckets, tooMany } from './http/rate-limit.ts'

const sessionSeconds = lifetimes.session.days * 24 * 60 * 60

export class SignIns {
  readonly attempts: Attempts
  readonly origins: Origins
  /** The prefix of `/api` in cookie paths and links, empty for none. */
  readonly basePath: string
  readonly #registry: Registry
  readonly #ways: WaysToSignIn | undefined

  constructor(registry: Registry, options: AppOptions) {
    const { accounts, rateLimit, basePath = '' } = options
    this.basePath = basePath
    this.attempts = new Attempts(rateLimit?.now)
    this.#registry = registry
    this.#ways = accounts
    this.origins = new Origins(options)
  }

  get offered(): Pick<WaysToSignIn, 'methods' | 'providers' | 'registration'> {
    return this.#ways ?? { methods: ['link'], providers: [], registration: 'invite' }
  }

  /** @throws Problem NOT_FOUND when none is configured */
  get ways(): WaysToSignIn {
    if (this.#ways === undefined) throw notFound('Way to sign in', 'GET /api/auth lists those of this server')
    return this.#ways
  }

  isSecure(request: Request): boolean {
    return this.origins.isSecure(request)
  }

  /** The profile, and the cookie of the new session; the browser's previous session ends, whoever's it was. */
  async welcome(
    call: Call<unknown, unknown>,
    result: SignInResult,
    headers: readonly HeaderPair[] = [],
  ): Promise<Reply> {
    const session = await this.begin(call, result)
    return new Reply({ user: await this.#registry.users.profile(result.userId) }, [session, ...headers])
  }

  async begin(call: Call<unknown, unknown>, { userId, session: secret }: SignInResult): Promise<HeaderPair> {
    const { request, session } = call
    call.identified(userId)
    if (session !== undefined && sessionSecretOf(request) !== secret) await this.end(session.id)
    const isSecure = this.isSecure(request)
    return setCookie('session', secret, { path: this.#cookiePath, seconds: sessionSeconds, isSecure })
  }

  async end(session: number): Promise<void> {
    try {
      await this.#registry.sessions.delete(session)
    } catch (error) {
      if (!(error instanceof RegistryError) || error.code !== 'NOT_FOUND') throw error
    }
  }

  farewell(request: Request): HeaderPair {
    return clearCookie('session', { path: this.#cookiePath, isSecure: this.isSecure(request) })
  }

  get #cookiePath(): string {
    return this.basePath === '' ? '/' : this.basePath
  }
}

/** @throws Problem UNAUTHORIZED for a visitor who is not signed in */
export function mustBeSignedIn({ session }: Pick<Call<unknown, unknown>, 'session'>): CurrentSession {
  if (session === undefined) throw new Problem('UNAUTHORIZED')
  return session
}

/** Kinds of sign-in, each with its own limit: a client blocked from one can use another. */
type AttemptKind = 'link' | 'passkey' | 'code' | 'mail' | 'provider'

/** Counts sign-in attempts in this process. Mails and wrong codes are counted in the registry, for all processes. */
export class Attempts {
  readonly #perClient: Buckets
  readonly #perBrowser: Buckets
  readonly #perAccount: Buckets

  /** @param now milliseconds of a clock that never goes back; default `performance.now()` */
  constructor(now?: () => number) {
    const buckets = (allowance: Allowance): Buckets => new Buckets(allowance, { now })
    this.#perClient = buckets(attempts.perClient)
    this.#perBrowser = buckets(attempts.perBrowser)
    this.#perAccount = buckets(attempts.perAccount)
  }

  /** Counts an attempt, unless the network is unknown, which all would share. @throws Problem RATE_LIMITED */
  byClient(kind: AttemptKind, network: string | undefined): void {
    if (network !== undefined) mustBeAllowed(this.#perClient, `${kind} ${network}`)
  }

  remember(secret: string): void {
    this.#perBrowser.add(hashed(secret))
  }

  /** Counts an attempt by the browser's secret, which strangers lack; without it by the client. @throws Problem RATE_LIMITED */
  byBrowserOrClient(kind: AttemptKind, secret: string | undefined, network: string | undefined): void {
    const key = secret === undefined ? undefined : hashed(secret)
    if (key !== undefined && this.#perBrowser.has(key)) mustBeAllowed(this.#perBrowser, key)
    else this.byClient(kind, network)
  }

  /** Counts a change of the caller's own account. @throws Problem RATE_LIMITED */
  byAccount(userId: string): void {
    mustBeAllowed(this.#perAccount, userId)
  }
}

/** @throws Problem RATE_LIMITED */
function mustBeAllowed(buckets: Buckets, key: string): void {
  const { isAllowed, retryAfterSeconds } = buckets.take(key)
  if (!isAllowed) throw tooMany(buckets.allowance, retryAfterSeconds)
}

const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url')
