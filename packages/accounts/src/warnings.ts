import type { Registration } from '@openfountain/core/internal'
import type { Smtp } from './mail/smtp.ts'
import type { PublicUrl } from './public-url.ts'

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

export function warningsOf({
  publicUrl,
  registration,
  hasProviders,
  smtp,
}: {
  readonly publicUrl: PublicUrl
  readonly registration: Registration
  readonly hasProviders: boolean
  readonly smtp: Smtp | undefined
}): readonly AccountsWarning[] {
  const { origin, isAddress, isSecure, isLocal } = publicUrl
  const warnings: AccountsWarning[] = []
  if (isAddress) warnings.push({ code: 'publicUrlIsAddress', publicUrl: origin })
  if (!isSecure && !isLocal) warnings.push({ code: 'publicUrlIsPlainHttp', publicUrl: origin })
  if (registration === 'open' && !hasProviders && smtp === undefined) warnings.push({ code: 'nobodyCanJoin' })
  if (smtp !== undefined && !smtp.isPrivate) warnings.push({ code: 'mailWithoutTls', host: smtp.host })
  return warnings
}
