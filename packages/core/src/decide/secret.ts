import { invalid, notFound } from '../errors.ts'
import { apiUserId } from '../log/entry.ts'
import type { Secret, SecretOf } from '../secrets.ts'
import { mayWrite, presentPerson } from './contributor.ts'
import { nounOf, withoutEntries, type Deciding, type Decision, kept, removed } from './deciding.ts'

/** Decisions about data outside the log. They make no entries. */

/** Stores a secret without an owner; another one under the same key is replaced. */
export function* keepNew(secret: Secret): Deciding<Decision<undefined>> {
  const before = yield* nounOf('secret', secret.id)
  return withoutEntries(undefined, [kept({ ...secret, number: before?.number })])
}

/** Stores a secret of an existing person. @throws RegistryError NOT_FOUND */
export function* keepFor(userId: string, secret: Secret): Deciding<Decision<undefined>> {
  if ((yield* presentPerson(userId)) === undefined) throw notFound('user', userId)
  return withoutEntries(undefined, [kept(secret)])
}

/** Stores a token of a person. @throws RegistryError NOT_FOUND, FORBIDDEN while the person is blocked */
export function* keepPersonal(userId: string, personal: SecretOf<'personal'>): Deciding<Decision<undefined>> {
  yield* mayWrite(userId, personal.createdAt)
  return yield* keepFor(userId, personal)
}

/** Stores a token of the registry. @throws RegistryError INVALID_INPUT for an unknown owner */
export function* keepToken(token: SecretOf<'token'>): Deciding<Decision<undefined>> {
  const { userId = apiUserId } = token
  if (userId !== apiUserId && (yield* presentPerson(userId)) === undefined)
    throw invalid('ownerId', 'names no user of this registry')
  return withoutEntries(undefined, [kept(token)])
}

/**
 * Ends a secret: removes it, or marks it as ended when it stays listed.
 *
 * @returns whether there was one that had not been ended
 */
export function* endSecret(
  id: string,
  { isListed, at }: { readonly isListed: boolean; readonly at: string },
) {
  const found = yield* nounOf('secret', id)
  if (found === undefined || found.isGone === true || found.endedAt !== undefined)
    return withoutEntries(false)
  return withoutEntries(true, [isListed ? kept({ ...found, endedAt: at }) : removed(found)])
}

/** Remembers that a secret was used. */
export function* useSecret(id: string, at: string): Deciding<Decision<undefined>> {
  const found = yield* nounOf('secret', id)
  if (found === undefined || found.isGone === true) return withoutEntries(undefined)
  return withoutEntries(undefined, [kept({ ...found, usedAt: at })])
}
