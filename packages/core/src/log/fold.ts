import { apiUserId, observerUserId } from '../actor.ts'
import { areaValuesOf } from '../fields/area.ts'
import { forEachOf } from '../fields/field.ts'
import { observationTexts, observationValuesOf } from '../fields/observation.ts'
import { reviewTexts, reviewValuesOf } from '../fields/review.ts'
import { daysOf, type Tags } from '../fields/source.ts'
import { userCounts, type UserCount } from '../fields/user.ts'
import { fieldNames, type WaypointField } from '../fields/waypoint.ts'
import type { BoundingBox } from '../schemas/area.ts'
import type { WaypointState } from '../schemas/waypoint.ts'
import { redact } from './commitments.ts'
import {
  entryFields,
  type Action,
  type ChangedFields,
  type Entry,
  type StoredEntry,
  type Via,
} from './entry.ts'
import type {
  AreaState,
  Block,
  KeyOf,
  ObservationState,
  Person,
  RecordState,
  ReviewState,
  RunState,
  SourceFacts,
  VouchedNouns,
} from './nouns.ts'

/**
 * The fold: what an entry makes of the nouns that it touches. Requests, imports, mirrors, verification and every engine
 * use it, and nothing else changes them.
 */

/** The nouns that an entry is folded into. `get` returns nothing for one that does not exist. */
export interface Folded {
  get<Noun extends keyof VouchedNouns>(noun: Noun, key: KeyOf<Noun>): VouchedNouns[Noun] | undefined
  put<Noun extends keyof VouchedNouns>(noun: Noun, after: VouchedNouns[Noun]): void
}

/** Thrown when an entry cannot come next, such as an edit of what was never created. */
export class FoldError extends Error {
  override readonly name = 'FoldError'
}

function mustExist<State>(state: State | undefined, { subject, subjectId, action }: Entry): State {
  if (state === undefined) throw new FoldError(`${subject} ${subjectId} is ${action} before it is created`)
  return state
}

function mustBeNew(state: unknown, { subject, subjectId }: Entry): void {
  if (state !== undefined) throw new FoldError(`${subject} ${subjectId} is created twice`)
}

const number = (id: number | string): number => {
  if (typeof id !== 'number') throw new FoldError(`${id} is not the id of a number`)
  return id
}

/**
 * Members as the state that they make. An entry's fields were validated when it was decided, or taken over from another
 * registry; those that were redacted are missing until a later entry of the log replaces them.
 */
function stateOf<State extends object>(members: object): State {
  return members as State
}

/** Fields over a state: `null` clears, and the fields of the entry itself are left out. */
function withFields<State extends object>(state: State, fields: ChangedFields): State {
  const merged: Record<string, unknown> = Object.fromEntries(Object.entries(state))
  for (const [field, value] of Object.entries(fields)) {
    if (entryFields.has(field)) continue
    if (value === null) delete merged[field]
    else merged[field] = value
  }
  return stateOf(merged)
}

/** The name of what lost its name by a redaction, since it cannot be without one. */
export const redactedName = '(redacted)'

/** Defaults of a new waypoint. */
const withoutFields: Readonly<Partial<Record<WaypointField, unknown>>> = {
  name: redactedName,
  latitude: 0,
  longitude: 0,
  amenities: [],
  approved: false,
  verified: false,
}

/** The members of a new waypoint, in the order of the schema, because responses have the same order. */
function newWaypoint({ id: version, subjectId, by, at, fields }: Entry): WaypointState {
  const state: Record<string, unknown> = {}
  for (const name of fieldNames) {
    const value = fields[name]
    if (value !== undefined && value !== null) state[name] = value
    // An entry that was redacted before it came here lacks what a waypoint cannot be without.
    else if (name in withoutFields) state[name] = withoutFields[name]
    else if (name === 'id') state[name] = number(subjectId)
    else if (name === 'addedByUserId') state[name] = by
    else if (name === 'createdAt' || name === 'updatedAt') state[name] = at
  }
  state['verifiedOnce'] = fields['verified'] === true
  state['version'] = version
  return stateOf(state)
}

