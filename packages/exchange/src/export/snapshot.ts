/**
 * What an export reads: a consistent view of a registry. Core's snapshots have this shape, and so may any
 * other iterable source of records.
 */
export interface ExportSnapshot {
  /** The newest entry of the change log; absent while the log is empty. */
  readonly head?: LogHead | undefined
  /** The registry's write counter. */
  readonly revision: number
  /** Live waypoints by ascending id. May be called several times. */
  records(filter?: RecordFilter): Iterable<WaypointRecord>
  /** Live reviews by ascending id. */
  reviews(): Iterable<ReviewRecord>
  /** Everybody who has an account, but the built-in user, in order of creation. */
  contributors(): Iterable<ContributorRecord>
  /** Where data came from, by ascending id. */
  sources(): readonly SourceRecord[]
  /** Bounding boxes by ascending id. */
  areas(): readonly AreaRecord[]
  stats(): StatisticsRecord
  /** Log entries by ascending id, those after `afterId` (default 0: all). */
  changes(afterId?: number): Iterable<ChangeRecord>
}

export interface LogHead {
  readonly id: number
  /** Lower-case hexadecimal SHA-256. */
  readonly hash: string
  /** ISO 8601, UTC. */
  readonly timestamp: string
}

/** Narrows the waypoints of an export; all members narrow. */
export interface RecordFilter {
  /** Degrees: west, south, east, north; west greater than east crosses the antimeridian. */
  readonly bbox?: BoundingBox
  /** The waypoint's region, exactly as it is stored. */
  readonly region?: string | undefined
}

export type BoundingBox = readonly [west: number, south: number, east: number, north: number]

export interface WaypointRecord {
  readonly id: number
  readonly name: string
  /** Degrees, WGS 84. */
  readonly latitude: number
  /** Degrees, WGS 84. */
  readonly longitude: number
  readonly description?: string | undefined
  readonly amenities: readonly string[]
  readonly image?: string | undefined
  readonly maintainer?: string | undefined
  readonly region?: string | undefined
  readonly approved: boolean
  readonly verified: boolean
  readonly addedByUserId: string
  readonly createdAt: string
  readonly updatedAt: string
  /** When somebody or an import last said that it is there. */
  readonly lastConfirmed: string
  readonly reviewCount: number
  /** Mean of the live reviews, two decimals. */
  readonly rating?: number | undefined
  /** Where it came from; empty when it was contributed to this registry. */
  readonly sources: readonly { readonly sourceId: number; readonly ref?: string | undefined }[]
}

export interface ReviewRecord {
  readonly id: number
  readonly bubblerId: number
  readonly userId: string
  readonly rating: number
  readonly comment?: string | undefined
  readonly createdAt: string
  readonly updatedAt: string
}

export interface ContributorRecord {
  readonly id: string
  readonly name: string
  readonly xp: number
  readonly level: number
  readonly createdAt: string
  readonly stats: ContributorStatistics
}

export interface ContributorStatistics {
  readonly waypointsCreated: number
  readonly waypointsEdited: number
  readonly reviewsPosted: number
}

export interface SourceRecord {
  readonly id: number
  readonly name: string
  readonly url?: string | undefined
  /** SPDX id where the licence has one. */
  readonly license: string
  readonly attribution?: string | undefined
  readonly createdAt: string
  readonly updatedAt: string
  /** Live waypoints that came from it. */
  readonly waypoints: number
  /** When it was last imported. */
  readonly lastImport?: string | undefined
}

export interface AreaRecord {
  readonly id: number
  readonly name: string
  readonly description?: string | undefined
  readonly color: string
  /** GeoJSON Polygon rings, closed, longitude before latitude. */
  readonly coordinates: readonly (readonly (readonly number[])[])[]
  readonly properties: Readonly<Record<string, unknown>>
  readonly active: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

export interface StatisticsRecord {
  readonly totalWaypoints: number
  readonly totalVerifiedWaypoints: number
  readonly totalUsers: number
  readonly totalReviews: number
  readonly totalContributions: number
}

export interface ChangeRecord {
  readonly id: number
  readonly bubblerId: number
  readonly userId: string
  readonly action: string
  /** The changed fields; null where the text was redacted by law. */
  readonly changes: Readonly<Record<string, unknown>> | null
  readonly timestamp: string
  readonly digest: string
  readonly salt?: string | undefined
  readonly hash: string
  readonly redacted?: { readonly reason: string; readonly at: string }
}
