import type { Registry } from '@openfountain/core'
import { parse, type PasskeyInfo, type Registration, type SignInResult } from '@openfountain/core/internal'
import { z } from 'zod'
import { Codes } from './codes.ts'
import type { ReportFailure } from './failures.ts'
import { sendNotices } from './mail/notices.ts'
import { Outbox } from './mail/outbox.ts'
import { oneLine, senderOf, smtpOf, smtpSender } from './mail/smtp.ts'
import { Passkeys } from './passkeys.ts'
import { parseProviders, type ProviderOptions } from './providers/config.ts'
import { Providers } from './providers/providers.ts'
import { publicUrlOf, relyingPartyOf } from './public-url.ts'
import { warningsOf, type AccountsWarning } from './warnings.ts'

/** The mail server for codes. */
export interface MailOptions {
  /**
   * `smtps://USER:PASSWORD@HOST:465`, or `smtp://…:587`, where STARTTLS is required beyond this machine; `?tls=off` after the
   * host does without.
   */
  readonly smtp: string
  /** The sender of mails: `Fountains <fountains@example.org>`. Without a name, the registry's is used. */
  readonly from: string
  /** Delays before each further try of a failed mail, in milliseconds. Default 2 s, 10 s, 60 s. */
  readonly retryAfterMs?: readonly number[] | undefined
}

export interface AccountsOptions {
  /**
   * Scheme, host and port of the site, such as `https://fountains.example`. Passkeys are bound to its host, and providers
   * send browsers back to it.
   */
  readonly publicUrl: string
  /** The path below which the site has its pages, such as `/map/`. Default `/`. */
  readonly sitePath?: string | undefined
  /** Who may get a new account: anybody with a verified way to sign in, invited people, or nobody. Default `invite`. */
  readonly registration?: Registration | undefined
  /** See `parseProviders`. Default none. */
  readonly providers?:
    | readonly (Pick<ProviderOptions, 'id' | 'clientId' | 'clientSecret'> & Partial<ProviderOptions>)[]
    | undefined
  /** Without it there are no codes, and no notices of changed ways to sign in. */
  readonly mail?: MailOptions | undefined
  /** The registry's name in mails and browser dialogues. Default the host of `publicUrl`. */
  readonly name?: string | undefined
  /** Called when a mail is given up, or a provider fails. Default nothing. */
  readonly onFailure?: ReportFailure | undefined
  /** The time; pass a fixed one in tests. Default the system clock. */
  readonly clock?: (() => Date) | undefined
}

/** The start of a ceremony that ends in another request of the same browser. */
export interface Ceremony {
  /** A secret that identifies the browser at the end: keep it in a cookie that scripts cannot read. */
  readonly ceremony: string
}

/** Options for a browser, as JSON of WebAuthn (Level 3, 5.1.10). */
export interface PasskeyCeremony extends Ceremony {
  readonly options: Readonly<Record<string, unknown>>
}

