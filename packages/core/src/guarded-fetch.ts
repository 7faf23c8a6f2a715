import { lookup as lookupName, type LookupAddress } from 'node:dns'
import { request as requestPlain, type IncomingMessage } from 'node:http'
import { request as requestSecure } from 'node:https'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { secretIn } from './schemas/harvest.ts'

export interface FetchOptions {
  /** Default GET. */
  readonly method?: 'GET' | 'POST' | undefined
  readonly content?: string | Uint8Array | undefined
  /** Private addresses that are allowed. Default none. */
  readonly permits?: ((address: string) => boolean) | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Headers with something secret, which are sent to this origin alone. */
  readonly secrets?:
    | { readonly origin: string; readonly headers: Readonly<Record<string, string>> }
    | undefined
  readonly signal?: AbortSignal | undefined
  /** Whether addresses of this machine and of private networks are allowed, and http: among them. Default false. */
  readonly allowPrivate?: boolean | undefined
  /** Whether http: is allowed. Default where private addresses are. */
  readonly allowPlain?: boolean | undefined
  /** Whether redirects are followed. Default true. */
  readonly follows?: boolean | undefined
  /** Seconds until the response begins, and between its parts. Default 30. */
  readonly idleSeconds?: number | undefined
  /** Called with each address that a redirect leads to. */
  readonly onRedirect?: ((url: string) => void) | undefined
}

/** A response whose body is read once. */
interface FetchedResponse {
  /** The address that answered, after redirects. */
  readonly url: string
  readonly status: number
  readonly headers: Headers
  /** A stream of Node; its type needs no types of Node. */
  readonly body: AsyncIterable<Uint8Array> & { resume(): unknown; destroy(): unknown }
}

const mostRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])

/** Networks that are not of the Internet (IANA's registries of special-purpose addresses). */
const special = new BlockList()
for (const network of (
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 ' +
  '::/128 ::1/128 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 fc00::/7 fe80::/10 ff00::/8'
).split(' ')) {
  const [address = '', bits] = network.split('/')
  special.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Whether an IP address is of a private or special network; IPv4 inside IPv6 counts as IPv4. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address)
  return family === 0 || special.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Resolves a name for one connection, and refuses it when any of its addresses is private: no second answer is asked for. */
const publicLookup =
  (permits: (address: string) => boolean): LookupFunction =>
  (name, options, callback) => {
    lookupName(name, { ...options, all: true }, (error, found: readonly LookupAddress[]) => {
      const [first] = found ?? []
      if (error !== null || first === undefined) return callback(error, '', 0)
      const inside = found.find(({ address }) => isPrivateAddress(address) && !permits(address))
      if (inside !== undefined)
        return callback(new FetchRefused({ code: 'PRIVATE', url: name, address: inside.address }), '', 0)
      return options.all === true ? callback(null, [...found]) : callback(null, first.address, first.family)
    })
  }

/** An address for messages: values of parameters that are secret by their name are left out. */
export function shownAddress(text: string): string {
  const url = URL.parse(text)
  if (url === null) return text
  for (let name = secretIn(url); name !== undefined; name = secretIn(url)) {
    url.searchParams.delete(name)
    url.hash = ''
  }
  return url.href
}

/** An address that is kept: nothing in it is secret. @throws FetchRefused ADDRESS, CREDENTIALS, SECRET, SCHEME or PRIVATE */
export function namedAddress(
  text: string,
  options: Pick<FetchOptions, 'allowPrivate' | 'allowPlain' | 'permits'>,
): URL {
  const url = allowed(text, options)
  const parameter = secretIn(url)
  if (parameter !== undefined) throw new FetchRefused({ code: 'SECRET', url: url.href, parameter })
  return url
}

/** A host without the brackets of IPv6. */
const hostOf = (name: string): string => name.replace(/^\[(.*)\]$/u, '$1')

/** @throws FetchRefused ADDRESS, CREDENTIALS, SCHEME or PRIVATE */
function allowed(text: string, options: Pick<FetchOptions, 'allowPrivate' | 'allowPlain' | 'permits'>): URL {
  const { allowPrivate = false, allowPlain = allowPrivate, permits = nobody } = options
  const url = URL.parse(text)
  if (url === null || !/^https?:$/u.test(url.protocol))
    throw new FetchRefused({ code: 'ADDRESS', url: text.replace(/\/\/[^/@]*@/u, '//') })
  if (url.username !== '' || url.password !== '') {
    url.username = ''
    url.password = ''
    throw new FetchRefused({ code: 'CREDENTIALS', url: url.href })
  }
  if (url.protocol === 'http:' && !allowPlain) throw new FetchRefused({ code: 'SCHEME', url: url.href })
  const host = hostOf(url.hostname)
  if (!allowPrivate && isIP(host) !== 0 && isPrivateAddress(host) && !permits(host))
    throw new FetchRefused({ code: 'PRIVATE', url: url.href, address: host })
  return url
}

const nobody = (): boolean => false

function requested(url: URL, options: FetchOptions): Promise<IncomingMessage> {
  const { method, content, permits = nobody } = options
  const { headers = {}, secrets, signal, allowPrivate = false, idleSeconds = 30 } = options
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestSecure : requestPlain
    const request = send(url, {
      method,
      headers: {
        'user-agent': 'openfountain',
        'accept-encoding': 'identity',
        ...headers,
        ...(secrets?.origin === url.origin && secrets.headers),
      },
      signal,
      agent: false,
      ...(!allowPrivate && { lookup: publicLookup(permits) }),
    })
    let response: IncomingMessage | undefined
    request.setTimeout(idleSeconds * 1000, () => {
      const slow = new FetchRefused({ code: 'TOO_SLOW', url: url.href, seconds: idleSeconds })
      ;(response ?? request).destroy(slow)
    })
    request.once('response', (received) => resolve((response = received)))
    request.on('error', (error) => {
      const isOurs = error instanceof FetchRefused || signal?.aborted === true
      reject(isOurs ? error : new FetchRefused({ code: 'UNREACHABLE', url: url.href, reason: error.message }))
    })
    request.end(content)
  })
}

