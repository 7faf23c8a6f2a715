import { z } from 'zod'
import { type ListedDays, listedDays } from '../fields/source.ts'
import { limits } from '../rules.ts'
import { type Hole, isSameValue } from './leaf.ts'

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

/** The author of observations in the log: that of a person would tell where they were, and when. */
export const observerUserId = 'observer'

/** XP awarded by an entry: user, reason and amount; reverting the entry adds a negative award. */
const Award = z.tuple([z.string().min(1).max(limits.userId), z.string().min(1).max(64), z.int()])
export type Award = readonly [userId: string, event: string, amount: number]

/** How an entry refers to others by their ids, and to the waypoint that another was merged into. */
const Links = z.strictObject({
  /** The first entry of the act that this entry is part of, such as a merge. */
  act: z.int().positive().optional(),
  reverts: z.int().positive().optional(),
  restores: z.int().positive().optional(),
  mergedInto: z.int().positive().optional(),
})
export type Links = Readonly<z.infer<typeof Links>>

/** An entry as a decision makes it, before it has its place in the log. */
export interface Draft<S extends Subject = Subject> {
  readonly subject: S
  readonly subjectId: number | string
  readonly action: SubjectActions[S][number]
  readonly fields: ChangedFields
  readonly awards?: readonly Award[]
  readonly links?: Links
  /** Whether the entry says the day alone, so that nobody learns from it when somebody was where. */
  readonly isToTheDay?: true
}

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

export interface Entry {
  /** 1, 2, 3 … without gaps. */
  readonly id: number
  /** ISO 8601 in UTC with milliseconds; never before the previous entry's. */
  readonly at: string
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
    readonly subjectId: S extends 'user' ? string : number
    readonly action: SubjectActions[S][number]
  }
}[Subject]

/** An entry with its seed, or with its hole once it was redacted, and its leaf hash in hexadecimal. */
export interface StoredEntry extends Entry {
  readonly seed: string | null
  readonly leaf: string
  readonly hole?: Hole | undefined
}

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

/** Fields that belong to the entry, not to its subject. `attested`: its maintainer is the word of a moderator or the operator. */
export const entryFields: ReadonlySet<string> = new Set(['via', 'reason', 'tags', 'attested'])

/** Where an imported value is from: the ids of its source and of the run, and the source's own id of the waypoint. */
export interface Via extends ListedDays {
  readonly source: number
  readonly run: number
  readonly ref?: string
  readonly state?: string
}

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
