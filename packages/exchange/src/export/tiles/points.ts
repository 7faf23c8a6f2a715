import { NumberList } from '../parquet/number-list.ts'
import { Spool } from '../text/spool.ts'

/** Points of a map layer: positions in flat memory, and the properties of each in a tile. */
export interface Points {
  readonly count: number
  /** Web Mercator, 0 at the antimeridian to 1, by index. */
  readonly x: Float64Array
  /** Web Mercator, 0 at about 85.05° north to 1, by index. */
  readonly y: Float64Array
  /** Degrees: west, south, east, north of all points. */
  readonly bounds: readonly [number, number, number, number]
  /** The tags of one point. */
  tags(index: number): Record<string, string | number | boolean>
  /** Removes the temporary file. */
  remove(): void
}

export interface TilePoint {
  readonly latitude: number
  readonly longitude: number
  readonly tags: Record<string, string | number | boolean>
}

/** Reads points. Their tags are kept in a temporary file at `path`; memory is 24 bytes a point. */
export function gatherPoints(points: Iterable<TilePoint>, path: string): Points {
  const spool = new Spool(path)
  const [xs, ys] = [new NumberList(), new NumberList()]
  let [west, south, east, north] = [180, 90, -180, -90]
  for (const { longitude, latitude, tags } of points) {
    xs.push(mercatorX(longitude))
    ys.push(mercatorY(latitude))
    spool.add(JSON.stringify(tags))
    west = Math.min(west, longitude)
    east = Math.max(east, longitude)
    south = Math.min(south, latitude)
    north = Math.max(north, latitude)
  }
  const count = xs.length
  return {
    count,
    x: xs.taken(),
    y: ys.taken(),
    bounds: count === 0 ? [-180, -85, 180, 85] : [west, south, east, north],
    tags: (index) => JSON.parse(spool.read(index)),
    remove: () => spool.remove(),
  }
}

const mercatorX = (longitude: number): number => longitude / 360 + 0.5

/** Latitudes beyond the square of Web Mercator are moved to its edge. */
function mercatorY(latitude: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180)
  const y = 0.5 - (0.25 * Math.log((1 + sine) / (1 - sine))) / Math.PI
  return Math.min(Math.max(y, 0), 1)
}
