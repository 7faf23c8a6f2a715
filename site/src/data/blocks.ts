import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

/** Consecutive whole lines of a file, with their line ends. */
export interface Block {
  /** UTF-8. */
  readonly bytes: Buffer
  /** The number of its first line, from 1. */
  readonly firstLine: number
}

/** Bytes that are read and unzipped at once: each read costs a thread switch. */
const pieceBytes = 1 << 20
/** The size at which a block ends, whatever its content. */
const mostBytes = 1 << 20
/**
 * Records whose ids have the same quotient by this share a block, so that an added or removed record moves no other.
 */
const idsInBlock = 128

const lineFeed = 10
/** The longest beginning of a line up to the end of its id, in bytes. */
const longestId = 32
const beginning = Buffer.from('{"id":')

/** The blocks of a gzipped file with one JSON object a line, in its order. */
export async function* readBlocks(file: string): AsyncGenerator<Block> {
  const source = createReadStream(file, { highWaterMark: pieceBytes })
  const unzipped = createGunzip({ chunkSize: pieceBytes })
  source.on('error', (error) => unzipped.destroy(error))
  let rest: Buffer = Buffer.alloc(0)
  let firstLine = 1
  try {
    for await (const piece of source.pipe(unzipped) as AsyncIterable<Buffer>) {
      const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
      let start = 0
      for (const { end, lines } of endsOf(bytes)) {
        yield { bytes: bytes.subarray(start, end), firstLine }
        start = end
        firstLine += lines
      }
      rest = bytes.subarray(start)
    }
    if (rest.length > 0) yield { bytes: rest, firstLine }
  } finally {
    source.destroy()
  }
}

/** The lines of a block, without line ends. */
export function linesIn({ bytes }: Pick<Block, 'bytes'>): Buffer[] {
  const lines: Buffer[] = []
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(lineFeed, start)
    lines.push(bytes.subarray(start, end < 0 ? bytes.length : end))
    if (end < 0) break
    start = end + 1
  }
  return lines
}

/** The ends of complete blocks: another one, or its beginning, follows. */
function* endsOf(bytes: Buffer): Generator<{ readonly end: number; readonly lines: number }> {
  let [start, group, lines] = [0, groupAt(bytes, 0), 0]
  for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, end + 1)) {
    lines += 1
    const next = end + 1
    // An id at the end of the bytes may continue in the next ones.
    if (bytes.length - next < longestId) return
    const following = groupAt(bytes, next)
    if (following === group && next - start < mostBytes) continue
    yield { end: next, lines }
    ;[start, group, lines] = [next, following, 0]
  }
}

/** The block number of a record by its id; -1 where a line does not begin with its id. */
function groupAt(bytes: Buffer, at: number): number {
  if (bytes.compare(beginning, 0, beginning.length, at, Math.min(at + beginning.length, bytes.length)) !== 0)
    return -1
  let id = 0
  for (let place = at + beginning.length; place < bytes.length; place += 1) {
    const digit = (bytes[place] ?? 0) - 48
    if (digit < 0 || digit > 9) break
    id = id * 10 + digit
  }
  return Math.floor(id / idsInBlock)
}
