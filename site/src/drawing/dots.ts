import type { Bounds, Dot } from '../data/region.ts'
import type { Survey } from '../data/survey.ts'
import { inhabited } from '../map/data/config.ts'
import { atLeast, dotsIn, windowOn } from './land.ts'

export interface DotMap {
  readonly viewBox: string
  readonly land: string
  readonly points: string
  readonly verified: string
}

let latest: { readonly dots: readonly Dot[]; readonly drawn: Promise<DotMap> } | undefined

/** Draws the waypoints of a region; once for pages of it that are made one after the other. */
export function drawDots(bounds: Bounds, dots: readonly Dot[]): Promise<DotMap> {
  if (latest?.dots !== dots) latest = { dots, drawn: drawnDots(bounds, dots) }
  return latest.drawn
}

async function drawnDots(bounds: Bounds, dots: readonly Dot[]): Promise<DotMap> {
  const window = windowOn(atLeast(bounds, 0.02), { width: 960, height: 360, margin: 28, grain: 0.5 })
  const path = (verified: boolean): string =>
    dotsIn(
      window,
      dots.filter(([, , isVerified]) => isVerified === verified),
    )
  return { viewBox: '0 0 960 360', land: await window.land(), points: path(false), verified: path(true) }
}

const mostDots = 500

/** Draws the poster of a registry, which stands in for its map until that has loaded. */
export async function drawPoster({ bounds, dots }: Survey): Promise<Omit<DotMap, 'verified'>> {
  const size = { width: 1200, height: 900, margin: 120, grain: 1 }
  const window = windowOn(atLeast(bounds ?? inhabited, 0.05), size)
  const step = Math.max(1, Math.ceil(dots.length / mostDots))
  const shown = dots.filter((_, index) => index % step === 0)
  return { viewBox: '0 0 1200 900', land: await window.land(), points: dotsIn(window, shown) }
}
