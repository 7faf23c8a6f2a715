import { open } from 'node:fs/promises'
import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { PMTiles } from 'pmtiles'
import type { Waypoint } from '../data/records.ts'
import { partsOf, sourceOf } from './archive.ts'
import type { Streets } from './files.ts'

/** A fountain farther from the middle of a street is not at it. */
const farthestMetres = 50
/** The most tiles that a build reads: about 4,000 square kilometres of a city. */
const mostTiles = 5_000
/** Tiles whose streets are held. */
const mostHeld = 200
/** Smaller streets have no names at lower zooms. */
const leastZoom = 14
const equatorMetres = 40_075_017

/** A street with a name, in units of its tile. */
interface Street {
  readonly name: string
  readonly lines: readonly (readonly { readonly x: number; readonly y: number }[])[]
}

/** The streets around fountains without a name, from the tiles of the street map. */
export class StreetNames {
  readonly #streets: Streets
  readonly #tiles: PMTiles
  readonly #held = new Map<string, Promise<readonly Street[]>>()
  #read = 0
  /** Fountains whose tiles are beyond the limit. */
  beyond = 0

  private constructor(streets: Streets, tiles: PMTiles) {
    this.#streets = streets
    this.#tiles = tiles
  }

  /** Calls back with the names of an archive's streets, which is open meanwhile. */
  static async with<Result>(
    streets: Streets | undefined,
    use: (names: StreetNames | undefined) => Promise<Result>,
  ): Promise<Result> {
    if (!streets || streets.archive.maxZoom < leastZoom) return use(undefined)
    const { choice } = streets
    if (choice.kind === 'address') return use(new StreetNames(streets, new PMTiles(choice.url)))
    const file = await open(choice.path)
    try {
      return await use(new StreetNames(streets, new PMTiles(sourceOf(choice.path, partsOf(file)))))
    } finally {
      await file.close()
    }
  }

  /** The nearest street with a name; undefined for a fountain that has one itself, and away from streets. */
  async at({
    name,
    latitude,
    longitude,
  }: Pick<Waypoint, 'name' | 'latitude' | 'longitude'>): Promise<string | undefined> {
    const {
      bounds: [west, south, east, north],
      maxZoom,
    } = this.#streets.archive
    const isCovered = latitude >= south && latitude <= north && longitude >= west && longitude <= east
    if (name !== '' || !isCovered) return undefined
    const side = 2 ** maxZoom
    const angle = (latitude * Math.PI) / 180
    const x = ((longitude + 180) / 360) * side
    const y = ((1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2) * side
    const streets = await this.#streetsIn(maxZoom, Math.floor(x), Math.floor(y))
    const metres = (equatorMetres * Math.cos(angle)) / side
    let nearest: { readonly name: string; readonly metres: number } | undefined
    for (const { name, lines } of streets)
      for (const line of lines) {
        const away = distanceTo(line, x % 1, y % 1) * metres
        if (away <= farthestMetres && away < (nearest?.metres ?? Infinity)) nearest = { name, metres: away }
      }
    return nearest?.name
  }

  #streetsIn(zoom: number, x: number, y: number): Promise<readonly Street[]> {
    const key = `${x} ${y}`
    const held = this.#held.get(key)
    if (!held && this.#read >= mostTiles) {
      this.beyond += 1
      return Promise.resolve([])
    }
    if (!held) this.#read += 1
    const streets = held ?? this.#tiles.getZxy(zoom, x, y).then((tile) => streetsOf(tile?.data))
    // The tile that was asked for last is let go last.
    this.#held.delete(key)
    this.#held.set(key, streets)
    const [oldest] = this.#held.keys()
    if (this.#held.size > mostHeld && oldest !== undefined) this.#held.delete(oldest)
    return streets
  }
}

const ofStreets: ReadonlySet<unknown> = new Set(['major_road', 'minor_road', 'path'])
const ofOthers: ReadonlySet<unknown> = new Set(['raceway', 'corridor'])

function streetsOf(tile: ArrayBuffer | undefined): Street[] {
  const roads = tile && new VectorTile(new PbfReader(new Uint8Array(tile))).layers['roads']
  if (!roads) return []
  const { length, extent } = roads
  return Array.from({ length }, (_, index) => roads.feature(index)).flatMap((road) => {
    const name = streetName(road)
    const lines = name === undefined ? [] : road.loadGeometry()
    const inTile = lines.map((line) => line.map(({ x, y }) => ({ x: x / extent, y: y / extent })))
    return name === undefined ? [] : { name, lines: inTile }
  })
}

/** The name on the signs of a street where people walk. */
function streetName({ properties }: VectorTileFeature): string | undefined {
  const { name, kind, kind_detail: detail, is_tunnel: isTunnel, is_link: isLink } = properties
  const isStreet = ofStreets.has(kind) && !ofOthers.has(detail) && !isTunnel && !isLink
  return isStreet && typeof name === 'string' && name !== '' ? name : undefined
}

/** The distance from a point to a line. */
function distanceTo(line: Street['lines'][number], x: number, y: number): number {
  let nearest = Infinity
  for (const [index, to] of line.entries()) {
    const from = line[index - 1]
    if (!from) continue
    const [dx, dy] = [to.x - from.x, to.y - from.y]
    const share = ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1)
    const at = Math.min(1, Math.max(0, share))
    nearest = Math.min(nearest, Math.hypot(from.x + at * dx - x, from.y + at * dy - y))
  }
  return nearest
}
