import type { TokenActor } from '../actor.ts'
import type { SourceInput } from '../schemas/source.ts'

export interface ImportFile {
  readonly name: string
  /** Hexadecimal. */
  readonly sha256: string
  readonly bytes: number
}

export interface ImportOptions {
  readonly source: SourceInput
  readonly file?: ImportFile | undefined
  /** The actor who is the author of the rows. Default the built-in user. */
  readonly actor?: TokenActor | undefined
  /**
   * Whether new waypoints are approved when their row does not say; with false none are, whatever rows say. Existing
   * waypoints are not changed. Default true, because an operator runs the import.
   */
  readonly approved?: boolean | undefined
  /**
   * The day on which the source published the data, `YYYY-MM-DD`: its statements about the state are of that day.
   * Default: the day of the import.
   */
  readonly published?: string | undefined
  /** Continues the unfinished run of this source and file, if there is one. Default false. */
  readonly resume?: boolean | undefined
  /**
   * Updates the time at which the source last listed each row, even when the file is the same as in the last import;
   * otherwise a repeated file marks nothing as missing. Default false.
   */
  readonly recheck?: boolean | undefined
}

/** The treatment of waypoints that the source no longer lists. `remove` only marks those that were changed here. */
export type MissingRows = 'mark' | 'remove' | 'keep'
