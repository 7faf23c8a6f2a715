import { site } from '../build/context.ts'
import type { Bounds } from '../data/region.ts'
import type { WorldPoint } from './base-tiles.ts'

/** A drawing's window on the earth, in Web Mercator. */
export interface Window {
  readonly width: number
  readonly height: number
  place(longitude: number, latitude: number): readonly [x: number, y: number]
  /** The land in the window as path data, without its lakes. */
  land(): Promise<string>
}

export function atLeast(bounds: Bounds, degrees: number): Bounds {
  const [west, south, east, north] = bounds
  const x = Math.max(0, degrees - (east - west)) / 2
  const y = Math.max(0, degrees - (north - south)) / 2
  return [west - x, Math.max(-84, south - y), east + x, Math.min(84, north + y)]
}

/** A window of a size in pixels that shows the bounds with `margin` pixels around; coasts are drawn to `grain` pixels. */
export function windowOn(
  bounds: Bounds,
  { width, height, margin, grain }: { width: number; height: number; margin: number; grain: number },
): Window {
  const [west, , east] = bounds
  const south = Math.max(-84, bounds[1])
  const north = Math.min(84, bounds[3])
  const wide = Math.max(1e-6, east - west) * radian
  const high = Math.max(1e-6, mercator(north) - mercator(south))
  const scale = Math.min((width - 2 * margin) / wide, (height - 2 * margin) / high)
  const [centreX, centreY] = [(west + east) / 2, (mercator(north) + mercator(south)) / 2]
  const place = (longitude: number, latitude: number): readonly [number, number] => [
    width / 2 + (longitude - centreX) * radian * scale,
    height / 2 + (centreY - mercator(latitude)) * scale,
  ]
  return {
    width,
    height,
    place,
    async land() {
      const perWorld = 2 * Math.PI * scale
      const [x, y] = worldOf(centreX, latitudeAt(centreY))
      // A little more than is visible, so that the cut edges of land stay out of sight.
      const [wide, high] = [(width / 2 + bleed) / perWorld, (height / 2 + bleed) / perWorld]
      const seen: Bounds = [x - wide, y - high, x + wide, y + high]
      const shapes = await site().shapes([seen[0], seen[1]], [seen[2], seen[3]])
      const pixel = ([worldX, worldY]: WorldPoint): WorldPoint => [
        width / 2 + (worldX - x) * perWorld,
        height / 2 + (worldY - y) * perWorld,
      ]
      // A ring in the other direction is a hole, also where tiles overlap.
      const holes = shapes('lake').flatMap((rings) => rings.map((ring) => ring.toReversed()))
      return [...shapes('land').flat(), ...holes]
        .map((ring) => outline(cut(ring, seen).map(pixel), grain))
        .join('')
    },
  }
}

export const dotsIn = (
  { place }: Window,
  places: readonly (readonly [longitude: number, latitude: number, ...unknown[]])[],
): string =>
  places
    .map(([longitude, latitude]) => {
      const [x, y] = place(longitude, latitude)
      return `M${Math.round(x)} ${Math.round(y)}h0`
    })
    .join('')

const radian = Math.PI / 180
const bleed = 4

/** A place as shares of the world in Web Mercator, from the north-west. */
export const worldOf = (longitude: number, latitude: number): WorldPoint => [
  0.5 + longitude / 360,
  0.5 - mercator(latitude) / (2 * Math.PI),
]

/** Northing of a latitude in Web Mercator, for an earth of radius 1; its ends are cut off. */
function mercator(latitude: number): number {
  return Math.log(Math.tan(Math.PI / 4 + (Math.max(-89.5, Math.min(89.5, latitude)) * radian) / 2))
}

function latitudeAt(northing: number): number {
  return (2 * Math.atan(Math.exp(northing)) - Math.PI / 2) / radian
}

/** Path data on a grid of `grain` pixels without repeated points; rings that are too small are left out. */
function outline(ring: readonly WorldPoint[], grain: number): string {
  let path = ''
  let [lastX, lastY, count] = [Infinity, Infinity, 0]
  for (const [exactX, exactY] of ring) {
    const [x, y] = [Math.round(exactX / grain), Math.round(exactY / grain)]
    const [along, down] = [x - lastX, y - lastY]
    if (Math.abs(along) + Math.abs(down) < 2) continue
    const step = count === 0 ? `M${x * grain}` : `${count === 1 ? 'l' : along < 0 ? '' : ' '}${along * grain}`
    const fall = (count === 0 ? y : down) * grain
    path += `${step}${fall < 0 ? '' : ' '}${fall}`
    ;[lastX, lastY] = [x, y]
    count += 1
  }
  return count < 3 ? '' : `${path}z`
}

/** The part of a ring within bounds (Sutherland–Hodgman): cut along one edge after the other. */
export function cut(ring: readonly WorldPoint[], [west, north, east, south]: Bounds): readonly WorldPoint[] {
  /** The edges that a point is beyond, as bits. */
  const beyond = ring.map(([x, y]) => (x < west ? 1 : x > east ? 2 : 0) | (y < north ? 4 : y > south ? 8 : 0))
  let shared = 0
  // Most of a ring is far away: of a run of points beyond one edge, the first and the last are enough.
  const near = ring.filter((_, at) => {
    shared &= beyond[at] ?? 0
    const isBetween = (shared & (beyond[at + 1] ?? beyond[0] ?? 0)) !== 0
    if (!isBetween) shared = beyond[at] ?? 0
    return !isBetween
  })
  const between = cutAlong(cutAlong(near, 0, west, 1), 0, east, -1)
  return cutAlong(cutAlong(between, 1, north, 1), 1, south, -1)
}

function cutAlong(ring: readonly WorldPoint[], axis: 0 | 1, edge: number, side: 1 | -1): WorldPoint[] {
  const depthOf = (point: WorldPoint): number => (point[axis] - edge) * side
  const piece: WorldPoint[] = []
  let from = ring.at(-1)
  for (const to of ring) {
    const [depth, toDepth] = [depthOf(from ?? to), depthOf(to)]
    if (from && depth >= 0 !== toDepth >= 0) {
      const share = depth / (depth - toDepth)
      piece.push([from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share])
    }
    if (toDepth >= 0) piece.push(to)
    from = to
  }
  return piece
}

/** A map zoom at which bounds fit into a window of about 700 × 500 pixels with tiles of 512. */
export function zoomFor([west, south, east, north]: Bounds): number {
  const x = Math.log2((360 * 700) / 512 / Math.max(1e-6, east - west))
  const y = Math.log2((180 * 500) / 512 / Math.max(1e-6, north - south))
  return Math.max(1, Math.min(16, Math.floor(Math.min(x, y))))
}
