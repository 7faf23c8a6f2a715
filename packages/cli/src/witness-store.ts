import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  signingKey,
  type SigningKey,
  type Split,
  type VerifierKey,
  verifierText,
  type WitnessStore,
} from '@openfountain/tlog'
import { usage } from './failure.ts'
import { logKeysIn, newKey } from './log-keys.ts'
import { writePrivately } from './output-files.ts'

/** The name of a log or a file by its text: hexadecimal SHA-256. */
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
