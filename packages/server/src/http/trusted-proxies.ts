import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddress from 'proxy-addr'
import { OptionError } from '../option-error.ts'

/**
 * Proxies whose `X-Forwarded-For`, `X-Forwarded-Host` and `X-Forwarded-Proto` are trusted: none (false); those at these
 * addresses and ranges (`10.0.0.0/8`, `2001:db8::/32`; `loopback`, `linklocal` and `uniquelocal` name the usual ones);
 * or any peer (true), for an app reachable only through one proxy. Addresses that a client may have written itself are
 * never trusted: with `true` the client is the last address, which that proxy added.
 */
export type TrustProxy = boolean | string | readonly string[]

/** A web-standard request with the peer's address, as srvx makes it. */
interface HostedRequest extends Request {
  readonly ip?: string | undefined
}

type Trust = (address: string, hop: number) => boolean

const ranges = new Set(['loopback', 'linklocal', 'uniquelocal'])

const isLoopback = proxyAddress.compile('loopback')

const addedByProxies = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'via',
]

/** The trust function of an option; undefined for `false`. @throws OptionError trustProxy */
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

/** The reverse proxies in front of an app, and the client addresses they forward. */
export class TrustedProxies {
  readonly #trust: Trust | undefined
  /** Whether every peer is a proxy. */
  readonly #always: boolean

  /** @throws OptionError trustProxy */
  constructor(given: TrustProxy) {
    this.#trust = trustOf(given)
    this.#always = given === true
  }

  /** The client's address: the peer, or the nearest in `X-Forwarded-For` that is no trusted proxy; undefined where it is not known. */
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

  /** Whether a request comes directly from this machine; a proxy on it forwards requests of others. */
  isFromThisMachine({ ip, headers }: HostedRequest): boolean {
    return ip !== undefined && isLoopback(ip, 0) && !addedByProxies.some((name) => headers.has(name))
  }

  /** The origin that the client used, by trusted proxies' `X-Forwarded-Proto` and `-Host`; undefined for an invalid host. */
  originOf(request: HostedRequest): string | undefined {
    const isProxied = this.#always || (request.ip !== undefined && this.#trust?.(request.ip, 0) === true)
    const forwarded = (name: string): string | undefined =>
      isProxied ? request.headers.get(name)?.split(',').at(-1)?.trim() : undefined
    const own = URL.parse(request.url)
    const host = forwarded('x-forwarded-host') ?? own?.host
    const protocol = forwarded('x-forwarded-proto')?.toLowerCase()
    const scheme = protocol === 'https' || protocol === 'http' ? `${protocol}:` : (own?.protocol ?? 'http:')
    return host === undefined ? undefined : URL.parse(`${scheme}//${host}`)?.origin
  }
}

/** Clients without a readable address count as one. */
const unknownNetwork = 'unknown'

/** The network of a client: its IPv4 address, or the /64 of an IPv6 address, however they are spelled. */
export function networkOf(address: string): string {
  const version = isIP(address)
  if (version === 4) return address
  if (version === 0) return unknownNetwork
  const groups = groupsOf(address.split('%', 1)[0] ?? '')
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.')
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}

/** The network of an address, wide enough not to identify one person; `bits` are for IPv6. */
export function addressPrefix(address: string, bits: 56 | 64 = 64): string {
  const network = networkOf(address)
  if (network.includes('.')) return `${network.slice(0, network.lastIndexOf('.'))}.0/24`
  if (bits === 64 || network === unknownNetwork) return `${network}::/64`
  const [one, two, three, four = '0'] = network.split(':')
  return `${one}:${two}:${three}:${(Number.parseInt(four, 16) & 0xff00).toString(16)}::/56`
}

/** The eight numbers of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = [], tail] = address.split('::').map((half) =>
    half
      .split(':')
      .filter((group) => group !== '')
      .flatMap((group) => {
        if (!group.includes('.')) return [Number.parseInt(group, 16)]
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
        return [a * 256 + b, c * 256 + d]
      }),
  )
  return tail === undefined
    ? head
    : [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}
