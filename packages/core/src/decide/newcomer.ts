import type { Person } from '../log/nouns.ts'
import type { Rules } from '../rules.ts'
import { minutesAfter, minutesOf, secretUnder, type SecretOf } from '../secrets.ts'
import { endOfDay, tooOften } from './allowance.ts'
import type { Contributor, Occasion } from './contributor.ts'
import { nounOf, type Deciding, type Unlogged } from './deciding.ts'
import { kept, secretOf } from './secret.ts'

/** Limits of an account that signed up by itself in its first hours. */

/** Marks an account that signed up by itself, neither invited nor added. */
export function signedUp(userId: string, at: string): SecretOf<'signedUp'> {
  return secretUnder('signedUp', userId, {}, { userId, createdAt: at })
}

type Limits = Exclude<Rules['newcomers'], false>

/** Somebody in the first hours of their account. */
interface Newcomer {
  readonly person: Person
  readonly limits: Limits
  /** When these hours end. */
  readonly end: string
}

// Rules that a program was compiled with may be older than these limits, or than some of them.
const limitsOf = ({ newcomers = false }: Partial<Rules>): Partial<Limits> | false => newcomers

/** Somebody in the first hours of an account for which they signed up by themselves; undefined for all others. */
export function* newcomerOf(
  { rules, at }: Occasion,
  { kind, userId }: Contributor,
): Deciding<Newcomer | undefined> {
  const limits = limitsOf(rules)
  if (kind === 'token' || limits === false) return undefined
  const person = yield* nounOf('user', userId)
  if (person === undefined || person.isModerator) return undefined
  const end = minutesAfter(person.createdAt, (limits.hours ?? 0) * minutesOf.hour)
  if (at >= end || (yield* secretOf('signedUp', userId)) === undefined) return undefined
  return { person, limits: limits as Limits, end }
}

const words = {
  creates: (limit: number) => `adds at most ${limit} fountains`,
  edits: (limit: number) => `makes at most ${limit} edits`,
  reviews: (limit: number) => `posts at most ${limit} reviews`,
  observations: (limit: number) => `makes at most ${limit} observations`,
}

/** Counts of actions, which are all from the first hours of a new account. */
const done = { creates: 'waypointsCreated', edits: 'waypointsEdited', reviews: 'reviewsPosted' } as const

/**
 * Refuses a new account that has reached its limit.
 *
 * @throws RegistryError RATE_LIMITED `{ limit, windowSeconds, retryAfterSeconds }`
 */
export function* mustNotBeTooMuch(
  occasion: Occasion,
  who: Contributor,
  act: keyof typeof done,
): Deciding<void> {
  const newcomer = yield* newcomerOf(occasion, who)
  if (newcomer !== undefined) mustBeLess(act, newcomer.person.stats[done[act]], { newcomer, at: occasion.at })
}

/** @throws RegistryError RATE_LIMITED as `mustNotBeTooMuch` */
export function mustBeLess(
  act: keyof typeof words,
  before: number,
  { newcomer: { limits, end }, at }: { readonly newcomer: Newcomer; readonly at: string },
): void {
  const limit = (limits as Partial<Limits>)[act]
  if (limit === undefined || before < limit) return
  throw tooOften(`A new account ${words[act](limit)} in its first ${limits.hours} hours: go on later`, {
    limit,
    minutes: limits.hours * minutesOf.hour,
    at,
    end,
  })
}

/**
 * Counts a new account for the network that it comes from.
 *
 * @param network a keyed hash of the network and the day; undefined where nobody knows the network
 * @throws RegistryError RATE_LIMITED `{ limit, windowSeconds, retryAfterSeconds }`
 */
export function* joinedFrom(
  network: string | undefined,
  { rules, at }: Pick<Occasion, 'rules' | 'at'>,
): Deciding<Unlogged[]> {
  const limits = limitsOf(rules)
  if (network === undefined || limits === false || limits.accounts === undefined) return []
  const before = yield* secretOf('joined', network)
  const accounts = before?.value.accounts ?? 0
  const expiresAt = endOfDay(at)
  if (accounts >= limits.accounts)
    throw tooOften(
      'Too many accounts were made from this network today: ask for an invitation, or try again tomorrow',
      { limit: limits.accounts, minutes: minutesOf.day, at, end: expiresAt },
    )
  const after = { number: before?.number, createdAt: before?.createdAt ?? at, expiresAt }
  return [kept(secretUnder('joined', network, { accounts: accounts + 1 }, after))]
}
