import { observing, reporting } from '../rules.ts'
import { addDays } from '../season.ts'
import { minutesAfter, minutesOf } from '../secrets.ts'

/** Rows of what is kept beside the log, and when it goes by itself. */

/** How many secrets that have ended by themselves one write removes at most. */
export const sweepAtMost = 100

/** The columns of a secret that never change, but for its number, which the database gives. */
export const secretGiven = ['id', 'kind', 'createdAt'] as const
/** Those that change. */
export const secretChanging = ['userId', 'value', 'usedAt', 'expiresAt', 'endedAt'] as const

/** The columns of a report that never change, but for its number, which the database gives. */
export const reportGiven = ['id', 'bubblerId', 'reviewId', 'userId', 'createdAt'] as const
/** Those that change. */
export const reportChanging = [
  'by',
  'network',
  'reason',
  'comment',
  'state',
  'note',
  'decidedAt',
  'erasedAt',
] as const

/**
 * Until when reports keep what they need no longer: the networks of those of earlier days, and who wrote what in those
 * that were decided long ago. ISO 8601.
 */
export function reportsForget(at: string): { readonly today: string; readonly before: string } {
  return { today: at.slice(0, 10), before: minutesAfter(at, -reporting.keptDays * minutesOf.day) }
}

/**
 * Until when what passers-by saw keeps what it needs no longer: the networks of earlier days, and all of it after some
 * weeks. Days in UTC.
 */
export function sightingsForget(at: string): { readonly today: string; readonly before: string } {
  const today = at.slice(0, 10)
  return { today, before: addDays(today, -observing.passersByDays) }
}

/** The columns of a distinction, without its number. */
export const distinctionColumns = ['id', 'smaller', 'greater', 'by', 'createdAt'] as const
