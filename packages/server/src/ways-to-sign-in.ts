import type { PasskeyInfo, Registration, SignInResult } from '@openfountain/core/internal'

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/** The start of a ceremony that ends in another request of the same browser. */
export interface Ceremony {
  /** A secret that identifies the browser at the end; the server keeps it in a cookie. */
  readonly ceremony: string
}

/**
 * The server's interface to ways to sign in: the server handles HTTP, cookies and callers, an implementation verifies
 * proofs. `@openfountain/accounts` has one. Every refusal is a RegistryError.
 */
export interface WaysToSignIn {
  /** The configured ways, in display order. */
  readonly methods: readonly ('passkey' | 'code' | 'provider' | 'link')[]
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  readonly registration: Registration
  readonly passkeys: {
    /** Options for `navigator.credentials.get`, as JSON of WebAuthn (Level 3, 5.1.10). */
    signInOptions(): Promise<Ceremony & { readonly options: JsonObject }>
    /** @param response the JSON of a credential. @throws RegistryError UNAUTHORIZED, INVALID_INPUT */
    signIn(ceremony: string, response: unknown, device?: string): Promise<SignInResult>
    /** Options for `navigator.credentials.create`. */
    additionOptions(userId: string): Promise<Ceremony & { readonly options: JsonObject }>
    /** @throws RegistryError UNAUTHORIZED, INVALID_INPUT, CONFLICT */
    add(
      userId: string,
      given: { readonly ceremony: string; readonly response: unknown; readonly name: unknown },
    ): Promise<PasskeyInfo>
  }
  /** Absent without a mail server. */
  readonly codes?:
    | {
        /** The canonical key of an address. @throws RegistryError INVALID_INPUT */
        keyOf(email: unknown): string
        /**
         * Sends a code, when the address has an account, registration is open, or `userId` adds it; it returns before
         * anything is sent, and in the same time whether or not.
         *
         * @param options `language` of the reader, a tag such as `de`; `network` of the caller
         * @returns the secret of the browser, which the server keeps in the cookie `signin`
         * @throws RegistryError INVALID_INPUT; RATE_LIMITED after too many mails to the address, or wrong codes for it
         */
        send(
          email: unknown,
          options: {
            readonly language?: string | undefined
            readonly userId?: string | undefined
            readonly network?: string | undefined
          },
        ): Promise<{ readonly browser: string }>
        /** @throws RegistryError UNAUTHORIZED `{ triesLeft? }`, RATE_LIMITED, FORBIDDEN, CONFLICT, INVALID_INPUT */
        signIn(
          browser: string,
          given: { readonly email: unknown; readonly code: unknown; readonly name?: unknown },
          device?: string,
          network?: string,
        ): Promise<SignInResult>
        /** Adds the address to an account. @throws RegistryError UNAUTHORIZED, CONFLICT, INVALID_INPUT */
        add(
          userId: string,
          browser: string,
          given: { readonly email: unknown; readonly code: unknown },
        ): Promise<void>
      }
    | undefined
  /** Sign-in with a provider: OpenID Connect, else OAuth 2. */
  readonly provider: {
    /**
     * @param options `returnTo` is a path of this origin; `userId` adds the way to this account instead of signing in;
     * `name` of a new account, default the provider's; `basePath` precedes `/api` in the callback address
     * @returns the address for the browser
     * @throws RegistryError NOT_FOUND for an unknown provider, UNAVAILABLE `{ provider }` for an unreachable one
     */
    begin(
      id: string,
      options: {
        readonly returnTo: string
        readonly userId?: string | undefined
        readonly name?: string | undefined
        readonly basePath?: string | undefined
      },
    ): Promise<Ceremony & { readonly address: string }>
    /**
     * Ends the sign-in with the callback address that the browser came to.
     *
     * @param given `userId` is the current user; it must be the one who began to add a way
     * @returns `signedIn` is absent when a way was added
     * @throws RegistryError UNAUTHORIZED, FORBIDDEN, CONFLICT, UNAVAILABLE `{ provider }`
     */
    end(
      id: string,
      given: {
        readonly ceremony: string
        readonly search: string
        readonly basePath?: string | undefined
        readonly userId?: string | undefined
        readonly device?: string | undefined
        readonly network?: string | undefined
      },
    ): Promise<{ readonly returnTo: string; readonly signedIn?: SignInResult }>
  }
}
