import { invalid, notFound } from '../errors.ts'
import type { Draft, StoredEntry } from '../log/entry.ts'
import { redactedName } from '../log/fold.ts'
import type { MergeBase } from '../log/nouns.ts'
import type { WaypointState } from '../schemas/waypoint.ts'
import { amenityOf } from '../vocabulary.ts'
import { operator } from './contributor.ts'
import { the, type Deciding, type Decision, type Unlogged } from './deciding.ts'
import { mustHaveReason } from './user.ts'

/** Fields of a waypoint that may contain personal text; flags cannot, positions only once the waypoint is gone. */
const textFields = ['name', 'description', 'amenities', 'image', 'maintainer', 'region'] as const
type TextField = (typeof textFields)[number]
const positionFields = ['latitude', 'longitude'] as const

/** The value of each field after its text was removed. */
export const cleared: Readonly<Record<string, unknown>> = {
  name: redactedName,
  description: null,
  amenities: [],
  image: null,
  maintainer: null,
  region: null,
  comment: null,
}

/** The fields of each kind of entry that can be redacted, besides the reason that any entry may have. */
const redactable: Readonly<Record<StoredEntry['subject'], readonly string[]>> = {
  waypoint: textFields,
  review: ['comment'],
  user: [],
  area: ['name', 'description'],
  source: [],
  import: ['file'],
  record: [],
  entry: [],
}

/** The fields of an entry about a subject that can be redacted; a waypoint's position only once it is a tombstone. */
export function redactableFields(subject: StoredEntry['subject'], isTombstone: boolean): readonly string[] {
  const positions = subject === 'waypoint' && isTombstone ? positionFields : []
  return [...redactable[subject], 'reason', ...positions]
}

