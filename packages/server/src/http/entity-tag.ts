import { hash } from 'node:crypto'
import type { DataVersion } from '@openfountain/core'

/** The codings of one response; each has a strong tag of its own. */
export type Variant = '' | 'br' | 'gz'

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
    if (held === `${tag}-br`) return 'br'
    if (held === `${tag}-gz`) return 'gz'
    rest = rest.slice(found[0].length)
  }
  return undefined
}
