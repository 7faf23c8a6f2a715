import { EarlierFile } from '../folder/earlier-file.ts'
import type { Pieces } from '../folder/pieces.ts'
import { KeptTiles } from './kept-tiles.ts'

/** The archive of an earlier export, whose tiles can be taken over. */
export interface EarlierTiles {
  readonly file: EarlierFile
  /** By their places in the file. */
  readonly tiles: KeptTiles
}

/** Opens the earlier archive; undefined where there is none, or it is not to the byte what was kept of it. */
export async function openEarlierTiles(
  pieces: Pieces | undefined,
  name: string,
): Promise<EarlierTiles | undefined> {
  const path = pieces?.earlierFile(name)
  const kept = await pieces?.earlier(name)
  if (path === undefined || kept === undefined) return undefined
  const file = await EarlierFile.open(path, kept.toString('hex', 0, sha256Bytes))
  return file && { file, tiles: new KeptTiles(kept.subarray(sha256Bytes)) }
}

const sha256Bytes = 32

/**
 * Keeps for the next export what `openEarlierTiles` reads.
 *
 * @param sha256 of the archive
 * @param rows of its tiles, by their places in it
 */
export function keepTiles(
  pieces: Pieces,
  name: string,
  sha256: Buffer,
  rows: readonly Buffer[],
): Promise<void> {
  return pieces.keep(name, Buffer.concat([sha256, ...rows]))
}
