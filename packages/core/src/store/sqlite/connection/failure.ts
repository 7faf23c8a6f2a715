import Database from 'better-sqlite3'
import { RegistryError, type ErrorCode } from '../../../errors.ts'

/** The error code for SQLite's result codes (https://www.sqlite.org/rescode.html). */
const codes: readonly (readonly [prefix: string, code: ErrorCode])[] = [
  ['SQLITE_BUSY', 'STORAGE_BUSY'],
  ['SQLITE_LOCKED', 'STORAGE_BUSY'],
  ['SQLITE_FULL', 'STORAGE_FULL'],
  ['SQLITE_IOERR', 'STORAGE_FULL'],
  ['SQLITE_READONLY', 'STORAGE_READ_ONLY'],
  ['SQLITE_PERM', 'STORAGE_READ_ONLY'],
  ['SQLITE_AUTH', 'STORAGE_READ_ONLY'],
  ['SQLITE_CORRUPT', 'STORAGE_CORRUPT'],
  ['SQLITE_NOTADB', 'STORAGE_CORRUPT'],
  ['SQLITE_CANTOPEN', 'STORAGE_MISSING'],
]

/** Node's error codes of the file system. */
const systemCodes: Readonly<Record<string, ErrorCode>> = {
  EACCES: 'STORAGE_READ_ONLY',
  EPERM: 'STORAGE_READ_ONLY',
  EROFS: 'STORAGE_READ_ONLY',
  ENOSPC: 'STORAGE_FULL',
  EDQUOT: 'STORAGE_FULL',
}

const messages: Partial<Record<ErrorCode, string>> = {
  STORAGE_FULL: 'The disk is full or failing; the write was undone. Make room and try again',
  STORAGE_READ_ONLY: 'The database cannot be written: check the permissions of the file and of its folder',
}

/** The driver's message for a closed connection; it has no code for that. */
const closed = 'The database connection is not open'

/** The RegistryError for an error of SQLite; any other error is returned unchanged. */
export function storageError(error: unknown): unknown {
  if (error instanceof TypeError && error.message === closed)
    return new RegistryError('REGISTRY_CLOSED', undefined, {}, { cause: error })
  if (!(error instanceof Database.SqliteError)) return error
  const found = codes.find(([prefix]) => error.code.startsWith(prefix))
  if (found === undefined) return error
  const [, code] = found
  return new RegistryError(code, messages[code], { sqlite: error.code }, { cause: error })
}

/** The error for a database file that cannot be created; other errors are returned unchanged. */
export function fileError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const reason = String(error.code)
  const code = systemCodes[reason]
  if (code === undefined) return error
  return new RegistryError(code, messages[code], { system: reason }, { cause: error })
}
