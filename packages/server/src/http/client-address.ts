/**
 * Whose `X-Forwarded-*` headers are believed: nobody's (false), everybody's (true), those of this machine
 * ('loopback'), or those of the listed addresses.
 */
export type TrustProxy = boolean | 'loopback' | readonly string[]

/** What runs below a web-standard request on Node, as far as it is used here. */
interface HostedRequest extends Request {
  readonly ip?: string | undefined
}

function trusted(trust: TrustProxy, address: string | undefined): boolean {
  if (typeof trust === 'boolean') return trust
  if (address === undefined) return false
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
  if (trust === 'loopback') return plain === '::1' || plain.startsWith('127.')
  return trust.includes(address) || trust.includes(plain)
}

/**
 * Finds the address of the client: that of the connection, or behind trusted proxies the nearest address in
 * `X-Forwarded-For` that is not a trusted proxy itself.
 *
 * @returns undefined when the host of the app does not tell the address of the connection
 */
export function clientAddress(request: HostedRequest, trust: TrustProxy): string | undefined {
  const peer = request.ip
  if (!trusted(trust, peer)) return peer
  const hops = (request.headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '')
  return hops.findLast((hop) => !trusted(trust, hop)) ?? hops[0] ?? peer
}

/**
 * The host, with its port, under which the client reached this server. The protocol is left out: a proxy that ends
 * TLS without being trusted hides it.
 */
export function ownHost(request: HostedRequest, trust: TrustProxy): string {
  const forwarded = trusted(trust, request.ip)
    ? request.headers.get('x-forwarded-host')?.split(',').at(-1)?.trim()
    : undefined
  return forwarded ?? new URL(request.url).host
}

/** What tells clients apart: an IPv4 address, or the /64 of an IPv6 address, which is what one household gets. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : 8 - first.length - last.length
  return [...first, ...Array<string>(Math.max(0, gap)).fill('0'), ...last].slice(0, 4).join(':')
}
