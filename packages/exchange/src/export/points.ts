/** Points of a map layer in flat memory: positions, and what a tile tells of each as JSON bytes. */
export interface Points {
  readonly count: number
  /** Web Mercator, 0 at the antimeridian to 1, by index. */
  readonly x: Float64Array
  /** Web Mercator, 0 at about 85.05° north to 1, by index. */
  readonly y: Float64Array
  readonly id: Float64Array
  /** Degrees: west, south, east, north of all points. */
  readonly bounds: readonly [number, number, number, number]
  /** The tags of one point. */
  tags(index: number): Record<string, string | number | boolean>
}

export interface TilePoint {
  readonly id: number
  readonly latitude: number
  readonly longitude: number
  readonly tags: Record<string, string | number | boolean>
}

/** Gathers points; about 28 bytes each and the length of their tags. */
export function gatherPoints(points: Iterable<TilePoint>): Points {
  let capacity = 1024
  let positions = new Float64Array(3 * capacity)
  let ends = new Float64Array(capacity)
  let bytes = Buffer.allocUnsafe(64 * capacity)
  let used = 0
  let count = 0
  let [west, south, east, north] = [180, 90, -180, -90]
  for (const point of points) {
    if (count === capacity) {
      capacity *= 2
      positions = grown(positions, 3 * capacity)
      ends = grown(ends, capacity)
    }
    positions.set([mercatorX(point.longitude), mercatorY(point.latitude), point.id], 3 * count)
    const tags = JSON.stringify(point.tags)
    const size = Buffer.byteLength(tags)
    if (used + size > bytes.length) {
      const larger = Buffer.allocUnsafe(2 * bytes.length + size)
      bytes.copy(larger, 0, 0, used)
      bytes = larger
    }
    used += bytes.write(tags, used)
    ends[count] = used
    count += 1
    west = Math.min(west, point.longitude)
    east = Math.max(east, point.longitude)
    south = Math.min(south, point.latitude)
    north = Math.max(north, point.latitude)
  }
  const column = (offset: number) =>
    Float64Array.from({ length: count }, (_, row) => positions[3 * row + offset] ?? 0)
  return {
    count,
    x: column(0),
    y: column(1),
    id: column(2),
    bounds: count === 0 ? [-180, -85, 180, 85] : [west, south, east, north],
    tags: (index) => JSON.parse(bytes.toString('utf8', index === 0 ? 0 : ends[index - 1], ends[index])),
  }
}

function grown(array: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(length)
  larger.set(array)
  return larger
}

const mercatorX = (longitude: number): number => longitude / 360 + 0.5

/** Latitudes beyond the square of Web Mercator stand at its edge. */
function mercatorY(latitude: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180)
  const y = 0.5 - (0.25 * Math.log((1 + sine) / (1 - sine))) / Math.PI
  return Math.min(Math.max(y, 0), 1)
}
