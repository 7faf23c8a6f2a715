import type { Issue } from '@openfountain/core/internal'

/** Errors with another instance: each code with its facts. `url` is the requested address. */
export interface InstanceErrorFacts {
  /** No response came, for the reason that `message` gives in the words of the system. */
  UNREACHABLE: { readonly url: string; readonly message: string }
  /** The response has the HTTP status of an error. */
  BAD_STATUS: { readonly url: string; readonly status: number }
  /** The response leads elsewhere, which is not followed. */
  REDIRECTED: { readonly url: string; readonly location: string }
  /** The response is longer than `bytes` after decompression, or all responses together are. */
  TOO_LARGE: { readonly url: string; readonly bytes: number }
  /** The response was not complete after so long, or all responses together were not. */
  TOO_SLOW: { readonly url: string; readonly seconds: number }
  /** The response is not that of an instance's API. */
  BAD_RESPONSE: { readonly url: string; readonly issues: readonly Issue[] }
}

export type InstanceErrorCode = keyof InstanceErrorFacts

/** An error: a code together with its facts. */
export type InstanceFailure<Code extends InstanceErrorCode = InstanceErrorCode> = {
  [One in Code]: { readonly code: One } & InstanceErrorFacts[One]
}[Code]

/** The meaning of each code, worded for callers of the library. */
export const instanceErrors = {
  UNREACHABLE: 'The instance cannot be reached. What was copied so far is kept.',
  BAD_STATUS: 'The response is an error. Is this the address of an instance?',
  REDIRECTED:
    'The response leads to another address, which is not followed: give that address if you trust it.',
  TOO_LARGE: 'The response is too large.',
  TOO_SLOW: 'The response takes too long.',
  BAD_RESPONSE: 'The response is not that of an instance.',
} as const satisfies Readonly<Record<InstanceErrorCode, string>>

/**
 * An error of another instance. `failure` has the code and its facts; `message` is the meaning of the code, after the
 * requested address.
 */
export class InstanceError extends Error {
  override readonly name = 'InstanceError'
  readonly failure: InstanceFailure

  constructor(failure: InstanceFailure, options?: ErrorOptions) {
    super(`${failure.url}: ${instanceErrors[failure.code]}`, options)
    this.failure = failure
  }

  get code(): InstanceErrorCode {
    return this.failure.code
  }

  /** The facts of the failure, such as `url` and `status`. */
  get details(): Readonly<Record<string, unknown>> {
    const { code: _code, ...facts } = this.failure
    return facts
  }
}
