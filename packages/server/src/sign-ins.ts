import { type Registry, RegistryError } from '@openfountain/core'
import type { CurrentSession, SignInResult } from '@openfountain/core/internal'
import { lifetimes } from '@openfountain/core/rules'
import { Attempts } from './attempts.ts'
import { sessionSecretOf, Origins } from './exchange.ts'
import { type Call, Reply } from './endpoint.ts'
import { clearCookie, setCookie } from './http/cookies.ts'
import type { HeaderPair } from './http/headers.ts'
import type { AppOptions } from './options.ts'
import { Problem, notFound } from './problem.ts'
import type { WaysToSignIn } from '@openfountain/core/internal'

const sessionSeconds = lifetimes.session.days * 24 * 60 * 60

export interface SignedIn {
  readonly userId: string
  readonly session: CurrentSession
}

/** Shared parts of the endpoints for sign-in, accounts and leaving. */
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

  /** Configured ways to sign in; links need no configuration. */
  get offered(): Pick<WaysToSignIn, 'methods' | 'providers' | 'registration'> {
    return this.#ways ?? { methods: ['link'], providers: [], registration: 'invite' }
  }

  /** @throws Problem NOT_FOUND when none is configured */
  get ways(): WaysToSignIn {
    if (this.#ways === undefined) throw notFound('Way to sign in', 'GET /api/auth lists those of this server')
    return this.#ways
  }

  /** Whether cookies are sent over https only. */
  isSecure(request: Request): boolean {
    return this.origins.isSecure(request)
  }

  /**
   * The response after a sign-in: the profile, and the cookie of the new session. The browser's previous session ends,
   * whoever's it was.
   */
  async welcome(
    call: Call<unknown, unknown>,
    result: SignInResult,
    headers: readonly HeaderPair[] = [],
  ): Promise<Reply> {
    const session = await this.begin(call, result)
    return new Reply({ user: await this.#registry.users.profile(result.userId) }, [session, ...headers])
  }

  /** The Set-Cookie header of a new session; the browser's previous session ends. */
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
export function mustBeSignedIn({ session }: Pick<Call<unknown, unknown>, 'session'>): SignedIn {
  if (session === undefined) throw new Problem('UNAUTHORIZED')
  return { userId: session.userId, session }
}
