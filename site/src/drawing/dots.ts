import type { Bounds, Dot } from '../data/region.ts'
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

/** Draws waypoints in bounds. */
export function drawDots(bounds: Bounds, dots: readonly Dot[]): DotMap {
  const window = windowOn(atLeast(bounds, 0.02), { width, height, margin: 28, grain: 0.5 })
  const path = (verified: boolean): string =>
    dots
      .filter(([, , isVerified]) => isVerified === verified)
      .map(([longitude, latitude]) => {
        const [x, y] = window.place(longitude, latitude)
        return `M${Math.round(x)} ${Math.round(y)}h0`
      })
      .join('')
  return { viewBox: `0 0 ${width} ${height}`, land: window.land(), points: path(false), verified: path(true) }
}
