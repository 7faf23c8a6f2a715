import { joined } from '../format.ts'

/** Lines of records that follow each other. */
export interface LineBlock {
  /** UTF-8, valid until the next block is asked for. */
  readonly parts: readonly Uint8Array[]
  /** The id of its first record. */
  readonly first: number
  readonly rows: number
}

/** Records whose ids have the same quotient by this are in the same block: one that is added or removed moves no other. */
const idsInGroup = 512
/** A block with fewer bytes goes on with the next group, as where few of the ids are chosen: small ones compress badly. */
const leastBytes = 1 << 16

/** A block while its lines are found. */
interface Growing {
  readonly parts: Uint8Array[]
  bytes: number
  rows: number
  readonly first: number
  /** That of the latest line. */
  group: number
}

/**
 * The blocks of lines, each of which begins with `{"id":` and its id, ascending. Where a block ends follows from its own lines and the
 * next id alone.
 *
 * @param pieces whole lines
 */
export function* lineBlocks(pieces: Iterable<string | Uint8Array>): Generator<LineBlock> {
  let block: Growing | undefined
  for (const bytes of joined(pieces)) {
    let start = 0
    for (let at = 0; at < bytes.length;) {
      const id = idAt(bytes, at)
      const group = Math.floor(id / idsInGroup)
      if (block && group !== block.group && block.bytes + at - start >= leastBytes) {
        yield { ...block, parts: [...block.parts, bytes.subarray(start, at)] }
        ;[block, start] = [undefined, at]
      }
      block ??= { parts: [], bytes: 0, rows: 0, first: id, group }
      block.group = group
      block.rows += 1
      const end = bytes.indexOf(lineFeed, at)
      if (end === -1) throw new Error('a piece of lines ends within a line')
      at = end + 1
    }
    // The bytes are overwritten while more are made.
    block?.parts.push(bytes.slice(start))
    if (block) block.bytes += bytes.length - start
  }
  if (block) yield block
}

const lineFeed = 10
const idBegins = '{"id":'.length
const [zero, nine] = [48, 57]

function idAt(bytes: Uint8Array, line: number): number {
  let id = 0
  for (let at = line + idBegins; ; at += 1) {
    const digit = bytes[at] ?? 0
    if (digit < zero || digit > nine) return id
    id = id * 10 + (digit - zero)
  }
}
