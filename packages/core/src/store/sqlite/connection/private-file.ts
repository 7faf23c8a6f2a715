import { chmodSync, closeSync, lstatSync, openSync, realpathSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { giveFile } from '../../../files.ts'

/** Suffixes of the files that SQLite creates beside a database, with the mode of the database. */
const companions = ['', '-wal', '-shm', '-journal']

const ownerOnly = 0o600
const everybodyElse = 0o077

/** Creates an empty file for its owner alone, whatever the umask, which SQLite would apply. */
export function createPrivate(file: string): void {
  try {
    // `wx` fails for a symbolic link whose target does not exist yet.
    make(file, isLink(file) ? 'a' : 'wx')
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error
  }
}

/** The same, for a new name. @throws EEXIST for a symbolic link, too: others must not choose which file is overwritten */
export function createNew(file: string): void {
  make(file, 'wx')
}

function make(file: string, flags: 'a' | 'wx'): void {
  const handle = openSync(file, flags, ownerOnly)
  giveFile(handle, file)
  closeSync(handle)
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

export async function removeDatabase(file: string): Promise<void> {
  await Promise.all(companions.map((suffix) => rm(`${file}${suffix}`, { force: true })))
}

/** Removes all access but the owner's to a database and the files beside it. */
export function makePrivate(file: string): void {
  const real = realpathSync(file)
  for (const suffix of companions) narrow(`${real}${suffix}`)
}

function narrow(file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
  if ((mode & everybodyElse) === 0) return
  try {
    chmodSync(file, mode & ownerOnly)
  } catch (error) {
    // Another process may have closed the database; and only the owner of a file may change its mode.
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'EPERM') throw error
  }
}
