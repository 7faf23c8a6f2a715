import { geoMercator, geoPath } from 'd3-geo'
import { site } from '../build/context.ts'
import type { Bounds } from '../data/survey.ts'

/** A drawing's window on the earth, in Web Mercator. */
export interface Window {
  readonly width: number
  readonly height: number
  /** Where a place is in the drawing. */
  place(longitude: number, latitude: number): readonly [x: number, y: number]
  /** The land in the window as path data; Natural Earth, public domain. */
  land(): string
}

/** Bounds that are at least `degrees` high and wide. */
export function atLeast(bounds: Bounds, degrees: number): Bounds {
  const [west, south, east, north] = bounds
  const x = Math.max(0, degrees - (east - west)) / 2
  const y = Math.max(0, degrees - (north - south)) / 2
  return [west - x, Math.max(-84, south - y), east + x, Math.min(84, north + y)]
}

/** A window of a size in pixels that shows the bounds with `margin` pixels around them. */
export function windowOn(bounds: Bounds, width: number, height: number, margin: number): Window {
  const [west, , east] = bounds
  const south = Math.max(-84, bounds[1])
  const north = Math.min(84, bounds[3])
  const y = (latitude: number): number => Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360))
  const wide = Math.max(1e-6, ((east - west) * Math.PI) / 180)
  const high = Math.max(1e-6, y(north) - y(south))
  const scale = Math.min((width - 2 * margin) / wide, (height - 2 * margin) / high)
  const middle = (y(north) + y(south)) / 2
  const projection = geoMercator()
    .rotate([-(west + east) / 2, 0])
    .scale(scale)
    .translate([width / 2, height / 2 + middle * scale])
    .clipExtent([
      [-4, -4],
      [width + 4, height + 4],
    ])
  return {
    width,
    height,
    place: (longitude, latitude) => projection([longitude, latitude]) ?? [0, 0],
    land() {
      const { coarse, fine } = site().atlas
      const shapes = (width / scale) * (180 / Math.PI) > 12 ? coarse : fine
      return geoPath(projection).digits(1)(shapes) ?? ''
    },
  }
}

/** A map zoom at which bounds fit into a window of about 700 × 500 pixels with tiles of 512. */
export function zoomFor([west, south, east, north]: Bounds): number {
  const x = Math.log2((360 * 700) / 512 / Math.max(1e-6, east - west))
  const y = Math.log2((180 * 500) / 512 / Math.max(1e-6, north - south))
  return Math.max(1, Math.min(16, Math.floor(Math.min(x, y))))
}
