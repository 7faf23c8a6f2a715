import { createHmac } from 'node:crypto'
import { clearCookie, cookieOf, setCookie, type CookieOptions } from './http/cookies.ts'
import type { HeaderPair } from './http/headers.ts'

/** Beginnings that a browser remembers at the same time, such as those of parallel tabs; older ones are forgotten. */
const remembered = 5

/** A secret that a browser was given for something, such as an address or a challenge. */
interface Beginning {
  readonly secret: string
  /** Says for what, to whoever knows that; it proves nothing. */
  readonly tag: string
}

const tagOf = (secret: string, purpose: string): string =>
  createHmac('sha256', secret).update(purpose).digest('base64url').slice(0, 12)

/**
 * Short-lived cookies by which a browser that began to sign in is known at the end. One cookie has the beginnings of all
 * tabs, the newest last.
 */
export class CeremonyCookie {
  readonly #name: string
  readonly #options: Omit<CookieOptions, 'isSecure'>

  constructor(name: string, options: Omit<CookieOptions, 'isSecure'>) {
    this.#name = name
    this.#options = options
  }

  #beginnings(request: Request): Beginning[] {
    return (cookieOf(request, this.#name) ?? '').split('~').flatMap((text) => {
      const [secret = '', tag = ''] = text.split('.')
      return secret === '' ? [] : [{ secret, tag }]
    })
  }

  #set(beginnings: readonly Beginning[], isSecure: boolean): HeaderPair {
    const value = beginnings.map(({ secret, tag }) => `${secret}.${tag}`).join('~')
    const { path } = this.#options
    return value === ''
      ? clearCookie(this.#name, { path, isSecure })
      : setCookie(this.#name, value, { ...this.#options, isSecure })
  }

  /** The header that adds a beginning to those that the browser has. */
  remember(
    request: Request,
    { secret, purpose, isSecure }: { secret: string; purpose: string; isSecure: boolean },
  ): HeaderPair {
    const all = [...this.#beginnings(request), { secret, tag: tagOf(secret, purpose) }]
    return this.#set(all.slice(-remembered), isSecure)
  }

  /** The secret that was given for a purpose, else the newest one. */
  recall(request: Request, purpose: string): string | undefined {
    const all = this.#beginnings(request)
    const found = all.findLast(({ secret, tag }) => tag === tagOf(secret, purpose))
    return (found ?? all.at(-1))?.secret
  }

  /** The header that takes a beginning from those that the browser has. */
  forget(request: Request, secret: string, isSecure: boolean): HeaderPair {
    return this.#set(
      this.#beginnings(request).filter((each) => each.secret !== secret),
      isSecure,
    )
  }
}
