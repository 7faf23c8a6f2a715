import type { CreditedSource } from '../attribution.ts'
import type { Loss } from '../erasures.ts'
import type { Head, HistoryEntry, StoredEntry, Subject } from '../log/entry.ts'
import type { KeptReport, MergeBase, Progress, RecordState, RunState } from '../log/nouns.ts'
import type { LogState } from '../log/script.ts'
import type { TreeReads } from '../log/tree.ts'
import type { BoundingBox } from '../schemas/area.ts'
import type { Status, StatusFacts } from '../status.ts'
import type { KeptSecret, SecretKind } from '../secrets.ts'
import type { Near, SearchQuery, WaypointFilter } from '../schemas/filter.ts'
import type { Observation } from '../schemas/observation.ts'
import type { WaypointPlace } from '../schemas/place.ts'
import type { Review } from '../schemas/review.ts'
import type { ReportState } from '../schemas/report.ts'
import type { Source, WaypointSource } from '../schemas/source.ts'
import type { Statistics } from '../schemas/statistics.ts'
import type { UserState } from '../schemas/user.ts'
import type { FoundWaypoint, Waypoint } from '../schemas/waypoint.ts'
import type { ChangeFilter, DescribedRow } from './changes.ts'

/** What an engine may return at once, or promise. */
export type Soon<Value> = Value | Promise<Value>
/** What an engine returns piece by piece. */
export type Pieces<Piece> = Iterable<Piece> | AsyncIterable<Piece>

export interface Paging {
  readonly limit: number
  readonly offset: number
}

/** What identifies the data of a registry at one moment, for entity tags and caches. */
export interface DataVersion {
  /** Which line of history the revision counts: renewed when an older backup is restored. Hexadecimal. */
  readonly origin: string
  /** A number that every write increments, in any process. */
  readonly revision: number
}

/** A source of a waypoint, as its credit needs it. */
export interface Origin extends CreditedSource {
  readonly waypointId: number
  readonly sourceId: number
}

/** A waypoint with the newest hundred entries of its log, its sources and its status. */
export interface Dossier {
  /** JSON text of `{ waypoint, place?, logs, sources, logsTotal }`; `logs` is oldest first. */
  readonly text: string
  /** The number of entries in the whole log of the waypoint. */
  readonly logsTotal: number
  /** The id of the newest entry about the waypoint: another one means that its fields may differ. */
  readonly version: number
  /** Which line of history the version counts: renewed when an older backup is restored. Hexadecimal. */
  readonly origin: string
  /** Whether it gives water. */
  readonly status: Status
  /** The day in UTC on which the status is so, `YYYY-MM-DD`. */
  readonly day: string
}

/** A dossier as it is stored. */
export interface StoredDossier extends Omit<Dossier, 'status' | 'day'> {
  /** The time of the last write to the registry. */
  readonly lastWrite: string
  /** From what its status follows: JSON text of `StatusFacts`, or null when nothing is known. */
  readonly facts: string | null
}

/** A waypoint where it is, and the place that is stored for it. */
export interface PositionedPlace {
  readonly id: number
  readonly latitude: number
  readonly longitude: number
  readonly place?: WaypointPlace | undefined
}

/** Reads live waypoints. */
export interface WaypointReading {
  get(id: number): Soon<Waypoint | undefined>
  /** JSON text of a waypoint. */
  text(id: number): Soon<string | undefined>
  dossier(id: number): Soon<StoredDossier | undefined>
  /** The place that is stored for a waypoint. */
  place(id: number): Soon<WaypointPlace | undefined>
  /** Waypoints after an id, by id. */
  positions(after: number, limit: number): Soon<readonly PositionedPlace[]>
  /** The waypoint that a tombstone was merged into. */
  mergedInto(id: number): Soon<number | undefined>
  /** By id, in chunks of at most a thousand. */
  chunks(filter: WaypointFilter): Pieces<Waypoint[]>
  /** JSON texts by id, in chunks of at most a thousand. */
  textChunks(filter: WaypointFilter): Pieces<string[]>
  /** Ids by distance. */
  near(filter: WaypointFilter & { readonly near: Near }): Soon<readonly { readonly id: number }[]>
  search(query: SearchQuery): Soon<FoundWaypoint[]>
  /** The sources of some waypoints, in any order. */
  origins(ids: readonly number[]): Soon<readonly Origin[]>
  /** The sources of a waypoint, oldest first. */
  sources(id: number): Soon<WaypointSource[]>
  /** The log of a waypoint without the changes, oldest first. */
  history(id: number): Soon<HistoryEntry[]>
  /** The same as the text of a JSON array. */
  historyText(id: number): Soon<string>
}

