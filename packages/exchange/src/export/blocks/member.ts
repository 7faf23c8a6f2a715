import { promisify } from 'node:util'
import { constants, deflateRaw } from 'node:zlib'

const deflating = promisify(deflateRaw)

/** RFC 1952, 2.3: deflate, and neither flags nor time nor system, so that equal texts give equal bytes. */
export const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** Bytes of `trailer`. */
const trailerBytes = 10

/**
 * Compresses a block in another thread. It refers to no other and ends with a whole byte, by a full flush, so that its bytes are the
 * same wherever in a member it is; it is never the last.
 */
export const compressed = (text: Uint8Array): Promise<Buffer> =>
  deflating(text, { level: 6, chunkSize: 1 << 16, finishFlush: constants.Z_FULL_FLUSH })

/** What follows the blocks of a member: an empty last one, the CRC-32 of the text, and its bytes modulo 2^32. */
export function trailer(checksum: number, bytes: number): Buffer {
  const end = Buffer.alloc(trailerBytes)
  end[0] = 0x03
  end.writeUInt32LE(checksum, 2)
  end.writeUInt32LE(bytes % 2 ** 32, 6)
  return end
}
