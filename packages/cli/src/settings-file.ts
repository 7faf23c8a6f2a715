import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { isOnServer } from '@openfountain/core/internal'
import { usage } from './failure.ts'
import { siteAddressOf } from './public-url.ts'

export const settingsFile = 'openfountain.env'

/** A value quoted alike for systemd, shells and Node. @throws CommandError usage when impossible */
function quotedValue(variable: string, value: string): string {
  if (/^[\w./:@+,-]+$/u.test(value)) return value
  if (!/["$\\`\p{Cc}]/u.test(value)) return `"${value}"`
  if (!/['\p{Cc}]/u.test(value)) return `'${value}'`
  throw usage(`${variable} cannot be written to a file of settings: leave quotes or control characters out`)
}

/** The settings file of a new registry. @throws CommandError usage for a value that cannot be quoted */
export function settingsText(settings: {
  readonly folder: string
  /** An absolute path, or an address. */
  readonly database: string
  readonly name: string
  readonly author: string
  readonly license: string
  readonly language: string
  readonly properties: string | undefined
  readonly publicUrl: string | undefined
  readonly passersBy: boolean
}): string {
  const { folder, database, name, author, license, language, properties, publicUrl, passersBy } = settings
  const address = publicUrl === undefined ? '' : ` --url ${siteAddressOf(publicUrl).origin}`
  const variables: readonly (readonly [name: string, value: string | undefined])[] = [
    ['DB', database],
    ['NAME', name],
    ['AUTHOR', author],
    ['LICENSE', license],
    ['LANGUAGE', language],
    ['PROPERTIES', properties],
    ['PUBLIC_URL', publicUrl],
    ['REGISTRATION', 'invite'],
    ['PASSERS_BY', passersBy ? 'yes' : undefined],
    // Without a proxy, anybody could forge its headers.
    ['TRUST_PROXY', publicUrl?.startsWith('https:') === true ? 'loopback' : undefined],
    ['RATE_LIMIT', '300'],
    ['SECURITY_LOG', path.join(folder, 'security.log')],
    ['EXPORTS', path.join(folder, 'site/data')],
    ['SITE', path.join(folder, 'site')],
    ['PUBLISH', `--out ${path.join(folder, 'site')} --api /api${address}`],
    ['BACKUPS', path.join(folder, 'backups')],
    ['METRICS', 'loopback'],
  ]
  return variables
    .flatMap(([end, value]) => {
      const variable = `OPENFOUNTAIN_${end}`
      return value === undefined ? [] : [`${variable}=${quotedValue(variable, value)}\n`]
    })
    .join('')
}

/** Reads the settings in the folder of a registry. @throws Error of the operating system when they cannot be read */
export const readSettings = async (folder: string): Promise<NodeJS.ProcessEnv> =>
  parseEnv(await readFile(path.join(folder, settingsFile), 'utf8'))

/** Resolves a path in the settings from the registry's folder; database addresses stay. */
export const pathIn = (folder: string, file: string): string =>
  isOnServer(file) ? file : path.resolve(folder, file)
