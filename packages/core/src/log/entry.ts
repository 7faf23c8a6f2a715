import { hash } from 'node:crypto'
import { z } from 'zod'

/** What can happen to a waypoint. */
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

/** Field names to new values. A cleared field is `null`. */
export const ChangedFields = z.record(z.string(), z.unknown())
export type ChangedFields = Readonly<Record<string, unknown>>

/** A log entry before it is sealed into the chain. */
export interface Entry {
  readonly bubblerId: number
  readonly userId: string
  readonly action: Action
  readonly changes: ChangedFields
  readonly timestamp: string
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

/** A log entry. `redacted` is present when an administrator removed its text. */
export const LogEntry = HistoryEntry.extend({ changes: ChangedFields, redacted: Redaction.optional() }).meta({
  id: 'LogEntry',
})
export type LogEntry = z.infer<typeof LogEntry>

/**
 * A log entry with its seal. `digest`, `hash` and `previousHash` are SHA-256 in lower-case hexadecimal, `salt`
 * is hexadecimal too and `null` once the entry was redacted.
 */
export const SealedEntry = LogEntry.extend({
  salt: z.string().nullable(),
  digest: z.string(),
  hash: z.string(),
  previousHash: z.string(),
}).meta({ id: 'SealedEntry' })
export type SealedEntry = z.infer<typeof SealedEntry>

/** The newest entry of a log. With an older one, anyone can check whether history was rewritten. */
export const Head = z
  .object({ id: z.int().min(0), hash: z.string(), timestamp: z.iso.datetime().optional() })
  .meta({ id: 'Head' })
export type Head = z.infer<typeof Head>

/** The previous hash of the first entry. */
export const genesis = '0'.repeat(64)

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
 * JSON with members in code unit order and no white space, the same for equal values (RFC 8785 for the values
 * that a log carries).
 */
export function canonicalJson(value: unknown): string {
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

/** SHA-256 over the salt in hexadecimal, a line feed, and the canonical JSON of the changes; in hexadecimal. */
export function digestOf(saltHex: string, canonicalChanges: string): string {
  return hash('sha256', `${saltHex}\n${canonicalChanges}`, 'hex')
}

/**
 * SHA-256 over the previous hash, a line feed, and the JSON array
 * `[id, bubblerId, userId, action, timestamp, digest]`; in hexadecimal.
 */
export function hashOf(
  previousHash: string,
  id: number,
  entry: Omit<Entry, 'changes'>,
  digest: string,
): string {
  const { bubblerId, userId, action, timestamp } = entry
  return hash(
    'sha256',
    `${previousHash}\n${JSON.stringify([id, bubblerId, userId, action, timestamp, digest])}`,
    'hex',
  )
}
