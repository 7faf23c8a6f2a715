/** The codes of everything that a registry refuses, each with its usual message. */
export const errorCatalogue = {
  INVALID_INPUT: 'The input is missing something or malformed',
  INVALID_COORDINATES: 'The coordinates are out of range: latitude is -90 to 90, longitude -180 to 180',
  UNAUTHORIZED: 'Authentication is required: sign in, or send an API token',
  INSUFFICIENT_XP: 'More XP is needed for this; reviews earn XP and need none',
  FORBIDDEN: 'This is not allowed for you',
  NOT_FOUND: 'There is no such thing',
  STORAGE_BUSY: 'Another process holds the database; try again',
  STORAGE_FULL: 'The disk is full; nothing was written',
  STORAGE_READ_ONLY: 'The database cannot be written',
  STORAGE_CORRUPT: 'The database file is damaged; restore a backup',
  STORAGE_MISSING: 'The database file or its folder does not exist',
  STORAGE_NEWER: 'The database was written by a newer version of openfountain',
  CHAIN_BROKEN: 'The change log does not continue the known history',
} as const

export type ErrorCode = keyof typeof errorCatalogue

/** One thing wrong with an input. */
export interface Issue {
  /** Where: member names and indices from the root, joined by dots; empty for the input itself. */
  readonly path: string
  /** What is wrong, and what would be right. */
  readonly message: string
}

/**
 * Everything that a registry refuses. `code` tells the kind, `message` what to do, `details` the facts:
 * INVALID_INPUT `{ issues }`, INSUFFICIENT_XP `{ required, current }`.
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

/** How a message goes on that says something of its field, as "must not be empty" does. */
const predicate = /^(?:must|is|has|may|needs|names|cannot)\b/u

/** An issue as one sentence: "name is required", or "file: x.db exists already" where the message is a sentence itself. */
export function sentence({ path, message }: Issue): string {
  if (!predicate.test(message)) return path === '' ? message : `${path}: ${message}`
  return `${path === '' ? 'The input' : path} ${message}`
}

/** An INVALID_INPUT error for one field. */
export function invalid(path: string, message: string): RegistryError {
  const issue: Issue = { path, message }
  return new RegistryError('INVALID_INPUT', sentence(issue), { issues: [issue] })
}

/** A NOT_FOUND error for one thing, such as `notFound('waypoint', 7)`. */
export function notFound(thing: string, id: string | number): RegistryError {
  return new RegistryError('NOT_FOUND', `There is no ${thing} with this id`, { thing, id })
}
