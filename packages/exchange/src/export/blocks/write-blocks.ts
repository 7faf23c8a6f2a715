import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { EarlierFileLost } from '../folder/earlier-file.ts'
import type { Pieces } from '../folder/pieces.ts'
import type { Tally } from '../format.ts'
import { BlockFile } from './block-file.ts'
import { EarlierBlocks, type KeptBlocks, type LastBlock } from './earlier-blocks.ts'
import { lineBlocks, type LineBlock } from './line-blocks.ts'

/** How an export knows that lines of an earlier one are there as they were, and all others follow them. */
export interface Growth {
  /** What is kept for the next export, as JSON. */
  readonly state: unknown
  /** Whether nothing but lines at the end is new. @param earlier the state that the earlier export kept, if it kept any */
  continues(earlier: unknown): Promise<boolean>
}

/** A file of lines. */
export interface LinesFile {
  readonly name: string
  /** Where blocks are taken over from, and what is kept of them for the next export; default all are made anew. */
  readonly pieces?: Pieces | undefined
  readonly growth?: Growth | undefined
  /** Whole lines by ascending id, each of which begins with `{"id":` and its id: all, or those from an id on. Counts them. */
  lines(tally: Tally, from?: number): Iterable<string | Uint8Array>
}

/**
 * Writes lines as one gzip member of blocks, each compressed by itself, and counts them. A block with the text of one of the earlier
 * export is taken over from there; the file is the same to the byte.
 */
export async function writeBlocks(path: string, file: LinesFile, tally: Tally): Promise<void> {
  const earlier = file.pieces && (await EarlierBlocks.open(file.pieces, file.name))
  try {
    await writeFrom(earlier, path, file, tally)
  } catch (error) {
    if (!(error instanceof EarlierFileLost)) throw error
    await rm(path)
    tally.rows = 0
    await writeFrom(undefined, path, file, tally)
  } finally {
    await earlier?.close()
  }
}

async function writeFrom(
  earlier: EarlierBlocks | undefined,
  path: string,
  { name, pieces, growth, lines }: LinesFile,
  tally: Tally,
): Promise<void> {
  const out = await BlockFile.create(path)
  try {
    const grown = earlier && growth && (await growth.continues(earlier.kept.growth)) ? earlier : undefined
    const begin = grown?.kept.last
    const digests = grown ? await takeAllButLast(out, grown) : []
    let { rows, bytes, checksum } = begin ?? { rows: 0, bytes: 0, checksum: 0 }
    let last: LastBlock | undefined
    tally.rows += rows
    for (const block of lineBlocks(lines(tally, begin?.first))) {
      last = { first: block.first, rows, bytes, checksum }
      digests.push(await addBlock(out, block, earlier))
      rows += block.rows
      for (const part of block.parts) {
        bytes += part.length
        checksum = crc32(part, checksum)
      }
      await new Promise(setImmediate)
    }
    const sha256 = await out.end(checksum, bytes)
    if (out.takenOver > 0) tally.takenOver = out.takenOver
    const blocks = digests.map((digest, index) => [digest, out.lengths[index] ?? 0] as const)
    const kept: KeptBlocks = { sha256, blocks, last, growth: growth?.state }
    await pieces?.keep(name, Buffer.from(JSON.stringify(kept)))
  } finally {
    await out.close()
  }
}

/** Takes over the blocks to which nothing can have been added. @returns their digests */
async function takeAllButLast(out: BlockFile, earlier: EarlierBlocks): Promise<string[]> {
  const places = earlier.places.slice(0, -1)
  for (const place of places) await out.take(earlier, place)
  return earlier.kept.blocks.slice(0, -1).map(([digest]) => digest)
}

/** @returns the digest of the block */
async function addBlock(
  out: BlockFile,
  { parts }: LineBlock,
  earlier: EarlierBlocks | undefined,
): Promise<string> {
  const digest = digestOf(parts)
  const place = earlier?.placeOf(digest)
  await (earlier && place ? out.take(earlier, place) : out.add(Buffer.concat(parts)))
  return digest
}

function digestOf(parts: readonly Uint8Array[]): string {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest.digest('base64url')
}
