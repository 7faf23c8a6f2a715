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
  /** To whom the rows are attributed; the built-in user unless told otherwise. */
  readonly actor?: TokenActor | undefined
  /**
   * Whether what the run creates is approved, where the row does not say; false leaves all of it to the moderators,
   * whatever rows say. Default true: an import is an operator's act. What is here already stays as it is.
   */
  readonly approved?: boolean | undefined
  /** Goes on with the unfinished run of this source and file, if there is one. */
  readonly resume?: boolean | undefined
  /**
   * Notes of every row that the source still lists it, also when the file is the one of the last import; without
   * that a repeated file cannot tell what is missing.
   */
  readonly recheck?: boolean | undefined
}

/** What becomes of waypoints that the source no longer lists. `remove` spares what anybody touched here. */
export type MissingRows = 'mark' | 'remove' | 'keep'

/** A record of a source that a run did not see: its file no longer has it. */
export interface MissingRow {
  readonly waypointId: number
  readonly ref?: string
  /** Whether nobody touched the waypoint here, and no other source lists it. */
  readonly removable: boolean
}
