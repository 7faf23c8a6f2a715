import type { ImportConcern } from './import-concerns.ts'
import type { NearDuplicate } from './schemas/duplicate.ts'
import type { Waypoint } from './schemas/waypoint.ts'
import type { TokenScope } from './secrets.ts'

/** The codes of all errors that a registry throws, each with its default message. */
export const errorCatalogue = {
  INVALID_INPUT: 'The input is missing something or malformed',
  INVALID_COORDINATES: 'The coordinates are out of range: latitude is -90 to 90, longitude -180 to 180',
  UNAUTHORIZED: 'Authentication is required: sign in, or send an API token',
  INSUFFICIENT_XP: 'More XP is needed for this; reviews earn XP and need none',
  FORBIDDEN: 'You are not allowed to do this',
  NOT_FOUND: 'Not found',
  DUPLICATE: 'There is a waypoint here already',
  RATE_LIMITED: 'Too many requests; wait for the seconds in the Retry-After header',
  PRECONDITION_FAILED: 'It was changed since it was read: look at it as it is now, and decide again',
  IDEMPOTENCY_MISMATCH: 'This Idempotency-Key was used for another request: send a new one',
  CONFLICT: 'What was to be undone has been changed since',
  NOT_ACCEPTED:
    'The import was not made: it would take away or take back more than it should; look at what it would do, and accept it',
  UNAVAILABLE: 'Something that this depends on cannot be reached; try again later',
  REGISTRY_CLOSED: 'The registry was closed: open it again',
  CLOCK_BEHIND: 'The clock is behind the last write',
  STORAGE_UNAVAILABLE: 'The database server cannot be reached; try again later',
  STORAGE_BUSY: 'Another process holds the database; try again',
  STORAGE_FULL: 'The disk is full; nothing was written',
  STORAGE_READ_ONLY: 'The database cannot be written',
  STORAGE_CORRUPT: 'The database file is damaged; restore a backup',
  STORAGE_MISSING: 'The database file or its folder does not exist',
  STORAGE_NEWER: 'The database was written by a newer version of openfountain',
  STORAGE_OLDER: 'The database was written by an earlier version of openfountain, and has to be upgraded',
  STORAGE_NOT_ERASED: 'Removed text is still held',
  CHAIN_BROKEN: 'The change log does not continue the known history',
} as const

export type ErrorCode = keyof typeof errorCatalogue

/** One thing wrong with an input. */
export interface Issue {
  /** Where: member names and indices from the root, joined by dots; empty for the input itself. */
  readonly path: string
  /** The problem and the remedy: a predicate that follows the path, or a whole sentence. */
  readonly message: string
}

/** The facts that come with each error, by its code: the types of `details`. */
export interface ErrorDetails {
  /** `issues` has at least one. */
  readonly INVALID_INPUT: Facts<{ readonly issues: readonly Issue[] }>
  readonly INVALID_COORDINATES: Facts<{ readonly issues: readonly Issue[] }>
  /** `triesLeft` of a code that was wrong; `userId` that is not known here. */
  readonly UNAUTHORIZED: Facts<{ readonly userId?: string; readonly triesLeft?: number }>
  /** The XP that is needed, and the XP that there is. */
  readonly INSUFFICIENT_XP: Facts<{ readonly required: number; readonly current: number }>
  /** `reason` and `blockedUntil` (ISO 8601, absent for a block without an end) of a blocked person. */
  readonly FORBIDDEN: Facts<{
    readonly reason?: string | undefined
    readonly blockedUntil?: string | undefined
    readonly registration?: string | undefined
    /** The scope of the API token, and the required one. */
    readonly scope?: TokenScope | undefined
    readonly required?: TokenScope | undefined
  }>
  /** The missing object; `mergedInto` is the id of the waypoint that it was merged into. */
  readonly NOT_FOUND: Facts<{
    readonly thing?: string
    readonly id?: string | number
    readonly mergedInto?: number
  }>
  /** As `waypoints.nearDuplicates` returns them. */
  readonly DUPLICATE: Facts<{ readonly candidates: readonly NearDuplicate[] }>
  /** `limit` in each `windowSeconds`; it may be tried again after `retryAfterSeconds`. */
  readonly RATE_LIMITED: Facts<Readonly<Record<'limit' | 'windowSeconds' | 'retryAfterSeconds', number>>>
  /** The waypoint as it is now. */
  readonly PRECONDITION_FAILED: Facts<{ readonly waypoint: Waypoint }>
  readonly IDEMPOTENCY_MISMATCH: Facts<object>
  /** `fields` that others changed since; `state` that something is in. */
  readonly CONFLICT: Facts<{ readonly fields?: readonly string[]; readonly state?: string }>
  /** Why it stopped, and of a file the report of a dry run: what would happen. */
  readonly NOT_ACCEPTED: Facts<{ readonly concerns: readonly ImportConcern[]; readonly report?: object }>
  readonly UNAVAILABLE: Facts<object>
  readonly REGISTRY_CLOSED: Facts<object>
  /** The clock's time, and the time of the last write: ISO 8601 in UTC. */
  readonly CLOCK_BEHIND: Facts<{ readonly now: string; readonly newest: string }>
  /** `outcome` is `unknown` when the server was lost while it was writing: it may have written. */
  readonly STORAGE_UNAVAILABLE: Facts<StorageFacts & { readonly outcome?: 'unknown' | undefined }>
  readonly STORAGE_BUSY: Facts<StorageFacts>
  readonly STORAGE_FULL: Facts<StorageFacts>
  readonly STORAGE_READ_ONLY: Facts<StorageFacts>
  readonly STORAGE_CORRUPT: Facts<StorageFacts & { readonly problems?: readonly string[] | undefined }>
  /** `registry` is `none` when the database is there, but without a registry; `package` is the one that is missing. */
  readonly STORAGE_MISSING: Facts<StorageFacts & { readonly registry?: 'none'; readonly package?: string }>
  /** The schema that was found, and the newest that this version knows. */
  readonly STORAGE_NEWER: Facts<{ readonly found?: number | undefined; readonly known?: number | undefined }>
  readonly STORAGE_OLDER: Facts<{ readonly found?: number | undefined; readonly known?: number | undefined }>
  /** The places where text remains, and the remedy. */
  readonly STORAGE_NOT_ERASED: Facts<{ readonly leftovers: readonly Remains[] }>
  /** `id` of the first entry that does not fit. */
  readonly CHAIN_BROKEN: Facts<{ readonly id?: number | undefined }>
}

