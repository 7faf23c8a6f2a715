import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { invalidBecause, isOnServer } from '@openfountain/core/internal'
import { keyBeside } from '@openfountain/telling'
import { followedSigner, type LogSigner, logSigner, newSigningKey, NoteError } from '@openfountain/tlog'
import { usage } from './failure.ts'

/** The file with the keys of the log beside a database. */
export const logKeyFile = (database: string): string => keyBeside(database, 'log-key')

const isFile = (database: string): boolean => database !== ':memory:' && !isOnServer(database)

/** The folder of a mirror's witness: OPENFOUNTAIN_WITNESS, else beside the database; undefined where neither is. */
export const witnessFolder = (database: string, env: NodeJS.ProcessEnv): string | undefined =>
  env['OPENFOUNTAIN_WITNESS']?.trim() || (isFile(database) ? keyBeside(database, 'witness') : undefined)

/** A new private key. @param option what gave its name @throws CommandError usage */
export const newKey = (option: string, name: string, kind?: 'cosignature'): Promise<string> =>
  newSigningKey(name, kind).catch((error: unknown) => {
    throw error instanceof NoteError ? usage(`${option} ${error.message}`) : error
  })

/** The keys of a file; undefined without a file. @throws RegistryError INVALID_INPUT when others can read it */
export async function logKeysIn(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) return undefined
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw invalidBecause('log key', `others can read ${file}: chmod 600 it, or make a new key if they did`)
  return readFile(file, 'utf8')
}

/** The last checkpoint that a mirror cosigned, with the keys that verify it; undefined without one. */
async function followedIn(folder: string | undefined): Promise<LogSigner | undefined> {
  const file = folder && join(folder, 'checkpoint')
  if (!folder || !file || !existsSync(file)) return undefined
  return followedSigner(await readFile(file, 'utf8'), await readFile(join(folder, 'keys'), 'utf8'))
}

/**
 * The keys of the log: of OPENFOUNTAIN_LOG_KEY, else of the file beside the database, else of the log that it mirrors;
 * undefined when there are none.
 *
 * @throws RegistryError INVALID_INPUT, without a key
 */
export async function logKeysOf(database: string, env: NodeJS.ProcessEnv): Promise<LogSigner | undefined> {
  const given = env['OPENFOUNTAIN_LOG_KEY']?.trim()
  const text = given || (isFile(database) ? await logKeysIn(logKeyFile(database)) : undefined)
  const signer = text === undefined ? followedIn(witnessFolder(database, env)) : logSigner(text)
  return signer.catch((error: unknown) => {
    throw error instanceof NoteError ? invalidBecause('log key', error.message) : error
  })
}
