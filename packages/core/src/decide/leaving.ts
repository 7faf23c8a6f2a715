import { invalid, notFound } from '../errors.ts'
import type { Person, Profile } from '../log/nouns.ts'
import { secretUnder } from '../secrets.ts'
import { isWay } from './account.ts'
import { isInForce, operator, presentPerson } from './contributor.ts'
import {
  nounsWhere,
  withoutEntries,
  type Deciding,
  type Decision,
  type Unlogged,
  kept,
  removed,
} from './deciding.ts'
import { forgottenObservations } from './observation.ts'
import { forgottenReports } from './report.ts'
import { setModerator } from './user.ts'

/** Leaving, and leaving again when a backup brought somebody back. */

/**
 * A person leaves: name, address, ways to sign in, sessions and tokens go at once. A block stays with their ways.
 *
 * @returns the ids of their observations, which are not known to be theirs any more
 * @param confirm their name, as a safeguard
 * @param barredKeyOf the keyed hash of a way
 * @throws RegistryError NOT_FOUND, INVALID_INPUT when the name is another
 */
export function* leave(
  at: string,
  userId: string,
  {
    confirm,
    barredKeyOf,
  }: { readonly confirm?: string | undefined; readonly barredKeyOf: (way: string) => string },
): Deciding<Decision<readonly number[]>> {
  const present = yield* presentPerson(userId)
  if (present === undefined) throw notFound('user', userId)
  const { person, profile } = present
  if (confirm !== undefined && confirm.normalize('NFC').trim() !== profile.name)
    throw invalid('confirm', 'must be your name as it stands, which cannot be undone')
  const dismissal = person.isModerator ? yield* setModerator(at, userId, false) : undefined
  const observed = yield* nounsWhere('observer', { userId })
  return {
    entries: dismissal?.entries ?? [],
    unlogged: yield* goneBy(at, person, barredKeyOf),
    by: operator,
    answer: observed.map(({ id }) => id),
  }
}

/**
 * A person who left leaves once more, since a backup from before is restored. The log has it already, or has lost it.
 *
 * @returns whether they were back
 */
export function* leaveAgain(
  at: string,
  userId: string,
  barredKeyOf: (way: string) => string,
): Deciding<Decision<boolean>> {
  const back = yield* presentPerson(userId)
  if (back === undefined) return withoutEntries(false)
  return withoutEntries(true, yield* goneBy(at, back.person, barredKeyOf))
}

/** The rows of a person who leaves: only their id stays, and a block with their ways to sign in. */
function* goneBy(
  at: string,
  { id: userId, block }: Person,
  barredKeyOf: (way: string) => string,
): Deciding<readonly Unlogged[]> {
  const secrets = (yield* nounsWhere('secret', { userId })).filter(({ isGone }) => isGone !== true)
  const gone: Profile = { id: userId, name: '', updatedAt: at, leftAt: at }
  const lasting = { createdAt: at, expiresAt: block?.until }
  const isBlocked = block !== undefined && isInForce(block, at)
  const barred = isBlocked
    ? secrets
        .filter(isWay)
        .map((way) => secretUnder('barred', barredKeyOf(way.id), { reason: block.reason }, lasting))
    : []
  const reports = yield* forgottenReports(userId)
  const observations = yield* forgottenObservations(userId)
  return [
    { noun: 'profile', after: gone },
    ...secrets.map(removed),
    ...barred.map(kept),
    ...reports,
    ...observations,
  ]
}
