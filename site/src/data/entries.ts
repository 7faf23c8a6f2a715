import { linesIn } from './blocks.ts'
import type { KnownBlocks } from './known-blocks.ts'
import { LogLine } from './records.ts'
import { LinesFile } from './stream.ts'

/**
 * The entries of a log by id, in batches.
 *
 * @param kept the block cache of an earlier build; default none
 * @throws {ExportFolderError} naming file, line and field where the content does not match the schema.
 */
export async function* readEntries(file: string, kept?: KnownBlocks): AsyncGenerator<readonly LogLine[]> {
  const lines = new LinesFile(file, LogLine)
  for await (const block of lines.blocks()) {
    if (kept?.known(block) !== undefined) {
      yield lines.known(block)
      continue
    }
    const read = Array.from(lines.records(block), ({ record }) => record)
    if (read.length === linesIn(block).length) kept?.keep(block, '')
    yield read
  }
}
