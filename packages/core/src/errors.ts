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
  UNAVAILABLE: 'Something that this depends on cannot be reached; try again later',
  CLOCK_BEHIND: 'The clock is behind the last write',
  STORAGE_UNAVAILABLE: 'The database server cannot be reached; try again later',
  STORAGE_BUSY: 'Another process holds the database; try again',
  STORAGE_FULL: 'The disk is full; nothing was written',
  STORAGE_READ_ONLY: 'The database cannot be written',
  STORAGE_CORRUPT: 'The database file is damaged; restore a backup',
  STORAGE_MISSING: 'The database file or its folder does not exist',
  STORAGE_NEWER: 'The database was written by a newer version of openfountain',
  STORAGE_OLDER:
    'The database was written by an earlier version of openfountain, whose format is no longer read',
  STORAGE_NOT_ERASED: 'Removed text is still held',
  CHAIN_BROKEN: 'The change log does not continue the known history',
} as const

export type ErrorCode = keyof typeof errorCatalogue

/** One thing wrong with an input. */
export interface Issue {
  /** Where: member names and indices from the root, joined by dots; empty for the input itself. */
  readonly path: string
  /** What is wrong, and what would be right: a predicate that follows the path, or a whole sentence. */
  readonly message: string
}

/**
 * The error that a registry throws. `code` is the kind, `message` says what to do, `details` has the facts:
 * INVALID_INPUT `{ issues }`, INSUFFICIENT_XP `{ required, current }`, DUPLICATE `{ candidates }`,
 * RATE_LIMITED `{ limit, windowSeconds, retryAfterSeconds }`,
 * PRECONDITION_FAILED `{ waypoint }` as it is now.
 */
export class RegistryError extends Error {
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
