import { apiUserId } from '../actor.ts'
import { invalid, notFound } from '../errors.ts'
import { secretId, type Secret, type SecretKind, type SecretOf } from '../secrets.ts'
import { mayWrite, operator } from './contributor.ts'
import { the, type Deciding, type Decision, type Unlogged } from './deciding.ts'

/** Decisions about what is kept beside the log. They make no entries. */

/** A new secret, or one as it is from now on. */
export const kept = (after: Secret): Unlogged => ({ noun: 'secret', after })

/** A secret that is removed. */
export const removed = (before: Secret): Unlogged => kept({ ...before, isGone: true })

const quietly = <Answer>(unlogged: readonly Unlogged[], answer: Answer): Decision<Answer> => ({
  entries: [],
  unlogged,
  by: operator,
  answer,
})

/** One secret as it stands, whether or not it has ended. */
export function* secretOf<Kind extends SecretKind>(
  kind: Kind,
  key: string,
): Deciding<SecretOf<Kind> | undefined> {
  const found = yield* the('secret', secretId(kind, key))
  // An id begins with its kind.
  return found?.isGone === true ? undefined : (found as SecretOf<Kind> | undefined)
}

/** Keeps a secret of nobody yet; another one under the same key is replaced. */
export function* keepNew(secret: Secret): Deciding<Decision<undefined>> {
  const before = yield* the('secret', secret.id)
  return quietly([kept({ ...secret, number: before?.number })], undefined)
}

/** Keeps a secret of a person who exists. @throws RegistryError NOT_FOUND */
export function* keepFor(
  userId: string,
  make: (at: string) => Secret,
  at: string,
): Deciding<Decision<undefined>> {
  const person = yield* the('user', userId)
  const profile = yield* the('profile', userId)
  if (person === undefined || userId === apiUserId || profile?.leftAt !== undefined)
    throw notFound('user', userId)
  return quietly([kept(make(at))], undefined)
}

/** Keeps a token of a person. @throws RegistryError NOT_FOUND, FORBIDDEN while the person is blocked */
export function* keepPersonal(
  userId: string,
  make: (at: string) => Secret,
  at: string,
): Deciding<Decision<undefined>> {
  yield* mayWrite(userId, at)
  return yield* keepFor(userId, make, at)
}

/** Keeps a token of the registry. @throws RegistryError INVALID_INPUT for an unknown owner */
export function* keepToken(token: SecretOf<'token'>): Deciding<Decision<undefined>> {
  if (token.userId !== undefined) {
    const person = yield* the('user', token.userId)
    const profile = yield* the('profile', token.userId)
    if (person === undefined || profile?.leftAt !== undefined)
      throw invalid('ownerId', 'names no user of this registry')
  }
  return quietly([kept(token)], undefined)
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
  const found = yield* the('secret', id)
  if (found === undefined || found.isGone === true || found.endedAt !== undefined) return quietly([], false)
  return quietly([isListed ? kept({ ...found, endedAt: at }) : removed(found)], true)
}

/** Remembers that a secret was used. */
export function* useSecret(id: string, at: string): Deciding<Decision<undefined>> {
  const found = yield* the('secret', id)
  if (found === undefined || found.isGone === true) return quietly([], undefined)
  return quietly([kept({ ...found, usedAt: at })], undefined)
}
