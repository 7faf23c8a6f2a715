import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { ImportRefused } from '../read/refusal.ts'
import type { ImportNote } from '../notes.ts'

/** Where refused and doubtful rows are written. */
export interface SidePlace {
  readonly rejected: string
  readonly review: string
  /** That they are not beside the file. */
  readonly notes: readonly ImportNote[]
}

interface Named {
  readonly file: string
  readonly rejectedFile?: string | undefined
  readonly reviewFile?: string | undefined
}

/**
 * Where the side files of an import are written: where the caller says, else beside the file in a folder of the caller's,
 * else in the working directory. That it can be done is tried before anything is imported.
 *
 * @throws ImportRefused NOT_WRITABLE
 */
export function sidePlace({ file, rejectedFile, reviewFile }: Named): SidePlace {
  const beside = file === '-' ? 'stdin' : file
  const here = path.join(process.cwd(), path.basename(beside))
  const isHere = path.resolve(beside) === here
  const isNamed = rejectedFile !== undefined && reviewFile !== undefined
  const instead = path.dirname(path.resolve(beside))
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
