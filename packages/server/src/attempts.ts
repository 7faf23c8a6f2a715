import { createHash } from 'node:crypto'
import type { Allowance } from '@openfountain/core/internal'
import { attempts } from '@openfountain/core/rules'
import { Buckets, tooMany } from './http/rate-limit.ts'

/** Kinds of sign-in, each with its own limit: a client blocked from one can use another. */
type AttemptKind = 'link' | 'passkey' | 'code' | 'mail' | 'provider'

/** Counts sign-in attempts in this process. Mails and wrong codes are counted in the registry, for all processes. */
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
   * Counts an attempt of a client. Clients of unknown network are not limited, since they would all count as one.
   *
   * @throws Problem RATE_LIMITED
   */
  byClient(kind: AttemptKind, network: string | undefined): void {
    if (network !== undefined) mustBeAllowed(this.#perClient, `${kind} ${network}`)
  }

  /** Records that a browser got a secret for completing a sign-in. */
  remember(secret: string): void {
    this.#perBrowser.add(hashed(secret))
  }

  /**
   * Counts an attempt of a browser by the secret it got here, so that strangers cannot use up its tries. Without such a
   * secret the attempt counts for the client.
   *
   * @throws Problem RATE_LIMITED
   */
  byBrowserOrClient(kind: AttemptKind, secret: string | undefined, network: string | undefined): void {
    const key = secret === undefined ? undefined : hashed(secret)
    if (key !== undefined && this.#perBrowser.has(key)) mustBeAllowed(this.#perBrowser, key)
    else this.byClient(kind, network)
  }

  /** Counts a change of the caller's own account. @throws Problem RATE_LIMITED */
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
