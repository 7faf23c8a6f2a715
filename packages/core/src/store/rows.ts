import type { Selectable } from 'kysely'
import { areaFields } from '../fields/area.ts'
import { namesOf, type Field, type Fields } from '../fields/field.ts'
import { placeColumns, type PlaceColumn } from '../fields/place.ts'
import { reviewFields } from '../fields/review.ts'
import { observationFields } from '../fields/observation.ts'
import { daysOf, sourceFields, type Tags } from '../fields/source.ts'
import { userCountNames, type UserCount } from '../fields/user.ts'
import { waypointFields, type WaypointField } from '../fields/waypoint.ts'
import type { BoundingBox } from '../schemas/area.ts'
import type { Award, ChangedFields, Links, StoredEntry } from '../log/entry.ts'
import type {
  AreaState,
  Distinction,
  KeptReport,
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
import type { Observation } from '../schemas/observation.ts'
import type { Review } from '../schemas/review.ts'
import type { UserState } from '../schemas/user.ts'
import type { Secret } from '../secrets.ts'
import type { WaypointPlace } from '../schemas/place.ts'
import type { FoundWaypoint, Waypoint, WaypointState } from '../schemas/waypoint.ts'
import type { Tables } from './schema.ts'

/** Converts rows of the database to values of the domain: NULL is absent, 0 and 1 are booleans, JSON is text. */

export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

type PublishedRow = Pick<Row<'waypoints'>, WaypointField>

/** The value of a field as its column has it. */
const valueIn: { readonly [Type in Field['type']]?: (stored: unknown) => unknown } = {
  words: (stored) => (stored === '[]' ? [] : JSON.parse(String(stored))),
  flag: (stored) => stored === 1,
  rings: (stored) => JSON.parse(String(stored)),
  object: (stored) => JSON.parse(String(stored)),
  properties: (stored) => JSON.parse(String(stored)),
}

/**
 * Returns a function that reads the fields of a noun from its row. A test compares the members with those of the schema,
 * which follow from the same descriptions.
 */
export function reading<Noun>(fields: Fields): (row: Readonly<Record<keyof Noun & string, unknown>>) => Noun {
  const read = namesOf(fields).map((name) => ({ name, valueOf: valueIn[(fields[name] as Field).type] }))
  return (row: Readonly<Record<string, unknown>>) => {
    const members: Record<string, unknown> = {}
    for (const { name, valueOf } of read) {
      const stored = row[name]
      if (stored !== null) members[name] = valueOf === undefined ? stored : valueOf(stored)
    }
    return members as Noun
  }
}

export const waypointOf: (row: PublishedRow) => Waypoint = reading<Waypoint>(waypointFields)

export function waypointStateOf(row: Row<'waypoints'>): WaypointState {
  return {
    ...waypointOf(row),
    verifiedOnce: row.verifiedOnce === 1,
    version: row.version,
    ...(row.deletedAt !== null && { deletedAt: row.deletedAt }),
    ...(row.mergedInto !== null && { mergedInto: row.mergedInto }),
    ...(row.redactedFields !== null && { redactedFields: JSON.parse(row.redactedFields) as string[] }),
  }
}

/** The place in some columns, or undefined when none of them has a value. */
export function placeIn(row: Pick<Row<'waypoints'>, PlaceColumn>): WaypointPlace | undefined {
  const place: WaypointPlace = {}
  for (const [column, member] of placeColumns) {
    const value = row[column]
    if (value !== null) place[member] = value
  }
  return Object.keys(place).length === 0 ? undefined : place
}

export function foundWaypointOf(row: Pick<Row<'waypoints'>, keyof FoundWaypoint>): FoundWaypoint {
  return {
    id: row.id,
    name: row.name,
    latitude: row.latitude,
    longitude: row.longitude,
    ...(row.description !== null && { description: row.description }),
    ...(row.region !== null && { region: row.region }),
  }
}

/** A live review. */
export const reviewOf = reading<Review>(reviewFields)

export function reviewStateOf(row: Row<'reviews'>): ReviewState {
  return { ...reviewOf(row), ...(row.deletedAt !== null && { deletedAt: row.deletedAt }) }
}

/** A live observation. */
export const observationOf: (row: Row<'observations'>) => Observation =
  reading<Observation>(observationFields)

export function observationStateOf(row: Row<'observations'>): ObservationState {
  return { ...observationOf(row), ...(row.deletedAt !== null && { deletedAt: row.deletedAt }) }
}

export function observerOf({ userId, isOwed, ...observer }: Row<'observers'>): Observer {
  return { ...observer, isOwed: isOwed === 1, ...(userId !== null && { userId }) }
}

export function sightingOf({ network, ...sighting }: Row<'sightings'>): Sighting {
  return { ...sighting, ...(network !== null && { network }) }
}

export function knownStatusOf({ changesOn, facts, ...status }: Row<'statuses'>): KnownStatus {
  return { ...status, ...(changesOn !== null && { changesOn }), ...(facts !== null && { facts }) }
}

export function personOf(row: Row<'users'>): Person {
  return {
    id: row.id,
    isModerator: row.isModerator === 1,
    xp: row.xp,
    stats: Object.fromEntries(userCountNames.map((name) => [name, row[name]])) as Record<UserCount, number>,
    actions: row.actions === '{}' ? {} : (JSON.parse(row.actions) as Person['actions']),
    createdAt: row.createdAt,
    ...(row.blockReason !== null && {
      block: { reason: row.blockReason, ...(row.blockUntil !== null && { until: row.blockUntil }) },
    }),
  }
}

export function profileOf(row: Row<'users'>): Profile {
  return {
    id: row.id,
    name: row.name,
    ...(row.email !== null && { email: row.email }),
    updatedAt: row.updatedAt,
    ...(row.leftAt !== null && { leftAt: row.leftAt }),
  }
}

export function userStateOf(row: Row<'users'>): UserState {
  const { actions: _actions, ...person } = personOf(row)
  return { ...person, ...profileOf(row) }
}

/** A source without what its imports say of it. */
export const sourceOf = reading<Omit<SourceFacts, 'listedAt' | 'published'>>(sourceFields)

export function sourceFactsOf(row: Row<'sources'>): SourceFacts {
  const { listedAt, published } = row
  return {
    ...sourceOf(row),
    ...(listedAt !== null && { listedAt }),
    ...(published !== null && { published }),
  }
}

export function runStateOf(row: Row<'imports'>): RunState {
  return {
    id: row.id,
    sourceId: row.sourceId,
    ...((row.fileName ?? row.fileSha256 ?? row.fileBytes) !== null && {
      file: { name: row.fileName ?? '', sha256: row.fileSha256 ?? '', bytes: row.fileBytes ?? 0 },
    }),
    startedAt: row.startedAt,
    ...(row.finishedAt !== null && { finishedAt: row.finishedAt }),
    ...(row.published !== null && { published: row.published }),
  }
}

export function progressOf(row: Row<'imports'>): Progress {
  return {
    id: row.id,
    updatedAt: row.updatedAt,
    ...(row.checkpoint !== null && { checkpoint: row.checkpoint }),
    counts: row.counts,
  }
}

export function recordStateOf(row: Row<'records'>): RecordState {
  return {
    id: row.id,
    sourceId: row.sourceId,
    waypointId: row.waypointId,
    ...(row.ref !== null && { ref: row.ref }),
    ...(row.state !== null && { state: row.state }),
    ...daysOf(row),
    ...(row.tags !== null && { tags: JSON.parse(row.tags) as Tags }),
    firstSeen: row.firstSeen,
    lastSeen: row.lastSeen,
    ...(row.missingSince !== null && { missingSince: row.missingSince }),
  }
}

export function mergeBaseOf({ id, values, seenIn }: Row<'records'>): MergeBase {
  return { id, values, seenIn }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

export function storedEntryOf(row: Row<'entries'>): StoredEntry {
  const { id, at, by, subject, subjectId, action, salts, commitments } = row
  return {
    id,
    at,
    by,
    subject,
    // A text in PostgreSQL, whatever it is about.
    subjectId: subject === 'user' ? subjectId : Number(subjectId),
    action,
    fields: JSON.parse(row.fields) as ChangedFields,
    awards: row.awards === null ? [] : (JSON.parse(row.awards) as Award[]),
    links: row.links === null ? {} : (JSON.parse(row.links) as Links),
    seed: row.seed === null ? null : hex(row.seed),
    leaf: hex(row.leaf),
    ...((salts ?? commitments) !== null && {
      hole: {
        salts: JSON.parse(salts ?? '{}') as Record<string, string>,
        commitments: JSON.parse(commitments ?? '{}') as Record<string, string>,
      },
    }),
  }
}

export const boundingBoxOf: (row: Row<'areas'>) => BoundingBox = reading<BoundingBox>(areaFields)

export function areaStateOf(row: Row<'areas'>): AreaState {
  return { ...boundingBoxOf(row), ...(row.deletedAt !== null && { deletedAt: row.deletedAt }) }
}

export function secretOf(row: Row<'secrets'>): Secret {
  const { userId, usedAt, expiresAt, endedAt, value, ...secret } = row
  // The value of each kind is what was kept of it.
  return {
    ...secret,
    value: JSON.parse(value),
    ...(userId !== null && { userId }),
    ...(usedAt !== null && { usedAt }),
    ...(expiresAt !== null && { expiresAt }),
    ...(endedAt !== null && { endedAt }),
  } as Secret
}

export function reportOf(row: Row<'reports'>): KeptReport {
  const { id, number, reason, state, createdAt, ...optional } = row
  const given = Object.entries(optional).filter(([_name, value]) => value !== null)
  return { id, number, reason, state, createdAt, ...Object.fromEntries(given) }
}

export function distinctionOf(row: Row<'distinctions'>): Distinction {
  const { number: _number, ...distinction } = row
  return distinction
}
