import { chmodSync, closeSync, lstatSync, openSync, realpathSync, statSync } from 'node:fs'

/** What SQLite puts beside a database; new ones get the mode of the database. */
const companions = ['', '-wal', '-shm', '-journal']

const ownerOnly = 0o600
const everybodyElse = 0o077

/**
 * Creates an empty file that its owner alone may read and write, whatever the umask; SQLite would let the umask
 * decide. A file that exists stays as it is.
 */
export function createPrivate(file: string): void {
  try {
    // Through a link the file that it names is created, which `wx` refuses.
    closeSync(openSync(file, isLink(file) ? 'a' : 'wx', ownerOnly))
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error
  }
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

/** Takes everybody but the owner the access to a database and to what lies beside it. */
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
    // Another process closed the database meanwhile; or who writes here is not the owner, who alone may decide.
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'EPERM') throw error
  }
}
