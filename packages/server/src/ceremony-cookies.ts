import { createHmac } from 'node:crypto'
import { clearCookie, cookieOf, setCookie, type CookieOptions } from './http/cookies.ts'
import type { HeaderPair } from './http/headers.ts'

/** Pending sign-ins kept in one cookie, such as those of parallel tabs; older ones are dropped. */
const mostPending = 5

/** A pending sign-in: its secret, and a tag of its purpose, such as an address or a challenge. */
interface PendingSignIn {
  readonly secret: string
  /** Identifies the purpose, given the purpose; it proves nothing. */
  readonly tag: string
}

const tagOf = (secret: string, purpose: string): string =>
  createHmac('sha256', secret).update(purpose).digest('base64url').slice(0, 12)

/**
 * A short-lived cookie that identifies the browser at the end of a sign-in. It holds the pending sign-ins of all tabs,
 * the newest last.
 */
export class CeremonyCookie {
  readonly #name: string
  readonly #options: Omit<CookieOptions, 'isSecure'>

  constructor(name: string, options: Omit<CookieOptions, 'isSecure'>) {
    this.#name = name
    this.#options = options
  }

  #pending(request: Request): PendingSignIn[] {
    return (cookieOf(request, this.#name) ?? '').split('~').flatMap((text) => {
      const [secret = '', tag = ''] = text.split('.')
      return secret === '' ? [] : [{ secret, tag }]
    })
  }

  #set(pending: readonly PendingSignIn[], isSecure: boolean): HeaderPair {
    const value = pending.map(({ secret, tag }) => `${secret}.${tag}`).join('~')
    const { path } = this.#options
    return value === ''
      ? clearCookie(this.#name, { path, isSecure })
      : setCookie(this.#name, value, { ...this.#options, isSecure })
  }

  /** The Set-Cookie header that adds a pending sign-in. */
  remember(
    request: Request,
    { secret, purpose, isSecure }: { secret: string; purpose: string; isSecure: boolean },
  ): HeaderPair {
    const all = [...this.#pending(request), { secret, tag: tagOf(secret, purpose) }]
    return this.#set(all.slice(-mostPending), isSecure)
  }

  /** The secret of the pending sign-in for a purpose, else of the newest one. */
  recall(request: Request, purpose: string): string | undefined {
    const all = this.#pending(request)
    const found = all.findLast(({ secret, tag }) => tag === tagOf(secret, purpose))
    return (found ?? all.at(-1))?.secret
  }

  /** The Set-Cookie header that removes a pending sign-in. */
  forget(request: Request, secret: string, isSecure: boolean): HeaderPair {
    return this.#set(
      this.#pending(request).filter((each) => each.secret !== secret),
      isSecure,
    )
  }
}
