import { areaFields } from '../fields/area.ts'
import { forEachOf, namesOf, type Fields } from '../fields/field.ts'
import { observationFields, observationTexts } from '../fields/observation.ts'
import { photoFields, photoTexts } from '../fields/photo.ts'
import { reviewFields, reviewTexts } from '../fields/review.ts'
import { sourceFields, type Tags } from '../fields/source.ts'
import { userCounts } from '../fields/user.ts'
import { isOfPosition, positionFields, waypointFields } from '../fields/waypoint.ts'
import type { Kept } from '../schemas/user.ts'
import { daysOfListing, type ListedFact, type StatusFacts } from '../status.ts'
import {
  apiUserId,
  observerUserId,
  daysOf,
  entryFields,
  type ChangedFields,
  type Entry,
  type Via,
} from './entry.ts'
import { isSameValue } from './leaf.ts'
import {
  type WaypointState,
  type AreaState,
  type ObservationState,
  type Person,
  type PhotoFacts,
  type RecordState,
  type ReviewState,
  type RunState,
  type SourceFacts,
  isLive,
  type Sighting,
  type Changes,
  type Replacement,
} from './nouns.ts'
import { tileWidth } from '@openfountain/tlog'

/** The states of nouns that entries make or change; the fields were validated before, redacted ones are missing. */

/** Thrown for an entry that cannot come next, such as an edit of an object that was never created. */
export class FoldError extends Error {
  override readonly name = 'FoldError'
}

export const numberOf = (id: number | string): number => {
  if (typeof id !== 'number') throw new FoldError(`${id} is not the id of a number`)
  return id
}

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

/** The name of a noun whose name was redacted, since it is required. */
export const redactedName = '(redacted)'

/** Values of required fields of a noun whose entry was redacted before it came here. */
const withoutFields: Readonly<Record<string, unknown>> = {
  name: redactedName,
  latitude: 0,
  longitude: 0,
  amenities: [],
  approved: false,
  verified: false,
}

function firstValue(name: string, { subjectId, by, at, fields }: Entry): unknown {
  if (name === 'id') return numberOf(subjectId)
  if (name === 'bubblerId') return fields['waypoint']
  if (name === 'userId' || name === 'addedByUserId') return by
  return name === 'createdAt' || name === 'updatedAt' ? at : withoutFields[name]
}

function newOf<State extends object>(described: Fields): (entry: Entry) => State {
  const names = namesOf(described)
  return (entry) => {
    const state: Record<string, unknown> = {}
    for (const name of names) {
      const value = entry.fields[name] ?? firstValue(name, entry)
      if (value !== undefined) state[name] = value
    }
    return stateOf(state)
  }
}

const waypointOf = newOf<WaypointState>(waypointFields)
export const newReview = newOf<ReviewState>(reviewFields)
/** An observation that comes back is as new. */
export const newObservation = newOf<ObservationState>(observationFields)
export const newPhoto = newOf<PhotoFacts>(photoFields)
export const newArea = newOf<AreaState>(areaFields)
export const newSource = newOf<SourceFacts>(sourceFields)

/** Whether a maintainer in an entry is the word of its source, a moderator or the operator. */
const attests = ({ maintainer, via, attested }: Entry['fields']): boolean =>
  typeof maintainer === 'string' && (via !== undefined || attested === true)

export function newWaypoint(entry: Entry): WaypointState {
  const { id: version, fields } = entry
  return Object.assign(waypointOf(entry), {
    verifiedOnce: fields['verified'] === true,
    isAttested: attests(fields),
    version,
  })
}

export function restoredWaypoint(
  { deletedAt: _deleted, mergedInto: _merged, ...tombstone }: WaypointState,
  { id: version, at, fields }: Entry,
): WaypointState {
  return withFields({ ...tombstone, updatedAt: at, version }, fields)
}

export function changedWaypoint(state: WaypointState, { id: version, at, fields }: Entry): WaypointState {
  const { placeName, ...before } = state
  const isMoved = positionFields.some((field) => fields[field] !== undefined)
  const kept = isMoved || placeName === undefined ? before : { ...before, placeName }
  const isAttested = fields['maintainer'] === undefined ? before.isAttested : attests(fields)
  const after = withFields<WaypointState>({ ...kept, isAttested, updatedAt: at, version }, fields)
  return after.verified && !after.verifiedOnce ? { ...after, verifiedOnce: true } : after
}

