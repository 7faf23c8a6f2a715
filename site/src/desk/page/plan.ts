import { distanceMetres } from '@openfountain/core/geodesy'
import { distanceWords, desk, withName } from './config.ts'
import { drawn, element } from './element.ts'
import { fountainName } from './naming.ts'

/** A place on a plan. */
export interface Placed {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  readonly verified?: boolean
}

const size = { width: 640, height: 320 } as const
const steps = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] as const
/** The least half height in metres: nearer places would be drawn on top of each other. */
const leastReach = 30
/**
 * The largest ratio between the farthest and the nearest distance: farther places are left out, so that the nearest is
 * clear of the middle.
 */
const mostTimes = 4

/** A plan with a place in the middle and others around it: distances as rings, north up. Nothing is loaded for it. */
export function plan(here: Placed, others: readonly Placed[]): HTMLElement {
  const { width, height } = size
  const placed = others.map((other) => ({ other, ...offset(here, other) }))
  const distances = placed.map(({ east, north }) => Math.hypot(east, north))
  const reach = Math.max(leastReach, Math.min(Math.max(0, ...distances), mostTimes * Math.min(...distances)))
  const scale = (height / 2 - 30) / reach
  const [cx, cy] = [width / 2, height / 2]
  const root = drawn('svg', {
    class: 'plan-map',
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-label': withName(desk.map, fountainName(here)),
  })
  root.append(drawn('rect', { class: 'plan-ground', width, height }))
  const rings = steps.filter((metres) => metres * scale > 36 && metres * scale < height / 2 - 8).slice(-3)
  const circles = drawn('g', { class: 'plan-rings' })
  for (const metres of rings) {
    const label = { x: cx, y: cy - metres * scale }
    circles.append(
      drawn('circle', { cx, cy, r: metres * scale }),
      drawn('text', label, distanceWords(metres)),
    )
  }
  const points = drawn('g', { class: 'plan-points' })
  for (const [index, { other, east, north }] of placed.entries()) {
    const [x, y] = [Math.round(cx + east * scale), Math.round(cy - north * scale)]
    if (x < 12 || x > width - 12 || y < 12 || y > height - 12) continue
    points.append(
      drawn('circle', { cx: x, cy: y, ...(other.verified && { class: 'verified' }) }),
      drawn('text', { x, y }, String(index + 1)),
    )
  }
  root.append(
    circles,
    points,
    drawn('path', {
      class: 'plan-here',
      d: `M${cx} ${cy - 30}c8.500 12 17 20 17 31a17 17 0 0 1-34 0c0-11 8.500-19 17-31Z`,
    }),
    drawn('path', { class: 'desk-north', d: 'M24 44V20m-7 8 7-8 7 8' }),
  )
  return element('figure', 'plan', root)
}

/** Metres to the east and to the north, exact enough for the size of a plan. */
function offset(from: Placed, to: Placed): { readonly east: number; readonly north: number } {
  const north = distanceMetres(from, { latitude: to.latitude, longitude: from.longitude })
  const east = distanceMetres(from, { latitude: from.latitude, longitude: to.longitude })
  const turn = ((to.longitude - from.longitude + 540) % 360) - 180
  return { north: to.latitude < from.latitude ? -north : north, east: turn < 0 ? -east : east }
}
