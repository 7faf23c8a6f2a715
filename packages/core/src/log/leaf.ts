import { leafHash, sha256 } from '@openfountain/tlog/frontier'

type Fields = Readonly<Record<string, unknown>>

/** The proof of an entry with redacted fields, in place of its seed. */
export interface Hole {
  readonly salts: Readonly<Record<string, string>>
  readonly commitments: Readonly<Record<string, string>>
}

interface Leaf {
  readonly id: number
  readonly at: string
  readonly by: string
  readonly subject: string
  readonly subjectId: number | string
  readonly action: string
  readonly awards: readonly (readonly unknown[])[]
  readonly links: object
}

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

/** A field's name in the texts that are hashed: as a member, and behind a seed or a salt. */
interface Quoted {
  readonly member: string
  readonly last: string
  readonly next: string
}

/** There are few names, and making the JSON again for each entry takes longer than all the rest. */
const quoted = new Map<string, Quoted>()

function quote(name: string): Quoted {
  let parts = quoted.get(name)
  if (parts === undefined) {
    const json = JSON.stringify(name)
    parts = { member: `,${json}:`, last: `",${json}]`, next: `",${json},` }
    if (quoted.size < 1000) quoted.set(name, parts)
  }
  return parts
}

const saltIn = (start: string, { last }: Quoted): string => sha256(start + last).slice(0, 32)

export const saltOf = (seed: string, field: string): string => saltIn(`["${seed}`, quote(field))

const commitment = (salt: string, { next }: Quoted, json: string): string =>
  sha256(`["${salt}${next}${json}]`)

interface Commitment {
  readonly text: string
  readonly digest: string
}

/** The names of fields in code unit order, which most fields have already. */
function sortedNames(fields: Fields): readonly string[] {
  const names = Object.keys(fields)
  for (let index = 1; index < names.length; index++)
    if ((names[index - 1] ?? '') > (names[index] ?? '')) return names.toSorted()
  return names
}

export function commit(fields: Fields, seed: string): Commitment {
  const start = `["${seed}`
  let text = ''
  let commitments = ''
  for (const field of sortedNames(fields)) {
    const value = fields[field]
    if (value === undefined) continue
    const json = canonicalJson(value)
    const name = quote(field)
    text += name.member + json
    commitments += `${name.member}"${commitment(saltIn(start, name), name, json)}"`
  }
  return { text: `{${text.slice(1)}}`, digest: sha256(`{${commitments.slice(1)}}`) }
}

interface Sealed {
  readonly fields: Fields
  readonly seed: string | null | undefined
  readonly hole?: Hole | undefined
}

/** The commitment of every field, redacted ones included. @throws Error for a field with neither seed nor salt */
export function commitmentsOf({ fields, seed, hole }: Sealed): Record<string, string> {
  const found: Record<string, string> = { ...hole?.commitments }
  for (const [field, value] of Object.entries(fields)) {
    const salt = seed ? saltOf(seed, field) : hole?.salts[field]
    if (salt === undefined || field in found) throw new Error(`field ${field} cannot be proven`)
    found[field] = commitment(salt, quote(field), canonicalJson(value))
  }
  return found
}

/** The digest of an entry's fields. @throws Error for a salt that is missing, or one too many, by which text could be guessed */
export function digestOf(sealed: Sealed): string {
  const { fields, seed, hole } = sealed
  if (hole === undefined) {
    if (!seed) throw new Error('it has neither a seed nor salts')
    return commit(fields, seed).digest
  }
  if (seed) throw new Error('it has a seed, although fields were redacted')
  for (const field of Object.keys(hole.salts))
    if (!(field in fields)) throw new Error(`it has a salt for ${field}, but no value`)
  return sha256(canonicalJson(commitmentsOf(sealed)))
}

export function redact(sealed: Sealed, names: ReadonlySet<string>): { fields: Fields; hole: Hole } {
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
export function linksText(links: object): string {
  for (const _name in links) return canonicalJson(links)
  return '{}'
}

export function leafData(entry: Leaf, digest: string): string {
  const { id, at, by, subject, subjectId, action, awards, links } = entry
  const start = `["${version}",${id},"${at}",${JSON.stringify(by)},"${subject}",${JSON.stringify(subjectId)},"${action}","${digest}"`
  return `${start},${awards.length === 0 ? '[]' : JSON.stringify(awards)},${linksText(links)}]`
}

const isPlainList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each !== 'object')

/** Whether an object has plain values and lists of such, and its members are in code unit order and not undefined. */
function isOrdered(value: object): boolean {
  const members = value as Readonly<Record<string, unknown>>
  let before = ''
  for (const name of Object.keys(members)) {
    const member = members[name]
    if (name < before || member === undefined) return false
    if (typeof member === 'object' && member !== null && !isPlainList(member)) return false
    before = name
  }
  return true
}

/** JSON with members in code unit order and no white space (RFC 8785, for the values in a log). */
export function canonicalJson(value: unknown): string {
  const isPlain = typeof value !== 'object' || value === null
  // One call for the whole object is faster than one for each member.
  return isPlain || isPlainList(value) || isOrdered(value) ? JSON.stringify(value) : memberByMember(value)
}

function memberByMember(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(memberByMember).join(',')}]`
  const members = value as Readonly<Record<string, unknown>>
  const texts = Object.keys(members)
    .toSorted()
    .filter((name) => members[name] !== undefined)
    .map((name) => `${JSON.stringify(name)}:${memberByMember(members[name])}`)
  return `{${texts.join(',')}}`
}

/** Whether two JSON values are equal, in any order of members. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true
  const areObjects = typeof one === 'object' && typeof other === 'object' && one !== null && other !== null
  return areObjects && canonicalJson(one) === canonicalJson(other)
}

export interface ProvableEntry extends Leaf {
  readonly fields: Fields
  readonly seed?: string | undefined
  readonly salts?: Hole['salts'] | undefined
  readonly commitments?: Hole['commitments'] | undefined
}

/** The hash of the leaf of a published entry. @throws Error when its fields cannot be proven */
export function leafOf(entry: ProvableEntry): string {
  const { fields, seed, salts, commitments } = entry
  const hole = commitments && { salts: salts ?? {}, commitments }
  return leafHash(leafData(entry, digestOf({ fields, seed, hole })))
}
