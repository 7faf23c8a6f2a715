import { hash } from 'node:crypto'
import { z } from 'zod'
import { type ListedDays, listedDays } from '../fields/source.ts'
import { limits } from '../rules.ts'

/** Actions on a waypoint. */
export const actions = [
  'created',
  'edited',
  'approved',
  'verified',
  'deleted',
  'unapproved',
  'unverified',
] as const
export const Action = z.enum(actions)
export type Action = z.infer<typeof Action>

/** Every kind of subject of an entry, with its actions. */
export const subjectActions = {
  waypoint: actions,
  review: ['created', 'edited', 'moved', 'deleted'],
  observation: ['created', 'edited', 'moved', 'deleted'],
  photo: ['created', 'edited', 'hidden', 'shown', 'moved', 'deleted'],
  user: ['created', 'granted', 'appointed', 'dismissed', 'entrusted', 'relieved', 'blocked', 'unblocked'],
  area: ['created', 'edited', 'deleted'],
  source: ['created', 'edited'],
  import: ['started', 'finished'],
  record: ['linked', 'edited', 'moved', 'delisted', 'relisted'],
  entry: ['redacted'],
} as const
export type SubjectActions = typeof subjectActions
export type Subject = keyof SubjectActions
const subjects = Object.keys(subjectActions) as [Subject, ...Subject[]]
export type AnyAction = SubjectActions[Subject][number]

/** Field names to new values. A cleared field is `null`. */
export const ChangedFields = z.record(z.string(), z.unknown())
export type ChangedFields = Readonly<Record<string, unknown>>

/** The id of the built-in user who is the author of writes by API tokens without an owner. */
export const apiUserId = 'api'

/**
 * The id of the built-in user who is the author of observations in the log. The observer's id is left out, since it
 * would tell where a person was, and when.
 */
export const observerUserId = 'observer'

/** XP awarded by an entry: user, reason and amount; reverting the entry adds a negative award. */
const Award = z.tuple([z.string().min(1).max(limits.userId), z.string().min(1).max(64), z.int()])
export type Award = readonly [userId: string, event: string, amount: number]

/** How an entry refers to others by their ids, and to the waypoint that another was merged into. */
const Links = z.strictObject({
  /** The first entry of the act that this entry is part of, such as a merge. */
  act: z.int().positive().optional(),
  /** The entry that this one undoes. */
  reverts: z.int().positive().optional(),
  /** The deletion that this entry undoes. */
  restores: z.int().positive().optional(),
  /** The waypoint that a deleted one was merged into. */
  mergedInto: z.int().positive().optional(),
})
export type Links = Readonly<z.infer<typeof Links>>

/** An entry as a decision makes it, before it has its place in the log. */
export interface Draft<S extends Subject = Subject> {
  readonly subject: S
  /** A number, except for users. */
  readonly subjectId: number | string
  readonly action: SubjectActions[S][number]
  readonly fields: ChangedFields
  readonly awards?: readonly Award[]
  readonly links?: Links
  /** Whether the entry says the day alone, so that nobody learns from it when somebody was where. */
  readonly isToTheDay?: true
}

/** The days that an object has. */
export function daysOf(given: {
  readonly [Name in (typeof listedDays)[number]]?: string | null | undefined
}): ListedDays {
  const days: { [Name in (typeof listedDays)[number]]?: string } = {}
  for (const name of listedDays) {
    const day = given[name] ?? undefined
    if (day !== undefined) days[name] = day
  }
  return days
}

/** A draft that awards nothing and refers to no other entry. */
export function draftOf<S extends Subject>(
  subject: S,
  subjectId: number | string,
  action: SubjectActions[S][number],
  fields: ChangedFields = {},
): Draft<S> {
  return { subject, subjectId, action, fields }
}

/** An entry of a draft before it has its place in the log, where it gets its id. */
export function provisional(
  draft: Draft,
  { by, at, id = 0 }: { readonly by: string; readonly at: string; readonly id?: number },
): Entry {
  return { awards: [], links: {}, ...draft, id, by, at }
}

/** An entry of the log. */
export interface Entry {
  /** 1, 2, 3 … without gaps. */
  readonly id: number
  /** ISO 8601 in UTC with milliseconds; never before the previous entry's. */
  readonly at: string
  /** The id of the user who did it. */
  readonly by: string
  readonly subject: Subject
  readonly subjectId: number | string
  readonly action: AnyAction
  readonly fields: ChangedFields
  readonly awards: readonly Award[]
  readonly links: Links
}

