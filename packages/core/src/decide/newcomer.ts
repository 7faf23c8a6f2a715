import { RegistryError } from '../errors.ts'
import type { Rules } from '../rules.ts'
import { minutesAfter, minutesOf, secretId, type SecretOf } from '../secrets.ts'
import type { Contributor, Occasion } from './contributor.ts'
import { the, type Deciding } from './deciding.ts'
import { secretOf } from './secret.ts'

/** What an account that signed up by itself may do in its first hours. */

/** Notes that somebody signed up by themselves, whom nobody invited or added. */
export function signedUp(userId: string, at: string): SecretOf<'signedUp'> {
  return { id: secretId('signedUp', userId), kind: 'signedUp', userId, value: {}, createdAt: at }
}

const acts = {
  creates: { action: 'created', words: 'adds at most', things: 'fountains' },
  edits: { action: 'edited', words: 'makes at most', things: 'edits' },
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
  // All entries by the account are within its first hours.
  const of = { userId, action, most: limit }
  const done = (yield [{ ask: 'countBy', of }]).ask('countBy', of)
  if (done >= limit) throw tooMuch(newcomers, act, Math.ceil((Date.parse(end) - Date.parse(at)) / 1000))
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
