import { readFile, stat } from 'node:fs/promises'
import { invalidBecause, isOnServer } from '@openfountain/core/internal'
import { keyBeside } from '@openfountain/telling'
import { type LogSigner, logSigner, NoteError } from '@openfountain/tlog'

/** The file with the keys of the log beside a database. */
export const logKeyFile = (database: string): string => keyBeside(database, 'log-key')

/** What a file with keys has; undefined without a file. @throws RegistryError INVALID_INPUT when others can read it */
export async function logKeysIn(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) return undefined
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw invalidBecause('log key', `others can read ${file}: chmod 600 it, or make a new key if they did`)
  return readFile(file, 'utf8')
}

/**
 * The keys of the log: of OPENFOUNTAIN_LOG_KEY, else of the file beside the database; undefined when there are none.
 *
 * @throws RegistryError INVALID_INPUT, without a key
 */
export async function logKeysOf(database: string, env: NodeJS.ProcessEnv): Promise<LogSigner | undefined> {
  const given = env['OPENFOUNTAIN_LOG_KEY']?.trim()
  const isFile = database !== ':memory:' && !isOnServer(database)
  const text = given || (isFile ? await logKeysIn(logKeyFile(database)) : undefined)
  if (text === undefined) return undefined
  return logSigner(text).catch((error: unknown) => {
    throw error instanceof NoteError ? invalidBecause('log key', error.message) : error
  })
}