/** A waypoint after one more entry about it. */
export function foldWaypoint(before: WaypointState | undefined, entry: Entry): WaypointState {
  const { action, fields, at, links } = entry
  if (action === 'created') {
    if (links.restores === undefined) {
      mustBeNew(before, entry)
      return newWaypoint(entry)
    }
    const { deletedAt: _deleted, mergedInto: _merged, ...tombstone } = mustExist(before, entry)
    return withFields({ ...tombstone, updatedAt: at, version: entry.id }, fields)
  }
  const state = { ...mustExist(before, entry), updatedAt: at, version: entry.id }
  if (action === 'deleted') {
    const { mergedInto } = links
    return { ...state, deletedAt: at, ...(mergedInto !== undefined && { mergedInto }) }
  }
  const after = withFields(state, fields)
  return after.verified && !after.verifiedOnce ? { ...after, verifiedOnce: true } : after
}

/** Clears the texts of a review or an observation. */
const withoutTexts = Object.fromEntries([...reviewTexts, ...observationTexts].map((name) => [name, null]))

/** A review after one more entry about it. A tombstone has no text. */
export function foldReview(before: ReviewState | undefined, entry: Entry): ReviewState {
  const { action, fields, at, by, links } = entry
  if (action === 'created') {
    if (links.restores === undefined) mustBeNew(before, entry)
    else mustExist(before, entry)
    const { waypoint, rating } = fields
    return {
      id: number(entry.subjectId),
      bubblerId: waypoint as number,
      userId: before?.userId ?? by,
      rating: rating as number,
      ...reviewValuesOf(fields),
      createdAt: before?.createdAt ?? at,
      updatedAt: at,
    }
  }
  const state = changedPost(mustExist(before, entry), entry)
  return action === 'deleted' ? state : { ...state, updatedAt: at }
}

/** A review or an observation after it was edited, moved or deleted. */
function changedPost<State extends ReviewState | ObservationState>(
  state: State,
  { action, fields, at }: Entry,
): State {
  if (action === 'deleted') return { ...withFields(state, withoutTexts), deletedAt: at }
  const { waypoint, ...others } = fields
  return withFields(typeof waypoint === 'number' ? { ...state, bubblerId: waypoint } : state, others)
}

/** An observation after one more entry about it. A tombstone has no text. */
export function foldObservation(before: ObservationState | undefined, entry: Entry): ObservationState {
  const { action, fields, links, subjectId } = entry
  if (action === 'created') {
    if (links.restores !== undefined) mustExist(before, entry)
    else if (before !== undefined || subjectId !== entry.id)
      throw new FoldError(`observation ${subjectId} is not that of its entry ${entry.id}`)
    const { waypoint: bubblerId, kind, observedAt, near, observer } = fields
    return stateOf({
      id: number(subjectId),
      bubblerId,
      kind,
      observedAt,
      near,
      observer,
      ...observationValuesOf(fields),
    })
  }
  return changedPost(mustExist(before, entry), entry)
}

/** Somebody before their first entry. The built-in user has none. */
export function newPerson(id: string, at: string): Person {
  const stats = forEachOf(userCounts, 0)
  return { id, isModerator: false, xp: 0, stats, actions: {}, createdAt: at }
}

/** The built-in users before the first entry: who writes with API tokens, and by whom observations are. */
export const builtIn: readonly Person[] = [apiUserId, observerUserId].map((id) =>
  newPerson(id, '1970-01-01T00:00:00.000Z'),
)

