import type { Conflict, ImportDecision } from '../decide/import.ts'
import type { SourceState } from '../schemas/source.ts'

/** One row of a file, after its columns were interpreted. */
export interface ImportRow {
  /** The number of the row in the file, for reports. */
  readonly row: number
  /** The source's own id of the waypoint, if it has stable ids. */
  readonly ref?: string | undefined
  /** The waypoint's fields; validated like every input. */
  readonly input: unknown
  /** The waypoint's state at the source, when it gives no water. Stored with the source, not in the log. */
  readonly state?: SourceState | undefined
  /** The id of an existing waypoint that is the same fountain. */
  readonly mergeInto?: number | undefined
}

/** The result of importing a row, or of a dry run. */
export interface ImportOutcome {
  readonly row: number
  readonly kind: ImportDecision['kind'] | 'refused'
  /** Absent for refused rows, and for new ones in a dry run. */
  readonly waypointId?: number
  readonly fields: readonly string[]
  readonly conflicts: readonly Conflict[]
  /** Fields of the source that were not written, because text was redacted from them here. */
  readonly withheld: readonly string[]
  /** Why a row was refused. */
  readonly reason?: string
}
