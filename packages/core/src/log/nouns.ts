import type { ListedDays, Tags } from '../fields/source.ts'
import type { BoundingBox } from '../schemas/area.ts'
import type { Observation } from '../schemas/observation.ts'
import type { ReportReason, ReportState } from '../schemas/report.ts'
import type { Review } from '../schemas/review.ts'
import type { SourceInput, SourceState } from '../schemas/source.ts'
import type { UserStats } from '../schemas/user.ts'
import type { WaypointState } from '../schemas/waypoint.ts'
import type { Secret } from '../secrets.ts'
import type { ObservationKind, StateOfWaypoint } from '../status.ts'
import type { Action, StoredEntry } from './entry.ts'

/** A review as it is stored; a deleted one is a tombstone without its comment. */
export interface ReviewState extends Review {
  readonly deletedAt?: string | undefined
}

/** An observation as it is stored; a deleted one is a tombstone without its comment. Its id is that of its entry. */
export interface ObservationState extends Observation {
  readonly deletedAt?: string | undefined
}

interface Deletable {
  readonly deletedAt?: string | undefined
}

/** Whether there is a noun that is no tombstone. */
export const isLive = <State extends Deletable>(state: State | undefined): state is State =>
  state !== undefined && state.deletedAt === undefined

/** A noun as it is published: without the time of its deletion. */
export function publishedOf<State extends Deletable>(state: State): Omit<State, 'deletedAt'> {
  const { deletedAt: _deleted, ...noun } = state
  return noun
}

/** A person as the log has them: never a name or an address. */
export interface Person {
  readonly id: string
  readonly isModerator: boolean
  readonly xp: number
  readonly stats: UserStats
  /** How often the person did each action on waypoints; actions that never happened are left out. */
  readonly actions: Readonly<Partial<Record<Action, number>>>
  readonly createdAt: string
  /** Present while the person is blocked. */
  readonly block?: Block | undefined
}

export interface Block {
  readonly reason: string
  /** ISO 8601 in UTC; absent when the block has no end. */
  readonly until?: string | undefined
}

/** A bounding box; a deleted one is a tombstone. */
export interface AreaState extends BoundingBox {
  readonly deletedAt?: string | undefined
}

/**
 * A source of imported data. `listedAt` is the end of its newest complete import, and `published` the day of
 * publication of the data imported then.
 */
export interface SourceFacts extends SourceInput {
  readonly id: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly listedAt?: string | undefined
  readonly published?: string | undefined
}

/** A run of an import. */
export interface RunState {
  readonly id: number
  readonly sourceId: number
  readonly file?: { readonly name: string; readonly sha256: string; readonly bytes: number } | undefined
  readonly startedAt: string
  readonly finishedAt?: string | undefined
  /** The day of publication of the imported data. */
  readonly published?: string | undefined
}

/** The link between a waypoint and a source that lists it. Its id is that of the entry that made it. */
export interface RecordState extends ListedDays {
  readonly id: number
  readonly sourceId: number
  readonly waypointId: number
  /** The source's own id of the waypoint. */
  readonly ref?: string | undefined
  /** The state of the waypoint at the source, when it gives no water. */
  readonly state?: SourceState | undefined
  /** The tags of the object at OpenStreetMap, in the order of their keys. */
  readonly tags?: Tags | undefined
  readonly firstSeen: string
  /** When an entry last said that the source lists it. A complete import of the source says it of all its records. */
  readonly lastSeen: string
  /** Present when the source no longer lists it. */
  readonly missingSince?: string | undefined
}

/** The nouns that are nothing but the fold of the log. */
export interface VouchedNouns {
  waypoint: WaypointState
  review: ReviewState
  observation: ObservationState
  user: Person
  area: AreaState
  source: SourceFacts
  import: RunState
  record: RecordState
  entry: StoredEntry
}

/** A person's name and address. They can be removed, which nothing in the log can. */
export interface Profile {
  readonly id: string
  /** Empty once the person has left. */
  readonly name: string
  readonly email?: string | undefined
  readonly updatedAt: string
  readonly leftAt?: string | undefined
}

