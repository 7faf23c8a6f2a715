import type { Generated } from 'kysely'
import type { Action } from '../../log/entry.ts'
import type { AwardEvent } from '../../decide/effects.ts'
import type { SourceState } from '../../schemas/source.ts'

/** SQLite has no booleans. */
export type Flag = 0 | 1

/** The tables as TypeScript knows them; a test compares them with the migrated database. */
export interface Schema {
  /** One row: counters that every write updates, so that nothing has to be counted. */
  state: {
    id: 1
    revision: number
    lastWaypointId: number
    /** Waypoints up to this id are in the indexes of words and names, or in searchBacklog. */
    indexedTo: number
    lastReviewId: number
    waypoints: number
    verifiedWaypoints: number
    users: number
    reviews: number
    reviewsPosted: number
    headId: number
    headHash: Uint8Array
    headTimestamp: string | null
    changedAt: string
  }
  users: {
    id: string
    name: string
    email: string | null
    isModerator: Flag
    xp: number
    waypointsCreated: number
    waypointsEdited: number
    reviewsPosted: number
    createdAt: string
    updatedAt: string
  }
  waypoints: {
    id: number
    name: string
    latitude: number
    longitude: number
    description: string | null
    /** A JSON array. */
    amenities: string
    image: string | null
    maintainer: string | null
    region: string | null
    approved: Flag
    verified: Flag
    verifiedOnce: Flag
    addedByUserId: string
    createdAt: string
    updatedAt: string
    deletedAt: string | null
    foldedName: string
    /** The cell of a live waypoint on the curve of `z-order.ts`; NULL for tombstones. */
    cell: number | null
  }
  reviews: {
    id: number
    bubblerId: number
    userId: string
    rating: number
    comment: string | null
    createdAt: string
    updatedAt: string
    deletedAt: string | null
  }
  changes: {
    id: number
    bubblerId: number
    userId: string
    action: Action
    /** Canonical JSON. */
    changes: string
    timestamp: string
    salt: Uint8Array | null
    digest: Uint8Array
    hash: Uint8Array
  }
  redactions: {
    changeId: number
    reason: string
    /** A JSON array of field names. */
    fields: string
    at: string
  }
  xpLedger: {
    id: Generated<number>
    userId: string
    event: AwardEvent
    amount: number
    waypointId: number | null
    reviewId: number | null
    note: string | null
    at: string
  }
  sources: {
    id: Generated<number>
    name: string
    url: string | null
    license: string
    attribution: string | null
    createdAt: string
    updatedAt: string
  }
  sourceRecords: {
    id: Generated<number>
    sourceId: number
    ref: string | null
    waypointId: number
    /** A JSON object: the fields as last imported. */
    values: string
    firstSeen: string
    lastSeen: string
    missingSince: string | null
    state: SourceState | null
  }
  imports: {
    id: Generated<number>
    sourceId: number
    fileName: string | null
    fileSha256: string | null
    fileBytes: number | null
    startedAt: string
    /** Time of the last batch. */
    updatedAt: string
    finishedAt: string | null
    /** A JSON value from which the importer continues an interrupted run. */
    checkpoint: string | null
    /** A JSON object. */
    counts: string
  }
  areas: {
    id: Generated<number>
    name: string
    description: string | null
    color: string
    coordinates: string
    properties: string
    active: Flag
    createdAt: string
    updatedAt: string
    deletedAt: string | null
  }
  sessions: {
    id: Generated<number>
    secretHash: Uint8Array
    userId: string
    createdAt: string
    expiresAt: string
    revokedAt: string | null
  }
  tokens: {
    id: Generated<number>
    secretHash: Uint8Array
    name: string
    ownerId: string | null
    createdAt: string
    revokedAt: string | null
  }
  /** FTS5 over folded words of live waypoints, without their text. */
  waypointWords: {
    rowid: number
    name: string
    description: string
    region: string
    waypointWords: string
  }
  /** FTS5 over every three characters of folded names of live waypoints, without their text. */
  waypointNames: {
    rowid: number
    name: string
    waypointNames: string
  }
  /** Waypoints whose current text is not yet in the indexes of words and names. */
  searchBacklog: {
    waypointId: number
    /** Whether an older text of the waypoint is in the indexes. */
    indexed: Flag
  }
  /** Every word of four or more characters that was ever in waypointWords, for completing prefixes. */
  searchWords: {
    word: string
  }
}
