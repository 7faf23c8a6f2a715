import type { TokenScope } from '../secrets.ts'

/** A session of a signed-in user, without its secret. Times are ISO 8601 in UTC. */
export interface SessionInfo {
  readonly id: number
  readonly userId: string
  readonly createdAt: string
  readonly expiresAt: string
  /** To the hour. */
  readonly lastUsedAt: string
  /** A label by which its user recognises it, such as `Firefox on Linux`. */
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
  /** The author of its writes; the built-in user when absent. */
  readonly ownerId?: string
  /** Its scope: `read`, `contribute`, `moderate` or `administer`. */
  readonly scope: TokenScope
  readonly createdAt: string
  /** When it ends by itself; absent when it does not. */
  readonly expiresAt?: string
  readonly revokedAt?: string
}

/** A link that signs somebody in once; `secret` is shown once and not stored. */
export interface SignInLink {
  readonly secret: string
  readonly expiresAt: string
}

/** A provider or an address with which a user signs in. Times are ISO 8601 in UTC. */
export interface IdentityInfo {
  readonly id: number
  /** The id of the provider, or `email`. */
  readonly provider: string
  /** How its owner recognises it: a name there, or the address. */
  readonly label: string
  readonly addedAt: string
  readonly lastUsedAt?: string
}

/** A passkey, as its owner sees it. Times are ISO 8601 in UTC. */
export interface PasskeyInfo {
  readonly id: number
  readonly name: string
  /** Whether it is copied to other devices of its owner. */
  readonly isSynced: boolean
  readonly addedAt: string
  readonly lastUsedAt?: string
}