/** A person after an entry about them. */
export function foldPerson(before: Person | undefined, entry: Entry): Person {
  const { action, fields, at } = entry
  if (action === 'created') {
    mustBeNew(before, entry)
    return {
      ...newPerson(String(entry.subjectId), at),
      ...(fields['moderator'] === true && { isModerator: true }),
    }
  }
  const state = mustExist(before, entry)
  if (action === 'appointed' || action === 'dismissed')
    return { ...state, isModerator: action === 'appointed' }
  if (action === 'blocked') {
    const { until, reason } = fields
    const block: Block = {
      reason: typeof reason === 'string' ? reason : '',
      ...(typeof until === 'string' && { until }),
    }
    return { ...state, block }
  }
  if (action === 'unblocked') {
    const { block: _block, ...others } = state
    return others
  }
  return state
}

/** The count of an entry for its author; undone and restored ones do not count again. */
const counted: Readonly<Record<string, UserCount>> = {
  'waypoint created': 'waypointsCreated',
  'waypoint edited': 'waypointsEdited',
  'review created': 'reviewsPosted',
}

/** Credits of an entry: XP to the people whom it awards, and counts to its author. */
export function foldCredits({ subject, action, by, awards, links }: Entry, { get, put }: CreditReads): void {
  const isAction = subject === 'waypoint'
  const isNew = links.reverts === undefined && links.restores === undefined
  const count = isNew ? counted[`${subject} ${action}`] : undefined
  if (isAction || count !== undefined) {
    const person = get(by)
    put({
      ...person,
      stats: count === undefined ? person.stats : oneMore(person.stats, count),
      actions: isAction ? oneMore(person.actions, action as Action) : person.actions,
    })
  }
  for (const [userId, , amount] of awards) {
    const person = get(userId)
    put({ ...person, xp: person.xp + amount })
  }
}

/** The counts with one more of a kind. */
function oneMore<Counts extends Readonly<Partial<Record<string, number>>>>(
  counts: Counts,
  kind: keyof Counts & string,
): Counts {
  const after: Record<string, number | undefined> = { ...counts }
  after[kind] = (counts[kind] ?? 0) + 1
  return after as Counts
}

interface CreditReads {
  get: (id: string) => Person
  put: (after: Person) => void
}

/** An area after one more entry about it. */
export function foldArea(before: AreaState | undefined, entry: Entry): AreaState {
  const { action, fields, at, links } = entry
  if (action === 'created' && links.restores === undefined) {
    mustBeNew(before, entry)
    const { name, ...given } = stateOf<
      Partial<BoundingBox> & Pick<BoundingBox, 'color' | 'coordinates' | 'properties' | 'active'>
    >(fields)
    return {
      id: number(entry.subjectId),
      name: name ?? redactedName,
      // In the order of the fields, because responses have the same order.
      ...areaValuesOf(fields),
      ...given,
      createdAt: at,
      updatedAt: at,
    }
  }
  const state = mustExist(before, entry)
  if (action === 'deleted') return { ...state, updatedAt: at, deletedAt: at }
  const { deletedAt: _deleted, ...restored } = state
  return withFields({ ...(action === 'created' ? restored : state), updatedAt: at }, fields)
}

/** A source after one more entry about it. */
export function foldSource(before: SourceFacts | undefined, entry: Entry): SourceFacts {
  const { action, fields, at } = entry
  if (action === 'created') {
    mustBeNew(before, entry)
    const given = stateOf<Pick<SourceFacts, 'name' | 'license'>>(fields)
    return { id: number(entry.subjectId), ...given, createdAt: at, updatedAt: at }
  }
  return withFields({ ...mustExist(before, entry), updatedAt: at }, fields)
}

/** A run of an import after one more entry about it. */
export function foldRun(before: RunState | undefined, entry: Entry): RunState {
  const { action, fields, at } = entry
  if (action === 'started') {
    mustBeNew(before, entry)
    const { source, file } = fields
    return {
      id: number(entry.subjectId),
      sourceId: source as number,
      ...(file !== undefined && { file: file as NonNullable<RunState['file']> }),
      startedAt: at,
    }
  }
  const { published } = fields
  return {
    ...mustExist(before, entry),
    finishedAt: at,
    ...(typeof published === 'string' && { published }),
  }
}