export function deletedWaypoint(state: WaypointState, { id: version, at, links }: Entry): WaypointState {
  const { mergedInto } = links
  return {
    ...state,
    updatedAt: at,
    version,
    deletedAt: at,
    ...(mergedInto !== undefined && { mergedInto }),
  }
}

export function restoredReview({ userId, createdAt }: ReviewState, entry: Entry): ReviewState {
  return { ...newReview(entry), userId, createdAt }
}

export function changedReview(state: ReviewState, entry: Entry): ReviewState {
  return { ...changedPost(state, entry), updatedAt: entry.at }
}

type Post = ReviewState | ObservationState | PhotoFacts

export function changedPost<State extends Post>(state: State, { fields }: Entry): State {
  const { waypoint, ...others } = fields
  return withFields(typeof waypoint === 'number' ? { ...state, bubblerId: waypoint } : state, others)
}

const withoutTexts = Object.fromEntries(
  [...reviewTexts, ...observationTexts, ...photoTexts].map((name) => [name, null]),
)

export function deletedPost<State extends Post>(state: State, { at }: Entry): State {
  return { ...withFields(state, withoutTexts), deletedAt: at }
}

export const photoIn =
  (state: PhotoFacts['state']) =>
  (photo: PhotoFacts): PhotoFacts => ({ ...photo, state })

/** Somebody before their first entry. The built-in user has none. */
export function newPerson(id: string, at: string): Person {
  const stats = forEachOf(userCounts, 0)
  return { id, isModerator: false, xp: 0, stats, actions: {}, createdAt: at }
}

/** The built-in users before the first entry: the authors of writes by API tokens and of observations. */
export const builtIn: readonly Person[] = [apiUserId, observerUserId].map((id) =>
  newPerson(id, '1970-01-01T00:00:00.000Z'),
)

export function joined({ subjectId, fields, at }: Entry): Person {
  return {
    ...newPerson(String(subjectId), at),
    ...(fields['moderator'] === true && { isModerator: true }),
  }
}

export function blocked(state: Person, { fields: { reason, until } }: Entry): Person {
  const block = {
    reason: typeof reason === 'string' ? reason : '',
    ...(typeof until === 'string' && { until }),
  }
  return { ...state, block }
}

export function unblocked({ block: _block, ...person }: Person): Person {
  return person
}

const others = (state: Person, { fields }: Entry): readonly Kept[] =>
  (state.keeps ?? []).filter((each) => !isSameValue(each, fields))

/** A redacted entry does not say what the person keeps. */
export const entrusted = (state: Person, entry: Entry): Person =>
  Object.keys(entry.fields).length === 0
    ? state
    : { ...state, keeps: [...others(state, entry), entry.fields as Kept] }

export const relieved = (state: Person, entry: Entry): Person => keeping(state, others(state, entry))

export function keeping({ keeps: _before, ...person }: Person, keeps: readonly Kept[]): Person {
  return keeps.length === 0 ? person : { ...person, keeps }
}

export function restoredArea({ deletedAt: _deleted, ...tombstone }: AreaState, entry: Entry): AreaState {
  return changedLately(tombstone, entry)
}

export function changedLately<State extends AreaState | SourceFacts>(
  state: State,
  { at, fields }: Entry,
): State {
  return withFields({ ...state, updatedAt: at }, fields)
}

export function newRun({ subjectId, fields: { source, file }, at }: Entry): RunState {
  return {
    id: numberOf(subjectId),
    sourceId: source as number,
    file: file as NonNullable<RunState['file']>,
    startedAt: at,
  }
}

export function finishedRun(state: RunState, { fields: { published }, at }: Entry): RunState {
  return { ...state, finishedAt: at, ...(typeof published === 'string' && { published }) }
}

function isVia(via: unknown): via is Via {
  return typeof via === 'object' && via !== null && 'source' in via && 'run' in via
}