export interface Remains {
  readonly place: string
  readonly remedy: string
}

/** The code reported by the database or the system, such as `SQLITE_BUSY`, `53100` or `ENOSPC`. */
interface StorageFacts {
  readonly sqlite?: string | undefined
  readonly postgres?: string | undefined
  readonly system?: string | undefined
}

/** Some errors have more facts, which no code depends on. */
type Facts<Known> = Known & Readonly<Record<string, unknown>>

type Given<Code extends ErrorCode> =
  Record<string, never> extends ErrorDetails[Code]
    ? [message?: string | undefined, details?: ErrorDetails[Code], options?: ErrorOptions]
    : [message: string | undefined, details: ErrorDetails[Code], options?: ErrorOptions]

export interface RegistryErrorOf<Code extends ErrorCode> extends Error {
  readonly name: 'RegistryError'
  readonly code: Code
  readonly details: ErrorDetails[Code]
}

/** The errors of a registry. `code` is the kind, `message` has the remedy, `details` the facts of that code. */
export type RegistryError = { readonly [Code in ErrorCode]: RegistryErrorOf<Code> }[ErrorCode]

interface RegistryErrorConstructor {
  readonly prototype: RegistryError
  new <Code extends ErrorCode>(code: Code, ...given: Given<Code>): RegistryErrorOf<Code>
}

class ThrownError extends Error {
  override readonly name = 'RegistryError'
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: ErrorCode,
    message: string = errorCatalogue[code],
    details: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.code = code
    this.details = details
  }
}

export const RegistryError = ThrownError as unknown as RegistryErrorConstructor

/** An issue as a sentence: "name is required". */
export function sentence({ path, message }: Issue): string {
  return `${path === '' ? 'The input' : path} ${message}`
}

/** An INVALID_INPUT error for one field, with a predicate that follows its name, such as "must not be empty". */
export function invalid(path: string, predicate: string): RegistryError {
  const issue: Issue = { path, message: predicate }
  return new RegistryError('INVALID_INPUT', sentence(issue), { issues: [issue] })
}

/** An INVALID_INPUT error for one field, with a whole sentence, such as "x.db exists already". */
export function invalidBecause(path: string, reason: string): RegistryError {
  const issue: Issue = { path, message: reason }
  return new RegistryError('INVALID_INPUT', `${path}: ${reason}`, { issues: [issue] })
}

/** A CHAIN_BROKEN error for an entry that does not continue the log here, such as one of another registry. */
export function broken(id: number, reason: string): RegistryError {
  return new RegistryError('CHAIN_BROKEN', `Entry ${id} does not continue the log here: ${reason}`, { id })
}

/** A NOT_FOUND error for one thing, such as `notFound('waypoint', 7)`. */
export function notFound(
  thing: string,
  id: string | number,
  details: Readonly<Record<string, unknown>> = {},
): RegistryError {
  return new RegistryError('NOT_FOUND', `There is no ${thing} with this id`, { thing, id, ...details })
}

/** The result of a lookup. @throws RegistryError NOT_FOUND when there is none */
export function required<Found>(found: Found | undefined, thing: string, id: string | number): Found {
  if (found === undefined) throw notFound(thing, id)
  return found
}
