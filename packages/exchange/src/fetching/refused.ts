/** Why an address is not fetched: each code with its facts. `url` is the address. */
export interface FetchRefusalFacts {
  /** It is no http: or https: address, or has a password. */
  ADDRESS: { readonly url: string }
  /** It is http:, where https: is needed. */
  SCHEME: { readonly url: string }
  /** Its host has an address of a private network. */
  PRIVATE: { readonly url: string; readonly address: string }
  /** No response came, for a reason in the words of the system. */
  UNREACHABLE: { readonly url: string; readonly reason: string }
  /** It leads on too often. */
  REDIRECTS: { readonly url: string; readonly most: number }
  /** Nothing came for so long. */
  TOO_SLOW: { readonly url: string; readonly seconds: number }
  /** The response is longer than `bytes`. */
  TOO_LARGE: { readonly url: string; readonly bytes: number }
  /** The response has the HTTP status of an error. */
  STATUS: { readonly url: string; readonly status: number }
  /** The host sends no ranges of a file. */
  NO_RANGES: { readonly url: string }
  /** The file changed while it was read. */
  CHANGED: { readonly url: string }
}

export type FetchRefusalCode = keyof FetchRefusalFacts
export type FetchRefusal = {
  [Code in FetchRefusalCode]: { readonly code: Code } & FetchRefusalFacts[Code]
}[FetchRefusalCode]

const meanings: { readonly [Code in FetchRefusalCode]: (facts: FetchRefusalFacts[Code]) => string } = {
  ADDRESS: () => 'is no http: or https: address without a password',
  SCHEME: () => 'is not https:',
  PRIVATE: ({ address }) => `leads to ${address}, which is not on the Internet`,
  UNREACHABLE: ({ reason }) => `cannot be reached: ${reason}`,
  REDIRECTS: ({ most }) => `leads on more than ${most} times`,
  TOO_SLOW: ({ seconds }) => `sent nothing for ${seconds} s`,
  TOO_LARGE: ({ bytes }) => `sends more than ${bytes} bytes`,
  STATUS: ({ status }) => `answers ${status}`,
  NO_RANGES: () => 'sends no ranges of a file, which are needed: download it, and give the file',
  CHANGED: () => 'changed while it was read: try again',
}

/** An address that is not fetched: `refusal` has the code and its facts. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused'
  readonly refusal: FetchRefusal

  constructor(refusal: FetchRefusal, options?: ErrorOptions) {
    const meaning = meanings[refusal.code] as (facts: FetchRefusal) => string
    super(`${refusal.url} ${meaning(refusal)}`, options)
    this.refusal = refusal
  }
}
