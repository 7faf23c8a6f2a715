import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestProgram } from './digests.ts'
import type { KeptFolders } from './kept-folders.ts'

/** The beginning of what this program keeps; what has another one, or was cut or changed, is not read. */
async function beginningOf(pieces: Iterable<Uint8Array>): Promise<Buffer> {
  const hash = createHash('sha256').update(await digestProgram())
  for (const piece of pieces) hash.update(piece)
  return hash.digest()
}

const beginningBytes = 32

/** What the earlier build of the same program kept under a name; undefined where there is nothing, or it is not as it was. */
export async function readKept(
  name: string,
  { from }: Pick<KeptFolders, 'from'>,
): Promise<Buffer | undefined> {
  if (from === undefined) return undefined
  const whole = await readFile(join(from, name)).catch(() => Buffer.alloc(0))
  const bytes = whole.subarray(beginningBytes)
  return whole.subarray(0, beginningBytes).equals(await beginningOf([bytes])) ? bytes : undefined
}

/** Keeps bytes, piece after piece, for the next build. */
export async function writeKept(
  name: string,
  { to }: Pick<KeptFolders, 'to'>,
  pieces: readonly Uint8Array[],
): Promise<void> {
  await writeFile(join(to, name), [await beginningOf(pieces), ...pieces], { flag: 'wx' })
}
