import type { Waypoint } from '../data/records.ts'
import type { Bounds } from '../data/survey.ts'
import { atLeast, windowOn } from './land.ts'

/** A picture of where waypoints are. */
export interface DotMap {
  readonly viewBox: string
  readonly land: string
  readonly points: string
  readonly verified: string
}

const width = 960
const height = 360
const most = 1500

/** Draws waypoints in bounds; of very many only every n-th, so that the picture stays small. */
export function drawDots(bounds: Bounds, waypoints: readonly Waypoint[]): DotMap {
  const window = windowOn(atLeast(bounds, 0.02), { width, height, margin: 28, grain: 0.5 })
  const step = Math.max(1, Math.ceil(waypoints.length / most))
  const some = waypoints.filter((_, index) => index % step === 0)
  const path = (verified: boolean): string =>
    some
      .filter((waypoint) => waypoint.verified === verified)
      .map(({ longitude, latitude }) => {
        const [x, y] = window.place(longitude, latitude)
        return `M${Math.round(x)} ${Math.round(y)}h0`
      })
      .join('')
  return { viewBox: `0 0 ${width} ${height}`, land: window.land(), points: path(false), verified: path(true) }
}
