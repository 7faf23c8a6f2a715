/**
 * Who makes a request: an anonymous visitor, a signed-in user, or the holder of an API token. Which users are moderators
 * is stored in the registry.
 */
export type Actor = Anonymous | UserActor | TokenActor

export interface Anonymous {
  readonly kind: 'anonymous'
}

export interface UserActor {
  readonly kind: 'user'
  readonly userId: string
  /** A program that acts with a personal token: never a moderator. Absent for the user. */
  readonly through?: 'token'
}

/**
 * Scopes of an API token, each including the ones before it: `read`; `contribute`, without XP; `moderate`; and
 * `administer`, which also names creators and writes bounding boxes.
 */
export const tokenScopes = ['read', 'contribute', 'moderate', 'administer'] as const
export type TokenScope = (typeof tokenScopes)[number]

export interface TokenActor {
  readonly kind: 'token'
  /** The author of the token's writes; the built-in user when absent. */
  readonly ownerId?: string | undefined
  /** Default `administer`. */
  readonly scope?: TokenScope | undefined
}

/** The id of the built-in user who is the author of writes by API tokens without an owner. */
export const apiUserId = 'api'

/**
 * The id of the built-in user who is the author of observations in the log. The observer's id is left out, since it
 * would tell where a person was, and when.
 */
export const observerUserId = 'observer'

/** An anonymous actor: may read, but not write. */
export const anonymous: Anonymous = { kind: 'anonymous' }

/** The user with this id, subject to the gates. */
export function user(userId: string): UserActor {
  return { kind: 'user', userId }
}

/** A program that acts as this user, with a personal token: subject to the gates, and never a moderator. */
export function userByToken(userId: string): UserActor {
  return { kind: 'user', userId, through: 'token' }
}

/**
 * The holder of an API token, exempt from XP gates; writes are attributed to `ownerId` or the built-in user.
 *
 * @param scope default `administer`
 */
export function token(ownerId?: string, scope?: TokenScope): TokenActor {
  return {
    kind: 'token',
    ownerId,
    ...(scope !== undefined && scope !== 'administer' && { scope }),
  }
}

/** Users made by the registry itself: nobody can sign in as one. */
const builtInIds: ReadonlySet<unknown> = new Set([apiUserId, observerUserId])

const isId = (given: unknown): boolean => typeof given === 'string' && given !== ''

/** Whether something is an actor that is well formed: no user without an id, no kind that there is not, no built-in user. */
export function isActor(given: unknown): given is Actor {
  if (typeof given !== 'object' || given === null || !('kind' in given)) return false
  if (given.kind === 'anonymous') return true
  if (given.kind === 'user') {
    const { userId, through } = given as { readonly userId?: unknown; readonly through?: unknown }
    return isId(userId) && !builtInIds.has(userId) && (through === undefined || through === 'token')
  }
  if (given.kind !== 'token') return false
  const { ownerId, scope } = given as { readonly ownerId?: unknown; readonly scope?: unknown }
  return (
    (ownerId === undefined || (isId(ownerId) && ownerId !== observerUserId)) &&
    (scope === undefined || tokenScopes.some((each) => each === scope))
  )
}

/** The id of the user who is recorded in the log for an actor's writes, or undefined for an anonymous actor. */
export function userIdOf(actor: Actor): string | undefined {
  if (actor.kind === 'user') return actor.userId
  if (actor.kind === 'token') return actor.ownerId ?? apiUserId
  return undefined
}
