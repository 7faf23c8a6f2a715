import { site } from '../build/context.ts'
import type { Bounds } from '../data/region.ts'
import type { Coast } from './atlas.ts'

/** A drawing's window on the earth, in Web Mercator. */
export interface Window {
  readonly width: number
  readonly height: number
  /** Where a place is in the drawing. */
  place(longitude: number, latitude: number): readonly [x: number, y: number]
  /** The land in the window as path data. */
  land(): string
}

/** Bounds that are at least `degrees` high and wide. */
export function atLeast(bounds: Bounds, degrees: number): Bounds {
  const [west, south, east, north] = bounds
  const x = Math.max(0, degrees - (east - west)) / 2
  const y = Math.max(0, degrees - (north - south)) / 2
  return [west - x, Math.max(-84, south - y), east + x, Math.min(84, north + y)]
}

/**
 * A window of a size in pixels that shows the bounds with `margin` pixels around them. Coasts are drawn to `grain`
 * pixels.
 */
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
    land() {
      const { coarse, fine } = site().atlas
      // A little more than is visible, so that the cut edges of land stay out of sight.
      const [x, y] = [(width / 2 + bleed) / scale, (height / 2 + bleed) / scale]
      const seen: Bounds = [
        centreX - x / radian,
        latitudeAt(centreY - y),
        centreX + x / radian,
        latitudeAt(centreY + y),
      ]
      return landWithin(width / scale / radian > 12 ? coarse : fine, seen)
        .map((coast) => outline(coast, place, grain))
        .join('')
    },
  }
}

/** The path data of places as dots. */
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

/** Northing of a latitude in Web Mercator, for an earth of radius 1; its ends are cut off. */
export function mercator(latitude: number): number {
  return Math.log(Math.tan(Math.PI / 4 + (Math.max(-89.5, Math.min(89.5, latitude)) * radian) / 2))
}

function latitudeAt(northing: number): number {
  return (2 * Math.atan(Math.exp(northing)) - Math.PI / 2) / radian
}

/** Path data on a grid of `grain` pixels without repeated points; rings that are too small are left out. */
function outline(coast: Coast, place: Window['place'], grain: number): string {
  let path = ''
  let [lastX, lastY, count] = [Infinity, Infinity, 0]
  for (let at = 0; at < coast.length; at += 2) {
    const [exactX, exactY] = place(coast[at] ?? 0, coast[at + 1] ?? 0)
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

/** The coasts within bounds, closed along their edges. Bounds may reach beyond the antimeridian. */
export function landWithin(coasts: readonly Coast[], [west, south, east, north]: Bounds): Coast[] {
  return [-360, 0, 360].flatMap((turn) => {
    if (east - turn < -180 || west - turn > 180) return []
    const seen: Bounds = [west - turn, south, east - turn, north]
    const pieces = coasts.map((coast) => cut(near(coast, seen), seen))
    return pieces
      .filter(({ length }) => length > 0)
      .map((piece) => piece.map((value, at) => (at % 2 === 0 ? value + turn : value)))
  })
}

/** Numbers of a coast that have a box together. */
const stretchLength = 128

/** A coast in stretches, each with the box around it, and the box around all. */
interface Boxed {
  readonly box: Bounds
  readonly stretches: readonly { readonly line: Coast; readonly box: Bounds }[]
}

const boxedCoasts = new WeakMap<Coast, Boxed>()

function boxed(coast: Coast): Boxed {
  const known = boxedCoasts.get(coast)
  if (known) return known
  const stretches = Array.from({ length: Math.ceil(coast.length / stretchLength) }, (_, place) => {
    const line = coast.slice(place * stretchLength, (place + 1) * stretchLength)
    return { line, box: boxAround(line) }
  })
  const found = { box: boxAround(stretches.flatMap(({ box }) => box)), stretches }
  boxedCoasts.set(coast, found)
  return found
}

function boxAround(line: Coast): Bounds {
  const x = line.filter((_value, at) => at % 2 === 0)
  const y = line.filter((_value, at) => at % 2 === 1)
  return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)]
}

const isBeyond = (box: Bounds, [west, south, east, north]: Bounds): boolean =>
  box[2] < west || box[0] > east || box[3] < south || box[1] > north

/** A coast whose stretches beyond an edge of the bounds are straight, which changes nothing within them. */
function near(coast: Coast, bounds: Bounds): Coast {
  const { box, stretches } = boxed(coast)
  if (isBeyond(box, bounds)) return []
  const found: number[] = []
  for (const { line, box: around } of stretches) {
    if (isBeyond(around, bounds)) found.push(...line.slice(0, 2), ...line.slice(-2))
    else found.push(...line)
  }
  return found
}

/** The part of a closed line within bounds (Sutherland–Hodgman): cut along one edge after the other. */
function cut(coast: Coast, [west, south, east, north]: Bounds): Coast {
  let piece = coast
  piece = cutAlong(piece, 0, west, 1)
  piece = cutAlong(piece, 0, east, -1)
  piece = cutAlong(piece, 1, south, 1)
  return cutAlong(piece, 1, north, -1)
}

function cutAlong(coast: Coast, axis: 0 | 1, edge: number, side: 1 | -1): Coast {
  const kept: number[] = []
  let [x, y] = [coast.at(-2) ?? 0, coast.at(-1) ?? 0]
  let depth = ((axis === 0 ? x : y) - edge) * side
  for (let at = 0; at < coast.length; at += 2) {
    const [toX = 0, toY = 0] = [coast[at], coast[at + 1]]
    const toDepth = ((axis === 0 ? toX : toY) - edge) * side
    if (depth >= 0 !== toDepth >= 0) {
      const share = depth / (depth - toDepth)
      kept.push(x + (toX - x) * share, y + (toY - y) * share)
    }
    if (toDepth >= 0) kept.push(toX, toY)
    ;[x, y, depth] = [toX, toY, toDepth]
  }
  return kept
}

/** A map zoom at which bounds fit into a window of about 700 × 500 pixels with tiles of 512. */
export function zoomFor([west, south, east, north]: Bounds): number {
  const x = Math.log2((360 * 700) / 512 / Math.max(1e-6, east - west))
  const y = Math.log2((180 * 500) / 512 / Math.max(1e-6, north - south))
  return Math.max(1, Math.min(16, Math.floor(Math.min(x, y))))
}
