/** A session of a signed-in user, without its secret. Times are ISO 8601 in UTC. */
export interface SessionInfo {
  readonly id: number
  readonly userId: string
  readonly createdAt: string
  readonly expiresAt: string
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
