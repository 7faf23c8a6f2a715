import { areaFields } from '../fields/area.ts'
import type { Field, Fields } from '../fields/field.ts'
import { reviewFields } from '../fields/review.ts'
import { listedDays, sourceFields } from '../fields/source.ts'
import { userCountNames } from '../fields/user.ts'
import { observationFields } from '../fields/observation.ts'
import { placeColumns, type PlaceColumn } from '../fields/place.ts'
import { optionalFields, waypointFields } from '../fields/waypoint.ts'
import { canonicalJson } from '../log/canonical-json.ts'
import { linksText } from '../log/commitments.ts'
import type { SavedEntry } from '../log/script.ts'
import type { Tables } from './schema.ts'
import type { NounTable } from './storing.ts'
import type {
  AreaState,
  KnownStatus,
  MergeBase,
  ObservationState,
  Observer,
  Person,
  Profile,
  Progress,
  RecordState,
  ReviewState,
  RunState,
  Sighting,
  SourceFacts,
} from '../log/nouns.ts'
import type { Replacement } from '../log/working-set.ts'
import { cellOf } from '../places/z-order.ts'
import type { WaypointPlace } from '../schemas/place.ts'
import type { WaypointState } from '../schemas/waypoint.ts'
import type { Value, Values } from './value.ts'

/** How each noun of the log is stored: the columns of its row. Writing and verifying use it. */

/** A table with its columns, of which `id` is one. */
export interface Columns<State> {
  readonly table: Exclude<NounTable, 'secrets' | 'reports' | 'distinctions' | 'entries'>
  readonly values: (state: State) => Values
}

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0)

/** What a column has for the value of a field. */
const storedAs: { readonly [Type in Field['type']]?: (value: unknown) => Value } = {
  flag: (value) => flag(value === true),
  rings: (value) => JSON.stringify(value),
  object: (value) => canonicalJson(value),
  properties: (value) => (value === null ? null : canonicalJson(value)),
}

/** Returns a function for the columns of a noun's fields. */
function columnsOf(fields: Fields): (state: object) => Record<string, Value> {
  const written = Object.entries(fields).map(([name, { type }]) => ({ name, stored: storedAs[type] }))
  return (state) => {
    const members = state as Readonly<Record<string, unknown>>
    const row: Record<string, Value> = {}
    for (const { name, stored } of written) {
      const value = members[name] ?? null
      row[name] = stored === undefined ? (value as Value) : stored(value)
    }
    return row
  }
}

export const users: Columns<Person> = {
  table: 'users',
  values: ({ id, isModerator, xp, stats, actions, block, createdAt }) => ({
    id,
    isModerator: flag(isModerator),
    xp,
    ...Object.fromEntries(userCountNames.map((name) => [name, stats[name]])),
    actions: canonicalJson(actions),
    blockReason: block?.reason ?? null,
    blockUntil: block?.until ?? null,
    createdAt,
  }),
}

const sourceColumns = columnsOf(sourceFields)

export const sources: Columns<SourceFacts> = {
  table: 'sources',
  values: (source) => ({
    ...sourceColumns(source),
    listedAt: source.listedAt ?? null,
    published: source.published ?? null,
  }),
}

export const imports: Columns<RunState> = {
  table: 'imports',
  values: ({ id, sourceId, file, startedAt, finishedAt, published }) => ({
    id,
    sourceId,
    fileName: file?.name ?? null,
    fileSha256: file?.sha256 ?? null,
    fileBytes: file?.bytes ?? null,
    startedAt,
    finishedAt: finishedAt ?? null,
    published: published ?? null,
  }),
}

const optionalColumns = columnsOf(
  Object.fromEntries(optionalFields.map((name) => [name, waypointFields[name]])),
)

export interface PlacedWaypoint {
  readonly state: WaypointState
  readonly foldedName: string
  /** Null when none is known; without it, the columns of the place stay as they are. */
  readonly place?: WaypointPlace | null | undefined
}

/** The columns of a place. */
export function placeValues(place: WaypointPlace | null): Record<PlaceColumn, string | null> {
  const values: Record<PlaceColumn, string | null> = { country: null, subdivision: null, placeName: null }
  for (const [column, member] of placeColumns) values[column] = place?.[member] ?? null
  return values
}

/** Whether the place of a waypoint has to be found: it is new, it was moved, or it is back. */
export function needsPlace({ before, after }: Replacement<WaypointState>): boolean {
  return (
    before === undefined ||
    before.latitude !== after.latitude ||
    before.longitude !== after.longitude ||
    (before.deletedAt !== undefined && after.deletedAt === undefined)
  )
}

