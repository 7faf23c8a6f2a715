import Database from 'better-sqlite3'
import { RegistryError, type ErrorCode } from '../../../errors.ts'

/** The beginnings of SQLite's result codes (https://www.sqlite.org/rescode.html) by the error code. */
const codes: Partial<Record<ErrorCode, readonly string[]>> = {
  STORAGE_BUSY: ['SQLITE_BUSY', 'SQLITE_LOCKED'],
  STORAGE_FULL: ['SQLITE_FULL', 'SQLITE_IOERR'],
  STORAGE_READ_ONLY: ['SQLITE_READONLY', 'SQLITE_PERM', 'SQLITE_AUTH'],
  STORAGE_CORRUPT: ['SQLITE_CORRUPT', 'SQLITE_NOTADB'],
  STORAGE_MISSING: ['SQLITE_CANTOPEN'],
}

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

/** The first code one of whose beginnings a driver's code has. */
export const codeOf = (known: typeof codes, found: string): ErrorCode | undefined =>
  (Object.keys(known) as ErrorCode[]).find((code) => known[code]?.some((prefix) => found.startsWith(prefix)))

/** The RegistryError for an error of SQLite; any other error is returned unchanged. */
export function storageError(error: unknown): unknown {
  if (error instanceof TypeError && error.message === closed)
    return new RegistryError('REGISTRY_CLOSED', undefined, {}, { cause: error })
  if (!(error instanceof Database.SqliteError)) return error
  const code = codeOf(codes, error.code)
  if (code === undefined) return error
  return new RegistryError(code, messages[code], { sqlite: error.code }, { cause: error })
}

export function fileError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const reason = String(error.code)
  const code = systemCodes[reason]
  if (code === undefined) return error
  return new RegistryError(code, messages[code], { system: reason }, { cause: error })
}