/** Whether a field has the value that a redaction leaves. */
export function isCleared(waypoint: WaypointState, field: TextField): boolean {
  const value = waypoint[field] ?? null
  return Array.isArray(value) ? value.length === 0 : value === cleared[field]
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const isPosition = (field: string): boolean => (positionFields as readonly string[]).includes(field)

/** The entries of a list that are not words of the vocabulary, and so may say anything. */
function ownWords(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.filter((each) => amenityOf(String(each)) === undefined) : []
}

/** Whether a value has text of another: it is the same, or a list with one of its own words. */
function hasTextOf(value: unknown, other: unknown): boolean {
  const words = ownWords(other)
  return isSame(value, other) || ownWords(value).some((each) => words.includes(each))
}

/** Which entry to redact, and why. */
export interface RedactionRequest {
  readonly id: number
  readonly reason: string
  /** The fields whose text is removed. Default all fields of the entry that can have text. */
  readonly fields?: readonly string[] | undefined
}

/** What a redaction removed. */
export interface Redacted {
  /** The entries that lost text, by id. */
  readonly entries: readonly number[]
  /** The removed texts. */
  readonly texts: readonly string[]
  /** Each field that an entry lost. */
  readonly losses: readonly { readonly id: number; readonly leaf: string; readonly field: string }[]
}

/** The fields of an entry that a redaction removes. @throws RegistryError INVALID_INPUT */
function chosenFields(
  entry: StoredEntry,
  asked: readonly string[] | undefined,
  isTombstone: boolean,
): string[] {
  const allowed = redactableFields(entry.subject, isTombstone)
  const isPresent = (field: string) => entry.fields[field] !== undefined && entry.fields[field] !== null
  for (const field of asked ?? []) {
    if (!allowed.includes(field)) {
      throw invalid(
        'fields',
        entry.subject === 'waypoint' && isPosition(field)
          ? `cannot include ${field} while the waypoint exists; delete it first`
          : `cannot include ${field}, which has no text; choose from ${allowed.join(', ')}`,
      )
    }
    if (!isPresent(field)) throw invalid('fields', `cannot include ${field}: entry ${entry.id} has none`)
  }
  const withoutPosition = allowed.filter((field) => !isPosition(field))
  const fields = (asked ?? withoutPosition).filter(isPresent)
  if (fields.length === 0) throw invalid('id', 'names an entry that has no text to remove')
  return allowed.filter((field) => fields.includes(field))
}

/** The entries about the same subject that have one of the values, with the names of the fields to remove. */
function copiesOf(
  entry: StoredEntry,
  fields: readonly string[],
  about: readonly StoredEntry[],
): Map<StoredEntry, string[]> {
  const found = new Map<StoredEntry, string[]>()
  for (const other of about) {
    const names = fields.filter(
      (field) =>
        other.fields[field] !== undefined &&
        (isPosition(field) || hasTextOf(other.fields[field], entry.fields[field])),
    )
    if (names.length > 0) found.set(other, names)
  }
  return found
}

/** The entry that clears the values that are still in force, if there are any. */
export function clearing(entry: StoredEntry, fields: readonly string[], state: object | undefined): Draft[] {
  if (state === undefined) return []
  const current = state as Readonly<Record<string, unknown>>
  const inForce = fields.filter((field) => {
    if (!(field in cleared)) return false
    const value = current[field]
    return value !== undefined && hasTextOf(value, entry.fields[field]) && !isSame(value, cleared[field])
  })
  if (inForce.length === 0) return []
  const { subject, subjectId } = entry
  const values = Object.fromEntries(inForce.map((field) => [field, cleared[field]]))
  return [{ subject, subjectId, action: 'edited', fields: values }]
}

/**
 * Removes text from an entry, and from all entries about the same subject that have the same value, as reverts,
 * restores and merges make them. Text that is still in force is cleared by an ordinary entry first; what importers
 * remember of it goes too.
 *
 * @throws RegistryError NOT_FOUND, INVALID_INPUT when there is nothing to remove or no reason
 */
export function* redactEntry({
  id,
  reason: given,
  fields: asked,
}: RedactionRequest): Deciding<Decision<Redacted>> {
  const reason = mustHaveReason(given)
  const entry = yield* the('entry', id)
  if (entry === undefined) throw notFound('log entry', id)
  const { subject, subjectId } = entry
  const isNumber = typeof subjectId === 'number'
  const facts = yield [
    { ask: 'entriesAbout', of: { subject, subjectId } },
    ...(subject === 'waypoint' && isNumber
      ? ([
          { noun: 'waypoint', key: subjectId },
          { noun: 'record', where: { waypointId: subjectId } },
        ] as const)
      : []),
    ...(subject === 'review' && isNumber ? [{ noun: 'review', key: subjectId } as const] : []),
    ...(subject === 'area' && isNumber ? [{ noun: 'area', key: subjectId } as const] : []),
  ]
  const waypoint = subject === 'waypoint' && isNumber ? facts.get('waypoint', subjectId) : undefined
  const state =
    subject === 'review' && isNumber
      ? facts.get('review', subjectId)
      : subject === 'area' && isNumber
        ? facts.get('area', subjectId)
        : waypoint
  let fields = chosenFields(entry, asked, waypoint?.deletedAt !== undefined)
  // A position makes no sense without its other half.
  if (fields.some(isPosition)) fields = [...new Set([...fields, ...positionFields])]
  const copies = copiesOf(entry, fields, facts.ask('entriesAbout', { subject, subjectId }))
  const first = facts.nextEntry
  const drafts: Draft[] = clearing(entry, fields, state)
  for (const [copy, names] of copies)
    drafts.push({ subject: 'entry', subjectId: copy.id, action: 'redacted', fields: { names, reason } })
  const linked = drafts.map((draft) => (drafts.length > 1 ? { ...draft, links: { act: first } } : draft))
  const records = subject === 'waypoint' && isNumber ? facts.find('record', { waypointId: subjectId }) : []
  return {
    entries: linked,
    unlogged: yield* forgotten(records, entry, fields),
    by: operator,
    answer: {
      entries: [...copies.keys()].map((copy) => copy.id),
      texts: textsIn([...copies]),
      losses: [...copies].flatMap(([{ id: lost, leaf }, names]) =>
        names.map((field) => ({ id: lost, leaf, field })),
      ),
    },
  }
}

/** The merge bases of records without the values that are removed. */
function* forgotten(
  records: readonly { readonly id: number }[],
  entry: StoredEntry,
  fields: readonly string[],
): Deciding<Unlogged[]> {
  if (records.length === 0) return []
  const facts = yield records.map(({ id }) => ({ noun: 'base', key: id }))
  return records.flatMap(({ id }): Unlogged[] => {
    const base = facts.get('base', id)
    if (base === undefined) return []
    const values = JSON.parse(base.values) as Record<string, unknown>
    const gone = fields.filter(
      (field) =>
        values[field] !== undefined && (isPosition(field) || hasTextOf(values[field], entry.fields[field])),
    )
    if (gone.length === 0) return []
    for (const field of gone) delete values[field]
    const after: MergeBase = { ...base, values: JSON.stringify(values) }
    return [{ noun: 'base', after }]
  })
}

/** The texts that are removed, each once; several in a list count each for itself. */
function textsIn(copies: readonly (readonly [StoredEntry, readonly string[]])[]): string[] {
  const texts = new Set<string>()
  for (const [copy, names] of copies)
    for (const name of names)
      for (const text of [copy.fields[name]].flat()) if (typeof text === 'string') texts.add(text)
  return [...texts]
}
