/** A session of a signed-in user, without its secret. Times are ISO 8601 in UTC. */
export interface SessionInfo {
  readonly id: number
  readonly userId: string
  readonly createdAt: string
  readonly expiresAt: string
  /** To the hour. */
  readonly lastUsedAt: string
  /** What its user recognises it by, such as `Firefox on Linux`. */
  readonly device?: string
}

/** A personal token, without its secret. Times are ISO 8601 in UTC. */
export interface PersonalTokenInfo {
  readonly id: number
  readonly name: string
  readonly createdAt: string
  readonly expiresAt: string
  /** To the hour; absent when it was never used. */
  readonly lastUsedAt?: string
}

/** An API token, without its secret. Times are ISO 8601 in UTC. */
export interface TokenInfo {
  readonly id: number
  readonly name: string
  /** The user to whom its writes are attributed; the built-in user when absent. */
  readonly ownerId?: string
  readonly createdAt: string
  readonly revokedAt?: string
}
