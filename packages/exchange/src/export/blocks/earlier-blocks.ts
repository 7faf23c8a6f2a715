import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { z } from 'zod'
import type { Pieces } from '../folder/pieces.ts'
import { header, trailerBytes } from './member.ts'

const count = z.int().nonnegative()

/** The beginning of the last block of a file: the id of its first record, and rows, bytes and CRC-32 of all text before it. */
const LastBlock = z.object({ first: count, rows: count, bytes: count, checksum: count })
export type LastBlock = Readonly<z.infer<typeof LastBlock>>

/** What is kept of a file of blocks. */
const KeptBlocks = z.object({
  /** Of the whole file, hexadecimal. */
  sha256: z.string(),
  /** Digests of the blocks' texts, and bytes of the compressed blocks. */
  blocks: z.array(z.tuple([z.string(), count]).readonly()),
  /** Absent when there are no blocks. */
  last: LastBlock.optional(),
  growth: z.unknown().optional(),
})
export type KeptBlocks = Readonly<z.infer<typeof KeptBlocks>>

/** Bytes of a file. */
export interface Place {
  readonly at: number
  readonly length: number
}

/** The earlier file is no longer what it was when it was opened. */
export class EarlierFileLost extends Error {}

/** Bytes that are hashed at a time. */
const pieceBytes = 1 << 20

/** The blocks of the file of an earlier export, which is the one that it wrote. */
export class EarlierBlocks {
  readonly kept: KeptBlocks
  /** Where each block is, in their order. */
  readonly places: readonly Place[]
  readonly #byDigest = new Map<string, Place>()
  readonly #file: FileHandle

  private constructor(kept: KeptBlocks, file: FileHandle) {
    this.kept = kept
    this.#file = file
    let at = header.length
    this.places = kept.blocks.map(([digest, length]) => {
      const place = { at, length }
      this.#byDigest.set(digest, place)
      at += length
      return place
    })
  }

  /** Opens them; undefined where there are none, or the file is not to the byte what was kept of it. */
  static async open(pieces: Pieces, name: string): Promise<EarlierBlocks | undefined> {
    const [path, found] = [pieces.earlierFile(name), await pieces.earlier(name)]
    if (path === undefined || found === undefined) return undefined
    const { data } = KeptBlocks.safeParse(JSON.parse(found.toString()))
    if (data === undefined) return undefined
    const file = await open(path).catch(() => undefined)
    if (file === undefined) return undefined
    const isSame = await sameAs(data, file).catch(() => false)
    if (isSame) return new EarlierBlocks(data, file)
    await file.close()
    return undefined
  }

  /** Where the block with such a text is. */
  placeOf(digest: string): Place | undefined {
    return this.#byDigest.get(digest)
  }

  /** @throws {EarlierFileLost} when the bytes cannot be read any more */
  async read({ at, length }: Place): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafe(length)
    const { bytesRead } = await this.#file.read(bytes, 0, length, at).catch((cause: unknown) => {
      throw new EarlierFileLost('the file of the earlier export cannot be read', { cause })
    })
    if (bytesRead < length) throw new EarlierFileLost('the file of the earlier export was cut off')
    return bytes
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

/** Whether a file has the size and the digest that were kept of it. */
async function sameAs({ blocks, sha256 }: KeptBlocks, file: FileHandle): Promise<boolean> {
  const size = blocks.reduce((sum, [, length]) => sum + length, header.length + trailerBytes)
  if ((await file.stat()).size !== size) return false
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(pieceBytes)
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(piece, 0, pieceBytes, at)
    if (bytesRead === 0) return false
    hash.update(piece.subarray(0, bytesRead))
    at += bytesRead
  }
  return hash.digest('hex') === sha256
}
