import { invalid, required } from '../errors.ts'
import { areaOptionals } from '../fields/area.ts'
import { photoOptionals } from '../fields/photo.ts'
import { reviewOptionals } from '../fields/review.ts'
import {
  isOfPosition,
  optionalFields,
  positionFields,
  redactableFields as textFields,
  type OptionalField,
} from '../fields/waypoint.ts'
import { draftOf, type Draft, type StoredEntry, type Via } from '../log/entry.ts'
import { isSameValue } from '../log/leaf.ts'
import { isClearable, keyOf, subjects } from '../log/fold.ts'
import { isLive, type MergeBase, type WaypointState } from '../log/nouns.ts'
import { redactedName } from '../log/states.ts'
import { amenityOf } from '../vocabulary.ts'
import { operator } from './contributor.ts'
import {
  asked,
  entriesOfAct,
  nounOf,
  nounsWhere,
  withoutEntries,
  type Deciding,
  type Unlogged,
  type Decided,
} from './deciding.ts'
import { mustHaveReason } from './user.ts'
import { deletion } from './waypoint.ts'

const importedFields = [...textFields, ...positionFields, 'tags'] as const

/** The value of each field after its text was removed. */
export const cleared: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    [...optionalFields, ...reviewOptionals, ...photoOptionals, ...areaOptionals].map((name) => [name, null]),
  ),
  name: redactedName,
  amenities: [],
  tags: null,
}

/** The fields of an entry about a subject that can be redacted; a waypoint's position only once it is a tombstone. */
export function redactableFields(subject: StoredEntry['subject'], isTombstone: boolean): readonly string[] {
  const positions = subject === 'waypoint' && isTombstone ? positionFields : []
  return [...subjects[subject].texts, 'reason', ...positions]
}

/** Whether a field has the value that a redaction leaves. */
export function isCleared(waypoint: WaypointState, field: 'name' | 'amenities' | OptionalField): boolean {
  const value = waypoint[field] ?? null
  return Array.isArray(value) ? value.length === 0 : value === cleared[field]
}

/** The entries of a list that are not words of the vocabulary, and so may say anything. */
function ownWords(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.filter((each) => amenityOf(String(each)) === undefined) : []
}

/** The texts of custom fields, each with its name: a number or a flag that is the same is no copy of a text. */
function ownTexts(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    [member].flat().flatMap((each) => (typeof each === 'string' ? [JSON.stringify([name, each])] : [])),
  )
}

/** Whether a value has text of another: it is the same, or a list with one of its own words, or fields with one of its texts. */
function hasTextOf(value: unknown, other: unknown): boolean {
  const words = ownWords(other)
  const texts = ownTexts(other)
  if (ownTexts(value).some((each) => texts.includes(each))) return true
  return isSameValue(value, other) || ownWords(value).some((each) => words.includes(each))
}

export interface RedactionRequest {
  readonly id: number
  readonly reason: string
  /** The fields whose text is removed. Default all fields of the entry that can have text. */
  readonly fields?: readonly string[] | undefined
}

export interface Redacted {
  /** The entries that lost text, by id. */
  readonly entries: readonly number[]
}

/** The fields of an entry that a redaction removes. @throws RegistryError INVALID_INPUT */
function chosenFields(
  entry: StoredEntry,
  asked: readonly string[] | undefined,
  isTombstone: boolean,
): string[] {
  const allowed = redactableFields(entry.subject, isTombstone)
  // An entry that only clears a field has no text, and without it an older value would be in force again.
  const isPresent = (field: string) => {
    const value = entry.fields[field] ?? null
    return value !== null && !isSameValue(value, cleared[field])
  }
  for (const field of asked ?? []) {
    if (!allowed.includes(field)) {
      throw invalid(
        'fields',
        entry.subject === 'waypoint' && isOfPosition(field)
          ? `cannot include ${field} while the waypoint exists; delete it first`
          : `cannot include ${field}, which has no text; choose from ${allowed.join(', ')}`,
      )
    }
    if (!isPresent(field)) throw invalid('fields', `cannot include ${field}: entry ${entry.id} has none`)
  }
  const withoutPosition = allowed.filter((field) => !isOfPosition(field))
  const fields = (asked ?? withoutPosition).filter(isPresent)
  if (fields.length === 0) throw invalid('id', 'names an entry that has no text to remove')
  return allowed.filter((field) => fields.includes(field))
}

