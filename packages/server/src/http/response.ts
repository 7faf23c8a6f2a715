import { STATUS_CODES } from 'node:http'
import { hash } from 'node:crypto'
import { FastResponse } from 'srvx'
import type { DataVersion } from '@openfountain/core/internal'
import type { HeaderPair } from './headers.ts'

export type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null

export interface Parts {
  readonly status: number
  readonly body: Exclude<Body, ReadableStream>
  readonly headers: readonly HeaderPair[]
}

export class WholeResponse extends FastResponse {
  /** Undefined once its web-standard headers or body were accessed: they may have changed. */
  parts: Parts | undefined

  constructor(parts: Parts) {
    const { status, body, headers } = parts
    super(body, { status, statusText: reasonOf(status), headers: headers as [string, string][] })
    this.parts = parts
  }
}

// srvx makes web-standard headers, or a whole web-standard response, when they are accessed.
for (const name of ['headers', '_response'])
  Object.defineProperty(WholeResponse.prototype, name, {
    get(this: WholeResponse) {
      this.parts = undefined
      return Reflect.get(FastResponse.prototype, name, this)
    },
  })

// Without a text, srvx leaves the reason phrase of the status line empty.
const reasonOf = (status: number): string => STATUS_CODES[status] ?? ''

export const respond = (status: number, body: Body, headers: readonly HeaderPair[]): Response =>
  body instanceof ReadableStream
    ? new FastResponse(body, { status, statusText: reasonOf(status), headers: headers as [string, string][] })
    : new WholeResponse({ status, body, headers })

/** Codings of a response, each with a strong tag of its own. */
export type Variant = '' | Coded
/** Compressed with Brotli (RFC 7932), Zstandard (RFC 8878) or gzip (RFC 1952). */
export type Coded = 'br' | 'zst' | 'gz'

const coded: readonly Coded[] = ['br', 'zst', 'gz']

/** Strong entity tags from the version of the data; the seed covers how the same data is represented. */
export function entityTags(seed: string): (version: DataVersion, suffix: string) => string {
  let known = { origin: '', prefix: '' }
  return ({ origin, revision }, suffix) => {
    if (known.prefix === '' || known.origin !== origin) {
      known = { origin, prefix: short(`${seed}\n${origin}`) }
    }
    return `${known.prefix}.${revision.toString(36)}${suffix}`
  }
}

export interface Versioned {
  readonly text: string
  readonly version: number
  /** The log's origin that the version belongs to, in hexadecimal digits. */
  readonly origin: string
  /** The day (UTC) of the content, if it may differ on the next. */
  readonly day?: string
  readonly headers?: readonly HeaderPair[] | undefined
}

const lineOf = (origin: string): string => origin.slice(0, 8)

const versionPrefix = ({ version, origin }: Pick<Versioned, 'version' | 'origin'>): string =>
  `${version.toString(36)}.${lineOf(origin)}.`

/** The entity tag after a write, for `versionsIn`; no response to a read has it. */
export const versionTag = (of: Pick<Versioned, 'version' | 'origin'>): string => `${versionPrefix(of)}written`

const short = (text: string): string => hash('sha256', text, 'base64url').slice(0, 8)

/** Strong entity tags: the version of the resource, with a checksum of what changes without one. */
export function contentTags(seed: string): (of: Versioned, suffix: string) => string {
  let known = { day: '', tag: '' }
  return (of, suffix) => {
    const { text, day = '' } = of
    if (known.tag === '' || known.day !== day) known = { day, tag: short(seed + day) }
    return `${versionPrefix(of)}${known.tag}${checksum(text)}${suffix}`
  }
}

const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
/** The UTF-16 code units of a text, as bytes and as words of two. */
const units = Buffer.from(new ArrayBuffer(2 ** 16))
const words = new Int32Array(units.buffer)
const prime = 0x01_00_01_93

/** Hashes of every other word, as FNV-1a; `crc32`, which makes UTF-8 of the text first, takes three times as long. */
function checksum(text: string): string {
  const count = 2 * Math.ceil(text.length / 4)
  if (count > words.length) return short(text)
  if (count > 0) words[count - 2] = words[count - 1] = 0
  units.write(text, 'utf16le')
  let [even, odd] = [text.length, 0]
  for (let at = 0; at < count; at += 2) {
    even = Math.imul(even ^ (words[at] ?? 0), prime)
    odd = Math.imul(odd ^ (words[at + 1] ?? 0), prime)
    // High bits reach low ones, as multiplication alone never does.
    even ^= even >>> 15
    odd ^= odd >>> 15
  }
  const sum = even ^ Math.imul(odd, prime)
  return `${digits[sum >>> 24]}${digits[(sum >>> 16) & 0xff]}${digits[(sum >>> 8) & 0xff]}${digits[sum & 0xff]}`
}

export const quoted = (tag: string, variant: Variant = ''): string =>
  variant === '' ? `"${tag}"` : `"${tag}-${variant}"`

const listed = /^\s*(?:W\/)?"([^"]*)"\s*(?:,|$)/

/** The variant of `tag` in an If-None-Match header, compared weakly (RFC 9110, 13.1.2); the plain one for `*`. */
export function heldVariant(ifNoneMatch: string | null, tag: string): Variant | undefined {
  if (ifNoneMatch === null) return undefined
  if (ifNoneMatch.trim() === '*') return ''
  let rest = ifNoneMatch
  while (rest !== '') {
    const found = listed.exec(rest)
    if (found === null) return undefined
    const held = found[1] ?? ''
    if (held === tag) return ''
    const variant = coded.find((one) => held === `${tag}-${one}`)
    if (variant !== undefined) return variant
    rest = rest.slice(found[0].length)
  }
  return undefined
}

const versioned = /^([0-9a-z]{1,11})\.([0-9a-f]{8})\./

/** The versions in an If-Match header, without tags of other origins; undefined for `*`. @throws SyntaxError for another text */
export function versionsIn(ifMatch: string, origin: string): readonly number[] | undefined {
  if (ifMatch.trim() === '*') return undefined
  const versions: number[] = []
  let rest = ifMatch
  do {
    const found = listed.exec(rest)
    if (found === null) throw new SyntaxError('is neither * nor a list of entity tags')
    const [, version, line] = versioned.exec(found[1] ?? '') ?? []
    if (version !== undefined && line === lineOf(origin)) versions.push(Number.parseInt(version, 36))
    rest = rest.slice(found[0].length)
  } while (rest.trim() !== '')
  return versions
}