/** The record that an entry makes: one about a new waypoint with its source, or one that links an existing waypoint. */
export function newRecord(entry: Entry): RecordState | undefined {
  const { id, at, subject, subjectId, action, fields, links } = entry
  const isNew =
    (subject === 'waypoint' && action === 'created' && links.restores === undefined) ||
    (subject === 'record' && action === 'linked')
  const { via, waypoint } = fields
  if (!isNew || !isVia(via)) return undefined
  return {
    id,
    sourceId: via.source,
    waypointId: subject === 'waypoint' ? numberOf(subjectId) : (waypoint as number),
    ref: via.ref,
    state: via.state as NonNullable<RecordState['state']>,
    ...daysOf(via),
    tags: fields['tags'] as Tags,
    firstSeen: at,
    lastSeen: at,
  }
}

/** @throws FoldError for one of no source */
export function linkedRecord(entry: Entry): RecordState {
  const record = newRecord(entry)
  if (record === undefined) throw new FoldError(`record ${entry.subjectId} is of no source`)
  return record
}

/** A record that its source lists still or again, with its new values. */
export function listedRecord(
  { missingSince: _missing, tags: earlier, ...state }: RecordState,
  { at, fields: { ref, tags, ...said } }: Entry,
): RecordState {
  const known = tags === undefined ? earlier : ((tags ?? undefined) as Tags | undefined)
  return {
    ...withFields(state, said),
    tags: known,
    ...(typeof ref === 'string' && { ref }),
    lastSeen: at,
  }
}

export function movedRecord(state: RecordState, { fields: { waypoint } }: Entry): RecordState {
  return { ...state, waypointId: waypoint as number }
}

export function delistedRecord(
  state: RecordState,
  { at }: Entry,
  sourceOf: (id: number) => SourceFacts,
): RecordState {
  const lastSeen = lastSeenOf(state, sourceOf(state.sourceId))
  return { ...state, lastSeen, missingSince: state.missingSince ?? at }
}

export function listedSource(
  { published: _before, ...source }: SourceFacts,
  { at, fields }: Entry,
): SourceFacts {
  const { published } = fields
  return { ...source, listedAt: at, ...(typeof published === 'string' && { published }) }
}

/** The day on which a source published its last statement about a record; undefined where it is not known. */
function saidOn(record: RecordState, { listedAt = '', published }: SourceFacts): string | undefined {
  return record.missingSince === undefined && listedAt >= record.lastSeen ? published : undefined
}

function lastSeenOf({ lastSeen, missingSince }: RecordState, { listedAt }: SourceFacts): string {
  return missingSince === undefined && listedAt !== undefined && listedAt > lastSeen ? listedAt : lastSeen
}

/** A waypoint whose entries lost fields: imports do not write these fields again, and a tombstone loses its position. */
export function withRedacted(waypoint: WaypointState, names: readonly string[]): WaypointState {
  const redactedFields = [...new Set([...(waypoint.redactedFields ?? []), ...names])].toSorted()
  return { ...waypoint, ...(names.some(isOfPosition) && { latitude: 0, longitude: 0 }), redactedFields }
}

/** The fact of a record about the state of its waypoint. @param said when its source said it: the day, and when it was heard */
export function listedFact(
  record: {
    readonly [Name in 'state' | 'checked' | 'since' | 'until' | 'missingSince']?: RecordState[Name] | null
  },
  { published, lastSeen }: { readonly published: string | undefined; readonly lastSeen: string },
): ListedFact | undefined {
  const { state = null, checked = null, missingSince = null } = record
  if ((state ?? checked) === null || missingSince !== null) return undefined
  const { updated: _updated, ...says } = daysOf(record)
  return {
    ...daysOfListing(published, lastSeen),
    state: state ?? undefined,
    ...says,
  }
}

/** Whether a source says anything on which the state depends. */
const saysSomething = (record: RecordState | undefined): boolean =>
  (record?.state ?? record?.checked) !== undefined

