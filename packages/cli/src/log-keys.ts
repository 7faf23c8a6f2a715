import { existsSync } from 'node:fs'
import { readFile, stat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { invalidBecause, isOnServer } from '@openfountain/core/internal'
import { keyBeside } from '@openfountain/telling'
import {
  followedSigner,
  type LogSigner,
  logSigner,
  newSigningKey,
  NoteError,
  signingKey,
  type SigningKey,
  type Split,
  type VerifierKey,
  verifierText,
  type WitnessStore,
} from '@openfountain/tlog'
import { usage } from './failure.ts'
import { createHash } from 'node:crypto'
import { writePrivately } from './output-files.ts'

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

/** The keys of the log: of OPENFOUNTAIN_LOG_KEY, of the file beside the database, or of the log that it mirrors. @throws RegistryError */
export async function logKeysOf(database: string, env: NodeJS.ProcessEnv): Promise<LogSigner | undefined> {
  const given = env['OPENFOUNTAIN_LOG_KEY']?.trim()
  const text = given || (isFile(database) ? await logKeysIn(logKeyFile(database)) : undefined)
  const signer = text === undefined ? followedIn(witnessFolder(database, env)) : logSigner(text)
  return signer.catch((error: unknown) => {
    throw error instanceof NoteError ? invalidBecause('log key', error.message) : error
  })
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Writes evidence of a split beside others, once. @returns the file */
export async function writeSplit(folder: string, split: Split): Promise<string> {
  const text = `${JSON.stringify({ format: 'openfountain-split/1', ...split }, undefined, 1)}\n`
  const file = join(folder, `split-${hashOf(text).slice(0, 16)}.json`)
  await writePrivately(file, [text])
  return file
}

/** Checkpoints in files, with the keys that verify them. @param folderOf the folder of a log */
export const storeIn = (keys: readonly VerifierKey[], folderOf: (origin: string) => string): WitnessStore => {
  const file = (origin: string): string => join(folderOf(origin), 'checkpoint')
  return {
    last: async (origin) => (existsSync(file(origin)) ? readFile(file(origin), 'utf8') : undefined),
    async keep(origin, note) {
      const folder = folderOf(origin)
      await mkdir(folder, { recursive: true })
      const lines = keys.map((key) => `${verifierText(key)}\n`)
      await writePrivately(join(folder, 'keys'), lines)
      await writePrivately(file(origin), [note])
    },
    split: (origin, split) => writeSplit(folderOf(origin), split),
  }
}

/** The key of a witness in its folder, which is made at the first start. @throws CommandError usage without a name for it */
export async function witnessKey(folder: string, option: string, name?: string): Promise<SigningKey> {
  const file = join(folder, 'witness-key')
  if ((await logKeysIn(file)) === undefined) {
    if (name === undefined)
      throw usage(`${option} is needed: the witness has no key yet, and keys have a name`)
    await mkdir(folder, { recursive: true })
    await writePrivately(file, [`${await newKey(option, name, 'cosignature')}\n`])
  }
  return signingKey((await logKeysIn(file)) ?? '')
}
