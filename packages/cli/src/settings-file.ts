import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { isOnServer } from '@openfountain/core/internal'
import { usage } from './failure.ts'
import { siteAddressOf } from './public-url.ts'

/** The file of settings in the folder of a registry. */
export const settingsFile = 'openfountain.env'

/** What the settings of a new registry depend on. */
export interface NewSettings {
  /** The folder of the registry, from the root. */
  readonly folder: string
  /** The database: a path from the root, or an address. */
  readonly database: string
  readonly name: string
  readonly author: string
  readonly license: string
  /** The file that declares custom fields, from the root. */
  readonly properties: string | undefined
  /** Where browsers will reach it, through a proxy on the same machine. */
  readonly publicUrl: string | undefined
}

/** A value as systemd, shells and Node read it alike. @throws CommandError usage when there is none */
function quotedValue(variable: string, value: string): string {
  if (/^[\w./:@+,-]+$/u.test(value)) return value
  if (!/["$\\`\p{Cc}]/u.test(value)) return `"${value}"`
  if (!/['\p{Cc}]/u.test(value)) return `'${value}'`
  throw usage(`${variable} cannot be written to a file of settings: leave quotes or control characters out`)
}

/** The text of the settings of a new registry. @throws CommandError usage for a value that no file of settings can have */
export function settingsText(settings: NewSettings): string {
  const { folder, database, name, author, license, properties, publicUrl } = settings
  const address = publicUrl === undefined ? '' : ` --url ${siteAddressOf(publicUrl).origin}`
  const variables: readonly (readonly [name: string, value: string | undefined])[] = [
    ['DB', database],
    ['NAME', name],
    ['AUTHOR', author],
    ['LICENSE', license],
    ['PROPERTIES', properties],
    ['PUBLIC_URL', publicUrl],
    ['REGISTRATION', 'invite'],
    // Without a proxy anybody could claim to be one.
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

/**
 * Reads the settings in the folder of a registry.
 *
 * @throws Error of the operating system when they cannot be read
 */
export async function readSettings(folder: string): Promise<NodeJS.ProcessEnv> {
  return parseEnv(await readFile(path.join(folder, settingsFile), 'utf8'))
}

/** A path in settings, which services read in the folder of the registry; an address of a database as it is. */
export function pathIn(folder: string, file: string): string {
  return isOnServer(file) ? file : path.resolve(folder, file)
}