function isVia(via: unknown): via is Via {
  return typeof via === 'object' && via !== null && 'source' in via && 'run' in via
}

/** The record that an entry makes: one about a new waypoint with its source, or one that links an existing waypoint. */
export function newRecord({
  id,
  at,
  subject,
  subjectId,
  action,
  fields,
  links,
}: Entry): RecordState | undefined {
  const isNew =
    (subject === 'waypoint' && action === 'created' && links.restores === undefined) ||
    (subject === 'record' && action === 'linked')
  const { via, waypoint } = fields
  if (!isNew || !isVia(via)) return undefined
  return {
    id,
    sourceId: via.source,
    waypointId: subject === 'waypoint' ? number(subjectId) : (waypoint as number),
    ...(via.ref !== undefined && { ref: via.ref }),
    ...(via.state !== undefined && { state: via.state as NonNullable<RecordState['state']> }),
    ...daysOf(via),
    ...(fields['tags'] !== undefined && { tags: fields['tags'] as Tags }),
    firstSeen: at,
    lastSeen: at,
  }
}

/** A record after one more entry about it. */
export function foldRecord(before: RecordState | undefined, entry: Entry, source: SourceFacts): RecordState {
  const { action, fields, at } = entry
  const state = mustExist(before, entry)
  if (action === 'delisted')
    return { ...state, lastSeen: lastSeenOf(state, source), missingSince: state.missingSince ?? at }
  const { waypoint, ref, tags, ...said } = fields
  const { missingSince, tags: earlier, ...others } = state
  const known = tags === undefined ? earlier : ((tags ?? undefined) as Tags | undefined)
  return {
    ...withFields(others, said),
    ...(known !== undefined && { tags: known }),
    ...(typeof waypoint === 'number' && { waypointId: waypoint }),
    ...(typeof ref === 'string' && { ref }),
    ...(action === 'moved' ? { ...(missingSince !== undefined && { missingSince }) } : { lastSeen: at }),
  }
}

/** A source after a complete import of it. */
export function listedSource(
  { published: _before, ...source }: SourceFacts,
  { at, fields }: Entry,
): SourceFacts {
  const { published } = fields
  return { ...source, listedAt: at, ...(typeof published === 'string' && { published }) }
}

/** The day of the last word of a source on a record: that of its publication, where it is known. */
export function saidOn(record: RecordState, source: SourceFacts): string {
  const { listedAt = '', published } = source
  const isPublished = record.missingSince === undefined && listedAt >= record.lastSeen
  return isPublished && published !== undefined ? published : lastSeenOf(record, source).slice(0, 10)
}

/** When a source last listed a record: at its newest complete import, unless it was missing then. */
export function lastSeenOf({ lastSeen, missingSince }: RecordState, { listedAt }: SourceFacts): string {
  return missingSince === undefined && listedAt !== undefined && listedAt > lastSeen ? listedAt : lastSeen
}

/** An entry after a redaction. */
export function foldRedacted(before: StoredEntry | undefined, entry: Entry): StoredEntry {
  const target = mustExist(before, entry)
  return { ...target, ...redact(target, new Set(namesOf(entry))), seed: null }
}

/** The names of the fields that a redaction removes. */
export function namesOf({ fields: { names } }: Entry): string[] {
  return Array.isArray(names) ? names.map(String) : []
}

/** A waypoint whose entries lost fields: imports do not write these fields again, and a tombstone loses its position. */
export function withRedacted(waypoint: WaypointState, names: readonly string[]): WaypointState {
  const redactedFields = [...new Set([...(waypoint.redactedFields ?? []), ...names])].toSorted()
  if (!names.includes('latitude') && !names.includes('longitude')) return { ...waypoint, redactedFields }
  return { ...waypoint, latitude: 0, longitude: 0, redactedFields }
}

