import { hash } from 'node:crypto'
import type { DataVersion } from '@openfountain/core'
import type { HeaderPair } from './headers.ts'

/** The codings of one response; each has a strong tag of its own. */
export type Variant = '' | Coded
/** A response that is compressed: with Brotli (RFC 7932), Zstandard (RFC 8878) or gzip (RFC 1952). */
export type Coded = 'br' | 'zst' | 'gz'

const coded: readonly Coded[] = ['br', 'zst', 'gz']

/**
 * Makes strong entity tags from the version of the data: every write, by any process, changes all of them, and so does
 * restoring an older backup.
 *
 * The seed (version, licence, author…) changes them when the same data would be represented differently.
 */
export function entityTags(seed: string): (version: DataVersion, suffix: string) => string {
  let known = { origin: '', prefix: '' }
  return ({ origin, revision }, suffix) => {
    if (known.prefix === '' || known.origin !== origin) {
      known = { origin, prefix: hash('sha256', `${seed}\n${origin}`, 'base64url').slice(0, 8) }
    }
    return `${known.prefix}.${revision.toString(36)}${suffix}`
  }
}

/** What the content of a response about one thing is made of. */
export interface Versioned {
  readonly text: string
  /** The number of the last change of the thing itself. */
  readonly version: number
  /** Which line of history the version counts, in hexadecimal digits. */
  readonly origin: string
  /** The day in UTC on which it is so, where it may be another on the next. */
  readonly day?: string
  /** What responses with it have besides. */
  readonly headers?: readonly HeaderPair[] | undefined
}

const lineOf = (origin: string): string => origin.slice(0, 8)

/** The beginning of the tags of a thing in one version. */
const versionPrefix = ({ version, origin }: Pick<Versioned, 'version' | 'origin'>): string =>
  `${version.toString(36)}.${lineOf(origin)}.`

/** The entity tag of a thing as a write left it, for `versionsIn`: no response with its content has it. */
export const versionTag = (of: Pick<Versioned, 'version' | 'origin'>): string => `${versionPrefix(of)}written`

/**
 * Makes strong entity tags from the content of responses, which stay good while other things change. Each begins with
 * the version of the thing, for `versionsIn`. Hashing a response of 800 bytes takes a microsecond.
 */
export function contentTags(seed: string): (of: Versioned, suffix: string) => string {
  const seedHash = hash('sha256', seed, 'base64url')
  return ({ text, day = '', ...of }, suffix) => {
    const content = hash('sha256', seedHash + day + text, 'base64url').slice(0, 16)
    return `${versionPrefix(of)}${content}${suffix}`
  }
}

/** Writes the entity tag of one variant, quoted. */
export function quoted(tag: string, variant: Variant = ''): string {
  return variant === '' ? `"${tag}"` : `"${tag}-${variant}"`
}

const listed = /^\s*(?:W\/)?"([^"]*)"\s*(?:,|$)/

/**
 * Finds which variant of `tag` an If-None-Match header names, compared weakly (RFC 9110, section 13.1.2).
 *
 * @returns the variant that the client holds, or undefined when it holds none; `*` is the plain one.
 */
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

/**
 * The versions that an If-Match header names. Whether a tag is weak, which coding it is of, and what else it depends on
 * do not matter: caches and proxies change that on the way.
 *
 * @param origin the line of history that versions must be of; others are left out, as are tags of other things
 * @returns undefined for `*`, which any version matches
 * @throws SyntaxError when it is neither `*` nor a list of entity tags
 */
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
