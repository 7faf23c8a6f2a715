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

const endings = { rejected: '.rejected.ndjson', review: '.review.csv' } as const

/**
 * Where the side files of an import are written: where the caller says, else beside the file, else in the working
 * directory. That it can be done is tried before anything is imported.
 *
 * @throws ImportRefused NOT_WRITABLE
 */
export function sidePlace({ file, rejectedFile, reviewFile }: Named): SidePlace {
  const beside = file === '-' ? 'stdin' : file
  const here = path.join(process.cwd(), path.basename(beside))
  const isSame = path.resolve(beside) === here
  const placed = (at: string) => ({
    rejected: rejectedFile ?? `${at}${endings.rejected}`,
    review: reviewFile ?? `${at}${endings.review}`,
  })
  const failure = failureOf(placed(beside))
  if (failure === undefined) return { ...placed(beside), notes: [] }
  const instead = path.dirname(path.resolve(beside))
  const isNamed = failure.file === rejectedFile || failure.file === reviewFile
  if (!isNamed && !isSame && failureOf(placed(here)) === undefined)
    return { ...placed(here), notes: [{ code: 'ROWS_ELSEWHERE', folder: process.cwd(), instead }] }
  const tried = isNamed || isSame ? [failure.file] : [failure.file, placed(here).rejected]
  throw new ImportRefused(
    { code: 'NOT_WRITABLE', files: tried },
    `${tried.join(' and ')} cannot be written (${failure.reason}).`,
  )
}

/** Why one of the files cannot be written; undefined when both can. */
function failureOf(files: Readonly<Record<keyof typeof endings, string>>) {
  for (const file of Object.values(files)) {
    const reason = obstacle(file)
    if (reason !== undefined) return { file, reason }
  }
  return undefined
}

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
