/** A position as GeoJSON has it: longitude and latitude in degrees. */
export type Vertex = readonly [longitude: number, latitude: number, ...rest: unknown[]]
/** The rings of a polygon: each closed, the first its outside, the others its holes. */
export type Rings = readonly (readonly Vertex[])[]

/** Edges that a band has on average: fewer make more bands, more take longer to look through. */
const edgesInBand = 16

/**
 * A polygon whose edges are sorted into bands of latitude, so that looking whether a point is inside takes as long for an
 * outline of ten thousand edges as for one of ten.
 */
export class Outline {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
  /** Where the edges of each band begin, four numbers each: longitude and latitude of both ends. */
  readonly #starts: Int32Array
  readonly #edges: Float64Array
  readonly #bandsPerDegree: number

  constructor(rings: Rings) {
    const ends = rings.flatMap((ring) =>
      ring
        .slice(1)
        .map((vertex, index) => [...(ring[index] ?? vertex).slice(0, 2), ...vertex.slice(0, 2)] as number[]),
    )
    const longitudes = ends.map(([longitude = 0]) => longitude)
    const latitudes = ends.map(([, latitude = 0]) => latitude)
    this.west = least(longitudes)
    this.east = -least(longitudes.map((each) => -each))
    this.south = least(latitudes)
    this.north = -least(latitudes.map((each) => -each))
    const bands = Math.max(1, Math.ceil(ends.length / edgesInBand))
    const height = this.north - this.south
    this.#bandsPerDegree = height > 0 ? bands / height : 0
    const perBand = Array.from({ length: bands }, (): number[][] => [])
    for (const edge of ends) {
      const [, from = 0, , to = 0] = edge
      // An edge along a parallel is crossed by no parallel.
      if (from === to) continue
      const last = this.#bandOf(Math.max(from, to), bands)
      for (let band = this.#bandOf(Math.min(from, to), bands); band <= last; band++) perBand[band]?.push(edge)
    }
    this.#starts = new Int32Array(bands + 1)
    for (const [band, edges] of perBand.entries())
      this.#starts[band + 1] = (this.#starts[band] ?? 0) + edges.length * 4
    this.#edges = Float64Array.from(perBand.flat(2))
  }

  #bandOf(latitude: number, bands: number): number {
    return Math.min(bands - 1, Math.floor((latitude - this.south) * this.#bandsPerDegree))
  }

  /** Whether a point is inside. Of two polygons that share an edge, a point on it is in one. */
  contains(longitude: number, latitude: number): boolean {
    if (longitude < this.west || longitude > this.east || latitude < this.south || latitude > this.north)
      return false
    const band = this.#bandOf(latitude, this.#starts.length - 1)
    const edges = this.#edges
    const end = this.#starts[band + 1] ?? 0
    let isInside = false
    for (let at = this.#starts[band] ?? 0; at < end; at += 4) {
      const [from = 0, to = 0] = [edges[at + 1], edges[at + 3]]
      if (from > latitude === to > latitude) continue
      const [start = 0, stop = 0] = [edges[at], edges[at + 2]]
      if (longitude < start + ((latitude - from) / (to - from)) * (stop - start)) isInside = !isInside
    }
    return isInside
  }
}

const least = (values: readonly number[]): number =>
  values.reduce((smallest, each) => Math.min(smallest, each), Number.POSITIVE_INFINITY)