/** Passkeys: discoverable, with user verification, without attestation. */
export interface PasskeySignIn {
  /** For `navigator.credentials.get`. Valid for ten minutes. @throws RegistryError NOT_FOUND where there are no passkeys */
  signInOptions(): Promise<PasskeyCeremony>
  /**
   * @param response the JSON of a credential, at most 8192 characters
   * @param device the label of the session, such as `Firefox on Linux`
   * @throws RegistryError UNAUTHORIZED, INVALID_INPUT
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

/** Codes by mail: 8 digits, valid for ten minutes and five tries, and only in the browser that requested it. */
export interface CodeSignIn {
  /** The canonical key of an address. @throws RegistryError INVALID_INPUT */
  keyOf(email: unknown): string
  /**
   * Sends a code if the address has an account, registration is open, or `userId` adds it. Returns before that is
   * looked up, so that callers cannot tell. One address gets at most 20 an hour, and 5 in ten minutes at the request of
   * one network (`attempts` in the rules), over all processes of the registry.
   *
   * @param options `language` of the reader, a tag such as `de`, default English; `network` of the caller, such as
   * `192.0.2.0/24`
   * @returns the secret of the browser: keep it in a cookie that scripts cannot read
   * @throws RegistryError INVALID_INPUT; RATE_LIMITED beyond that, and after 50 wrong codes for the address in a day
   */
  send(
    email: unknown,
    options?: {
      readonly language?: string | undefined
      readonly userId?: string | undefined
      readonly network?: string | undefined
    },
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

/** Sign-in with a provider: OpenID Connect, or GitHub's OAuth 2; both with PKCE. */
export interface ProviderSignIn {
  /**
   * @param options `returnTo` is a path of the site, anything else becomes `/`; `userId` adds the way to this account;
   * `name` of a new account, default the provider's; `basePath` of the app, such as `/fountains`
   * @returns `address` for the browser
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

/** The ways to sign in to a registry. Links are the registry's own (`registry.accounts`). */
export interface WaysIn {
  /** The configured ways, in display order. */
  readonly methods: readonly ('passkey' | 'code' | 'provider' | 'link')[]
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  readonly registration: Registration
  readonly passkeys: PasskeySignIn
  /** Absent without a mail server. */
  readonly codes?: CodeSignIn | undefined
  readonly provider: ProviderSignIn
  /** Warnings about the settings, for the operator. */
  warnings(): readonly AccountsWarning[]
  /** Sends the waiting mails, for at most 10 seconds, and accepts no more. The registry stays open. */
  close(): Promise<void>
}

const Registrations = z.object({ registration: z.enum(['open', 'invite', 'closed']).default('invite') })

const usualRetriesMs = [2000, 10_000, 60_000]
const closesWithinMs = 10_000

/** The validated options. */
function settingsOf({ publicUrl: address, mail, ...options }: AccountsOptions) {
  const publicUrl = publicUrlOf(address)
  const { registration } = parse(Registrations, { registration: options.registration })
  const providers = parseProviders(options.providers ?? [])
  const name = oneLine(options.name ?? '') || publicUrl.hostname
  const smtp = mail && smtpOf(mail.smtp)
  const from = mail && senderOf(mail.from, name)
  const warnings = warningsOf({ publicUrl, registration, hasProviders: providers.length > 0, smtp })
  const pageOf = (page: string) =>
    new URL(`${(options.sitePath ?? '/').replace(/\/*$/u, '')}/${page}/`, publicUrl.origin)
  return { publicUrl, pageOf, registration, providers, name, smtp, from, warnings }
}

/**
 * Checks options as `createAccounts` does, for a host that opens or creates the registry only with valid ones.
 *
 * @returns warnings for the operator
 * @throws RegistryError INVALID_INPUT, which names the option and the requirement, and never repeats a secret
 */
export function checkAccounts(options: AccountsOptions): readonly AccountsWarning[] {
  return settingsOf(options).warnings
}

/**
 * The ways to sign in to a registry: links, passkeys where browsers have them (https, or localhost), codes with a mail
 * server, and providers. No provider is contacted before a sign-in.
 *
 * @throws RegistryError INVALID_INPUT, which names the option and what it must be, and never repeats a secret
 */
export function createAccounts(registry: Registry, options: AccountsOptions): WaysIn {
  const { publicUrl, pageOf, registration, providers, name, smtp, from, warnings } = settingsOf(options)
  const { mail, onFailure: report = () => undefined, clock = () => new Date() } = options
  const now = () => clock().getTime()
  const outbox =
    smtp &&
    from &&
    new Outbox(smtpSender(smtp, from), { report, retryAfterMs: mail?.retryAfterMs ?? usualRetriesMs })
  const stopNotices =
    outbox && sendNotices(registry, outbox, { name, origin: publicUrl.origin, page: pageOf('account') })
  return {
    methods: [
      ...(relyingPartyOf(publicUrl) === undefined ? [] : (['passkey'] as const)),
      ...(outbox === undefined ? [] : (['code'] as const)),
      ...(providers.length === 0 ? [] : (['provider'] as const)),
      'link',
    ],
    providers: providers.map((each) => ({ id: each.id, name: each.name })),
    registration,
    passkeys: new Passkeys(registry, { publicUrl, name }),
    ...(outbox && {
      codes: new Codes(registry, outbox, { registration, publicUrl, signInPage: pageOf('sign-in'), name }),
    }),
    provider: new Providers(registry, providers, { publicUrl, registration, report, now }),
    warnings: () => warnings,
    close: async () => {
      stopNotices?.()
      await outbox?.close({ withinMs: closesWithinMs })
    },
  }
}
