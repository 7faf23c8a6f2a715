import { takeFrom, type Allowance } from '../allowance.ts'
import { RegistryError } from '../errors.ts'
import { minutesAfter, secretId } from '../secrets.ts'
import type { Deciding, Unlogged } from './deciding.ts'
import { kept, secretOf } from './secret.ts'

/**
 * Takes one from an allowance that all processes of a registry share.
 *
 * @returns what is left of it, which counts when it is written
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
  return kept({
    id: secretId('allowance', key),
    kind: 'allowance',
    number: before?.number,
    value: { left },
    createdAt: before?.createdAt ?? at,
    usedAt: at,
    expiresAt: minutesAfter(at, resetSeconds / 60),
  })
}
