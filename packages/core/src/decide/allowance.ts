import { takeFrom, type Allowance } from '../allowance.ts'
import { RegistryError } from '../errors.ts'
import { minutesAfter, minutesOf, secretUnder } from '../secrets.ts'
import type { Deciding, Unlogged } from './deciding.ts'
import { kept, secretOf } from './secret.ts'

/** The end of the day of a time, UTC. */
export const endOfDay = (at: string): string =>
  minutesAfter(`${at.slice(0, 10)}T00:00:00.000Z`, minutesOf.day)

/** The refusal by a rate limit: `limit` in a number of minutes, retry at `end`. */
export function tooOften(
  message: string,
  { limit, minutes, at, end }: { limit: number; minutes: number; at: string; end: string },
): RegistryError {
  const seconds = Math.ceil((Date.parse(end) - Date.parse(at)) / 1000)
  return new RegistryError('RATE_LIMITED', message, {
    limit,
    windowSeconds: minutes * 60,
    retryAfterSeconds: Math.max(1, seconds),
  })
}

/**
 * Takes one use from a rate limit shared by all processes of a registry.
 *
 * @returns the remaining uses, to be written
 * @throws RegistryError RATE_LIMITED when there is none
 */
export function* taken(
  { key, allowance, message }: { key: string; allowance: Allowance; message?: string },
  at: string,
): Deciding<Unlogged> {
  const before = yield* secretOf('allowance', key)
  const { isAllowed, left, retryAfterSeconds, resetSeconds } = takeFrom(
    allowance,
    before && { left: before.value.left, at: Date.parse(before.usedAt ?? before.createdAt) },
    Date.parse(at),
  )
  if (!isAllowed) {
    const { times: limit, windowSeconds } = allowance
    throw new RegistryError('RATE_LIMITED', message, { limit, windowSeconds, retryAfterSeconds })
  }
  const after = {
    number: before?.number,
    createdAt: before?.createdAt ?? at,
    usedAt: at,
    expiresAt: minutesAfter(at, resetSeconds / 60),
  }
  return kept(secretUnder('allowance', key, { left }, after))
}