/** The free texts of an entry by its author, except a fountain's name. */
export function fieldsOfAuthor({ subject, fields }: StoredEntry): string[] {
  return redactableFields(subject, false).filter((field) => {
    const value = fields[field] ?? null
    if (value === null || isSameValue(value, cleared[field])) return false
    if (subject === 'waypoint' && field === 'name') return false
    return field !== 'amenities' || ownWords(value).length > 0
  })
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
        (isOfPosition(field) || hasTextOf(other.fields[field], entry.fields[field])),
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
    return value !== undefined && hasTextOf(value, entry.fields[field]) && !isSameValue(value, cleared[field])
  })
  if (inForce.length === 0) return []
  const { subject, subjectId } = entry
  const values = Object.fromEntries(inForce.map((field) => [field, cleared[field]]))
  return [{ subject, subjectId, action: 'edited', fields: values }]
}

type Targets = ReadonlyMap<StoredEntry, readonly string[]>

function* actOf({ links: { act } }: StoredEntry): Deciding<StoredEntry[]> {
  return act === undefined ? [] : yield* entriesOfAct(act)
}

interface Subject {
  readonly state: object | undefined
  readonly waypoint: WaypointState | undefined
  readonly about: readonly StoredEntry[]
}

type About = Pick<StoredEntry, 'subject' | 'subjectId'>

/** The state of the subject from which text in force can be redacted. */
export function* stateOf(about: About): Deciding<object | undefined> {
  const { subject } = about
  return isClearable(subject) ? yield* nounOf(subject, keyOf(subject, about)) : undefined
}

function* known({ subject, subjectId }: About): Deciding<Subject> {
  const about = yield* asked('entriesAbout', { subject, subjectId })
  const state = yield* stateOf({ subject, subjectId })
  return { about, state, waypoint: subject === 'waypoint' ? (state as WaypointState | undefined) : undefined }
}

/** The entry that clears the tags that an entry about a waypoint gave its record, if they are still in force. */
function* clearingOfRecord({ id, subject, fields }: StoredEntry): Deciding<Draft[]> {
  if (subject !== 'waypoint') return []
  const record = yield* nounOf('record', id)
  if (record?.tags === undefined || !isSameValue(record.tags, fields['tags'])) return []
  return [draftOf('record', id, 'edited', { tags: null })]
}

function* forgottenTags({ subject, subjectId }: StoredEntry): Deciding<Unlogged[]> {
  if (subject !== 'record') return []
  const base = yield* nounOf('base', Number(subjectId))
  if (base === undefined) return []
  return [withClosed(base, ['tags'])]
}

function withClosed(base: MergeBase, fields: readonly string[]): Unlogged {
  const closed = Object.fromEntries(fields.map((field) => [field, null]))
  const values = JSON.stringify({ ...(JSON.parse(base.values) as object), ...closed })
  return { noun: 'base', after: { ...base, values } }
}

/** Removes fields of entries, after clearing what is in force; a waypoint that loses its position is deleted. */
function* removing(
  entry: StoredEntry,
  targets: Targets,
  subject: Subject,
  reason: string,
): Decided<Redacted> {
  const names = [...targets].find(([{ id }]) => id === entry.id)?.[1] ?? []
  const drafts: Draft[] = [
    ...clearing(entry, names, subject.state),
    ...(names.includes('tags') ? yield* clearingOfRecord(entry) : []),
  ]
  const { waypoint } = subject
  if (isLive(waypoint) && names.some(isOfPosition)) drafts.unshift(deletion(waypoint.id))
  for (const [target, lost] of targets)
    drafts.push(draftOf('entry', target.id, 'redacted', { names: lost, reason }))
  const fields = new Set([...targets.values()].flat())
  const unlogged =
    waypoint === undefined ? yield* forgottenTags(entry) : yield* forgotten(waypoint, targets.keys(), fields)
  const { nextEntry: act } = yield []
  return {
    entries: drafts.length > 1 ? drafts.map((draft) => ({ ...draft, links: { act } })) : drafts,
    unlogged,
    by: operator,
    answer: { entries: [...targets.keys()].map(({ id }) => id).toSorted((one, other) => one - other) },
  }
}

