import type { SourceInput } from '@openfountain/core'
import type { ConcernFacts, Conflict, ImportConcern, Neighbour } from '@openfountain/core/internal'
import { type Judgement, licenceOf, type Licence } from '../licences/licences.ts'
import { type ImportNote, reasonText, type LeftOutReason, type RefusedReason } from './reasons.ts'
import type { ColumnGuess } from './understand/columns.ts'
import { createWriteStream, existsSync, rmSync, statSync, writeFileSync, type WriteStream } from 'node:fs'
import { rename, rm, readFile } from 'node:fs/promises'
import { once } from 'node:events'
import { basename, dirname, join, parse as pathParts, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { ImportRefused } from './read/refusal.ts'
import { parse } from 'csv-parse/sync'
import { csvField, csvValue, restoreCell } from '@openfountain/core/published'
import type { ReadWaypoint } from './understand/waypoint-reading.ts'

/** The facts of each code of a matter for a person's attention. Rows are those that are imported or known. */
export interface AttentionFacts {
  /** Rows without a town, neither in the file nor given (`place`). */
  NO_TOWN: { readonly rows: number; readonly first: number }
  /** Names of several rows: the number of all such rows, and the ten most frequent names. */
  NAMES_REPEATED: {
    readonly rows: number
    readonly names: readonly { readonly name: string; readonly rows: number }[]
  }
  /** Rows without a day: not of publication, nor of a check or a change. */
  NO_DAY: { readonly rows: number; readonly first: number }
  /** Rows of private fountains, which are never offered as nearest. */
  PRIVATE: { readonly rows: number; readonly first: number }
  /** The conditions of the licence for passing the data on, and the credit. */
  LICENSE_ASKS: {
    readonly license: string
    readonly asks: Licence['asks']
    readonly attribution: string
  }
}

export type AttentionCode = keyof AttentionFacts

export type Attention<Code extends AttentionCode = AttentionCode> = {
  [One in Code]: { readonly code: One } & AttentionFacts[One]
}[Code]

/** It takes memory. */
const [listedNames, countedNames] = [10, 100_000]

/** Matters for a person's attention, collected while rows are read. */
export class Attentive {
  readonly #rows = new Map<'NO_TOWN' | 'NO_DAY' | 'PRIVATE', { rows: number; first: number }>()
  readonly #names = new Map<string, number>()

  look(row: number, { name, region, access, checked, updated }: ReadWaypoint): void {
    if (region === undefined) this.#count('NO_TOWN', row)
    if (checked === undefined && updated === undefined) this.#count('NO_DAY', row)
    if (access === 'private') this.#count('PRIVATE', row)
    if (name !== '' && (this.#names.has(name) || this.#names.size < countedNames))
      this.#names.set(name, (this.#names.get(name) ?? 0) + 1)
  }

  /** @param isDated whether the day of publication is known */
  found(isDated: boolean): Attention[] {
    const repeated = [...this.#names].flatMap(([name, rows]) => (rows > 1 ? [{ name, rows }] : []))
    const names = repeated.toSorted((one, other) => other.rows - one.rows || (one.name < other.name ? -1 : 1))
    const rows = names.reduce((all, each) => all + each.rows, 0)
    return [
      ...[...this.#rows].flatMap(([code, counted]) =>
        code === 'NO_DAY' && isDated ? [] : [{ code, ...counted }],
      ),
      ...(rows > 0 ? [{ code: 'NAMES_REPEATED', rows, names: names.slice(0, listedNames) } as const] : []),
    ]
  }

  #count(code: 'NO_TOWN' | 'NO_DAY' | 'PRIVATE', row: number): void {
    const counted = this.#rows.get(code) ?? { rows: 0, first: row }
    counted.rows += 1
    this.#rows.set(code, counted)
  }
}

/** The conditions of a source's licence for passing its data on; none for one without conditions. */
export function licenceAsks({ license, name, attribution }: SourceInput): Attention[] {
  const asks = licenceOf(license)?.asks ?? []
  return asks.length === 0 ? [] : [{ code: 'LICENSE_ASKS', license, asks, attribution: attribution ?? name }]
}

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

export interface ReportedConflict extends Readonly<Record<'row' | 'waypointId', number>> {
  readonly conflicts: readonly Conflict[]
}

export interface Understanding {
  /** For people, such as `Delimited text (";")`. */
  readonly format: string
  readonly encoding?: string
  /** The coordinate system that the coordinates are read in. */
  readonly crs: string
  readonly rows: number
  /** Columns and their meaning: the guess as a table. */
  readonly columns: readonly ColumnGuess[]
  readonly copyright?: string
  /** The day on which the source published it, as the caller or the file says, `YYYY-MM-DD`; absent where neither does. */
  readonly published?: string
  readonly partial?: ConcernFacts['PARTIAL']
  readonly notes: readonly ImportNote[]
}

/** Rows left out for one reason: its code and facts, and `reason`, the same in words. */
export type LeftOutRows = LeftOutReason & { readonly reason: string; readonly rows: number }

/** Rows refused for one reason: its code, the facts of the first row, and `reason`, the same in words. */
export type RefusedRows = RefusedReason & { readonly reason: string } & Readonly<
    Record<'rows' | 'first', number>
  >

/** The result of an import, or with `dryRun` the expected one. Plain data; lists are cut at `listed` entries, counts are not. */
export interface ImportReport extends Understanding {
  readonly file: { readonly name: string; readonly bytes: number; readonly sha256: string }
  readonly source: SourceInput
  /** Why the registry's licence does not carry the source's, so that exports under it are refused; absent when it does. */
  readonly obstacle?: Judgement & { readonly license: string; readonly registryLicense: string }
  readonly dryRun: boolean
  readonly resumed: boolean
  readonly counts: Readonly<ImportCounts>
  /** Reasons to stop; after an import, the accepted ones. */
  readonly concerns: readonly ImportConcern[]
  readonly attention: readonly Attention[]
  readonly leftOut: readonly LeftOutRows[]
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
  readonly attention = new Attentive()
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
  list<Name extends 'duplicates' | 'alike' | 'conflicts'>(name: Name, item: Tally[Name][number]): void {
    const items: Tally[Name][number][] = this[name]
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
  /**
   * `inspecting` reads the file to its end without importing, `checking` looks at what would no longer be listed, `importing`
   * writes (or with a dry run decides).
   */
  readonly phase: 'inspecting' | 'checking' | 'importing'
  readonly rows: number
  /** Rows in all; known from the second phase on. */
  readonly total?: number
  /** Seconds since the phase began. */
  readonly seconds: number
}

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

/**
 * A file beside the import, such as the refused rows: it appears complete or not at all, and not when it is empty. Only the
 * owner may read it (mode 0600), whatever the umask. Without a path, as in a dry run, nothing is written.
 */
export class SideFile {
  readonly path: string | undefined
  readonly #part: string
  readonly #header: string
  #stream: WriteStream | undefined
  #failure: Error | undefined

  constructor(path: string | undefined, header = '') {
    this.path = path
    this.#part = `${path}.part`
    this.#header = header
  }

  is(path: string | undefined): boolean {
    return path !== undefined && this.path !== undefined && resolve(path) === resolve(this.path)
  }

  async write(line: string): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    if (this.path === undefined) return
    this.#stream ??= this.#open()
    if (!this.#stream.write(line)) await once(this.#stream, 'drain')
  }

  /**
   * Moves the file into place and returns its path; removes the file of an earlier run when nothing was written.
   *
   * @param mayReplace whether the file of an earlier run may be replaced; otherwise the new one gets another name
   */
  async finish(
    mayReplace: (path: string) => Promise<boolean> = async () => true,
  ): Promise<string | undefined> {
    if (this.path === undefined) return undefined
    if (this.#stream === undefined) {
      if (await mayReplace(this.path)) await rm(this.path, { force: true })
      return undefined
    }
    this.#stream.end()
    await finished(this.#stream)
    const { dir, name, ext } = pathParts(this.path)
    let place = this.path
    for (let n = 2; !(await mayReplace(place)); n += 1) place = join(dir, `${name}-${n}${ext}`)
    await rename(this.#part, place)
    return place
  }

  async discard(): Promise<void> {
    if (this.#stream === undefined) return
    this.#stream.destroy()
    await rm(this.#part, { force: true })
  }

  #open(): WriteStream {
    // The file that an interrupted run left may have a wider mode.
    rmSync(this.#part, { force: true })
    const stream = createWriteStream(this.#part, { mode: 0o600, flags: 'wx' })
    stream.on('error', (error) => (this.#failure = error))
    stream.write(this.#header)
    return stream
  }
}

type SidePlaces = { readonly file: string; readonly dryRun?: boolean } & {
  readonly [Name in 'rejectedFile' | 'reviewFile']?: string
}

/** The files of refused and of doubtful rows. */
export interface SideFiles {
  readonly rejected: SideFile
  readonly review: SideFile
  readonly notes: readonly ImportNote[]
}

/**
 * The side files of an import: where the caller says, else beside the file in a folder of the caller's, else in the working
 * directory. That it can be done is tried before anything is imported. A dry run has only those named by the caller.
 *
 * @throws ImportRefused NOT_WRITABLE
 */
export function sideFiles({ file, rejectedFile, reviewFile, dryRun }: SidePlaces): SideFiles {
  const made = (rejected: string | undefined, review: string | undefined, notes: readonly ImportNote[]) => ({
    rejected: new SideFile(rejected),
    review: new SideFile(review, reviewHeader),
    notes,
  })
  if (dryRun === true) return made(rejectedFile, reviewFile, [])
  const beside = file === '-' ? 'stdin' : file
  const here = join(process.cwd(), basename(beside))
  const isHere = resolve(beside) === here
  const isNamed = rejectedFile !== undefined && reviewFile !== undefined
  const instead = dirname(resolve(beside))
  const isOwn = isHere || isNamed || !isOfOthers(instead)
  const failures: { readonly file: string; readonly reason: string }[] = []
  for (const at of [...(isOwn ? [beside] : []), ...(isHere ? [] : [here])]) {
    const rejected = rejectedFile ?? `${at}.rejected.ndjson`
    const review = reviewFile ?? `${at}.review.csv`
    const [failure] = [rejected, review].flatMap((each) => {
      const reason = obstacle(each)
      return reason === undefined ? [] : [{ file: each, reason }]
    })
    if (failure === undefined) {
      const elsewhere = { code: 'ROWS_ELSEWHERE', folder: process.cwd(), instead } as const
      return made(rejected, review, at === beside ? [] : [elsewhere])
    }
    failures.push(failure)
    if (failure.file === rejectedFile || failure.file === reviewFile) break
  }
  const files = failures.map(({ file: tried }) => tried)
  throw new ImportRefused(
    { code: 'NOT_WRITABLE', files },
    `${files.join(' and ')} cannot be written (${failures[0]?.reason}).`,
  )
}

/** Whether a folder belongs to another user, who would find the rows in it, and would have put a file there first. */
function isOfOthers(folder: string): boolean {
  return process.getuid !== undefined && statSync(folder).uid !== process.getuid()
}

function obstacle(file: string): string | undefined {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) return 'it is a folder'
    const part = `${file}.part`
    rmSync(part, { force: true })
    writeFileSync(part, '', { flag: 'wx', mode: 0o600 })
    rmSync(part)
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return reasons[code] ?? code
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'folder not found',
  ENOTDIR: 'folder not found',
  ENOSPC: 'the disk is full',
  EISDIR: 'a folder is in the way',
  ERR_FS_EISDIR: 'a folder is in the way',
  ENAMETOOLONG: 'the name is too long',
}

const headings =
  'decision row ref name latitude longitude waypoint waypoint_name distance_metres score'.split(' ')
const lineOf = (cells: readonly string[]): string => `${cells.join(',')}\r\n`

/** A person's decision about a doubtful row: the same fountain as that waypoint, a new one, or not to be imported. */
export type ReviewDecision =
  | { readonly kind: 'same'; readonly waypointId: number }
  | { readonly kind: 'new' }
  | { readonly kind: 'skip' }

export interface Decisions {
  readonly byRef: ReadonlyMap<string, ReviewDecision>
  readonly lines: readonly string[]
}

/** Whether a file has no decisions but these. An unreadable review file may have others. */
export async function hasOnly(lines: readonly string[], path: string): Promise<boolean> {
  if (!existsSync(path)) return true
  return readReview(path).then(
    (found) => found.lines.every((line) => lines.includes(line)),
    () => false,
  )
}

const reviewHeader = lineOf(headings)

/** A waypoint of the registry that may be the fountain of a row. */
export interface Candidate extends Neighbour {
  /** 0 to 1, see `matchScore`. */
  readonly score: number
}

/** One line of a review file, its decision left open. */
export function reviewLine(row: number, ref: string, read: ReadWaypoint, candidate: Candidate): string {
  const { id, name, metres, score } = candidate
  const cells = ['', row, ref, read.name, read.latitude, read.longitude, id, name]
  return lineOf([...cells, metres.toFixed(1), score.toFixed(2)].map(csvValue))
}

/**
 * The decisions of an edited review file by the rows' references: `same`, `new` or `skip` in the first column;
 * rows without a decision stay doubtful. Spreadsheets may have changed its delimiter. None without a file.
 *
 * @throws ImportRefused REVIEW naming the line
 */
export async function readReview(path: string | undefined): Promise<Decisions> {
  if (path === undefined) return { byRef: new Map(), lines: [] }
  let lines: Record<string, string>[]
  try {
    const text = await readFile(path, 'utf8')
    const delimiter = text.slice(0, 200).split(';').length > 5 ? ';' : ','
    const lenient = { relax_column_count: true, skip_empty_lines: true }
    lines = parse(text, { columns: true, bom: true, delimiter, ...lenient })
  } catch (error) {
    const found = `The review file "${path}" cannot be read.`
    throw new ImportRefused({ code: 'REVIEW', file: path }, found, { cause: error })
  }
  const decisions = new Map<string, ReviewDecision>()
  const decided: string[] = []
  for (const [index, line] of lines.entries()) {
    const { waypoint } = line
    const decision = line['decision']?.trim().toLowerCase()
    const refused = (found: string) =>
      new ImportRefused({ code: 'REVIEW', line: index + 2 }, `Line ${index + 2}${found}`)
    if (decision === undefined || line['ref'] === undefined)
      throw refused(' has no column "decision" or "ref".')
    if (decision === '') continue
    const ref = restoreCell(line['ref'])
    decided.push(lineOf(headings.map((heading) => csvField(line[heading] ?? ''))))
    if (decision === 'new' || decision === 'skip') decisions.set(ref, { kind: decision })
    else if (decision === 'same' && /^\d+$/u.test(waypoint ?? ''))
      decisions.set(ref, { kind: 'same', waypointId: Number(waypoint) })
    else throw refused(`: "${decision}" is not a decision; write "same", "new" or "skip", or leave it empty.`)
  }
  return { byRef: decisions, lines: decided }
}