/** Which live reviews are read, by id. */
export interface ReviewPage {
  readonly userId?: string | undefined
  readonly bubblerId?: number | undefined
  /** Only ids greater than this one. */
  readonly after: number
  readonly limit: number
}

/** Reads the log and its tree: entries of all kinds. */
export interface EntryReading {
  readonly tree: TreeReads
  head(): Soon<Head>
  /** Which line of history this is: renewed when a backup without its newest entries is restored. */
  origin(): Soon<string>
  /** The time of an entry. */
  timeOf(id: number): Soon<string | undefined>
  get(id: number): Soon<StoredEntry | undefined>
  /** Every field that an entry lost, by id. */
  losses(): Soon<readonly Loss[]>
  /** Entries after an id, oldest first. */
  after(id: number, limit: number): Soon<StoredEntry[]>
  /** Entries by one user, by subject, action and id, after such a place. */
  by(
    userId: string,
    after: { readonly subject: string; readonly action: string; readonly id: number },
    limit: number,
  ): Soon<StoredEntry[]>
  /** Entries about a user, after an id, oldest first. */
  aboutUser(userId: string, after: number, limit: number): Soon<StoredEntry[]>
  /** Fields that entries lost, although no redaction names them: what a mirror that was interrupted has for a while. */
  openHoles(): Soon<OpenHole[]>
  /** What new entries must continue. */
  state(): Soon<Omit<LogState, 'totals'>>
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

/** Everything that a registry reads. */
export interface Reads {
  readonly waypoints: WaypointReading
  readonly entries: EntryReading
  /** Actions on waypoints, as the API's log has them. */
  readonly changes: {
    get(id: number): Soon<DescribedRow | undefined>
    recent(limit: number): Soon<DescribedRow[]>
    list(filter: ChangeFilter & Paging): Soon<DescribedRow['entry'][]>
    count(filter: ChangeFilter): Soon<number>
  }
  readonly users: {
    /** A user, the built-in one included. */
    get(id: string): Soon<UserState | undefined>
    byXp(page: Paging): Soon<UserState[]>
    /** Oldest first. */
    list(page: Paging): Soon<UserState[]>
    /** The ids of those who have left. */
    former(): Soon<readonly string[]>
    total(): Soon<number>
  }
  readonly reviews: {
    /** A live review. */
    get(id: number): Soon<Review | undefined>
    list(page: ReviewPage): Soon<Review[]>
    /** JSON texts by id, in chunks of at most `size`; the limit of the page may be infinite. */
    textChunks(page: ReviewPage, size: number): Pieces<string[]>
    /** How many live reviews a waypoint has, and the sum of their ratings. */
    ratings(waypointId: number): Soon<{ readonly count: number; readonly stars: number }>
  }
  readonly observations: ObservationReading
  readonly areas: {
    /** Active bounding boxes by id. */
    active(): Soon<BoundingBox[]>
  }
  readonly sources: {
    list(): Soon<Source[]>
    /** The licences of sources that list or listed a waypoint, each once. */
    licenses(): Soon<readonly string[]>
    byId(id: number): Soon<Source | undefined>
    byName(name: string): Soon<Source | undefined>
  }
  readonly imports: {
    byRefs(
      sourceId: number,
      refs: readonly string[],
    ): Soon<{ readonly record: RecordState; readonly base: MergeBase }[]>
    /** Ids of the records of a source that a run did not see, ascending. */
    unseen(sourceId: number, runId: number, after: number, limit: number): Soon<number[]>
    /** The newest run of a source that is finished, or that is not. */
    last(
      sourceId: number,
      isFinished: boolean,
    ): Soon<{ readonly run: RunState; readonly progress: Progress } | undefined>
    list(): Soon<{ readonly run: RunState; readonly progress: Progress }[]>
  }
  readonly secrets: SecretReading
  readonly reports: ReportReading
  readonly moderation: ModerationReading
  readonly state: {
    version(): Soon<DataVersion>
    /** The key of references that stand for places: secret, random, the same for ever. */
    placeKey(): Soon<string>
    /** Time of the last write. */
    changedAt(): Soon<string>
    /** The same, or that of the newest entry, which a mirror may have from a clock that is ahead. */
    lastWrite(): Soon<string>
    statistics(): Soon<Statistics>
  }
}

/** A place in a queue, and how many follow it. */
export interface QueuePlace {
  readonly after: number
  readonly limit: number
}

/** What is reported, with its open reports. */
export interface ReportedSubject {
  readonly bubblerId: number | null
  readonly reviewId: number | null
  readonly userId: string | null
  /** The public id of its oldest open report. */
  readonly first: number
  readonly count: number
}

/** An observation, with what is kept of it beside the log. */
export interface OwnObservation extends Observation {
  /** When it was made, a day in UTC. */
  readonly madeOn: string
  /** The XP that it earns, which is granted once the day is over. */
  readonly xp: number
}

/** A waypoint of whose state something is known. */
export interface StatedWaypoint {
  readonly id: number
  /** JSON text of `StatusFacts`. */
  readonly facts: string
}

/** Reads what people saw, and the states that follow from it. */
export interface ObservationReading {
  get(id: number): Soon<Observation | undefined>
  /** The waypoint of an observation, also of a deleted one. */
  waypointOf(id: number): Soon<number | undefined>
  /** Live ones of a waypoint after an id, by id. */
  list(bubblerId: number, place: QueuePlace): Soon<Observation[]>
  /** The live ones of a person, by id. */
  by(userId: string): Soon<OwnObservation[]>
  /** Ids of observations of earlier days whose XP is to be granted. */
  owed(today: string, limit: number): Soon<number[]>
  /** What the state of a live waypoint depends on; undefined when there is none. */
  facts(waypointId: number): Soon<StatusFacts | undefined>
  /**
   * From what the states of waypoints follow of which something is known, after an id, by id.
   *
   * @param seenSince only those at which passers-by saw something on that day or later
   */
  stated(after: number, limit: number, seenSince?: string): Soon<readonly StatedWaypoint[]>
  /** Waypoints whose state may be another on a day than when it was computed. */
  due(today: string, limit: number): Soon<number[]>
}

/** Reads what people reported. */
export interface ReportReading {
  /** By its public id, or by the other one. */
  get(id: number | string): Soon<KeptReport | undefined>
  /** Those that a person made, oldest first. */
  by(userId: string): Soon<KeptReport[]>
  /** By public id. */
  list(state: ReportState, place: QueuePlace): Soon<KeptReport[]>
  /** What has open reports, by the oldest of them. */
  subjects(place: QueuePlace): Soon<ReportedSubject[]>
  /** How much has open reports. */
  total(): Soon<number>
  /** The ids, not the public ones, of those whose texts were erased. */
  erased(): Soon<readonly string[]>
  /** The open reports of one subject, oldest first. */
  openAbout(subject: Omit<ReportedSubject, 'first' | 'count'>, limit: number): Soon<KeptReport[]>
}

/** A waypoint with an older one that may be the same fountain. */
export interface Duplicate {
  readonly newer: number
  readonly older: number
  readonly metres: number
  /** How alike they are, 0 to 1. */
  readonly score: number
}

/** Somebody who did unusually much of late. */
export interface Burst {
  readonly userId: string
  /** How many changes stand. */
  readonly changes: number
  /** The first of them, and its time. */
  readonly first: number
  readonly since: string
}

/** The first and the last entry of an act, which follow one another. */
export interface ActEntries {
  readonly first: StoredEntry
  readonly last: number
}

/** Reads what moderators look at, and what they did. */
export interface ModerationReading {
  /** How many live waypoints are not approved, and not verified. */
  totals(): Soon<{ readonly unapproved: number; readonly unverified: number }>
  /** By id. */
  unapproved(place: QueuePlace): Soon<Waypoint[]>
  unverified(place: QueuePlace): Soon<Waypoint[]>
  /** Waypoints that may be the same as an older one, by id, and how many there are. */
  duplicates(place: QueuePlace): Soon<{ readonly pairs: readonly Duplicate[]; readonly total: number }>
  /** People with at least so many changes since a time that stand, by the first of them. */
  bursts(since: string, rule: { readonly changes: number; readonly lookedAt: number }): Soon<Burst[]>
  /** The name of a waypoint or a tombstone. */
  waypointName(id: number): Soon<string | undefined>
  /** The waypoint and the author of a review, also of a deleted one. */
  review(id: number): Soon<{ readonly bubblerId: number; readonly userId: string } | undefined>
  /** Acts of moderation before an entry, the newest first. */
  acts(place: { readonly before: number; readonly limit: number }): Soon<ActEntries[]>
}

/** What says whether a secret lets somebody in, and for what. */
export interface Standing {
  readonly number: number
  readonly userId: string | null
  readonly createdAt: string
  readonly usedAt: string | null
  readonly expiresAt: string | null
  /** What it remembers, as JSON text. */
  readonly value: string
}

/** Reads what is kept beside the log: sessions, tokens, ways to sign in. */
export interface SecretReading {
  /** One that nobody ended, expired or not. */
  standing(id: string): Soon<Standing | undefined>
  get<Kind extends SecretKind>(kind: Kind, id: string): Soon<KeptSecret<Kind> | undefined>
  byNumber<Kind extends SecretKind>(kind: Kind, number: number): Soon<KeptSecret<Kind> | undefined>
  /** By number; of all users, or of one. */
  list<Kind extends SecretKind>(kind: Kind, userId?: string): Soon<KeptSecret<Kind>[]>
}
