import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddress from 'proxy-addr'
import { OptionError } from '../option-error.ts'

/**
 * Whose `X-Forwarded-For` and `X-Forwarded-Host` are trusted: nobody's (false); those of proxies at these addresses
 * and ranges (`10.0.0.0/8`, `2001:db8::/32`), where `loopback`, `linklocal` and `uniquelocal` name the usual ones; or
 * those of whoever connects (true), for an app that only one proxy can reach. What a client may have written
 * itself is never trusted: with `true` the client is the last address, which that proxy added.
 */
export type TrustProxy = boolean | string | readonly string[]

/** A web-standard request with the address of the connection, as srvx makes it. */
interface HostedRequest extends Request {
  readonly ip?: string | undefined
}

/** Whether the proxy at an address is trusted; `hop` 0 is the other end of the connection. */
type Trust = (address: string, hop: number) => boolean

const ranges = new Set(['loopback', 'linklocal', 'uniquelocal'])

/**
 * Whom an option trusts; undefined for nobody.
 *
 * @throws OptionError trustProxy
 */
export function trustOf(given: TrustProxy): Trust | undefined {
  if (given === true) return (_address, hop) => hop === 0
  const addresses = given === false ? [] : [given].flat()
  if (addresses.length === 0) return undefined
  for (const address of addresses) {
    if (ranges.has(address)) continue
    try {
      // proxy-addr reads 10 as 0.0.0.10.
      if (isIP(address.split('/', 1)[0] ?? '') === 0) throw new TypeError('not an address')
      proxyAddress.compile(address)
    } catch {
      const given = `has ${JSON.stringify(address)}, which is not an address; write it as 10.0.0.1, 10.0.0.0/8 or loopback`
      throw new OptionError('trustProxy', given)
    }
  }
  return proxyAddress.compile(addresses)
}

/** An address with a port, as some proxies forward it: `192.0.2.1:51234`, `[2001:db8::1]:51234`. */
const withPort = /(?<![\w.:])(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([\da-f:.]+)\](?::\d+)?)(?=\s*(?:,|$))/giu

/** The reverse proxies in front of an app, and what they forward about its clients. */
export class TrustedProxies {
  readonly #trust: Trust | undefined
  /** Whether the other end of a connection is a proxy, whatever its address. */
  readonly #always: boolean

  /** @throws OptionError trustProxy */
  constructor(given: TrustProxy) {
    this.#trust = trustOf(given)
    this.#always = given === true
  }

  /**
   * Finds the address of the client: that of the connection, or behind trusted proxies the nearest address in
   * `X-Forwarded-For` that is not a trusted proxy itself, without its port.
   *
   * @returns undefined when the host of the app does not provide the address of the connection
   */
  clientOf(request: HostedRequest): string | undefined {
    const peer = request.ip
    if (this.#trust === undefined || (peer === undefined && !this.#always)) return peer
    const forwarded = request.headers.get('x-forwarded-for')
    if (forwarded === null) return peer
    const hops = { 'x-forwarded-for': forwarded.replaceAll(withPort, '$1$2') }
    // proxy-addr reads no other members of a request.
    const proxied = { headers: hops, socket: { remoteAddress: peer } } as unknown as IncomingMessage
    return proxyAddress(proxied, this.#trust)
  }

  /**
   * The host, with its port, under which the client reached this server. The protocol is left out: a proxy that ends
   * TLS without being trusted hides it.
   */
  hostOf(request: HostedRequest): string {
    const isProxied = this.#always || (request.ip !== undefined && this.#trust?.(request.ip, 0) === true)
    const forwarded = isProxied
      ? request.headers.get('x-forwarded-host')?.split(',').at(-1)?.trim()
      : undefined
    return forwarded ?? new URL(request.url).host
  }
}

/** The network by which clients are distinguished: an IPv4 address, or the /64 of an IPv6 address, which one household has. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : 8 - first.length - last.length
  return [...first, ...Array<string>(Math.max(0, gap)).fill('0'), ...last].slice(0, 4).join(':')
}
