import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'

const sealBytes = 32

/** A digest of bytes and their basis. */
function sealOf(basis: string, pieces: Iterable<Uint8Array>): Buffer {
  const hash = createHash('sha256').update(`${basis}\n`)
  for (const piece of pieces) hash.update(piece)
  return hash.digest()
}

/**
 * The bytes written by `writeSealed`; undefined for a missing, truncated or changed file, or one with another basis.
 *
 * @param basis the basis for reusing the bytes, such as a digest of the program that wrote them
 */
export async function readSealed(path: string, basis: string): Promise<Buffer | undefined> {
  const found = await readFile(path).catch(() => undefined)
  const bytes = found?.subarray(sealBytes)
  return bytes && found?.subarray(0, sealBytes).equals(sealOf(basis, [bytes])) ? bytes : undefined
}

/** Writes bytes, piece after piece, to a new file. */
export async function writeSealed(path: string, basis: string, pieces: readonly Uint8Array[]): Promise<void> {
  await writeFile(path, [sealOf(basis, pieces), ...pieces], { flag: 'wx' })
}
