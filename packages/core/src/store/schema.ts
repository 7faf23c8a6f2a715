import type { areaFields } from '../fields/area.ts'
import type { Fields, OptionalName } from '../fields/field.ts'
import type { reviewFields } from '../fields/review.ts'
import type { listedDays, sourceFields } from '../fields/source.ts'
import type { observationFields } from '../fields/observation.ts'
import type { UserCount } from '../fields/user.ts'
import type { waypointFields } from '../fields/waypoint.ts'
import type { Generated } from 'kysely'
import type { AnyAction, Subject } from '../log/entry.ts'
import type { SourceState } from '../schemas/source.ts'
import type { ReportReason, ReportState } from '../schemas/report.ts'
import type { SecretKind } from '../secrets.ts'
import type { ObservationKind, StateOfWaypoint } from '../status.ts'

/** How a boolean is stored in every engine. */
export type Flag = 0 | 1

/** The columns of the optional fields of a noun. */
type Optional<All extends Fields> = Record<OptionalName<All>, string | null>

/** The tables that every engine has, with the same columns: rows of one can be copied into another. */
export interface Tables {
  /** One row: counters that every write updates, so that nothing has to be counted. */
  state: {
    id: 1
    /** Which line of history this is: renewed when a backup without its newest entries is restored. Hexadecimal. */
    origin: string
    placeKey: string
    revision: number
    lastWaypointId: number
    lastReviewId: number
    lastAreaId: number
    lastSourceId: number
    lastImportId: number
    /** Waypoints up to this id are in the indexes of words and names, or in searchBacklog. */
    indexedTo: number
    waypoints: number
    approvedWaypoints: number
    verifiedWaypoints: number
    users: number
    reviews: number
    reviewsPosted: number
    /** The number of entries, and the id of the newest. */
    size: number
    /** The number of entries about waypoints. */
    actions: number
    /** A JSON object: how many of them have each action. */
    actionCounts: string
    /** The roots of the tree's perfect subtrees, the largest first. */
    peaks: Uint8Array
    headAt: string | null
    changedAt: string
  }
  users: Record<UserCount, number> & {
    id: string
    name: Generated<string>
    email: Generated<string | null>
    updatedAt: Generated<string>
    leftAt: Generated<string | null>
    isModerator: Flag
    xp: number
    /** A JSON object: how often the user did each action on waypoints. */
    actions: Generated<string>
    blockReason: string | null
    blockUntil: string | null
    createdAt: string
  }
  waypoints: Optional<typeof waypointFields> & {
    id: number
    name: string
    latitude: number
    longitude: number
    /** A JSON array. */
    amenities: string
    approved: Flag
    verified: Flag
    verifiedOnce: Flag
    addedByUserId: string
    createdAt: string
    updatedAt: string
    deletedAt: string | null
    mergedInto: number | null
    /** A JSON array of field names in code unit order. */
    redactedFields: string | null
    /** The id of the newest entry about it. */
    version: number
    foldedName: string
    /** The cell of a live waypoint on the curve of `z-order.ts`; NULL for tombstones. */
    cell: number | null
    /** The place around the position, derived from boundaries; not in the log. */
    country: string | null
    subdivision: string | null
    placeName: string | null
    /** How many entries the log had when the place was last assigned by itself; NULL where it never was. */
    placedAfter: Generated<number | null>
  }
  reviews: Optional<typeof reviewFields> & {
    id: number
    bubblerId: number
    userId: string
    rating: number
    createdAt: string
    updatedAt: string
    deletedAt: string | null
  }
  observations: Optional<typeof observationFields> & {
    id: number
    bubblerId: number
    kind: ObservationKind
    /** A day in UTC, as in the tables below. */
    observedAt: string
    near: Flag
    observer: string
    deletedAt: string | null
  }
  observers: {
    id: number
    userId: string | null
    bubblerId: number
    day: string
    xp: number
    isOwed: Flag
  }
  sightings: {
    id: string
    bubblerId: number
    kind: ObservationKind
    observedAt: string
    network: string | null
    day: string
  }
  statuses: {
    id: number
    state: StateOfWaypoint
    changesOn: string | null
    /** JSON; NULL when nothing is known. */
    facts: string | null
    logSize: number
  }
  entries: {
    id: number
    at: string
    by: string
    subject: Subject
    /** A text for users, a number for all others. */
    subjectId: number | string
    action: AnyAction
    /** Canonical JSON. */
    fields: string
    /** A JSON array; NULL when there are none. */
    awards: string | null
    /** Canonical JSON; NULL when there are none. */
    links: string | null
    seed: Uint8Array | null
    leaf: Uint8Array
    /** JSON objects of what is left when fields were redacted. */
    salts: string | null
    commitments: string | null
  }
  tiles: {
    level: number
    place: number
    root: Uint8Array
    /** For level 0: the number of entries about waypoints up to the end of the tile. */
    actions: number | null
  }
  sources: Optional<typeof sourceFields> & {
    id: number
    name: string
    license: string
    /** When the newest complete import ended. */
    listedAt: string | null
    /** The day on which the source published what was imported then. */
    published: string | null
    createdAt: string
    updatedAt: string
    /** How many live waypoints it lists. */
    waypoints: Generated<number>
  }
  records: {
    /** The id of the entry that made the record. */
    id: number
    sourceId: number
    ref: string | null
    waypointId: number
    state: SourceState | null
    /** Days in UTC. */
    checked: string | null
    updated: string | null
    since: string | null
    until: string | null
    /** A JSON object. */
    tags: string | null
    firstSeen: string
    lastSeen: string
    missingSince: string | null
    /** A JSON object: the fields as last imported. */
    values: Generated<string>
    /** The newest run that saw it. */
    seenIn: Generated<number>
  }
  /** Records with the time at which their source last listed them, which its newest complete import may tell. */
  listings: Pick<
    Tables['records'],
    'id' | 'sourceId' | 'ref' | 'waypointId' | 'state' | 'tags' | (typeof listedDays)[number]
  > &
    Pick<Tables['records'], 'firstSeen' | 'lastSeen' | 'missingSince'> & {
      /** The day on which the source published its newest listing, where that lists it. */
      published: string | null
      /** The day as of which it lists it: that of the publication of what was imported when it was last said. */
      listedOn: string
    }
  imports: {
    id: number
    sourceId: number
    fileName: string | null
    fileSha256: string | null
    fileBytes: number | null
    startedAt: string
    finishedAt: string | null
    /** The day on which the source published what was imported, `YYYY-MM-DD`. */
    published: string | null
    /** Time of the last batch. */
    updatedAt: Generated<string>
    /** A JSON value from which the importer continues an interrupted run. */
    checkpoint: Generated<string | null>
    /** A JSON object. */
    counts: Generated<string>
  }
  areas: Optional<typeof areaFields> & {
    id: number
    name: string
    color: string
    coordinates: string
    properties: string
    active: Flag
    createdAt: string
    updatedAt: string
    deletedAt: string | null
  }
  secrets: {
    number: Generated<number>
    id: string
    kind: SecretKind
    userId: string | null
    /** A JSON object. */
    value: string
    createdAt: string
    usedAt: string | null
    expiresAt: string | null
    endedAt: string | null
  }
  reports: {
    /** The public id. */
    number: Generated<number>
    id: string
    bubblerId: number | null
    reviewId: number | null
    userId: string | null
    by: string | null
    network: string | null
    reason: ReportReason
    comment: string | null
    state: ReportState
    note: string | null
    createdAt: string
    decidedAt: string | null
    erasedAt: string | null
  }
  distinctions: {
    number: Generated<number>
    /** `SMALLER-GREATER`. */
    id: string
    smaller: number
    greater: number
    by: string
    createdAt: string
  }
}