export const waypoints: Columns<PlacedWaypoint> = {
  table: 'waypoints',
  values: ({ state, foldedName, place }) => ({
    id: state.id,
    name: state.name,
    latitude: state.latitude,
    longitude: state.longitude,
    amenities: JSON.stringify(state.amenities),
    ...optionalColumns(state),
    approved: flag(state.approved),
    verified: flag(state.verified),
    verifiedOnce: flag(state.verifiedOnce),
    addedByUserId: state.addedByUserId,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    deletedAt: state.deletedAt ?? null,
    mergedInto: state.mergedInto ?? null,
    redactedFields: state.redactedFields === undefined ? null : JSON.stringify(state.redactedFields),
    version: state.version,
    foldedName,
    cell: state.deletedAt === undefined ? cellOf(state) : null,
    ...(place !== undefined && placeValues(place)),
  }),
}

const reviewColumns = columnsOf(reviewFields)

export const reviews: Columns<ReviewState> = {
  table: 'reviews',
  values: (review) => ({ ...reviewColumns(review), deletedAt: review.deletedAt ?? null }),
}

const observationColumns = columnsOf(observationFields)

export const observations: Columns<ObservationState> = {
  table: 'observations',
  values: (observation) => ({
    ...observationColumns(observation),
    deletedAt: observation.deletedAt ?? null,
  }),
}

export const observers: Columns<Observer> = {
  table: 'observers',
  values: ({ id, userId, bubblerId, day, xp, isOwed }) => ({
    id,
    userId: userId ?? null,
    bubblerId,
    day,
    xp,
    isOwed: flag(isOwed),
  }),
}

export const sightings: Columns<Sighting> = {
  table: 'sightings',
  values: ({ id, bubblerId, kind, observedAt, network, day }) => ({
    id,
    bubblerId,
    kind,
    observedAt,
    network: network ?? null,
    day,
  }),
}

export const statuses: Columns<KnownStatus> = {
  table: 'statuses',
  values: ({ id, state, changesOn, facts, logSize }) => ({
    id,
    state,
    changesOn: changesOn ?? null,
    facts: facts ?? null,
    logSize,
  }),
}

const areaColumns = columnsOf(areaFields)

export const areas: Columns<AreaState> = {
  table: 'areas',
  values: (area) => ({ ...areaColumns(area), deletedAt: area.deletedAt ?? null }),
}

export const records: Columns<RecordState> = {
  table: 'records',
  values: ({ id, sourceId, ref, waypointId, state, firstSeen, lastSeen, missingSince, ...days }) => ({
    id,
    sourceId,
    ref: ref ?? null,
    waypointId,
    state: state ?? null,
    checked: days.checked ?? null,
    updated: days.updated ?? null,
    since: days.since ?? null,
    until: days.until ?? null,
    tags: days.tags === undefined ? null : JSON.stringify(days.tags),
    firstSeen,
    lastSeen,
    missingSince: missingSince ?? null,
  }),
}

/** The rest of the row of a person. */
export const profiles: Columns<Profile> = {
  table: 'users',
  values: ({ id, name, email, updatedAt, leftAt }) => ({
    id,
    name,
    email: email ?? null,
    updatedAt,
    leftAt: leftAt ?? null,
  }),
}

/** The rest of the row of a run. */
export const progress: Columns<Progress> = {
  table: 'imports',
  values: ({ id, updatedAt, checkpoint, counts }) => ({
    id,
    updatedAt,
    checkpoint: checkpoint ?? null,
    counts,
  }),
}

/** The rest of the row of a record. */
export const bases: Columns<MergeBase> = {
  table: 'records',
  values: ({ id, values, seenIn }) => ({ id, values, seenIn }),
}

export const entryColumns = [
  'id',
  'at',
  'by',
  'subject',
  'subjectId',
  'action',
  'fields',
  'awards',
  'links',
  'salts',
  'commitments',
  'seed',
  'leaf',
] as const satisfies readonly (keyof Tables['entries'])[]

export const recordColumns = [
  'id',
  'sourceId',
  'ref',
  'waypointId',
  'state',
  ...listedDays,
  'tags',
  'firstSeen',
  'lastSeen',
  'missingSince',
  'values',
  'seenIn',
] as const satisfies readonly (keyof Tables['records'])[]

/** The row of an entry; its bytes in hexadecimal. */
export function entryValues({
  entry,
  text,
  seed,
  leaf,
  hole,
}: SavedEntry): Record<(typeof entryColumns)[number], Value> {
  const { id, at, by, subject, subjectId, action, awards, links } = entry
  const linked = linksText(links)
  return {
    id,
    at,
    by,
    subject,
    // The column has no type of its own: a number would become a floating-point one, and 1.0 in texts.
    subjectId: typeof subjectId === 'number' ? BigInt(subjectId) : subjectId,
    action,
    fields: text,
    awards: awards.length === 0 ? null : JSON.stringify(awards),
    links: linked === '{}' ? null : linked,
    seed,
    leaf,
    salts: hole ? canonicalJson(hole.salts) : null,
    commitments: hole ? canonicalJson(hole.commitments) : null,
  }
}
