import type { Readable } from 'node:stream'
import type { SourceInput } from '@openfountain/core'
import type { Acceptance, TokenActor } from '@openfountain/core/internal'
import type { ImportProgress, Understanding } from './report.ts'
import type { MapFile } from './understand/columns.ts'

export interface ImportFileOptions {
  /** The file's path, or `-` for standard input. */
  readonly file: string
  /** The stream read for `-`. Default `process.stdin`. */
  readonly stdin?: Readable
  /** The source of the data; absent members are taken from the map. One of them must give name and licence. */
  readonly source?: Partial<SourceInput>
  /** A map, or the path of one: the meaning of columns where the guess is wrong. */
  readonly map?: MapFile | string
  /**
   * The column with the source's own reference of each row. Default: the one of the format, the map or the headings; the
   * notes propose possible columns.
   */
  readonly reference?: string
  /**
   * The day on which the source published the file, `YYYY-MM-DD`: as of that day it lists its rows and says their states.
   * Default: the day in the file, or in a column of it; else it is not known.
   */
  readonly published?: string
  /** Decides about every row and writes nothing to the registry. Default false. */
  readonly dryRun?: boolean
  readonly review?: string
  /**
   * Where doubtful rows are written as CSV. Default the file's path with `.review.csv`, in the working directory where the
   * file's folder is another user's or cannot be written; nowhere in a dry run. A file there with decisions that are not
   * read is kept, and the new one has a number in its name.
   */
  readonly reviewFile?: string
  /** Where refused rows are written as JSON lines. Default as for `reviewFile`, with `.rejected.ndjson`. */
  readonly rejectedFile?: string
  /** The coordinate system, such as `EPSG:25833`; overrides what the file declares. */
  readonly crs?: string
  /**
   * `swap` exchanges latitude and longitude, `keep` takes them as they are. Default: keep, and refuse a file in which
   * they seem to be swapped.
   */
  readonly axes?: 'swap' | 'keep'
  /**
   * Whether new waypoints are approved, where the row does not say; false leaves all of them to the moderators,
   * whatever rows say. Existing waypoints stay as they are. Default true.
   */
  readonly approved?: boolean
  /** Also imports fountains without drinking water. Default false. */
  readonly keepAll?: boolean
  /** The region of fountains that have none, such as a city. */
  readonly place?: string
  /** The text's encoding, delimiter and whether it has headings, where they are not recognised. */
  readonly encoding?: string
  readonly delimiter?: string
  readonly header?: boolean
  /** Lines above the headings. Default: titles and comments are recognised. */
  readonly skip?: number
  /** The sheet of a workbook. Default: the one whose headings name coordinates, else the one with most cells. */
  readonly sheet?: string
  /** The treatment of waypoints that the source no longer lists: `mark` (default), `remove` those that nobody edited, `keep`. */
  readonly missing?: 'mark' | 'remove' | 'keep'
  /**
   * For what the import does not stop: `shrink`, `older`, `partial`, as in `registry.imports.start`. Default nothing. A
   * file that calls itself partial marks nothing as missing; with `missing: 'keep'` it needs no acceptance.
   */
  readonly accept?: readonly Acceptance[]
  /** Rows and total of a file that is a part of the source. Default: the file's own. */
  readonly partial?: Understanding['partial']
  /** Continues the interrupted import of this file. Default false. */
  readonly resume?: boolean
  /** Rows written in one transaction. Default 5000. */
  readonly batchRows?: number
  /** The author of the rows. Default the built-in API user. */
  readonly actor?: TokenActor
  /** Stops after the current batch. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: ImportProgress) => void
  /** Called once, before any decision, with the columns and their guessed meaning. */
  readonly onUnderstood?: (understanding: Understanding) => void
}
