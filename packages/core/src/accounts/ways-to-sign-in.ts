import type { Registration } from '../decide/account.ts'
import type { PasskeyInfo } from '../schemas/credential.ts'
import type { MailsOf } from '../schemas/follow.ts'
import type { SignInResult } from './ways.ts'

/** The start of a ceremony that ends in another request of the same browser. */
export interface Ceremony {
  /** A secret that identifies the browser at the end: keep it in a cookie that scripts cannot read. */
  readonly ceremony: string
}

export type JsonObject = Readonly<Record<string, unknown>>

/** Options for a browser, as JSON of WebAuthn (Level 3, 5.1.10). */
export interface PasskeyCeremony extends Ceremony {
  readonly options: JsonObject
}

export interface PasskeySignIn {
  /** For `navigator.credentials.get`. @throws RegistryError NOT_FOUND where there are no passkeys */
  signInOptions(): Promise<PasskeyCeremony>
  /**
   * @param response the JSON of a credential
   * @param device label of the session, such as `Firefox on Linux` @throws RegistryError UNAUTHORIZED, INVALID_INPUT
   */
  signIn(ceremony: string, response: unknown, device?: string): Promise<SignInResult>
  /** For `navigator.credentials.create`. @throws RegistryError NOT_FOUND */
  additionOptions(userId: string): Promise<PasskeyCeremony>
  /** @throws RegistryError UNAUTHORIZED, INVALID_INPUT, CONFLICT for one that was added before */
  add(
    userId: string,
    given: { readonly ceremony: string; readonly response: unknown; readonly name: unknown },
  ): Promise<PasskeyInfo>
}

/** Codes by mail, each valid in the browser that requested it alone. */
export interface CodeSignIn {
  /** The canonical key of an address. @throws RegistryError INVALID_INPUT */
  keyOf(email: unknown): string
  /**
   * Sends a code if the address has an account, registration is open, or `userId` adds it. Returns before that is
   * looked up, so that callers cannot tell.
   *
   * @param options `language` of the reader, a tag such as `de`, default English; `network` of the caller, such as
   * `192.0.2.0/24`
   * @returns the secret of the browser: keep it in a cookie that scripts cannot read
   * @throws RegistryError INVALID_INPUT; RATE_LIMITED after too many codes, or wrong ones, by `attempts` in the rules
   */
  send(
    email: unknown,
    options?: { language?: string; userId?: string; network?: string },
  ): Promise<{ readonly browser: string }>
  /**
   * @param given `name` of a new account
   * @param network of the caller, such as `192.0.2.0/24`: limits new accounts
   * @throws RegistryError UNAUTHORIZED `{ triesLeft? }`, RATE_LIMITED, FORBIDDEN, CONFLICT, INVALID_INPUT
   */
  signIn(
    browser: string,
    given: { readonly email: unknown; readonly code: unknown; readonly name?: unknown },
    device?: string,
    network?: string,
  ): Promise<SignInResult>
  /** Adds the address to the account for which the code was sent. @throws RegistryError as `signIn` */
  add(
    userId: string,
    browser: string,
    given: { readonly email: unknown; readonly code: unknown },
  ): Promise<void>
}

/** Sign-in with a provider. */
export interface ProviderSignIn {
  /**
   * @param options `returnTo` is a path of the site, anything else becomes `/`; `userId` adds the way to this account;
   * `name` of a new account, default the provider's; `basePath` of the app, such as `/fountains`
   * @returns `address` for the browser
   * @throws RegistryError NOT_FOUND for an unknown provider, UNAVAILABLE `{ provider }` for an unreachable one
   */
  begin(
    id: string,
    options: { returnTo: string; userId?: string; name?: string; basePath?: string },
  ): Promise<Ceremony & { readonly address: string }>
  /**
   * Ends the sign-in at `PUBLIC_URL/api/auth/providers/ID/callback`; `basePath` precedes `/api`.
   *
   * @param given `search` is the query of the callback; `userId` the current user; `network` of the caller, such as
   * `192.0.2.0/24`, limits new accounts
   * @returns `signedIn` is absent when a way was added
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, CONFLICT, NOT_FOUND, INVALID_INPUT when a name is needed,
   * RATE_LIMITED, UNAVAILABLE `{ provider }`
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

/** The end of mails about what somebody follows. */
export interface MailEnding {
  read(token: string): MailsOf | undefined
  /** The page that ends them, as HTML, before or after it. */
  page(language: string | undefined, isEnded: boolean): string
}

/** How the server asks for ways to sign in; `@openfountain/accounts` verifies them. Every refusal is a RegistryError. */
export interface WaysToSignIn {
  /** The configured ways, in display order. */
  readonly methods: readonly ('passkey' | 'code' | 'provider' | 'link')[]
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  readonly registration: Registration
  readonly passkeys: PasskeySignIn
  /** Absent without a mail server. */
  readonly codes?: CodeSignIn | undefined
  readonly provider: ProviderSignIn
  /** Absent without a mail server and a key. */
  readonly mailEnding?: MailEnding | undefined
}
