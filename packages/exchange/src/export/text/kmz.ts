import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import { compression, joined, type Format } from '../format.ts'
import { kml } from './kml.ts'

/** The same document in a zip archive, which is how Google Earth hands it on: https://www.ogc.org/standards/kml */
export const kmz: Format = {
  name: 'kmz',
  file: 'waypoints.kmz',
  mediaType: 'application/vnd.google-earth.kmz',
  title: 'KMZ: the KML, compressed',
  subject: 'waypoints',
  isDaily: true,
  holds: 'The file waypoints.kml as doc.kml, a tenth as large.',
  loses: 'What KML loses.',
  write: async (path, edition, tally) => {
    let [checksum, size] = [0, 0]
    function* document(): Iterable<Uint8Array> {
      for (const bytes of joined(kml.text(edition, tally))) {
        checksum = crc32(bytes, checksum)
        size += bytes.length
        yield bytes
      }
    }
    async function* archive(compressed: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
      const start = localHeader()
      yield start
      let end = start.length
      for await (const bytes of compressed) {
        yield bytes
        end += bytes.length
      }
      yield trailer([checksum, end - start.length, size], end)
    }
    const bytes = Readable.from(document(), { highWaterMark: 1 })
    await pipeline(bytes, createDeflateRaw(compression), archive, createWriteStream(path, { flags: 'wx' }))
  },
}

const name = Buffer.from('doc.kml')
/** CRC-32, compressed bytes and bytes; the latter two modulo 2^32, as archives have them that are not ZIP64. */
type Figures = readonly [checksum: number, compressed: number, bytes: number]

/** Numbers of two or four bytes: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
const short = (value: number): number[] => [value & 0xff, (value >> 8) & 0xff]
const long = (value: number): number[] => [...short(value), ...short(value >>> 16)]

/**
 * The beginning of both headers of a file: version 2.0, figures in a record of their own after the data, and deflate.
 * The time is always the first that archives can have, so that equal documents give equal bytes.
 */
const described = (figures: Figures): number[] => [
  ...[20, 1 << 3, 8, 0, (1 << 5) | 1].flatMap(short),
  ...figures.flatMap(long),
  ...short(name.length),
  ...short(0),
]

const localHeader = (): Buffer =>
  Buffer.concat([Buffer.from([...long(0x04034b50), ...described([0, 0, 0])]), name])

/** The bytes after the data: its figures, the directory with one file, and its offset. */
function trailer(figures: Figures, end: number): Buffer {
  const after = Buffer.from([0x08074b50, ...figures].flatMap(long))
  // No comment, one disk, no attributes, at the beginning.
  const rest = [...[0, 0, 0].flatMap(short), ...long(0), ...long(0)]
  const entry = [...long(0x02014b50), ...short(20), ...described(figures), ...rest]
  const directory = Buffer.concat([Buffer.from(entry), name])
  const counts = [0, 0, 1, 1].flatMap(short)
  const place = [directory.length, end + after.length].flatMap(long)
  return Buffer.concat([
    after,
    directory,
    Buffer.from([...long(0x06054b50), ...counts, ...place, ...short(0)]),
  ])
}
