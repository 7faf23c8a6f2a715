import { readFileSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { invalidBecause, isOnServer } from '@openfountain/core/internal'

/** The variable with the key, for a database on a server. */
const variable = 'OPENFOUNTAIN_KEY'
const leastCharacters = 32

/** The file of a key beside a database: `NAME.key` for `NAME.db`, or with another ending. */
export const keyBeside = (database: string, ending = 'key'): string =>
  `${database.replace(/\.db$/u, '')}.${ending}`

const isThere = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST'

/**
 * The key that secrets of webhooks, and links that end mails, are made of: OPENFOUNTAIN_KEY, else the file `NAME.key` beside the database, which only
 * its owner may read, and which is made when it is absent.
 *
 * @throws RegistryError INVALID_INPUT for a key that is too short, or a database on a server without one
 */
export function registryKey(database: string, env: NodeJS.ProcessEnv): string {
  const given = env[variable]?.trim()
  if (given === undefined && (database === ':memory:' || isOnServer(database)))
    throw invalidBecause(
      'key',
      `set ${variable} to ${leastCharacters} or more random characters: secrets are made of it`,
    )
  const file = keyBeside(database)
  const key = given ?? keyIn(file)
  if (key.length >= leastCharacters) return key
  throw invalidBecause(
    'key',
    `${given === undefined ? file : variable} must have at least ${leastCharacters} characters`,
  )
}

/** The key in a file, which is made when it is absent. */
function keyIn(file: string): string {
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if (!isThere(error)) throw error
  }
  return readFileSync(file, 'utf8').trim()
}
