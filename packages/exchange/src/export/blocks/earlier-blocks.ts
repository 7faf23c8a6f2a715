import { z } from 'zod'
import { EarlierFile } from '../folder/earlier-file.ts'
import type { Pieces } from '../folder/pieces.ts'
import { header } from './member.ts'

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

/** The blocks of the file of an earlier export, which is the one that it wrote. */
export class EarlierBlocks {
  readonly kept: KeptBlocks
  /** Where each block is, in their order. */
  readonly places: readonly Place[]
  readonly #byDigest = new Map<string, Place>()
  readonly #file: EarlierFile

  private constructor(kept: KeptBlocks, file: EarlierFile) {
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
    const file = await EarlierFile.open(path, data.sha256)
    return file && new EarlierBlocks(data, file)
  }

  /** Where the block with such a text is. */
  placeOf(digest: string): Place | undefined {
    return this.#byDigest.get(digest)
  }

  /** @throws {EarlierFileLost} when the bytes cannot be read any more */
  read({ at, length }: Place): Uint8Array {
    const bytes = Buffer.allocUnsafe(length)
    this.#file.read(bytes, at)
    return bytes
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
