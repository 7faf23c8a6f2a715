import { RegistryError, type ErrorCode } from '@openfountain/core'
import { exitOfError, systemErrors, type ExitName } from './exit-codes.ts'
import { CommandError } from './failure.ts'

interface FailureReport {
  readonly exit: ExitName
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  /** Whether it is an unexpected error, whose stack trace helps. */
  readonly unexpected: boolean
}

/** Whether an AbortSignal ended the work: Node's own error, or the signal's. */
const isAbort = (error: Error): boolean =>
  'code' in error && (error.code === 'ABORT_ERR' || error.code === DOMException.ABORT_ERR)

const isSystemError = (error: Error): error is NodeJS.ErrnoException =>
  'code' in error && typeof error.code === 'string' && 'syscall' in error

/** The exit of an SQLite error; exports also write SQLite files. */
function exitOfSqlite(code: string): ExitName | undefined {
  if (code.startsWith('SQLITE_FULL') || code.startsWith('SQLITE_IOERR')) return 'full'
  return code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN') ? 'readOnly' : undefined
}

function detailsOf(error: Error): FailureReport['details'] {
  if ('details' in error && typeof error.details === 'object' && error.details !== null)
    return { ...error.details }
  return {}
}

/** Messages with the command's options; other codes keep the registry's message. */
const registryMessages: Readonly<Partial<Record<ErrorCode, (details: FailureReport['details']) => string>>> =
  {
    CLOCK_BEHIND: ({ now, newest }) =>
      `the clock says ${String(now)}, but the registry was last written at ${String(newest)}: set the clock, or give --accept-clock to write at that time`,
    STORAGE_NOT_ERASED: ({ leftovers }) =>
      `the text is removed from the registry, but still held by ${leftoversText(leftovers)}; openfountain log scrub finishes it`,
  }

function leftoversText(leftovers: unknown): string {
  const known = Array.isArray(leftovers) ? (leftovers as { place: string; remedy: string }[]) : []
  return known.map(({ place, remedy }) => `${place} (${remedy})`).join('; ')
}

export function describeFailure(error: unknown): FailureReport {
  if (error instanceof CommandError) {
    const { exit, code, message, details } = error
    return { exit, code, message, details, unexpected: false }
  }
  if (error instanceof RegistryError) {
    const { code, details } = error
    const message = registryMessages[code]?.(details) ?? error.message
    return { exit: exitOfError[code], code, message, details, unexpected: false }
  }
  if (!(error instanceof Error))
    return { exit: 'failed', code: 'FAILED', message: String(error), details: {}, unexpected: true }
  const sqlite = 'code' in error ? exitOfSqlite(String(error.code)) : undefined
  if (sqlite !== undefined) {
    const message = `a file could not be written: ${error.message}`
    return { exit: sqlite, code: sqlite.toUpperCase(), message, details: {}, unexpected: false }
  }
  if (isSystemError(error)) {
    const code = error.code ?? 'FAILED'
    const where = error.path === undefined ? '' : `${error.path}: `
    const [exit, message] = systemErrors[code] ?? ['failed', error.message]
    return { exit, code, message: where + message, details: {}, unexpected: false }
  }
  const { message } = error
  if (isAbort(error))
    return { exit: 'interrupted', code: 'ABORT_ERROR', message, details: {}, unexpected: false }
  return { exit: 'failed', code: 'FAILED', message, details: detailsOf(error), unexpected: true }
}
