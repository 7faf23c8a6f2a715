import { AsyncLocalStorage } from 'node:async_hooks'

/** Security events of a registry, changes of rights and erasures, each with its meaning. */
export const securityEvents = {
  'session.created': 'A user was signed in: a session was created',
  'account.created': 'Somebody signed up, or redeemed an invitation',
  'account.left': 'A user left; their name, address, ways to sign in, sessions and tokens are gone',
  'link.created': 'A link was made that signs somebody in once',
  'link.used': 'Somebody signed in with a link, which is used up; their other sessions ended',
  'way.added': 'A way to sign in was added: a provider, an address or a passkey',
  'way.removed': 'A way to sign in was removed',
  'passkey.copied': 'A passkey was refused, because its counter did not rise: somebody may have a copy',
  'session.revoked': 'A session was ended',
  'token.created': 'An API token or a personal token was created',
  'token.revoked': 'An API token or a personal token was revoked',
  'moderator.appointed': 'A user became a moderator',
  'moderator.dismissed': 'A user is no longer a moderator',
  'keeper.entrusted': 'A user became the keeper of some fountains',
  'keeper.relieved': 'A user no longer keeps some fountains',
  'xp.granted': 'An administrator gave or took XP, which gates depend on',
  'user.blocked': 'A user was blocked from writing',
  'user.unblocked': 'A block was ended',
  'user.reverted': 'What a user had changed was undone, one page of it',
  'act.undone': 'An act of moderation was undone, one page of it',
  'text.redacted': 'Text was removed from entries of the log for good',
  'report.erased': 'The comment and the note of a report were removed for good',
  'registry.restored': 'The database was replaced by a backup',
} as const

export type SecurityEventName = keyof typeof securityEvents

/** An act, after it succeeded. It has ids, never a name, an e-mail address, a reason or a secret. */
export interface SecurityEvent {
  /** ISO 8601 in UTC. */
  readonly time: string
  readonly event: SecurityEventName
  /** The user whom it concerns. */
  readonly user?: string
  /** The user who did it, the built-in user for an API token; absent for an administrator of the machine. */
  readonly by?: string
  readonly session?: number
  readonly token?: number
  /** XP that were given; negative when they were taken. */
  readonly xp?: number
  /** When a block or a session ends, ISO 8601 in UTC; absent for a block without an end. */
  readonly until?: string
  /** Entries of the log: those that lost text, or were undone. */
  readonly entries?: readonly number[]
  /** The id of the act of moderation. */
  readonly act?: number
  readonly report?: number
  /** The newest entry of the log that was restored. */
  readonly head?: number
  /** The network of whoever asked for it over HTTP: the /24 of an IPv4 address, the /64 of an IPv6 address. */
  readonly network?: string
  /** The id of the request, which the access log has too. */
  readonly requestId?: string
}

export interface Circumstances extends Pick<SecurityEvent, 'network' | 'requestId'> {
  /** The language of the request's sender, a tag such as `de`. It is in no event. */
  readonly language?: string | undefined
}

const circumstances = new AsyncLocalStorage<Circumstances>()

/** Runs the work of a request; events reported meanwhile have the request's origin. */
export function reportedWith<Result>(of: Circumstances, work: () => Result): Result {
  return circumstances.run(of, work)
}

export function currentCircumstances(): Pick<SecurityEvent, 'network' | 'requestId'> {
  const { language: _language, ...origin } = circumstances.getStore() ?? {}
  return origin
}

const currentLanguage = (): string | undefined => circumstances.getStore()?.language

/** Reports an act to the listener given when the registry was opened. */
export type ReportSecurity = (event: SecurityEventName, about: Omit<SecurityEvent, 'time' | 'event'>) => void

export interface AccessChange {
  readonly userId: string
  readonly change: 'added' | 'removed'
  readonly what: 'token' | 'passkey' | 'provider' | 'address'
  readonly name: string
  /** The language of the request's sender, a tag such as `de`, where known. */
  readonly language?: string | undefined
}

/** Tells of changes after they were written. @internal */
export class AccessChanges {
  readonly #listeners = new Set<(change: AccessChange) => void>()

  on(listener: (change: AccessChange) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  tell(change: Omit<AccessChange, 'language'>): void {
    const told = { ...change, language: currentLanguage() }
    for (const listener of this.#listeners) listener(told)
  }
}
