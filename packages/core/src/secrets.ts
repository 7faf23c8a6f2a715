import { createHmac, hash, randomBytes } from 'node:crypto'
import type { StoredDevice, StoredFollow } from './schemas/follow.ts'
import type { City } from './schemas/webhook.ts'

/** Credentials and other private data outside the log, found by a key: the SHA-256 of a secret, which readers cannot use. */

/** The prefixes of credentials that are shown once, by which scanners recognise them. */
const prefixes = { session: 'ofs', token: 'oft', personal: 'ofp', link: 'ofl', ceremony: 'ofc' } as const
type Credential = keyof typeof prefixes

/** A credential that is shown once, with its id, and what makes its row. */
export function newCredential<Kind extends Credential>(kind: Kind) {
  const secret = `${prefixes[kind]}_${randomBytes(32).toString('base64url')}`
  const key = hashOf(secret)
  const row = (value: SecretValues[Kind], rest: Rest<Kind>): SecretOf<Kind> =>
    secretUnder(kind, key, value, rest)
  return { secret, id: secretId(kind, key), row }
}

/** The key of a credential that somebody presents; longer ones are not ours and are not looked up. */
export const keyOfCredential = (secret: string): string => (secret.length > 128 ? '' : hashOf(secret))

export const hashOf = (secret: string): string => hash('sha256', secret)

export interface KeptRequest {
  /** The id of what it wrote; absent when it wrote nothing that has one. */
  readonly subject?: number | string | undefined
  /** The first and the last entry of the log that it made; absent when it made none. */
  readonly entries?: readonly [number, number] | undefined
}

export interface SecretValues {
  /** A device on which somebody is signed in. Key: the hash of the cookie. */
  session: {
    /** Such as `Firefox on Linux`. */
    readonly device?: string | undefined
  }
  /** An API token, of the registry or of the user who is the author of its writes. Key: its hash. */
  token: {
    readonly name: string
    /** Its scope. Default `administer` */
    readonly scope?: TokenScope | undefined
  }
  /** A token with which a program acts as its owner. Key: its hash. */
  personal: { readonly name: string }
  /** A link that signs somebody in once: a user, or an invited person. Key: the hash of the secret in the link. */
  link: { readonly invited?: Invited | undefined }
  /** A code that was sent by mail. Key: the hash of the secret that the asking browser has. */
  code: {
    /** The hash of that secret, the address and the code: worth nothing without the secret. */
    readonly answer: string
    /** How often it may be tried yet. */
    readonly tries: number
    /** The key of the allowance of wrong tries, which all codes for one address share. */
    readonly allowance: string
  }
  /** The remaining uses of a rate limit, as of its last use. Key: a keyed hash of its purpose. */
  allowance: { readonly left: number }
  /** A way to sign in: an account with a provider, or an address. Key: `ISSUER SUBJECT` or `mailto:ADDRESS`. */
  identity: {
    /** The id of the provider, or `email`. */
    readonly provider: string
    /** How its owner recognises it: a name there, or the address. */
    readonly label: string
  }
  passkey: {
    readonly name: string
    /** In COSE, as base64url. */
    readonly publicKey: string
    /** How often it signed, as it says; 0 for those that do not count. */
    readonly counter: number
    readonly transports: readonly string[]
    /** Whether it is copied to other devices of its owner. */
    readonly isSynced: boolean
  }
  /** The beginning of a sign-in that ends elsewhere. Key: the hash of the secret that the browser has. */
  ceremony: {
    readonly purpose: string
    /** The expected values of its end. */
    readonly expected: Readonly<Record<string, string | undefined>>
  }
  /** The user of a host with accounts of its own. Key: their id there. */
  external: Readonly<Record<string, never>>
  /** A handled request. Key: a keyed hash of its caller and its idempotency key, or of its person and its subject. */
  request: KeptRequest & {
    readonly request: string
  }
  /** Marks an account that signed up by itself, neither invited nor added. Key: the id of the user. */
  signedUp: Readonly<Record<string, never>>
  /** How many accounts were made from one network in a day. Key: a keyed hash of both. */
  joined: { readonly accounts: number }
  /** XP of the creator of a waypoint until somebody else approves or confirms it. Key: the id of the waypoint. */
  held: { readonly xp: number }
  /** Follows. Key: the id of the user, a space and the id of the follow, which is `mine` for their own fountains. */
  follow: StoredFollow
  push: StoredDevice
  /** A city's endpoint of Open311. Key: the id of its webhook. */
  city: City
  /** How far the log was told. Key: `follows`, or `mail` for what mails leave out. */
  place: { readonly entry: number }
  /** A block that outlives an account. Key: a keyed hash of a way to sign in. */
  barred: { readonly reason: string }
}

/** Scopes of an API token, each with those before; `contribute` without XP, `administer` also names creators and writes areas. */
export const tokenScopes = ['read', 'contribute', 'moderate', 'administer'] as const
export type TokenScope = (typeof tokenScopes)[number]

export interface Invited {
  readonly name?: string | undefined
  readonly isModerator: boolean
  readonly xp?: number | undefined
}

export type SecretKind = keyof SecretValues

/** A secret of one kind. Times are ISO 8601 in UTC. */
export interface SecretOf<Kind extends SecretKind> {
  readonly id: string
  readonly kind: Kind
  /** Its public id, never used again; the engine gives it when the secret is first kept. */
  readonly number?: number | undefined
  readonly userId?: string | undefined
  readonly value: SecretValues[Kind]
  readonly createdAt: string
  readonly usedAt?: string | undefined
  readonly expiresAt?: string | undefined
  /** When it was ended by somebody, if it is still listed. */
  readonly endedAt?: string | undefined
  /** Said of one that is removed. */
  readonly isGone?: true | undefined
}

export type Secret = { readonly [Kind in SecretKind]: SecretOf<Kind> }[SecretKind]

export type StoredSecret<Kind extends SecretKind> = SecretOf<Kind> & { readonly number: number }

export const secretId = (kind: SecretKind, key: string): string => `${kind}:${key}`

type Rest<Kind extends SecretKind> = Omit<SecretOf<Kind>, 'id' | 'kind' | 'value'>

export function secretUnder<Kind extends SecretKind>(
  kind: Kind,
  key: string,
  value: SecretValues[Kind],
  rest: Rest<Kind>,
): SecretOf<Kind> {
  return { id: secretId(kind, key), kind, value, ...rest }
}

/** Whether a secret still lets somebody in. */
export function isGood({ isGone, endedAt, expiresAt }: Secret, at: string): boolean {
  return isGone !== true && endedAt === undefined && (expiresAt === undefined || expiresAt > at)
}

export function keyedHashes(key: string, purpose: string): (text: string) => string {
  return (text) => createHmac('sha256', key).update(`${purpose} ${text}`).digest('hex')
}

const minute = 60_000

export function minutesAfter(at: string, minutes: number): string {
  return new Date(Date.parse(at) + minutes * minute).toISOString()
}

export const minutesOf = { hour: 60, day: 24 * 60 } as const
