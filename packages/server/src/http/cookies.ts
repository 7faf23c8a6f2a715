import type { HeaderPair } from './headers.ts'
import { createHmac } from 'node:crypto'

/** A cookie is HttpOnly, and SameSite=Lax because providers send the browser back by a navigation. */
interface CookieOptions {
  readonly path: string
  readonly seconds: number
  /** Whether browsers send it over https alone. */
  readonly isSecure: boolean
}

/** The header that sets a cookie; the value must consist of cookie characters. */
export function setCookie(
  name: string,
  value: string,
  { path, seconds, isSecure }: CookieOptions,
): HeaderPair {
  const secure = isSecure ? '; Secure' : ''
  return ['set-cookie', `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`]
}

export const clearCookie = (name: string, options: Omit<CookieOptions, 'seconds'>): HeaderPair =>
  setCookie(name, '', { ...options, seconds: 0 })

/** The cookies of a request in their order, oldest first; h3's `parseCookies` has one of each name, even an empty one. */
function* cookiesOf({ headers }: Request): Generator<readonly [name: string, value: string]> {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals < 0) continue
    const value = pair.slice(equals + 1).trim()
    yield [pair.slice(0, equals).trim(), value.replaceAll('"', '')]
  }
}

export function cookieOf(request: Request, name: string): string | undefined {
  for (const [each, value] of cookiesOf(request)) if (each === name && value !== '') return value
  return undefined
}

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

/** A short-lived cookie that identifies the browser at the end of a sign-in, with those of all tabs. */
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

  remember(
    request: Request,
    { secret, purpose, isSecure }: { secret: string; purpose: string; isSecure: boolean },
  ): HeaderPair {
    const all = [...this.#pending(request), { secret, tag: tagOf(secret, purpose) }]
    return this.#set(all.slice(-mostPending), isSecure)
  }

  recall(request: Request, purpose: string): string | undefined {
    const all = this.#pending(request)
    const found = all.findLast(({ secret, tag }) => tag === tagOf(secret, purpose))
    return (found ?? all.at(-1))?.secret
  }

  forget(request: Request, secret: string, isSecure: boolean): HeaderPair {
    return this.#set(
      this.#pending(request).filter((each) => each.secret !== secret),
      isSecure,
    )
  }
}
