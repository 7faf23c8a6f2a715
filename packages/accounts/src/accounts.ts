import type { Registry } from '@openfountain/core'
import { type Digest, parse, type Registration, type WaysToSignIn } from '@openfountain/core/internal'
import { z } from 'zod'
import { Codes } from './codes.ts'
import { addressIn, emailAddress } from './email-address.ts'
import { digestMail, endedBy, endingPage, endingToken } from './mail/digest-mail.ts'
import { sendNotices } from './mail/notices.ts'
import { Outbox, type Mail, type ReportFailure } from './mail/outbox.ts'
import { oneLine, senderOf, smtpOf, smtpSender } from './mail/smtp.ts'
import { Passkeys } from './passkeys.ts'
import { parseProviders, type ProviderOptions } from './providers/config.ts'
import { Providers } from './providers/providers.ts'
import { publicUrlOf, relyingPartyOf } from './public-url.ts'

/** The mail server for codes. */
export interface MailOptions {
  /**
   * `smtps://USER:PASSWORD@HOST:465`, or `smtp://…:587`, where STARTTLS is required beyond this machine; `?tls=off` after the
   * host does without.
   */
  readonly smtp: string
  /** The sender of mails: `Fountains <fountains@example.org>`. Without a name, the registry's is used. */
  readonly from: string
  /**
   * A secret outside the database, `registryKey` of `@openfountain/telling`: the links that end mails are made of it. Default
   * none, and no mails about what people follow.
   */
  readonly key?: string | undefined
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
  /** The path below which the app is mounted, such as `/fountains`. Default none. */
  readonly basePath?: string | undefined
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

/**
 * A warning about the settings, for the operator:
 * - `publicUrlIsAddress`: the host of the public URL is an IP address, so that there are no passkeys
 * - `publicUrlIsPlainHttp`: it is http beyond this machine, so that there are no passkeys and anybody on the way can
 * read the cookie of a session
 * - `nobodyCanJoin`: registration is open, but there are neither codes nor providers to sign up with
 * - `mailWithoutTls`: codes go to a mail server beyond this machine without TLS
 */
export type AccountsWarning =
  | { readonly code: 'publicUrlIsAddress' | 'publicUrlIsPlainHttp'; readonly publicUrl: string }
  | { readonly code: 'nobodyCanJoin' }
  | { readonly code: 'mailWithoutTls'; readonly host: string }

/** The ways to sign in to a registry. Links are the registry's own (`registry.accounts`). */
export interface WaysIn extends WaysToSignIn {
  /** Warnings about the settings, for the operator. */
  warnings(): readonly AccountsWarning[]
  /**
   * Mails somebody what happened, once. Absent without a mail server and a key.
   *
   * @returns `done`, also when it is refused for good; `later`; or `unreachable` without a server that takes mails
   */
  readonly mailDigest?: ((digest: Digest) => Promise<'done' | 'later' | 'unreachable'>) | undefined
  /** Sends the waiting mails, for at most 10 seconds, and accepts no more. The registry stays open. */
  close(): Promise<void>
}

const Registrations = z.object({ registration: z.enum(['open', 'invite', 'closed']).default('invite') })

const usualRetriesMs = [2000, 10_000, 60_000]
const closesWithinMs = 10_000

function settingsOf({ publicUrl: address, mail, ...options }: AccountsOptions) {
  const publicUrl = publicUrlOf(address)
  const { registration } = parse(Registrations, { registration: options.registration })
  const providers = parseProviders(options.providers ?? [])
  const name = oneLine(options.name ?? '') || publicUrl.hostname
  const smtp = mail && smtpOf(mail.smtp)
  const from = mail && senderOf(mail.from, name)
  const { isAddress, isSecure, isLocal } = publicUrl
  const warnings: AccountsWarning[] = []
  if (isAddress) warnings.push({ code: 'publicUrlIsAddress', publicUrl: publicUrl.origin })
  if (!isSecure && !isLocal) warnings.push({ code: 'publicUrlIsPlainHttp', publicUrl: publicUrl.origin })
  if (registration === 'open' && providers.length === 0 && smtp === undefined)
    warnings.push({ code: 'nobodyCanJoin' })
  if (smtp?.isPrivate === false) warnings.push({ code: 'mailWithoutTls', host: smtp.host })
  const pageOf = (page: string) =>
    new URL(`${(options.sitePath ?? '/').replace(/\/*$/u, '')}/${page}/`, publicUrl.origin)
  const about = {
    name,
    origin: publicUrl.origin,
    home: new URL('..', pageOf('following')),
    page: pageOf('following'),
    queue: pageOf('moderation'),
    ending: new URL(`${options.basePath ?? ''}/api/unsubscribe`, publicUrl.origin),
  }
  return { about, publicUrl, pageOf, registration, providers, name, smtp, from, warnings }
}

/**
 * Sends one mail, to the operator for example.
 *
 * @throws RegistryError INVALID_INPUT for options or an address that are none; an error with a `code` when it is not
 * taken
 */
export async function sendMail(
  { smtp, from }: Pick<MailOptions, 'smtp' | 'from'>,
  { name, ...mail }: Pick<Mail, 'to' | 'subject' | 'text' | 'language'> & { readonly name: string },
): Promise<void> {
  const to = emailAddress(mail.to, 'to').mailbox
  await smtpSender(smtpOf(smtp), senderOf(from, name))({ ...mail, to }, AbortSignal.timeout(closesWithinMs))
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
  const { about, publicUrl, pageOf, registration, providers, name, smtp, from, warnings } =
    settingsOf(options)
  const { mail, onFailure: report = () => undefined, clock = () => new Date() } = options
  const key = mail?.key
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
    ...(outbox &&
      key !== undefined && {
        mailEnding: {
          read: (token: string) => endedBy(token, key),
          page: (language: string | undefined, isEnded: boolean) => endingPage(language, isEnded, about),
        },
        mailDigest: async (digest: Digest) => {
          const to = addressIn(digest.address)?.mailbox
          if (to === undefined) return 'done'
          return outbox.deliver({ ...digestMail(digest, endingToken(digest, key), about), to })
        },
      }),
    provider: new Providers(registry, providers, { publicUrl, registration, report, now }),
    warnings: () => warnings,
    close: async () => {
      stopNotices?.()
      await outbox?.close({ withinMs: closesWithinMs })
    },
  }
}
