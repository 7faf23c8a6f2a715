import { hash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import type { ChangedFields, Entry, Hole, Links } from './entry.ts'

/**
 * Every entry commits to each of its fields on its own, so that a field can be removed later and every other one can
 * still be proven. All hashes are SHA-256 in lower-case hexadecimal, J is RFC 8785.
 *
 *     salt[f]       the first 32 digits of H(J([seed, f]))
 *     commitment[f] H(J([salt[f], f, value]))
 *     digest        H(J({ f: commitment[f], … }))
 *     leaf data     J(["openfountain/1", id, at, by, subject, subjectId, action, digest, awards, links])
 */

const version = 'openfountain/1'

/** The most bytes that the leaf data of an entry may have. */
export const longestLeaf = 8192

const hex = (text: string): string => hash('sha256', text, 'hex')

/** Names of fields as JSON. There are few, and making the JSON again for each entry takes longer than all the rest. */
const quoted = new Map<string, string>()

function quote(name: string): string {
  let json = quoted.get(name)
  if (json === undefined) {
    json = JSON.stringify(name)
    if (quoted.size < 1000) quoted.set(name, json)
  }
  return json
}

/** The salt of a field. */
export function saltOf(seed: string, field: string): string {
  return hex(`["${seed}",${quote(field)}]`).slice(0, 32)
}

function commitment(salt: string, field: string, json: string): string {
  return hex(`["${salt}",${quote(field)},${json}]`)
}

/** The stored form of the fields of an entry: their canonical JSON, and the digest of their commitments. */
export interface Commitment {
  readonly text: string
  readonly digest: string
}

/** The names of fields in code unit order, which most fields have already. */
function sortedNames(fields: ChangedFields): readonly string[] {
  const names = Object.keys(fields)
  for (let index = 1; index < names.length; index++)
    if ((names[index - 1] ?? '') > (names[index] ?? '')) return names.toSorted()
  return names
}

/** Commits to fields under a seed. */
export function commit(fields: ChangedFields, seed: string): Commitment {
  let text = ''
  let commitments = ''
  for (const field of sortedNames(fields)) {
    const value = fields[field]
    if (value === undefined) continue
    const json = canonicalJson(value)
    const separator = text === '' ? '{' : ','
    const name = quote(field)
    text += `${separator}${name}:${json}`
    commitments += `${separator}${name}:"${commitment(saltOf(seed, field), field, json)}"`
  }
  if (text === '') return { text: '{}', digest: hex('{}') }
  return { text: `${text}}`, digest: hex(`${commitments}}`) }
}

/** The fields of an entry that are left, with their seed or its replacement. */
export interface Sealed {
  readonly fields: ChangedFields
  readonly seed: string | null | undefined
  readonly hole?: Hole | undefined
}

/**
 * The commitment of every field, redacted ones included.
 *
 * @throws Error when there is neither a seed nor a salt for a field
 */
export function commitmentsOf({ fields, seed, hole }: Sealed): Record<string, string> {
  const found: Record<string, string> = { ...hole?.commitments }
  for (const [field, value] of Object.entries(fields)) {
    const salt = seed ? saltOf(seed, field) : hole?.salts[field]
    if (salt === undefined || field in found) throw new Error(`field ${field} cannot be proven`)
    found[field] = commitment(salt, field, canonicalJson(value))
  }
  return found
}

/**
 * The digest of an entry's fields.
 *
 * @throws Error when there is neither a seed nor a salt for a field, or one too many: redacted text could be guessed
 * with its salt
 */
export function digestOf(sealed: Sealed): string {
  const { fields, seed, hole } = sealed
  if (hole === undefined) {
    if (!seed) throw new Error('it has neither a seed nor salts')
    return commit(fields, seed).digest
  }
  if (seed) throw new Error('it has a seed, although fields were redacted')
  for (const field of Object.keys(hole.salts))
    if (!(field in fields)) throw new Error(`it has a salt for ${field}, but no value`)
  return hex(canonicalJson(commitmentsOf(sealed)))
}

/** An entry without more of its fields. */
export function redact(sealed: Sealed, names: ReadonlySet<string>): { fields: ChangedFields; hole: Hole } {
  const all = commitmentsOf(sealed)
  const fields: Record<string, unknown> = {}
  const salts: Record<string, string> = {}
  const commitments: Record<string, string> = { ...sealed.hole?.commitments }
  for (const [field, value] of Object.entries(sealed.fields)) {
    if (names.has(field)) {
      commitments[field] = all[field] ?? ''
    } else {
      fields[field] = value
      salts[field] = sealed.seed ? saltOf(sealed.seed, field) : (sealed.hole?.salts[field] ?? '')
    }
  }
  return { fields, hole: { salts, commitments } }
}

/** The links of an entry as canonical JSON. Nearly all entries have none. */
export function linksText(links: Links): string {
  for (const _name in links) return canonicalJson(links)
  return '{}'
}

/** The leaf data of an entry, which the tree hashes. */
export function leafData(entry: Omit<Entry, 'fields'>, digest: string): string {
  const { id, at, by, subject, subjectId, action, awards, links } = entry
  const start = `["${version}",${id},"${at}",${JSON.stringify(by)},"${subject}",${JSON.stringify(subjectId)},"${action}","${digest}"`
  return `${start},${awards.length === 0 ? '[]' : JSON.stringify(awards)},${linksText(links)}]`
}
