import { invalid, isLoopback, parse } from '@openfountain/core/internal'
import { z } from 'zod'

export interface ProviderOptions {
  /** Its id in addresses and in the registry: small letters, digits and hyphens. */
  readonly id: string
  readonly name: string
  /** OpenID Connect, or GitHub's OAuth 2. */
  readonly kind: 'openid' | 'github'
  /** The provider's address: for OpenID Connect discovery, of GitHub, or of an Enterprise server. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Requested scopes, separated by spaces. */
  readonly scope: string
}

const presets: Readonly<Record<string, Pick<ProviderOptions, 'name' | 'kind' | 'issuer' | 'scope'>>> = {
  openstreetmap: {
    name: 'OpenStreetMap',
    kind: 'openid',
    issuer: 'https://www.openstreetmap.org',
    scope: 'openid',
  },
  google: {
    name: 'Google',
    kind: 'openid',
    issuer: 'https://accounts.google.com',
    scope: 'openid email profile',
  },
  // Without a scope GitHub returns public data.
  github: { name: 'GitHub', kind: 'github', issuer: 'https://github.com', scope: '' },
}

const Issuer = z.string().refine(isIssuer, {
  message:
    'must be an https address without query and fragment, such as https://id.example.org (http only for localhost)',
})

function isIssuer(given: string): boolean {
  const url = URL.parse(given)
  if (url === null || [url.search, url.hash, url.username, url.password].some((part) => part !== ''))
    return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

const oneLine = (max: number) =>
  z
    .string()
    .trim()
    .min(1, { message: 'must not be empty' })
    .max(max)
    .refine((text) => !/\p{C}/u.test(text), { message: 'must have no control characters' })

const Entry = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z\d][a-z\d-]{0,31}$/u, {
      message: 'must have at most 32 small letters, digits and hyphens, such as "city-login"',
    })
    // Reserved for sign-in by mail.
    .refine((id) => id !== 'email', { message: 'must not be "email"' }),
  name: oneLine(80).optional(),
  kind: z.enum(['openid', 'github']).optional(),
  issuer: Issuer.optional(),
  clientId: oneLine(512),
  clientSecret: oneLine(4096),
  scope: z
    .string()
    .regex(/^[\x21\x23-\x5b\x5d-\x7e]*(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/u, {
      message: 'must be words with one space between them, such as "openid profile"',
    })
    .optional(),
})

const Providers = z.object({ providers: z.array(Entry).max(20) })

/**
 * Validates configured providers. OpenStreetMap, Google and GitHub have the ids `openstreetmap`, `google` and `github`,
 * and need only `clientId` and `clientSecret`. Others need `name` and `issuer`. Default `kind`: `openid`; default
 * `scope`: `openid profile email`.
 *
 * @throws RegistryError INVALID_INPUT, which names the entry and the member, and never repeats a secret
 */
export function parseProviders(given: unknown): ProviderOptions[] {
  const { providers } = parse(Providers, { providers: given })
  const all = providers.map((entry, index): ProviderOptions => {
    const { id, clientId, clientSecret, kind: givenKind } = entry
    const preset = presets[id]
    const place = (member: string) => `providers.${index}.${member}`
    const kind = givenKind ?? preset?.kind ?? 'openid'
    const name = entry.name ?? preset?.name
    const issuer =
      entry.issuer ?? preset?.issuer ?? (kind === 'github' ? presets['github']?.issuer : undefined)
    if (name === undefined) throw invalid(place('name'), 'is required: the name that people know it by')
    if (issuer === undefined)
      throw invalid(place('issuer'), 'is required: the address at which OpenID Connect is discovered')
    const usual = preset?.kind === kind ? preset.scope : undefined
    const scope = entry.scope ?? usual ?? (kind === 'openid' ? 'openid profile email' : '')
    if (kind === 'openid' && !scope.split(' ').includes('openid'))
      throw invalid(place('scope'), 'must have "openid" among its words')
    return { id, name, kind, issuer, clientId, clientSecret, scope }
  })
  for (const [index, { id, issuer }] of all.entries()) {
    const before = all.slice(0, index)
    if (before.some((other) => other.id === id))
      throw invalid(`providers.${index}.id`, `must be of one entry alone, "${id}" is there twice`)
    if (before.some((other) => new URL(other.issuer).href === new URL(issuer).href))
      throw invalid(`providers.${index}.issuer`, 'must be of one entry alone: people are known by issuer')
  }
  return all
}
