import type { CreditedSource } from '../attribution.ts'
import type { StoredEntry, Subject, Action, LogEntry } from '../log/entry.ts'
import type { Observation } from '../schemas/observation.ts'
import type { Labelled } from '../places/labels.ts'
import type { WaypointPlace } from '../schemas/place.ts'
import type { Row } from './tables.ts'

export interface Paging {
  readonly limit: number
  readonly offset: number
}

/** The version of a registry's data at one moment, for entity tags and caches. */
export interface DataVersion {
  /** Which line of history the revision counts: renewed when an older backup is restored. Hexadecimal. */
  readonly origin: string
  /** A number that every write increments, in any process. */
  readonly revision: number
}

/** The data read from a snapshot: an engine that has to copy copies no more. */
export interface SnapshotNeeds {
  /** Records of waypoints alone, without the log, people and areas: of all waypoints, or of those with these ids. Default everything. */
  readonly records?: 'all' | readonly number[] | undefined
}

export interface Origin {
  readonly waypointId: number
  readonly source: CreditedSource & { readonly id: number }
}

/** A waypoint with the newest hundred entries of its log, and its sources. */
export interface StoredDossier {
  /** JSON text: `{…}`, or `{…},"place":{…}` where a place is known. It goes behind `"waypoint":`. */
  readonly waypoint: string
  readonly logs: string
  /** The JSON texts of the sources, joined by commas. */
  readonly sources: string
  readonly logsTotal: number
  /** The id of the newest entry about the waypoint: another one means that its fields may differ. */
  readonly version: number
  /** Which line of history the version counts: renewed when an older backup is restored. Hexadecimal. */
  readonly origin: string
  readonly lastWrite: string
  /** The facts for its status: JSON text of `StatusFacts`, or null when there are none. */
  readonly facts: string | null
}

export interface Dossier extends StoredDossier {
  /** Whether it gives water: JSON text of `Status`. */
  readonly status: string
  /** The day in UTC on which the status is so, `YYYY-MM-DD`. */
  readonly day: string
}

export interface PositionedPlace extends Labelled {
  readonly id: number
  readonly label: string | null
  readonly latitude: number
  readonly longitude: number
  readonly place?: WaypointPlace | undefined
}

export interface QueuePlace {
  readonly after: number
  readonly limit: number
}

export interface ReviewPage extends QueuePlace {
  readonly userId?: string | undefined
  readonly bubblerId?: number | undefined
}

/** A field that an entry lost, and no redaction names. */
export interface OpenHole {
  readonly id: number
  readonly subject: Subject
  readonly subjectId: number | string
  readonly field: string
  /** Whether no later entry about the same subject has the field. */
  readonly isLast: boolean
}

export interface ReportedSubject extends Pick<
  Row<'reports'>,
  'bubblerId' | 'reviewId' | 'photoId' | 'userId'
> {
  /** The public id of its oldest open report. */
  readonly first: number
  readonly count: number
}

/** An observation, with its data outside the log. */
export interface OwnObservation extends Observation {
  /** When it was made, a day in UTC. */
  readonly madeOn: string
  /** The XP that it earns, which is granted once the day is over. */
  readonly xp: number
}

export interface StatedWaypoint {
  readonly id: number
  /** JSON text of `StatusFacts`. */
  readonly facts: string
}

/** A waypoint with an older one that may be the same fountain. */
export interface Duplicate {
  readonly newer: number
  readonly older: number
  readonly metres: number
  /** How alike they are, 0 to 1. */
  readonly score: number
}

export interface Burst {
  readonly userId: string
  readonly changes: number
  readonly first: number
  readonly since: string
}

/** The first and the last entry of an act, which follow one another. */
export interface ActEntries {
  readonly first: StoredEntry
  readonly last: number
}

export type SecretValidity = Pick<
  Row<'secrets'>,
  'number' | 'userId' | 'createdAt' | 'usedAt' | 'expiresAt' | 'value'
>

export interface ChangeFilter {
  readonly bubblerId?: number | undefined
  readonly userId?: string | undefined
  readonly action?: Action | undefined
  readonly order: 'asc' | 'desc'
  readonly after: number
}

/** An action with its user and waypoint, for single reads and the recent feed. */
export interface DescribedRow {
  readonly entry: LogEntry
  readonly user: { id: string; name: string; xp: number; isModerator: boolean }
  readonly waypoint: { id: number; name: string; nameIsMade?: true; latitude: number; longitude: number }
}

export interface AssignedPlace {
  readonly id: number
  readonly latitude: number
  readonly longitude: number
  /** Null when none is known there. */
  readonly place: WaypointPlace | null
  /** Null for a waypoint with a name. */
  readonly label: string | null
}
