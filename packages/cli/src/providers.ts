import { readFile, stat } from 'node:fs/promises'
import { CommandError, usage } from './failure.ts'

/** A configured provider; `createAccounts` checks what its kind needs. */
interface ProviderSettings {
  /** Its id in lower case, such as `google`; part of its redirect address. */
  readonly id: string
  readonly name?: string
  readonly kind?: 'openid' | 'github'
  readonly issuer?: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope?: string
}

const members = {
  NAME: 'name',
  KIND: 'kind',
  ISSUER: 'issuer',
  CLIENT_ID: 'clientId',
  CLIENT_SECRET: 'clientSecret',
  SCOPE: 'scope',
} as const

type Member = (typeof members)[keyof typeof members]
type Partly = { readonly id: string } & { [Name in Member]?: string }

const prefix = 'OPENFOUNTAIN_PROVIDER_'
const ends = Object.keys(members)
const variable = new RegExp(`^${prefix}([A-Z\\d]+(?:_[A-Z\\d]+)*?)_(${ends.join('|')})$`, 'u')

export function variableOf(id: string, member: string): string {
  const end = member.replaceAll(/(?=[A-Z])/gu, '_').toUpperCase()
  return `${prefix}${id.toUpperCase().replaceAll('-', '_')}_${end}`
}

const isMember = (name: string): name is Member => Object.values<string>(members).includes(name)

/** @throws CommandError usage, with the place but no values, which may be secret */
function providerOf(value: unknown, place: string): Partly {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw usage(`${place} must be an object such as { "id": "google", "clientId": …, "clientSecret": … }`)
  const { id, ...rest } = value as Readonly<Record<string, unknown>>
  if (typeof id !== 'string' || !/^[a-z\d][a-z\d-]{0,31}$/u.test(id))
    throw usage(`${place}.id must be a word of small letters, digits and hyphens, such as "google"`)
  const provider: Partly = { id }
  for (const [name, member] of Object.entries(rest)) {
    if (!isMember(name))
      throw usage(
        `${place} (${id}) has ${JSON.stringify(name)}, which is not known; it may have id, ${Object.values(members).join(', ')}`,
      )
    if (typeof member !== 'string' || member.trim() === '')
      throw usage(`${place}.${name} (${id}) must be a text that is not empty`)
    provider[name] = member
  }
  return provider
}

async function inFile(file: string): Promise<Partly[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT'
    throw new CommandError(
      isMissing ? 'notFound' : 'unreadable',
      `--providers ${file} ${isMissing ? 'not found' : `cannot be read (${error.code ?? error.message})`}`,
      error.code,
    )
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's message quotes the text around the mistake, which may be a secret.
    throw usage(`--providers ${file} is not JSON: check commas and quotation marks`)
  }
  if (!Array.isArray(value))
    throw usage(`--providers ${file} must be a list: [{ "id": "google", "clientId": …, "clientSecret": … }]`)
  return value.map((each: unknown, index) => providerOf(each, `--providers ${file}: [${index}]`))
}

function inEnvironment(env: NodeJS.ProcessEnv): Map<string, Partly> {
  const providers = new Map<string, Partly>()
  for (const [name, value] of Object.entries(env).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (!name.startsWith(prefix) || value === undefined || value.trim() === '') continue
    const [, word = '', end = ''] = variable.exec(name) ?? []
    const member = members[end as keyof typeof members] as Member | undefined
    if (member === undefined)
      throw usage(
        `${name} is not known: after ${prefix} comes the provider's id, then one of ${ends.join(', ')}`,
      )
    const id = word.toLowerCase().replaceAll('_', '-')
    const provider = providers.get(id) ?? { id }
    provider[member] = value
    providers.set(id, provider)
  }
  return providers
}

function complete({ kind, ...provider }: Partly): ProviderSettings {
  const { id } = provider
  const needed = (member: 'clientId' | 'clientSecret'): string => {
    const value = provider[member]
    if (value !== undefined) return value
    throw usage(
      `provider "${id}" has no ${member}: set ${variableOf(id, member)}, or give it in the file of --providers`,
    )
  }
  const own = { ...provider, clientId: needed('clientId'), clientSecret: needed('clientSecret') }
  if (kind === undefined || kind === 'openid' || kind === 'github') return { ...own, kind }
  throw usage(`provider "${id}" must have the kind openid or github: set ${variableOf(id, 'kind')}`)
}

/** Variables take precedence, so that the file need not contain secrets. @throws CommandError, without a secret */
export async function readProviders(
  file: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<ProviderSettings[]> {
  const set = inEnvironment(env)
  const listed = file === undefined ? [] : await inFile(file)
  const known = new Set(listed.map(({ id }) => id))
  return [
    ...listed.map((provider) => complete({ ...provider, ...set.get(provider.id) })),
    ...[...set.values()].filter(({ id }) => !known.has(id)).map(complete),
  ]
}

export const isReadableByAll = async (file: string): Promise<boolean> =>
  process.platform !== 'win32' && ((await stat(file)).mode & 0o004) !== 0
