import { bundleBytes, type Tile, tileBytes, tileWidth, type TreeReads } from '@openfountain/tlog'
import { type StoredEntry } from './entry.ts'
import { digestOf, leafData } from './leaf.ts'

interface LogReads {
  readonly tree: TreeReads
  after(id: number, limit: number): readonly StoredEntry[] | Promise<readonly StoredEntry[]>
}

/** The bytes of a tile of the log: hashes, or the data of leaves, which has commitments and no text. */
export async function logTile(reads: LogReads, { level, index, width }: Tile): Promise<Uint8Array> {
  if (level !== 'entries') return tileBytes(reads.tree, level, index, width)
  const entries = await reads.after(index * tileWidth, width)
  return bundleBytes(entries.map((entry) => Buffer.from(leafData(entry, digestOf(entry)))))
}