/** A person whose block lost its reason. */
export function withoutReason(person: Person): Person {
  return person.block === undefined ? person : { ...person, block: { ...person.block, reason: '' } }
}

/** A run that lost the name of its file. */
export function withoutFile({ file: _file, ...run }: RunState): RunState {
  return run
}

/**
 * What the loss of an entry's fields makes of its subject, given the entry as it was. Text that was in force was cleared
 * by an ordinary entry before; this is the rest.
 */
function foldLoss(
  { subject, subjectId, fields }: StoredEntry,
  names: readonly string[],
  nouns: Folded,
): void {
  const own = names.filter((name) => !entryFields.has(name))
  if (subject === 'waypoint' && own.length > 0) {
    const waypoint = nouns.get('waypoint', number(subjectId))
    if (waypoint) nouns.put('waypoint', withRedacted(waypoint, own))
  }
  if (subject === 'user' && names.includes('reason')) {
    const person = nouns.get('user', String(subjectId))
    // The reason may be that of an earlier block, or of a grant.
    if (person?.block && person.block.reason === fields['reason']) nouns.put('user', withoutReason(person))
  }
  if (subject === 'import' && names.includes('file')) {
    const run = nouns.get('import', number(subjectId))
    if (run) nouns.put('import', withoutFile(run))
  }
}

/** The nouns that their entries alone make. */
export type Foldable = Exclude<keyof VouchedNouns, 'record' | 'entry'>

const folds: {
  readonly [Noun in Foldable]: (before: VouchedNouns[Noun] | undefined, entry: Entry) => VouchedNouns[Noun]
} = {
  waypoint: foldWaypoint,
  review: foldReview,
  observation: foldObservation,
  user: foldPerson,
  area: foldArea,
  source: foldSource,
  import: foldRun,
}

/** A noun after one more entry about it. */
export function foldSubject<Noun extends Foldable>(
  noun: Noun,
  before: VouchedNouns[Noun] | undefined,
  entry: Entry,
): VouchedNouns[Noun] {
  return folds[noun](before, entry)
}

function foldInto<Noun extends Foldable>(noun: Noun, entry: Entry, nouns: Folded): void {
  const { subjectId, action, links } = entry
  const key = (noun === 'user' ? String(subjectId) : number(subjectId)) as KeyOf<Noun>
  // The id of a new observation is that of its entry, so that there is none.
  const isNew = noun === 'observation' && action === 'created' && links.restores === undefined
  nouns.put(noun, foldSubject(noun, isNew ? undefined : nouns.get(noun, key), entry))
}

/** Whether an entry says that its source listed everything that it has. */
export const isListing = ({ subject, action, fields }: Entry): boolean =>
  subject === 'import' && action === 'finished' && fields['complete'] === true

/** Folds an entry into everything that it touches. @throws FoldError when it cannot come next */
export function fold(entry: Entry, nouns: Folded): void {
  const { subject, subjectId, action } = entry
  if (subject === 'entry') {
    const target = mustExist(nouns.get('entry', number(subjectId)), entry)
    nouns.put('entry', foldRedacted(target, entry))
    foldLoss(target, namesOf(entry), nouns)
  } else if (subject !== 'record') {
    foldInto(subject, entry, nouns)
  } else if (action !== 'linked') {
    const before = mustExist(nouns.get('record', number(subjectId)), entry)
    const source = mustExist(nouns.get('source', before.sourceId), entry)
    nouns.put('record', foldRecord(before, entry, source))
  }
  if (subject === 'import') {
    const run = mustExist(nouns.get('import', number(subjectId)), entry)
    const source = mustExist(nouns.get('source', run.sourceId), entry)
    if (isListing(entry)) nouns.put('source', listedSource(source, entry))
  }
  const record = newRecord(entry)
  if (record !== undefined) nouns.put('record', record)
  foldCredits(entry, {
    get: (id) => mustExist(nouns.get('user', id), entry),
    put: (after) => nouns.put('user', after),
  })
}
