import type { PageTemplate, RecordPage } from '@openfountain/core/internal'
import { freed } from '../format.ts'
import { Spool } from '../text/spool.ts'

/** Points of a map layer: positions in flat memory, and a text of each. */
export interface Points {
  readonly count: number
  /** Web Mercator, 0 at the antimeridian to 1, by index. */
  readonly x: Float64Array
  /** Web Mercator, 0 at about 85.05° north to 1, by index. */
  readonly y: Float64Array
  /** Degrees: west, south, east, north of all points. */
  readonly bounds: readonly [number, number, number, number]
  /** The text of one point in UTF-8. */
  text(index: number): Buffer
  /** Removes the temporary file. */
  remove(): void
}

/** The record of a point with a text that has no line feed, such as JSON. */
export const pointRecord = (text: PageTemplate['record']): PageTemplate => ({
  record: [
    { field: 'longitude', form: 'as it is' },
    ' ',
    { field: 'latitude', form: 'as it is' },
    ' ',
    ...text,
    '\n',
  ],
})

/**
 * Reads points from pages of `pointRecord`. Their texts are kept in a temporary file at `path`; memory is 24 bytes a point,
 * and that of a spool.
 *
 * @param onPage called with the number of the points of each page
 */
export function gatherPoints(
  pages: Iterable<RecordPage>,
  path: string,
  onPage: (points: number) => void,
): Points {
  const spool = new Spool(path)
  const xs: number[] = []
  const ys: number[] = []
  let [west, south, east, north] = [180, 90, -180, -90]
  for (const { bytes, count } of pages) {
    for (const line of linesIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))) {
      const first = line.indexOf(space)
      const second = line.indexOf(space, first + 1)
      const longitude = Number(line.toString('latin1', 0, first))
      const latitude = Number(line.toString('latin1', first + 1, second))
      xs.push(mercatorX(longitude))
      ys.push(mercatorY(latitude))
      spool.add(line.subarray(second + 1))
      west = Math.min(west, longitude)
      east = Math.max(east, longitude)
      south = Math.min(south, latitude)
      north = Math.max(north, latitude)
    }
    freed(bytes)
    onPage(count)
  }
  const count = xs.length
  return {
    count,
    x: new Float64Array(xs),
    y: new Float64Array(ys),
    bounds: count === 0 ? [-180, -85, 180, 85] : [west, south, east, north],
    text: (index) => spool.bytes(index),
    remove: () => spool.remove(),
  }
}

const space = 0x20
const lineFeed = 0x0a

/** Each ends with a line feed, which is left out. */
function* linesIn(bytes: Buffer): Iterable<Buffer> {
  let start = 0
  for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
    yield bytes.subarray(start, end)
    start = end + 1
  }
}

const mercatorX = (longitude: number): number => longitude / 360 + 0.5

/** Latitudes beyond the square of Web Mercator are moved to its edge. */
function mercatorY(latitude: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180)
  const y = 0.5 - (0.25 * Math.log((1 + sine) / (1 - sine))) / Math.PI
  return Math.min(Math.max(y, 0), 1)
}
