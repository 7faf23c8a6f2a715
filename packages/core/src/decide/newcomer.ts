import { RegistryError } from '../errors.ts'
import type { Rules } from '../rules.ts'
import { minutesAfter, minutesOf, secretId, type SecretOf } from '../secrets.ts'
import type { Contributor, Occasion } from './contributor.ts'
import { the, those, type Deciding } from './deciding.ts'
import { secretOf } from './secret.ts'

/** What an account that signed up by itself may do in its first hours. */

/** Notes that somebody signed up by themselves, whom nobody invited or added. */
export function signedUp(userId: string, at: string): SecretOf<'signedUp'> {
  return { id: secretId('signedUp', userId), kind: 'signedUp', userId, value: {}, createdAt: at }
}

const acts = {
  creates: { action: 'created', words: 'adds at most', things: 'fountains' },
  edits: { action: 'edited', words: 'makes at most', things: 'edits' },
  observations: { action: undefined, words: 'makes at most', things: 'observations' },
} as const

type Limits = Exclude<Rules['newcomers'], false>

/**
 * Refuses what is too much for a new account.
 *
 * @throws RegistryError RATE_LIMITED `{ limit, windowSeconds, retryAfterSeconds }`
 */
export function* mustNotBeTooMuch(
  { rules, at }: Occasion,
  { kind, userId }: Contributor,
  act: keyof typeof acts,
): Deciding<void> {
  // Rules that a program was compiled with may be older than these limits.
  const newcomers = rules.newcomers as Rules['newcomers'] | undefined
  if (kind === 'token' || newcomers === undefined || newcomers === false) return
  const person = yield* the('user', userId)
  if (person === undefined || person.isModerator) return
  const end = minutesAfter(person.createdAt, newcomers.hours * minutesOf.hour)
  if (at >= end || (yield* secretOf('signedUp', userId)) === undefined) return
  const limit = newcomers[act]
  const { action } = acts[act]
  // Rules that a program was compiled with may be older than this one.
  if ((limit as number | undefined) === undefined) return
  // All that the account did is within its first hours.
  if ((yield* doneBy(userId, action, limit)) >= limit)
    throw tooMuch(newcomers, act, Math.ceil((Date.parse(end) - Date.parse(at)) / 1000))
}

/** How much of it an account did, counted up to `most`. */
function* doneBy(userId: string, action: 'created' | 'edited' | undefined, most: number): Deciding<number> {
  // The log does not say who made observations.
  if (action === undefined) return (yield* those('observer', { userId })).length
  const of = { userId, action, most }
  return (yield [{ ask: 'countBy', of }]).ask('countBy', of)
}

function tooMuch(newcomers: Limits, act: keyof typeof acts, retryAfterSeconds: number): RegistryError {
  const { words, things } = acts[act]
  const limit = newcomers[act]
  const message = `A new account ${words} ${limit} ${things} in its first ${newcomers.hours} hours: go on later, or review what you visit`
  return new RegistryError('RATE_LIMITED', message, {
    limit,
    windowSeconds: newcomers.hours * minutesOf.hour * 60,
    retryAfterSeconds,
  })
}
