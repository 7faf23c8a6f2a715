import type { Map as MapLibreMap, PaddingOptions } from 'maplibre-gl'
import type { Bounds } from '../../data/region.ts'
import type { Place } from '../data/state.ts'
import type { Covered } from '../page/covered.ts'
import { wrapLongitude } from '../page/position.ts'

export const fitting = { padding: 48, maxZoom: 15 }

/** Padding in pixels around fitted bounds, so that no button covers them; less in small maps. */
const roomAround = 64
const roomShare = 5

export function placeOf(map: MapLibreMap): Place {
  const { lat, lng } = map.getCenter()
  return { latitude: lat, longitude: wrapLongitude(lng), zoom: map.getZoom() }
}

/** The bounds of the view, extended by a share of its size; all longitudes when it shows the whole earth. */
export function boundsOf(map: MapLibreMap, margin = 0): Bounds {
  const seen = map.getBounds()
  const [west, east] = [seen.getWest(), seen.getEast()]
  const [south, north] = [seen.getSouth(), seen.getNorth()]
  const [across, up] = [(east - west) * margin, (north - south) * margin]
  const wide = east - west + 2 * across >= 360
  return [
    wide ? -180 : wrapLongitude(west - across),
    Math.max(-90, south - up),
    wide ? 180 : wrapLongitude(east + across),
    Math.min(90, north + up),
  ]
}

export function roomBeside(
  { left, right, bottom }: Covered,
  { clientWidth, clientHeight }: HTMLElement,
): PaddingOptions {
  const across = Math.min(roomAround, (clientWidth - left - right) / roomShare)
  const down = Math.min(roomAround, (clientHeight - bottom) / roomShare)
  return { top: down, right: across + right, left: across + left, bottom: down + bottom }
}

/** MapLibre expects the east of bounds to be the larger number. */
export function corners([west, south, east, north]: Bounds): [number, number, number, number] {
  return [west, south, east < west ? east + 360 : east, north]
}
