import type { Edition } from '../edition.ts'
import { completed, type Tally, type TextFormat } from '../format.ts'
import { writeBlocks, type Growth } from './write-blocks.ts'

type LinesFormatParts = Omit<TextFormat, 'write' | 'text'> & {
  /** Whole lines by ascending id, each of which begins with `{"id":` and its id: all, or those from an id on. Counts them. */
  readonly lines: (edition: Edition, tally: Tally, from?: number) => Iterable<string | Uint8Array>
  /** Where lines are there for good, and others follow them; default nowhere. */
  readonly growth?: (edition: Edition) => Growth | undefined
}

/** A gzipped text format with one JSON object a line, compressed in blocks that the next export takes over. */
export function linesFormat({ lines, growth, ...format }: LinesFormatParts): TextFormat {
  return {
    ...completed(format, lines),
    write: (path, edition, tally) => {
      const file = {
        name: format.file,
        pieces: edition.pieces,
        growth: growth?.(edition),
        lines: (counted: Tally, from?: number) => lines(edition, counted, from),
      }
      return writeBlocks(path, file, tally)
    },
  }
}