/**
 * Fetches an address that somebody named: https alone, no private network, also behind redirects and names that change.
 *
 * @throws FetchRefused
 */
export async function guardedFetch(address: string, options: FetchOptions = {}): Promise<FetchedResponse> {
  const { follows = true } = options
  let url = allowed(address, options)
  for (let step = 0; step <= mostRedirects; step++) {
    const body = await requested(url, options)
    const status = body.statusCode ?? 0
    const { location } = body.headers
    if (!follows || !redirects.has(status) || location === undefined) {
      const headers = new Headers()
      for (const [name, value] of Object.entries(body.headers))
        if (value !== undefined) headers.set(name, String(value))
      return { url: url.href, status, headers, body }
    }
    body.destroy()
    url = allowed(new URL(location, url).href, options)
    options.onRedirect?.(shownAddress(url.href))
  }
  throw new FetchRefused({ code: 'REDIRECTS', url: address, most: mostRedirects })
}

const bodiless = new Set([204, 205, 304])

/** The same as a response of the Fetch standard, unpacked. Redirects are not followed. @throws FetchRefused */
export async function guardedResponse(address: string, options: FetchOptions): Promise<Response> {
  const headers = { ...options.headers, 'accept-encoding': 'gzip' }
  const got = await guardedFetch(address, { ...options, headers, follows: false })
  const isPacked = got.headers.get('content-encoding') === 'gzip'
  const body: Readable = isPacked
    ? pipeline(got.body, createGunzip(), () => undefined)
    : (got.body as Readable)
  const { status } = got
  return new Response(
    bodiless.has(status) ? null : (Readable.toWeb(body) as ReadableStream<Uint8Array<ArrayBuffer>>),
    {
      status,
      headers: got.headers,
    },
  )
}

export const isNamedPrivate = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || (isIP(hostOf(hostname)) !== 0 && isPrivateAddress(hostOf(hostname)))

/** The bytes of a response. @throws FetchRefused TOO_LARGE beyond `most` bytes */
export async function bytesOf({ url, body }: FetchedResponse, most: number): Promise<Uint8Array> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of body as AsyncIterable<Buffer>) {
    length += part.length
    if (length > most) {
      body.destroy()
      throw new FetchRefused({ code: 'TOO_LARGE', url, bytes: most })
    }
    parts.push(part)
  }
  return Buffer.concat(parts)
}

interface Url {
  readonly url: string
}

const meanings = {
  ADDRESS: (_facts: Url) => 'is no http: or https: address',
  /** It has a user or a password, which `url` is without. */
  CREDENTIALS: (_facts: Url) =>
    'was given with a user or a password, which would be kept and shown: give an address without, and what is secret as a header from the environment',
  SECRET: ({ parameter }: Url & { readonly parameter: string }) =>
    `was given with ${parameter}, which looks like a secret and would be kept and shown: give an address without, and what is secret as a header from the environment`,
  NO_SECRET: ({ variable }: Url & { readonly variable: string }) =>
    `is a header whose value is missing: set ${variable} in the environment`,
  SCHEME: (_facts: Url) => 'is not https:',
  PRIVATE: ({ address }: Url & { readonly address: string }) =>
    `leads to ${address}, which is not on the Internet`,
  /** In the words of the system. */
  UNREACHABLE: ({ reason }: Url & { readonly reason: string }) => `cannot be reached: ${reason}`,
  REDIRECTS: ({ most }: Url & { readonly most: number }) => `leads on more than ${most} times`,
  TOO_SLOW: ({ seconds }: Url & { readonly seconds: number }) => `sent nothing for ${seconds} s`,
  TOO_LARGE: ({ bytes }: Url & { readonly bytes: number }) => `sends more than ${bytes} bytes`,
  STATUS: ({ status }: Url & { readonly status: number; readonly retryAfterSeconds?: number }) =>
    `answers ${status}`,
  ELSEWHERE: (_facts: Url) => 'is of another host, to which a page leads on',
  PAGES: ({ most }: Url & { readonly most: number }) =>
    `is a page after ${most} others: take an address of the whole, such as an export`,
  NO_PAGE: (_facts: Url) => 'is no page as the ones before it: try again, or take an address of the whole',
  REPEATED: (_facts: Url) =>
    'is a page whose rows were on pages before it: try again, or take an address of the whole, such as an export',
  NO_RANGES: (_facts: Url) => 'sends no ranges of a file, which are needed: download it, and give the file',
  CHANGED: (_facts: Url) => 'changed while it was read: try again',
}

export type FetchRefusalCode = keyof typeof meanings
export type FetchRefusalFacts = {
  readonly [Code in FetchRefusalCode]: Parameters<(typeof meanings)[Code]>[0]
}
export type FetchRefusal = {
  [Code in FetchRefusalCode]: { readonly code: Code } & FetchRefusalFacts[Code]
}[FetchRefusalCode]

/** An address that is not fetched: `refusal` has the code and its facts. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused'
  readonly refusal: FetchRefusal

  constructor(refusal: FetchRefusal, options?: ErrorOptions) {
    const meaning = meanings[refusal.code] as (facts: FetchRefusal) => string
    const url = shownAddress(refusal.url)
    super(`${url} ${meaning(refusal)}`, options)
    this.refusal = { ...refusal, url }
  }
}
