import { hash } from 'node:crypto'
import { linesIn } from './blocks.ts'
import type { BuildCache } from '../build/build-cache.ts'
import { packed, unpacked, type PackedRow, type Row } from './row.ts'
import { Waypoint } from './records.ts'
import { LinesFile, type InvalidRecord } from './stream.ts'

/** A row, with a function that reads the whole waypoint, which most do not need. */
export interface ReadRow {
  readonly row: Row
  /** To be called while the row is current; the function that it returns may be called later. */
  whole(): () => Waypoint
}

/**
 * The waypoints of an export file, by id, in batches.
 *
 * @param cache of blocks of an earlier build; default none
 * @param onInvalid called with records that are skipped
 * @throws {ExportFolderError} naming file, line and field where the content does not match the schema.
 */
export async function* readRows(
  file: string,
  cache?: BuildCache,
  onInvalid?: (record: InvalidRecord) => void,
): AsyncGenerator<readonly ReadRow[]> {
  const lines = new LinesFile(file, Waypoint, onInvalid)
  for await (const block of lines.blocks()) {
    const text = cache?.get(block.bytes)
    if (text !== undefined) {
      const known = (JSON.parse(text) as PackedRow[]).map(unpacked)
      lines.passOver(known.length)
      let split: readonly Buffer[] | undefined
      yield known.map((row, place) => ({ row, whole: () => wholeLater((split ??= linesIn(block))[place]) }))
      continue
    }
    const read = Array.from(lines.records(block), ({ record, line }) => {
      const row: Row = { ...record, digest: hash('sha256', line, 'base64url').slice(0, digestLength) }
      return { row, whole: () => () => record }
    })
    if (cache && read.length === linesIn(block).length)
      cache.add(block.bytes, JSON.stringify(read.map(({ row }) => packed(row))))
    yield read
  }
}

/** 132 bits. */
const digestLength = 22

/** Copies the bytes of the line, which would keep a large buffer alive. */
function wholeLater(line: Uint8Array | undefined): () => Waypoint {
  const text = Buffer.from(line ?? [])
  return () => Waypoint.parse(JSON.parse(text.toString('utf8')))
}
