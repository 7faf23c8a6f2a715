import type { PasskeyInfo, Registration, SignInResult } from '@openfountain/core'

/** A value that JSON can have. */
export type JsonObject = Readonly<Record<string, unknown>>

/** The beginning of a ceremony that ends in another request of the same browser. */
export interface Begun {
  /** A secret by which the browser is known at the end; the server keeps it in a cookie. */
  readonly ceremony: string
}

/**
 * What the server needs of ways to sign in: it knows HTTP, cookies and who calls; what a caller proves is verified here.
 * `@openfountain/accounts` makes one. Every refusal is a RegistryError.
 */
export interface WaysToSignIn {
  /** What is configured, in the order in which it is offered. */
  readonly methods: readonly ('passkey' | 'code' | 'provider' | 'link')[]
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  readonly registration: Registration
  readonly passkeys: {
    /** Options for `navigator.credentials.get`, as JSON of WebAuthn (Level 3, 5.1.10). */
    signInOptions(): Promise<Begun & { readonly options: JsonObject }>
    /** @param response the JSON of a credential. @throws RegistryError UNAUTHORIZED, INVALID_INPUT */
    signIn(ceremony: string, response: unknown, device?: string): Promise<SignInResult>
    /** Options for `navigator.credentials.create`. */
    additionOptions(userId: string): Promise<Begun & { readonly options: JsonObject }>
    /** @throws RegistryError UNAUTHORIZED, INVALID_INPUT, CONFLICT */
    add(
      userId: string,
      given: { readonly ceremony: string; readonly response: unknown; readonly name: unknown },
    ): Promise<PasskeyInfo>
  }
  /** Absent without a mail server. */
  readonly codes?:
    | {
        /** What an address is known by, however it is written. @throws RegistryError INVALID_INPUT */
        keyOf(email: unknown): string
        /**
         * Sends a code, when the address has an account, registration is open, or `userId` adds it; it returns before
         * anything is sent, and in the same time whether or not.
         *
         * @param options `language` of the reader, a tag such as `de`; `network` of whoever asks
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
  /** Sign-in with a provider: OpenID Connect, or OAuth 2 where there is nothing better. */
  readonly provider: {
    /**
     * @param options `returnTo` is a path of this origin; `userId` adds the way to this account instead of signing in;
     * `name` is that of a new account, by default what the provider says; `basePath` stands before `/api` in the address
     * to which the provider sends the browser back
     * @returns where the browser goes
     * @throws RegistryError NOT_FOUND for an unknown provider, UNAVAILABLE `{ provider }` for one that cannot be reached
     */
    begin(
      id: string,
      options: {
        readonly returnTo: string
        readonly userId?: string | undefined
        readonly name?: string | undefined
        readonly basePath?: string | undefined
      },
    ): Promise<Begun & { readonly address: string }>
    /**
     * Ends it, with the address at which the provider sent the browser back.
     *
     * @param given `userId` is who is signed in now; it must be whoever began to add a way
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
