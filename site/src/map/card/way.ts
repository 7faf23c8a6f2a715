import { distanceMetres } from '@openfountain/core/geodesy'
import type { Page } from '../../views/page.ts'
import { bearingDegrees, directionOf, type Position } from '../page/position.ts'

/** The way from one place to another, in words, and the bearing of an arrow. */
export function wayOf(
  page: Page,
  from: Position,
  to: Position,
): { readonly distance: string; readonly direction: string; readonly turn: number } {
  const bearing = bearingDegrees(from, to)
  return {
    distance: page.distance(distanceMetres(from, to)),
    direction: page.text('map.bearing', { direction: page.text(`map.directions.${directionOf(bearing)}`) }),
    turn: Math.round(bearing),
  }
}
