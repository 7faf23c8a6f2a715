import { closeSync, createWriteStream, openSync, rmSync, statSync, type WriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { basename, dirname, join, parse, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import type { ImportNote } from '../notes.ts'
import type { ImportFileOptions } from '../options.ts'
import { ImportRefused } from '../read/refusal.ts'

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
    const { dir, name, ext } = parse(this.path)
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

/** Where refused and doubtful rows are written. */
export interface SidePlace {
  readonly rejected: string
  readonly review: string
  /** A note, when the files are not beside the imported one. */
  readonly notes: readonly ImportNote[]
}

/**
 * Where the side files of an import are written: where the caller says, else beside the file in a folder of the caller's,
 * else in the working directory. That it can be done is tried before anything is imported.
 *
 * @throws ImportRefused NOT_WRITABLE
 */
export function sidePlace({
  file,
  rejectedFile,
  reviewFile,
}: Pick<ImportFileOptions, 'file' | 'rejectedFile' | 'reviewFile'>): SidePlace {
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
      return { rejected, review, notes: at === beside ? [] : [elsewhere] }
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
