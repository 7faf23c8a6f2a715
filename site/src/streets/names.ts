import { open } from 'node:fs/promises'
import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { PMTiles } from 'pmtiles'
import type { Waypoint } from '../data/records.ts'
import { worldOf } from '../drawing/land.ts'
import { partsOf, sourceOf } from './archive.ts'
import type { Streets } from './files.ts'

/** A fountain farther from the middle of a street is not at it. */
const farthestMetres = 50
/** The most tiles that a build reads: about 4,000 square kilometres of a city. */
const mostTiles = 5_000
const mostHeld = 200
/** Smaller streets have no names at lower zooms. */
const leastZoom = 14
const equatorMetres = 40_075_017

/** In shares of a tile. */
interface Point {
  readonly x: number
  readonly y: number
}

interface Street {
  readonly name: string
  readonly lines: readonly (readonly Point[])[]
}

/** The streets around fountains without a name, from the tiles of the street map. */
export class StreetNames {
  readonly #streets: Streets
  readonly #tiles: PMTiles
  readonly #held = new Map<string, Promise<readonly Street[]>>()
  #read = 0
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
    const [x, y] = worldOf(longitude, latitude).map((share) => share * side) as [number, number]
    const farthest = (farthestMetres * side) / (equatorMetres * Math.cos((latitude * Math.PI) / 180))
    const [nearest] = (await this.#streetsIn(maxZoom, Math.floor(x), Math.floor(y)))
      .map(({ name, lines }) => ({
        name,
        away: Math.min(...lines.map((line) => distanceTo(line, x % 1, y % 1))),
      }))
      .filter(({ away }) => away <= farthest)
      .toSorted((one, other) => one.away - other.away)
    return nearest?.name
  }

  #streetsIn(zoom: number, x: number, y: number): Promise<readonly Street[]> {
    const key = `${x} ${y}`
    const held = this.#held.get(key)
    if (!held && this.#read >= mostTiles) {
      this.beyond += 1
      return Promise.resolve([])
    }
    if (held) return held
    this.#read += 1
    if (this.#held.size >= mostHeld) this.#held.clear()
    const streets = this.#tiles.getZxy(zoom, x, y).then((tile) => streetsOf(tile?.data))
    this.#held.set(key, streets)
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
    const inTile = ({ x, y }: Point): Point => ({ x: x / extent, y: y / extent })
    return name === undefined ? [] : { name, lines: road.loadGeometry().map((line) => line.map(inTile)) }
  })
}

function streetName({ properties }: VectorTileFeature): string | undefined {
  const { name, kind, kind_detail: detail, is_tunnel: isTunnel, is_link: isLink } = properties
  const isStreet = ofStreets.has(kind) && !ofOthers.has(detail) && !isTunnel && !isLink
  return isStreet && typeof name === 'string' && name !== '' ? name : undefined
}

function distanceTo(line: readonly Point[], x: number, y: number): number {
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
