/** Who asks: nobody, a signed-in user, or the holder of an API token. Whether a user moderates is in the registry. */
export type Actor = Anonymous | UserActor | TokenActor

export interface Anonymous {
  readonly kind: 'anonymous'
}

export interface UserActor {
  readonly kind: 'user'
  readonly userId: string
}

export interface TokenActor {
  readonly kind: 'token'
  /** The user to whom the token's writes are attributed; the built-in user when absent. */
  readonly ownerId?: string
}

/** The id of the built-in user to whom writes of API tokens without an owner are attributed. */
export const apiUserId = 'api'

/** Nobody in particular: may read, may not write. */
export const anonymous: Anonymous = { kind: 'anonymous' }

/** The user with this id, subject to the gates. */
export function user(userId: string): UserActor {
  return { kind: 'user', userId }
}

/** The holder of an API token, exempt from XP gates; writes are attributed to `ownerId` or the built-in user. */
export function token(ownerId?: string): TokenActor {
  return ownerId === undefined ? { kind: 'token' } : { kind: 'token', ownerId }
}

/** The user under whose id an actor's writes stand in the log, or undefined for nobody. */
export function userIdOf(actor: Actor): string | undefined {
  if (actor.kind === 'user') return actor.userId
  if (actor.kind === 'token') return actor.ownerId ?? apiUserId
  return undefined
}
