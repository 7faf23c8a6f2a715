import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import type { EarlierFile } from '../folder/earlier-file.ts'
import type { ZoomPart } from './zoom-part.ts'

/** Bytes that are written at a time. */
const pieceBytes = 1 << 20

/**
 * Writes an archive: what comes before the tiles, and the tiles of all zooms, and removes the files of these. Returns the
 * SHA-256.
 *
 * @throws {EarlierFileLost} after which there is no file
 */
export async function assemble(
  path: string,
  before: Uint8Array,
  parts: readonly ZoomPart[],
  earlier?: EarlierFile,
): Promise<Buffer> {
  const hash = createHash('sha256')
  const handle = await open(path, 'wx')
  try {
    hash.update(before)
    await handle.writeFile(before)
    for (const bytes of piecesOf(parts, earlier)) {
      hash.update(bytes)
      await handle.writeFile(bytes)
    }
  } catch (error) {
    await rm(path)
    throw error
  } finally {
    await handle.close()
    for (const part of parts) await rm(part.path)
  }
  return hash.digest()
}

/** The bytes of the parts, in the same memory; a piece is valid until the next. */
function* piecesOf(parts: readonly ZoomPart[], earlier: EarlierFile | undefined): Iterable<Uint8Array> {
  const piece = Buffer.allocUnsafe(pieceBytes)
  let used = 0
  for (const part of parts) {
    const file = openSync(part.path, 'r')
    try {
      for (const { isEarlier, offset, length } of part.stretches) {
        for (let done = 0; done < length;) {
          if (used === pieceBytes) {
            yield piece
            used = 0
          }
          const bytes = piece.subarray(used, Math.min(pieceBytes, used + length - done))
          if (isEarlier) earlier?.read(bytes, offset + done)
          else readSync(file, bytes, 0, bytes.length, offset + done)
          done += bytes.length
          used += bytes.length
        }
      }
    } finally {
      closeSync(file)
    }
  }
  yield piece.subarray(0, used)
}
