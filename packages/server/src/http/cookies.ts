import type { HeaderPair } from './headers.ts'

/**
 * Attributes of a cookie. It is always HttpOnly, and SameSite=Lax because providers send the browser back by a
 * navigation.
 */
export interface CookieOptions {
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

/** The header that makes a browser forget a cookie. */
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

/** The value of a cookie; undefined when it is absent or empty. */
export function cookieOf(request: Request, name: string): string | undefined {
  for (const [each, value] of cookiesOf(request)) if (each === name && value !== '') return value
  return undefined
}