const hexOf = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`, 'u'))

/**
 * A published entry with its proof: `seed`, from which the salts of all fields are derived; or, after a redaction, the
 * `salts` of the other fields and the `commitments` of the redacted ones. All in lower-case hexadecimal. An export
 * without the fields of an entry has their commitments alone, and the reason in `withheld`.
 */
export const LoggedEntry = z
  .strictObject({
    id: z.int().positive(),
    at: z.iso.datetime({ precision: 3 }),
    by: z.string().min(1).max(limits.userId),
    subject: z.enum(subjects),
    subjectId: z.union([z.int().positive(), z.string().min(1).max(limits.userId)]),
    action: z.string().max(32),
    fields: ChangedFields,
    seed: hexOf(16).optional(),
    salts: z.record(z.string(), hexOf(16)).optional(),
    commitments: z.record(z.string(), hexOf(32)).optional(),
    awards: z.array(Award),
    links: Links,
    withheld: z.string().min(1).max(limits.description).optional(),
  })
  .meta({ id: 'LoggedEntry' })

/** An entry as another log has it, before it is checked. */
export type GivenEntry = Readonly<z.infer<typeof LoggedEntry>>

/** A published entry: its `subject` says which actions it may have, and whether the subject's id is a number. */
export type LoggedEntry = {
  readonly [S in Subject]: Omit<GivenEntry, 'subject' | 'subjectId' | 'action'> & {
    readonly subject: S
    /** A number, except for users. */
    readonly subjectId: S extends 'user' ? string : number
    readonly action: SubjectActions[S][number]
  }
}[Subject]

/** The proof of an entry with redacted fields, in place of its seed. */
export interface Hole {
  /** The salts of the fields that are left. */
  readonly salts: Readonly<Record<string, string>>
  /** The commitments of the redacted fields. */
  readonly commitments: Readonly<Record<string, string>>
}

/** An entry with its seed, or with its hole once it was redacted, and its leaf hash in hexadecimal. */
export interface StoredEntry extends Entry {
  readonly seed: string | null
  readonly leaf: string
  readonly hole?: Hole | undefined
}

/** A log entry in a waypoint's history, without its changes. */
export const HistoryEntry = z
  .object({
    id: z.int().positive(),
    bubblerId: z.int().positive(),
    userId: z.string(),
    action: Action,
    timestamp: z.iso.datetime(),
  })
  .meta({ id: 'HistoryEntry' })
export type HistoryEntry = z.infer<typeof HistoryEntry>

/** Why and when the text of an entry was removed, and from which fields. */
export const Redaction = z
  .object({ reason: z.string(), timestamp: z.iso.datetime(), fields: z.array(z.string()) })
  .meta({ id: 'Redaction' })
export type Redaction = z.infer<typeof Redaction>

/** An action on a waypoint, as the API's log has it. `redacted` is present when an administrator removed its text. */
export const LogEntry = HistoryEntry.extend({ changes: ChangedFields, redacted: Redaction.optional() }).meta({
  id: 'LogEntry',
})
export type LogEntry = z.infer<typeof LogEntry>

/**
 * How far the log goes: the id of the newest entry, and the root of the Merkle tree over all entries (RFC 9162, 2.1.1)
 * in lower-case hexadecimal. With an older head, anyone can check whether history was rewritten.
 */
export const Head = z
  .object({ id: z.int().min(0), hash: z.string(), timestamp: z.iso.datetime().optional() })
  .meta({ id: 'Head' })
export type Head = z.infer<typeof Head>

/**
 * Fields of an entry that belong to the entry, not to its subject. `attested` says that its maintainer is the word of a
 * moderator or of the operator.
 */
export const entryFields: ReadonlySet<string> = new Set(['via', 'reason', 'tags', 'attested'])

/** Where an imported value is from: the ids of its source and of the run, and the source's own id of the waypoint. */
export interface Via extends ListedDays {
  readonly source: number
  readonly run: number
  readonly ref?: string
  readonly state?: string
}

/** The published form of an entry. */
export function loggedEntry(entry: StoredEntry): LoggedEntry {
  const { id, at, by, subject, subjectId, action, fields, seed, hole, awards, links } = entry
  return {
    id,
    at,
    by,
    subject,
    subjectId,
    action,
    fields: { ...fields },
    seed: seed ?? undefined,
    ...(hole && { salts: { ...hole.salts }, commitments: { ...hole.commitments } }),
    awards: awards.map(([userId, event, amount]) => [userId, event, amount]),
    links,
  } as LoggedEntry
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

export function saltOf(seed: string, field: string): string {
  return hex(`["${seed}",${quote(field)}]`).slice(0, 32)
}

function commitment(salt: string, field: string, json: string): string {
  return hex(`["${salt}",${quote(field)},${json}]`)
}

/** The stored form of the fields of an entry: their canonical JSON, and the digest of their commitments. */
interface Commitment {
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
interface Sealed {
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

/** Names that JavaScript moves to the front of an object, or takes for its prototype. */
const unordered = /^\d|^__proto__$/

/** The same value with its members in code unit order, or undefined when JavaScript cannot keep that order. */
function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.some((each) => typeof each === 'object') ? undefined : value
  const members = value as Readonly<Record<string, unknown>>
  const sorted: Record<string, unknown> = {}
  for (const name of Object.keys(members).toSorted()) {
    if (unordered.test(name)) return undefined
    const member = members[name]
    if (member === undefined) continue
    sorted[name] = ordered(member)
    if (sorted[name] === undefined) return undefined
  }
  return sorted
}

/** Whether a value is a flat object whose members are in code unit order and not undefined. */
function isOrdered(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const members = value as Readonly<Record<string, unknown>>
  let before = ''
  for (const name of Object.keys(members)) {
    const member = members[name]
    if (name < before || member === undefined) return false
    if (typeof member === 'object' && member !== null) {
      if (!Array.isArray(member) || member.some((each) => typeof each === 'object')) return false
    }
    before = name
  }
  return true
}

/**
 * JSON with members in code unit order and no white space, the same for equal values (RFC 8785, for the values in a
 * log).
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object') return JSON.stringify(value)
  // One call for the whole object is faster than one for each member.
  return JSON.stringify(isOrdered(value) ? value : ordered(value)) ?? memberByMember(value)
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

/** The fields whose value a patch changes, of these; `null` for one that it clears, as an empty text does. */
export function changedFields<Name extends string>(
  names: readonly Name[],
  before: { readonly [Each in Name]?: unknown },
  patch: { readonly [Each in Name]?: unknown },
): ChangedFields {
  const changes: Record<string, unknown> = {}
  for (const name of names) {
    const value = patch[name] === '' ? null : patch[name]
    if (value !== undefined && !isSameValue(value, before[name] ?? null)) changes[name] = value
  }
  return changes
}
