import { isIP } from 'node:net'
import { invalid, isLoopback } from '@openfountain/core/internal'

/** The public address of a registry, and its consequences for ways to sign in. */
export type PublicUrl = ReturnType<typeof publicUrlOf>

/** @throws RegistryError INVALID_INPUT */
export function publicUrlOf(given: unknown) {
  const url = typeof given === 'string' ? URL.parse(given) : null
  const isSite =
    url !== null &&
    /^https?:$/u.test(url.protocol) &&
    url.pathname === '/' &&
    [url.search, url.hash, url.username, url.password].every((part) => part === '')
  if (!isSite)
    throw invalid(
      'publicUrl',
      'must be scheme, host and port of the site alone, such as https://fountains.example',
    )
  const { origin, hostname, protocol } = url
  return {
    /** Scheme, host and port, without a slash at the end. */
    origin,
    hostname,
    isSecure: protocol === 'https:',
    /** Trusted by browsers without https. */
    isLocal: isLoopback(hostname),
    /** For which there are no passkeys. */
    isAddress: hostname.startsWith('[') || isIP(hostname) !== 0,
  }
}

/** The host for passkeys, or undefined where browsers refuse them. */
export const relyingPartyOf = ({ hostname, isSecure, isLocal, isAddress }: PublicUrl): string | undefined =>
  !isAddress && (isSecure || isLocal) ? hostname : undefined

/** A path of this origin for a redirect, from untrusted input. @returns `/` for anything else */
export function ownPath(given: unknown, { origin }: PublicUrl): string {
  if (typeof given !== 'string' || given.length > 2000 || !/^\/(?![/\\])/u.test(given)) return '/'
  // Browsers drop tabs and line ends from an address, and read \ as /.
  const url = URL.parse(given, origin)
  if (url?.origin !== origin) return '/'
  const path = `${url.pathname}${url.search}${url.hash}`
  return path.startsWith('//') ? '/' : path
}
