import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RegistryData } from '../data/registry.ts'
import type { Waypoint } from '../data/records.ts'
import type { Bounds, Region } from '../data/region.ts'
import { baseShapes, type Layer, type WorldPoint } from '../drawing/base-tiles.ts'
import { Canvas } from '../drawing/canvas.ts'
import { atLeast, worldOf } from '../drawing/land.ts'
import type { BuildCache } from './build-cache.ts'
import { photoPicture } from '../photo.ts'
import { mapSize, type Picture, type Pictures } from './preview.ts'
import { token } from './tokens.ts'

const mostPictures = 2000
/** Fewest degrees in the picture of a fountain, and of a region. */
const around = { one: 0.4, many: 0.15 } as const

const folder = 'map/pictures'
const colours = ['map-water', 'map-land', 'accent', 'surface'].map((name) => token(name).light)
const [water, land, accent, surface] = [0, 1, 2, 3] as const

interface Place {
  readonly name: string
  readonly bounds: Bounds
  readonly dots: readonly (readonly [longitude: number, latitude: number, ...unknown[]])[]
  readonly isOne: boolean
}

export const countPictures = (regions: number, waypoints: number): number =>
  Math.min(mostPictures, 1 + regions + waypoints)

/** Draws maps of the registry, its regions and its fountains, or takes over the earlier map of an unchanged place. */
export async function writePictures(
  data: RegistryData,
  cache: BuildCache,
  outDir: string,
): Promise<Pictures> {
  const { survey, waypoints } = data
  const { bounds, dots } = survey
  if (!bounds) return { of: () => undefined }
  const places = [
    { name: 'all', bounds, dots, isOne: false },
    ...survey.regions.map((region) => placeOfRegion(region)),
    ...waypoints.map((waypoint) => placeOfWaypoint(waypoint)),
  ].slice(0, mostPictures)
  await mkdir(join(outDir, folder), { recursive: true })
  for (const place of places) {
    await cache.write(pathOf(place.name), JSON.stringify(place), () => draw(place))
  }
  const drawn = new Set(places.map(({ name }) => name))
  const known = (name: string): Picture | undefined => (drawn.has(name) ? mapOf(name) : undefined)
  return {
    of(subject) {
      const region = subject && ('slug' in subject ? subject : data.regionOf(subject))
      const fountain = subject && !('slug' in subject) ? subject : undefined
      const own = fountain?.photo ? photoPicture(fountain.photo) : fountain && known(nameOf(fountain))
      return own ?? (region && known(`region-${region.slug}`)) ?? mapOf('all')
    },
  }
}

const pathOf = (name: string): string => `${folder}/${name}.png`
const mapOf = (name: string): Picture => ({ path: pathOf(name), ...mapSize })
const nameOf = ({ id }: Waypoint): string => `fountain-${id}`

const placeOfRegion = ({ slug, bounds, dots }: Region): Place => ({
  name: `region-${slug}`,
  bounds,
  dots,
  isOne: false,
})

function placeOfWaypoint(waypoint: Waypoint): Place {
  const { longitude, latitude } = waypoint
  const bounds: Bounds = [longitude, latitude, longitude, latitude]
  return { name: nameOf(waypoint), bounds, dots: [[longitude, latitude]], isOne: true }
}

async function draw({ bounds, dots, isOne }: Place): Promise<Buffer> {
  const { width, height } = mapSize
  const [west, south, east, north] = atLeast(bounds, isOne ? around.one : around.many)
  const [left, top] = worldOf(west, north)
  const [right, bottom] = worldOf(east, south)
  const scale = Math.min(width / (right - left), height / (bottom - top)) * (isOne ? 1 : 0.9)
  const [x, y] = [(left + right) / 2 - width / scale / 2, (top + bottom) / 2 - height / scale / 2]
  const place = ([worldX, worldY]: WorldPoint) => [(worldX - x) * scale, (worldY - y) * scale] as const
  const shapes = await baseShapes([x, y], [x + width / scale, y + height / scale])
  const canvas = new Canvas(width, height, colours)
  const drawn = (layer: Layer) => shapes(layer).map((lines) => lines.map((line) => line.map(place)))
  for (const rings of drawn('land')) canvas.fill(rings, land)
  for (const rings of drawn('lake')) canvas.fill(rings, water)
  for (const line of drawn('river').flat()) canvas.line(line, 1.25, water)
  for (const [longitude, latitude] of dots) {
    const at = place(worldOf(longitude, latitude))
    canvas.dot(at, isOne ? 13 : 4, surface)
    canvas.dot(at, isOne ? 9 : 3, accent)
  }
  return canvas.png()
}
