import { linesIn } from './blocks.ts'
import type { BuildCache } from '../build/build-cache.ts'
import { LogLine } from './records.ts'
import { LinesFile } from './stream.ts'

/**
 * The entries of a log by id, in batches.
 *
 * @param cache of blocks of an earlier build; default none
 * @throws {ExportFolderError} naming file, line and field where the content does not match the schema.
 */
export async function* readEntries(file: string, cache?: BuildCache): AsyncGenerator<readonly LogLine[]> {
  const lines = new LinesFile(file, LogLine)
  for await (const block of lines.blocks()) {
    if (cache?.get(block.bytes) !== undefined) {
      yield lines.known(block)
      continue
    }
    const read = Array.from(lines.records(block), ({ record }) => record)
    if (read.length === linesIn(block).length) cache?.add(block.bytes, '')
    yield read
  }
}