/** Removes text from an entry and its copies, a reason also from its act. `isRepeatable`: what is gone is no error. */
export function* redactEntry(
  { id, reason: given, fields: asked }: RedactionRequest,
  { isRepeatable = false }: { readonly isRepeatable?: boolean } = {},
): Decided<Redacted> {
  const reason = mustHaveReason(given)
  const entry = required(yield* nounOf('entry', id), 'log entry', id)
  const left = isRepeatable ? asked?.filter((field) => entry.fields[field] !== undefined) : asked
  if (left?.length === 0 && isRepeatable) return withoutEntries({ entries: [] })
  const subject = yield* known(entry)
  let fields = chosenFields(entry, left, subject.waypoint?.deletedAt !== undefined)
  if (fields.some(isOfPosition)) fields = [...new Set([...fields, ...positionFields])]
  const targets = copiesOf(entry, fields, subject.about)
  if (fields.includes('reason'))
    for (const [other, names] of copiesOf(entry, ['reason'], yield* actOf(entry)))
      if (![...targets.keys()].some((target) => target.id === other.id)) targets.set(other, names)
  return yield* removing(entry, targets, subject, reason)
}

/** Removes fields again after the restore of an older backup, from the entry with this `leaf` hash in hexadecimal. */
export function* redactAgain(
  { id, leaf, fields }: { readonly id: number; readonly leaf: string; readonly fields: readonly string[] },
  reason: string,
): Decided<Redacted> {
  const entry = yield* nounOf('entry', id)
  const left = fields.filter((field) => entry?.fields[field] !== undefined)
  if (entry === undefined || entry.leaf !== leaf || left.length === 0) return withoutEntries({ entries: [] })
  const subject = yield* known(entry)
  const allowed = redactableFields(entry.subject, true)
  const names = allowed.filter((field) => left.includes(field))
  return yield* removing(entry, new Map([[entry, names]]), subject, reason)
}

function* mergedInto(waypoint: WaypointState): Deciding<number[]> {
  const ids: number[] = []
  for (let next = waypoint.mergedInto; next !== undefined && !ids.includes(next);) {
    ids.push(next)
    next = (yield* nounOf('waypoint', next))?.mergedInto
  }
  return ids
}

function isAbout({ subject, subjectId, action, fields }: StoredEntry, waypointId: number): boolean {
  if (subject === 'waypoint') return action === 'created' && subjectId === waypointId
  return fields['waypoint'] === waypointId
}

function* recordsThatGave(entries: Iterable<StoredEntry>): Deciding<number[]> {
  const found: number[] = []
  for (const { fields } of entries) {
    const { source, ref } = (fields['via'] ?? {}) as Partial<Via>
    if (source === undefined || ref === undefined) continue
    for (const { id } of yield* nounsWhere('record', { sourceId: source, ref })) found.push(id)
  }
  return found
}

/** The records of a waypoint, and those that merges moved away from it. */
function* recordsOf(waypoint: WaypointState): Deciding<number[]> {
  const { id } = waypoint
  const found = (yield* nounsWhere('record', { waypointId: id })).map((record) => record.id)
  for (const waypointId of yield* mergedInto(waypoint)) {
    for (const record of yield* nounsWhere('record', { waypointId })) {
      const about = { subject: 'record', subjectId: record.id } as const
      const facts = yield [
        { ask: 'entriesAbout', of: about },
        { noun: 'entry', key: record.id },
      ]
      const made = facts.get('entry', record.id)
      const entries = [...(made === undefined ? [] : [made]), ...facts.ask('entriesAbout', about)]
      if (entries.some((entry) => isAbout(entry, id))) found.push(record.id)
    }
  }
  return found
}

/** The merge bases of a waypoint, with removed fields closed to its sources. */
export function* forgotten(
  waypoint: WaypointState,
  entries: Iterable<StoredEntry>,
  fields: ReadonlySet<string>,
): Deciding<Unlogged[]> {
  const closed = importedFields.filter((field) => fields.has(field))
  if (closed.length === 0) return []
  const records = [...new Set([...(yield* recordsOf(waypoint)), ...(yield* recordsThatGave(entries))])]
  if (records.length === 0) return []
  const facts = yield records.map((id) => ({ noun: 'base', key: id }))
  const bases = records.flatMap((id) => facts.get('base', id) ?? [])
  return bases.map((base) => withClosed(base, closed))
}