/** The merge base of a record: the values at the last import, for merging the next one. */
export interface MergeBase {
  /** The id of the record. */
  readonly id: number
  /** A JSON object: the fields as last imported; redacted ones are null, and closed to the source. */
  readonly values: string
  /** The newest run that saw the record. */
  readonly seenIn: number
}

/** How far a run of an import has come. */
export interface Progress {
  /** The id of the run. */
  readonly id: number
  readonly updatedAt: string
  /** JSON for continuing an interrupted run. */
  readonly checkpoint?: string | undefined
  /** A JSON object. */
  readonly counts: string
}

/** A report of a waypoint, a review or a person. */
export interface StoredReport {
  /** Random; `number` is the public id. */
  readonly id: string
  /** Never used again; given by the engine when the report is first saved. */
  readonly number?: number | undefined
  /** The subject: one of three. */
  readonly bubblerId?: number | undefined
  readonly reviewId?: number | undefined
  readonly userId?: string | undefined
  /** The author; absent for passers-by and people who have left. */
  readonly by?: string | undefined
  /** A keyed hash of the network and the day for passers-by, which is removed once the day is over. */
  readonly network?: string | undefined
  readonly reason: ReportReason
  readonly comment?: string | undefined
  readonly state: ReportState
  /** The note of the moderator who decided it. */
  readonly note?: string | undefined
  readonly createdAt: string
  readonly decidedAt?: string | undefined
  /**
   * The time at which comment and note were erased: it identifies the erasure in a list, whatever is written into the
   * report later.
   */
  readonly erasedAt?: string | undefined
}

/** The finding of a moderator that two waypoints are not the same fountain. */
export interface Distinction {
  /** `SMALLER-GREATER`. */
  readonly id: string
  readonly smaller: number
  readonly greater: number
  readonly by: string
  readonly createdAt: string
}

/** The author of an observation, who is not in the log. */
export interface Observer {
  /** The id of the observation. */
  readonly id: number
  /** Absent once the person has left. */
  readonly userId?: string | undefined
  readonly bubblerId: number
  /** When it was made, a day in UTC. */
  readonly day: string
  /** The XP that it earns. */
  readonly xp: number
  /** Whether the XP is still to be granted. */
  readonly isOwed: boolean
}

/** An observation by a passer-by, where observing is open to all. */
export interface Sighting {
  /** Random. */
  readonly id: string
  readonly bubblerId: number
  readonly kind: ObservationKind
  /** A day in UTC. */
  readonly observedAt: string
  /** A keyed hash of the network and the day, which is removed once the day is over. */
  readonly network?: string | undefined
  /** When it was made, a day in UTC. */
  readonly day: string
}

/** The last computed state of a waypoint with its facts, so that it is not computed from all its data. */
export interface StoredStatus {
  /** The id of the waypoint. */
  readonly id: number
  readonly state: StateOfWaypoint
  /** The first day on which the state may change. Absent when that depends on new facts. */
  readonly changesOn?: string | undefined
  /** The facts, condensed, as JSON text. Absent when nothing is known. */
  readonly facts?: string | undefined
  /** The number of entries in the log before its last change. */
  readonly logSize: number
}

/** Nouns beside the log: private, or derived for speed. */
export interface UnloggedNouns {
  profile: Profile
  base: MergeBase
  progress: Progress
  secret: Secret
  report: StoredReport
  distinction: Distinction
  observer: Observer
  sighting: Sighting
  status: StoredStatus
}

export interface Nouns extends VouchedNouns, UnloggedNouns {}
export type NounName = keyof Nouns
export type KeyOf<Noun extends NounName> = Nouns[Noun]['id']

/** The last ids given. Ids of records are those of their entries. */
export interface LastIds {
  readonly waypoint: number
  readonly review: number
  readonly area: number
  readonly source: number
  readonly import: number
}
