import { createHash } from 'node:crypto'
import type { Allowance } from '@openfountain/core/internal'
import { attempts } from '@openfountain/core/rules'
import { Buckets, tooMany } from './http/rate-limit.ts'

/** Kinds of sign-in, which are limited apart from one another: whoever is kept from one can use another. */
export type AttemptKind = 'link' | 'passkey' | 'code' | 'mail' | 'provider'

/** How often signing in was tried, in this process. Mails, and wrong codes, are counted by the registry for all processes. */
export class Attempts {
  readonly #perClient: Buckets
  readonly #perBrowser: Buckets
  readonly #perAccount: Buckets

  /** @param now milliseconds of a clock that never goes back; default `performance.now()` */
  constructor(now?: () => number) {
    const buckets = (allowance: Allowance): Buckets => new Buckets(allowance, { now })
    this.#perClient = buckets(attempts.perClient)
    this.#perBrowser = buckets(attempts.perBrowser)
    this.#perAccount = buckets(attempts.perAccount)
  }

  /**
   * Counts an attempt of a client. One whose network is unknown is not limited: all of them would be one.
   *
   * @throws Problem RATE_LIMITED
   */
  byClient(kind: AttemptKind, network: string | undefined): void {
    if (network !== undefined) mustBeAllowed(this.#perClient, `${kind} ${network}`)
  }

  /** Notes that a browser was given a secret to end a sign-in with. */
  begun(secret: string): void {
    this.#perBrowser.add(hashed(secret))
  }

  /**
   * Counts an attempt of a browser that was given a secret here: a stranger cannot use these up. Others count for their
   * client.
   *
   * @throws Problem RATE_LIMITED
   */
  byBrowserOrClient(kind: AttemptKind, secret: string | undefined, network: string | undefined): void {
    const key = secret === undefined ? undefined : hashed(secret)
    if (key !== undefined && this.#perBrowser.has(key)) mustBeAllowed(this.#perBrowser, key)
    else this.byClient(kind, network)
  }

  /** Counts a change of somebody's own account. @throws Problem RATE_LIMITED */
  byAccount(userId: string): void {
    mustBeAllowed(this.#perAccount, userId)
  }
}

/** @throws Problem RATE_LIMITED */
function mustBeAllowed(buckets: Buckets, key: string): void {
  const { isAllowed, retryAfterSeconds } = buckets.take(key)
  if (!isAllowed) throw tooMany(buckets.allowance, retryAfterSeconds)
}

const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url')
