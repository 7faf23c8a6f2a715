import { parquetWriteBuffer } from 'hyparquet-writer'

export type Codec = 'SNAPPY' | 'UNCOMPRESSED'

export const rowCount = 12

const of = <Value>(value: (index: number) => Value): Value[] =>
  Array.from({ length: rowCount }, (_, at) => value(at))

/** A small file as others write it: numbers, texts, times and structures. */
export function wholeParquet(codec: Codec): Uint8Array {
  return new Uint8Array(
    parquetWriteBuffer({
      codec,
      columnData: [
        { name: 'ref', data: of((at) => BigInt(at)), type: 'INT64' },
        { name: 'name', data: of((at) => `Fountain ${at % 3}`), type: 'STRING' },
        { name: 'lat', data: of((at) => 47 + at / 100), type: 'DOUBLE' },
        { name: 'lon', data: of((at) => 8 + at / 100), type: 'DOUBLE' },
        { name: 'checked', data: of((at) => new Date(Date.UTC(2025, 0, 1 + at))), type: 'TIMESTAMP' },
        { name: 'wheelchair', data: of((at) => at % 2 === 0), type: 'BOOLEAN' },
        { name: 'tags', data: of((at) => ({ visits: [1, at] })), type: 'JSON' },
      ],
    }),
  )
}

/** Numbers from 0 up to a limit, the same for the same seed (mulberry32). */
export function seeded(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

/** The file with up to four bytes changed between the marks at both ends. */
export function damagedParquet(codec: Codec, seed: number): Uint8Array {
  const below = seeded(seed)
  const bytes = wholeParquet(codec)
  for (let changes = 1 + below(4); changes > 0; changes--) bytes[4 + below(bytes.length - 12)] = below(256)
  return bytes
}

/** Seeds of files for which the parser rejects promises that nobody awaits. */
export const leavingRejections = { SNAPPY: [151, 192], UNCOMPRESSED: [25, 93] } as const

/** A file with which the parser loops. */
export const endless = { codec: 'UNCOMPRESSED', seed: 135 } as const
