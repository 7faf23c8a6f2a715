import { isIP } from 'node:net'
import { invalid, isLoopback } from '@openfountain/core/internal'

/** Where a registry is on the web, and what follows for ways to sign in. */
export interface PublicUrl {
  /** Scheme, host and port, without a slash at the end. */
  readonly origin: string
  /** Without port; in ASCII. */
  readonly hostname: string
  readonly isSecure: boolean
  /** Whether it is this machine's own, which browsers trust without https. */
  readonly isLocal: boolean
  /** Whether the host is an IP address, which no passkey can be for. */
  readonly isAddress: boolean
}

/** @throws RegistryError INVALID_INPUT */
export function publicUrlOf(given: unknown): PublicUrl {
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
    origin,
    hostname,
    isSecure: protocol === 'https:',
    isLocal: isLoopback(hostname),
    isAddress: hostname.startsWith('[') || isIP(hostname) !== 0,
  }
}

/** The host that passkeys are for, or undefined where browsers refuse them. */
export function relyingPartyOf({ hostname, isSecure, isLocal, isAddress }: PublicUrl): string | undefined {
  return !isAddress && (isSecure || isLocal) ? hostname : undefined
}

/**
 * A path of this origin to which a browser may be sent back, from one that anybody may have written.
 *
 * @returns `/` for anything else
 */
export function ownPath(given: unknown, { origin }: PublicUrl): string {
  if (typeof given !== 'string' || given.length > 2000 || !/^\/(?![/\\])/u.test(given)) return '/'
  // A browser drops tabs and line ends from an address, and takes \ for /.
  const url = URL.parse(given, origin)
  if (url?.origin !== origin) return '/'
  const path = `${url.pathname}${url.search}${url.hash}`
  return path.startsWith('//') ? '/' : path
}
