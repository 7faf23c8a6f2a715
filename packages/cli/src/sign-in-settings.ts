import { RegistryError } from '@openfountain/core'
import type { Issue } from '@openfountain/core/internal'
import type { AccountsFailure, AccountsOptions, AccountsWarning } from '@openfountain/accounts'
import { usage } from './failure.ts'
import { type Given, text } from './options.ts'
import { isReadableByAll, readProviders, variableOf } from './providers.ts'

export const signInOptions = {
  registration: text(
    'WHO',
    'Who gets an account: everybody (open), whoever has a link of user invite (invite), or nobody new, invited or not (closed); whoever has an account signs in all the same',
    { env: 'OPENFOUNTAIN_REGISTRATION', default: 'invite', choices: ['open', 'invite', 'closed'] },
  ),
  smtp: text(
    'URL',
    'A mail server that sends codes, smtp://… or smtps://USER:PASSWORD@HOST, user and password percent-encoded; every user of the machine can read the options of a process, so give a password by the environment',
    { env: 'OPENFOUNTAIN_SMTP_URL' },
  ),
  'mail-from': text('ADDRESS', 'From whom codes are, such as "Fountains <fountains@fountains.example>"', {
    env: 'OPENFOUNTAIN_MAIL_FROM',
  }),
  providers: text(
    'FILE',
    'A JSON file of providers with which people sign in: [{ id, name, kind, issuer, clientId, clientSecret, scope }]; OPENFOUNTAIN_PROVIDER_ID_CLIENT_SECRET and the like set one of them',
    { env: 'OPENFOUNTAIN_PROVIDERS' },
  ),
}

interface Settings extends Given<typeof signInOptions> {
  readonly 'public-url': string | undefined
}

type SignInSettings = Pick<AccountsOptions, 'registration' | 'mail'> & {
  readonly providers: NonNullable<AccountsOptions['providers']>
  readonly publicUrl: string | undefined
}

/** @param warn gets warnings about secrets readable on the machine @throws CommandError usage, notFound, unreadable */
export async function readSignIn(
  { registration, smtp, 'mail-from': from, providers: file, 'public-url': publicUrl }: Settings,
  env: NodeJS.ProcessEnv,
  warn: (text: string) => void,
): Promise<SignInSettings> {
  if (smtp !== undefined && from === undefined)
    throw usage('--mail-from is missing: give the address that codes are from, or OPENFOUNTAIN_MAIL_FROM')
  if (smtp === undefined && from !== undefined)
    throw usage(
      '--mail-from has no effect without a mail server: give OPENFOUNTAIN_SMTP_URL, or leave it out',
    )
  const providers = await readProviders(file, env)
  const needing = [
    ...(smtp === undefined ? [] : ['--smtp']),
    ...providers.map(({ id }) => `provider "${id}"`),
  ]
  if (publicUrl === undefined && needing.length > 0)
    throw usage(
      `--public-url is missing: ${needing.join(' and ')} ${needing.length === 1 ? 'needs' : 'need'} the address to which people come back; give it, or OPENFOUNTAIN_PUBLIC_URL`,
    )
  const isOption = smtp !== undefined && smtp !== env['OPENFOUNTAIN_SMTP_URL']
  if (isOption && (URL.parse(smtp)?.password ?? '') !== '')
    warn('--smtp: every user of this machine can read the password; give it by OPENFOUNTAIN_SMTP_URL instead')
  if (file !== undefined && (await isReadableByAll(file)))
    warn(`--providers: every user of this machine can read ${file}; run chmod 600 ${file}`)
  return {
    publicUrl,
    registration,
    providers,
    ...(smtp !== undefined && from !== undefined && { mail: { smtp, from } }),
  }
}

const optionNames: Readonly<Record<string, string>> = {
  publicUrl: '--public-url',
  registration: '--registration',
  'mail.smtp': '--smtp',
  'mail.from': '--mail-from',
}

/** The refusal of a setting, with the name of its option or variable; other errors unchanged. */
export function refusedSetting(error: unknown, { providers }: SignInSettings): unknown {
  if (!(error instanceof RegistryError) || error.code !== 'INVALID_INPUT') return error
  const [issue] = (error.details['issues'] as readonly Issue[] | undefined) ?? []
  if (issue === undefined) return error
  const { path, message } = issue
  const [, index = '', member = ''] = /^providers\.(\d+)\.(\w+)$/u.exec(path) ?? []
  const provider = providers[Number(index)]
  if (index === '' || provider === undefined) return usage(`${optionNames[path] ?? path} ${message}`)
  return usage(
    `provider "${provider.id}": ${member} ${message}; set ${variableOf(provider.id, member)}, or change the file of --providers`,
  )
}

export function warningText(warning: AccountsWarning): string {
  switch (warning.code) {
    case 'publicUrlIsAddress':
      return `--public-url: there are no passkeys at ${warning.publicUrl}, since they need a name: use http://localhost on this machine, or a domain with HTTPS`
    case 'publicUrlIsPlainHttp':
      return `--public-url: there are no passkeys at ${warning.publicUrl}, and others on the way can read what people send: serve it with HTTPS`
    case 'nobodyCanJoin':
      return '--registration open: nobody can sign up without a mail server or a provider; set OPENFOUNTAIN_SMTP_URL or --providers'
    case 'mailWithoutTls':
      return `--smtp: codes go to ${warning.host} without TLS, so that others on the way can read them; use smtps://`
  }
}

export const failureText = (failure: AccountsFailure): string =>
  failure.part === 'mail'
    ? `A mail was given up: ${failure.reason}`
    : `Signing in with provider "${failure.provider}" failed: ${failure.reason}`
