import type { SourceInput } from '@openfountain/core'
import type { Conflict } from '@openfountain/core/internal'
import type { Judgement } from '../licences/licences.ts'
import { type ImportNote, reasonText, type LeftOutReason, type RefusedReason } from './reasons.ts'
import type { ColumnGuess } from './understand/columns.ts'

/** The number of rows, and of each outcome; every row is in exactly one of `created` to `refused`. */
export class ImportCounts {
  rows = 0
  created = 0
  updated = 0
  /** Known from an earlier import and the same as then. */
  unchanged = 0
  /** Matched with a waypoint that existed already. */
  matched = 0
  /** Changed at the source and edited here since the last import; the value here stays. */
  conflicts = 0
  /** Of waypoints that were deleted here, which stay deleted. */
  deleted = 0
  /** Not drinking fountains, or no longer. */
  leftOut = 0
  /** The same as an earlier row of the file. */
  duplicates = 0
  /** Perhaps the same as an existing waypoint; written to the review file for a person to decide. */
  doubtful = 0
  refused = 0
  /** References that the source gave to two fountains kilometres apart; both were imported. */
  reusedReferences = 0
  /** Rows with a field that was not imported, because text was redacted from it here; they are also counted above. */
  withheld = 0
  /** Waypoints, not rows: no longer in the file, and marked so. */
  missing = 0
  /** Waypoints, not rows: no longer in the file, and removed. */
  removed = 0
}

/** A conflict of one row: the fields, their values here, and the source's values now. */
export interface ReportedConflict {
  readonly row: number
  readonly waypointId: number
  readonly conflicts: readonly Conflict[]
}

/** The interpretation of a file, before anything is imported. */
export interface Understanding {
  /** For people, such as `Delimited text (";")`. */
  readonly format: string
  readonly encoding?: string
  /** The coordinate system that the coordinates are read in. */
  readonly crs: string
  readonly rows: number
  /** Columns and their meaning: the guess as a table. */
  readonly columns: readonly ColumnGuess[]
  /** The licence or copyright that the file itself states. */
  readonly copyright?: string
  /** The day on which the source published it, as the caller or the file says, `YYYY-MM-DD`. */
  readonly published?: string
  /** Notes about the file, as codes with facts. */
  readonly notes: readonly ImportNote[]
}

/** Rows left out for one reason: its code and facts, and `reason`, the same in words. */
export type LeftOutRows = LeftOutReason & { readonly reason: string; readonly rows: number }

/** Rows refused for one reason: its code, the facts of the first row, and `reason`, the same in words. */
export type RefusedRows = RefusedReason & {
  readonly reason: string
  readonly rows: number
  readonly first: number
}

/**
 * The result of an import, or with `dryRun` the expected one. Plain data; lists are cut at `listed` entries, counts are
 * not.
 */
export interface ImportReport extends Understanding {
  readonly file: { readonly name: string; readonly bytes: number; readonly sha256: string }
  readonly source: SourceInput
  /**
   * Why the registry's licence does not carry the source's, so that exports under it are refused; absent when it
   * does.
   */
  readonly obstacle?: Judgement & { readonly license: string; readonly registryLicense: string }
  readonly dryRun: boolean
  /** Whether an interrupted run was continued. */
  readonly resumed: boolean
  readonly counts: Readonly<ImportCounts>
  /** Reasons for leaving rows out, with how many. */
  readonly leftOut: readonly LeftOutRows[]
  /** Reasons for refusing rows by their codes, with how many, and the first row with its facts. */
  readonly refused: readonly RefusedRows[]
  readonly duplicates: readonly { readonly row: number; readonly of: number }[]
  /** Rows with different references, but the same place and name; they were imported. */
  readonly alike: readonly { readonly row: number; readonly of: number }[]
  readonly conflicts: readonly ReportedConflict[]
  /** Where the refused rows were written; absent when there are none. */
  readonly rejectedFile?: string
  /** Where the doubtful rows were written; absent when there are none. */
  readonly reviewFile?: string
  readonly seconds: number
  readonly rowsPerSecond: number
}

/** Entries of a list in the report at most; the counts are of all. */
const listed = 1000

type Counted<Rows> = Rows & { rows: number }

/** Counts the outcomes of rows, and lists reasons and examples. */
export class Tally {
  readonly counts = new ImportCounts()
  readonly duplicates: { row: number; of: number }[] = []
  readonly alike: { row: number; of: number }[] = []
  readonly conflicts: ReportedConflict[] = []
  readonly #leftOut = new Map<string, Counted<LeftOutRows>>()
  readonly #refused = new Map<string, Counted<RefusedRows>>()

  leaveOut(reason: LeftOutReason): void {
    this.counts.leftOut += 1
    const text = reasonText(reason)
    const rows = this.#leftOut.get(text) ?? { ...reason, reason: text, rows: 0 }
    rows.rows += 1
    this.#leftOut.set(text, rows)
  }

  refuse(row: number, reason: RefusedReason): void {
    this.counts.refused += 1
    // The registry has one code for all refusals.
    const key = reason.code === 'INVALID' ? reason.message : reason.code
    const rows = this.#refused.get(key) ?? { ...reason, reason: reasonText(reason), rows: 0, first: row }
    rows.rows += 1
    if (this.#refused.size < listed) this.#refused.set(key, rows)
  }

  /** Adds to a list of the report as far as it has room. */
  list<Item>(items: Item[], item: Item): void {
    if (items.length < listed) items.push(item)
  }

  lists(): Pick<ImportReport, 'leftOut' | 'refused' | 'duplicates' | 'alike' | 'conflicts'> {
    return {
      leftOut: [...this.#leftOut.values()].toSorted((a, b) => b.rows - a.rows),
      refused: [...this.#refused.values()].toSorted((a, b) => b.rows - a.rows),
      duplicates: this.duplicates,
      alike: this.alike,
      conflicts: this.conflicts,
    }
  }
}

/** The progress of an import, reported ten times a second at most. */
export interface ImportProgress {
  /** `inspecting` reads the file to its end without importing, `importing` writes (or with a dry run decides). */
  readonly phase: 'inspecting' | 'importing'
  readonly rows: number
  /** Rows in all; known from the second phase on. */
  readonly total?: number
  /** Seconds since the phase began. */
  readonly seconds: number
}

/** Milliseconds between two reports. */
const pause = 100

/** Returns a function that reports rows, not more often than `pause` allows, and always the last one. */
export function throttled(
  phase: ImportProgress['phase'],
  onProgress: ((progress: ImportProgress) => void) | undefined,
  total?: number,
): (rows: number) => void {
  const began = performance.now()
  let last = began - pause
  return (rows) => {
    const now = performance.now()
    if (onProgress === undefined || (now - last < pause && rows !== total)) return
    last = now
    onProgress({ phase, rows, total, seconds: (now - began) / 1000 })
  }
}