export function statusFactsOf(
  waypoint: Pick<WaypointState, 'season'>,
  about: {
    readonly observations: readonly ObservationState[]
    readonly sightings: readonly Sighting[]
    readonly records: readonly RecordState[]
    readonly sourceOf: (record: RecordState) => SourceFacts | undefined
  },
): StatusFacts {
  return {
    season: waypoint.season,
    observations: about.observations.filter(isLive),
    passersBy: about.sightings,
    sources: about.records.flatMap((record) => {
      const source = about.sourceOf(record)
      const said = {
        published: source && saidOn(record, source),
        lastSeen: source === undefined ? record.lastSeen : lastSeenOf(record, source),
      }
      return listedFact(record, said) ?? []
    }),
  }
}

/** The waypoints whose state may be another after a write, and the sources that listed everything anew. */
export function touchedByChanges(changes: Changes): {
  readonly waypoints: ReadonlySet<number>
  readonly sources: readonly number[]
} {
  const waypoints = new Set<number>()
  for (const { before, after } of changes.observation ?? []) {
    waypoints.add(after.bubblerId)
    if (before !== undefined) waypoints.add(before.bubblerId)
  }
  for (const { after } of changes.sighting ?? []) waypoints.add(after.bubblerId)
  for (const { after } of changes.status ?? []) waypoints.add(after.id)
  for (const { before, after } of changes.record ?? []) {
    if (!saysSomething(before) && !saysSomething(after)) continue
    waypoints.add(after.waypointId)
    if (before !== undefined) waypoints.add(before.waypointId)
  }
  for (const { before, after } of changes.waypoint ?? []) {
    const isGone = after.deletedAt !== undefined
    const wasGone = before !== undefined && before.deletedAt !== undefined
    if (before?.season !== after.season || (before !== undefined && isGone !== wasGone))
      waypoints.add(after.id)
  }
  const sources = (changes.source ?? []).filter(
    ({ before, after }) => after.listedAt !== undefined && before?.listedAt !== after.listedAt,
  )
  return { waypoints, sources: sources.map(({ after }) => after.id) }
}

/** Counters that every write updates, so that reading them is cheap. */
export interface Totals {
  readonly waypoints: number
  readonly approvedWaypoints: number
  readonly verifiedWaypoints: number
  /** People, without the built-in user. */
  readonly users: number
  readonly reviews: number
  readonly reviewsPosted: number
  /** Entries about waypoints, and how many of them have each action. */
  readonly actions: number
  readonly actionCounts: Readonly<Record<string, number>>
}

type Counted = { -readonly [Name in Exclude<keyof Totals, 'actionCounts'>]: number }

const more = <State>(
  { before, after }: Replacement<State>,
  isCounted: (state: State | undefined) => boolean,
): number => Number(isCounted(after)) - Number(isCounted(before))

function countWaypoint(change: Replacement<WaypointState>, totals: Counted): void {
  totals.waypoints += more(change, isLive)
  totals.approvedWaypoints += more(change, (state) => isLive(state) && state.approved)
  totals.verifiedWaypoints += more(change, (state) => isLive(state) && state.verified)
}

function countReview(change: Replacement<ReviewState>, totals: Counted): void {
  totals.reviews += more(change, isLive)
  totals.reviewsPosted += Number(change.before === undefined)
}

/** The totals after a write. @param onTile called with each tile of 256 entries that is complete, from 0, and the actions up to its end */
export function totalsAfter(
  before: Totals,
  { entries, nouns }: { readonly entries: readonly { readonly entry: Entry }[]; readonly nouns: Changes },
  onTile: (place: number, actions: number) => void,
): Totals {
  const { actionCounts: counts, ...totals } = before
  const counted: Counted = { ...totals }
  const actionCounts: Record<string, number> = { ...counts }
  for (const each of nouns.waypoint ?? []) countWaypoint(each, counted)
  for (const each of nouns.review ?? []) countReview(each, counted)
  for (const each of nouns.user ?? [])
    if (each.before === undefined && each.after.id !== apiUserId) counted.users++
  for (const { before, after } of nouns.profile ?? [])
    if (before?.leftAt === undefined && after.leftAt !== undefined) counted.users--
  for (const { entry } of entries) {
    if (entry.subject === 'waypoint') {
      counted.actions++
      actionCounts[entry.action] = (actionCounts[entry.action] ?? 0) + 1
    }
    if (entry.id % tileWidth === 0) onTile(entry.id / tileWidth - 1, counted.actions)
  }
  return { ...counted, actionCounts }
}
