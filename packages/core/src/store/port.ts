import type { AssignedPlace, SnapshotNeeds } from './answers.ts'
import type { Job } from '../decide/deciding.ts'
import type { Outcome } from '../log/script.ts'
import type { BatchOptions, Commits } from './write-queue.ts'
import type { Connection } from './sqlite/connection/connection.ts'
import type { Reads } from './reads.ts'

export interface Leftover {
  readonly place: string
  readonly remedy: string
  /** Whether it disappears by itself, such as data that a server overwrites in the course of its work. Default false. */
  readonly isPassing?: true
}

/** A copy of a registry: a SQLite registry of its own for any engine, so that heavy reading does not load the engine. */
export type SnapshotReads = Connection

export interface Maintenance {
  /** `indexes` for the work needed before the registry is used. Default everything. */
  readonly what?: 'indexes' | undefined
  readonly signal?: AbortSignal | undefined
}

/** The interface of an engine, with the same results on all: it stores nouns and log, drives the script of writes, and reads. */
export interface Store {
  readonly read: Reads
  /** Tells who follows the log in this process when it has written. */
  readonly commits: Commits
  /** Writes, durably. Those that wait share a transaction and a flush, and are answered each for itself. @throws RegistryError */
  write<Answer>(job: Job<Answer>): Promise<Answer>
  /** Writes jobs in one transaction. A refused job affects no other; another error undoes all. Dry runs need no right to write. */
  writeBatch<Answer>(jobs: readonly Job<Answer>[], options?: BatchOptions): Promise<Outcome<Answer>[]>
  /** Sets the places of waypoints, except those moved meanwhile; no entry, since places follow from positions, but a new revision. */
  assignPlaces(places: readonly AssignedPlace[]): Promise<void>
  /** The current time of the engine's clock, which may be set back. */
  now(): Date
  /** The time of the registry: that of the clock, but never before the last write. ISO 8601 in UTC. */
  time(): Promise<string>
  /** The same, for writes outside the log. @throws RegistryError CLOCK_BEHIND */
  timeOfWrite(): Promise<string>
  /** A copy of the registry as it is now, unmoved by later writes. */
  snapshot(needs?: SnapshotNeeds): Promise<SnapshotReads>
  /** Differences between the database's schema and this program's, such as a dropped trigger, in words. */
  schemaProblems(): Promise<readonly string[]>
  /** Removes every trace of texts that are no longer stored, beside readers and writers. @returns places where traces remain */
  scrub(): Promise<readonly Leftover[]>
  /** Deferred work of writes: creates indexes left out by a first import, and merges parts of the search index. */
  maintain(options?: Maintenance): Promise<void>
  /** Writes a consistent copy to a new file, which appears once `check` accepted it. */
  backup(
    file: string,
    check: (copy: SnapshotReads) => Promise<void>,
    onProgress: (done: number, total: number) => void,
  ): Promise<void>
  /** Gives the log another origin, since a restored backup lacks entries. @param origin random, hexadecimal */
  renewOrigin(origin: string): Promise<void>
  close(): Promise<void>
}
