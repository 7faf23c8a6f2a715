import type { Conflict, ImportDecision } from '../decide/import.ts'
import type { SourceState } from '../schemas/source.ts'

/** One row of a file, understood. */
export interface ImportRow {
  /** Its number in the file, for reports. */
  readonly row: number
  /** What the source calls it, where the source has stable references. */
  readonly ref?: string | undefined
  /** What the source says of the waypoint; checked like every input. */
  readonly input: unknown
  /** What the source says of its state, where it gives no water. Kept with the source, outside the log. */
  readonly state?: SourceState | undefined
  /** A waypoint that was found to be the same fountain. */
  readonly mergeInto?: number | undefined
}

/** What became, or would become, of a row. */
export interface ImportOutcome {
  readonly row: number
  readonly kind: ImportDecision['kind'] | 'refused'
  /** Absent for refused rows, and for new ones that were only decided. */
  readonly waypointId?: number
  readonly fields: readonly string[]
  readonly conflicts: readonly Conflict[]
  /** Fields that the source tells and that were not taken, because text was redacted from them here. */
  readonly withheld: readonly string[]
  /** Why a row was refused. */
  readonly reason?: string
}
