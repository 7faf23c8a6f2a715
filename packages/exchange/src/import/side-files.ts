import {
  closeSync,
  createWriteStream,
  openSync,
  rmSync,
  statSync,
  type WriteStream,
  existsSync,
} from 'node:fs'
import { rename, rm, readFile } from 'node:fs/promises'
import { once } from 'node:events'
import { basename, dirname, join, parse as pathParts, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import type { ImportNote } from './reasons.ts'
import type { ImportFileOptions } from './options.ts'
import { ImportRefused } from './read/refusal.ts'
import { parse } from 'csv-parse/sync'
import { csvField, csvValue, restoreCell } from '@openfountain/core/published'
import type { ReadWaypoint } from './understand/waypoint-reading.ts'
import type { Neighbour } from '@openfountain/core/internal'

/**
 * A file beside the import, such as the refused rows: it appears complete or not at all, and not when it is empty.
 * Rows may be private: only the owner may read the file (mode 0600), whatever the umask. Without a path, as in a dry run,
 * nothing is written.
 */
export class SideFile {
  readonly path: string | undefined
  readonly #header: string
  #stream: WriteStream | undefined
  #failure: Error | undefined

  constructor(path: string | undefined, header = '') {
    this.path = path
    this.#header = header
  }

  /** Whether a path is that of this file. */
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
   * Moves the file into place; removes the file of an earlier run when nothing was written.
   *
   * @param mayReplace whether the file of an earlier run may be replaced; otherwise the new one gets another name.
   * Default always
   * @returns its path
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

  /** Removes the file written so far. */
  async discard(): Promise<void> {
    if (this.#stream === undefined) return
    this.#stream.destroy()
    await rm(this.#part, { force: true })
  }

  get #part(): string {
    return `${this.path}.part`
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

/** The files of refused and of doubtful rows. */
export interface SideFiles {
  readonly rejected: SideFile
  readonly review: SideFile
  /** A note, when the files are not beside the imported one. */
  readonly notes: readonly ImportNote[]
}

/**
 * The side files of an import: where the caller says, else beside the file in a folder of the caller's, else in the working
 * directory. That it can be done is tried before anything is imported. A dry run has only those named by the caller.
 *
 * @throws ImportRefused NOT_WRITABLE
 */
export function sideFiles({ file, rejectedFile, reviewFile, dryRun }: ImportFileOptions): SideFiles {
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

/** Why a file cannot be written; undefined when it can. */
function obstacle(file: string): string | undefined {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) return 'it is a folder'
    const part = `${file}.part`
    rmSync(part, { force: true })
    closeSync(openSync(part, 'wx', 0o600))
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

const headings = 'decision,row,ref,name,latitude,longitude,waypoint,waypoint_name,distance_metres,score'

/** A person's decision about a doubtful row: the same fountain as that waypoint, a new one, or not to be imported. */
export type ReviewDecision =
  | { readonly kind: 'same'; readonly waypointId: number }
  | { readonly kind: 'new' }
  | { readonly kind: 'skip' }

/** The decisions of a review file by the rows' references, and their lines as they are. */
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

/** The first line of a review file. */
const reviewHeader = `${headings}\r\n`

/** A waypoint of the registry that may be the fountain of a row. */
export interface Candidate extends Neighbour {
  /** 0 to 1, see `matchScore`. */
  readonly score: number
}

/** One line of a review file, its decision left open. */
export function reviewLine(row: number, ref: string, read: ReadWaypoint, candidate: Candidate): string {
  const { id, name, metres, score } = candidate
  const cells = [
    '',
    row,
    ref,
    read.name,
    read.latitude,
    read.longitude,
    id,
    name,
    metres.toFixed(1),
    score.toFixed(2),
  ]
  return `${cells.map(csvValue).join(',')}\r\n`
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
    lines = parse(text, {
      columns: true,
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
    })
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
    decided.push(
      `${headings
        .split(',')
        .map((heading) => csvField(line[heading] ?? ''))
        .join(',')}\r\n`,
    )
    if (decision === 'new' || decision === 'skip') decisions.set(ref, { kind: decision })
    else if (decision === 'same' && /^\d+$/u.test(waypoint ?? ''))
      decisions.set(ref, { kind: 'same', waypointId: Number(waypoint) })
    else throw refused(`: "${decision}" is not a decision; write "same", "new" or "skip", or leave it empty.`)
  }
  return { byRef: decisions, lines: decided }
}
