import { distanceMetres } from '@openfountain/core/geodesy'
import type { Page } from '../../views/page.ts'
import { bearingDegrees, directionOf, type Position } from '../page/position.ts'

/** The way from one place to another, in words, and the bearing of an arrow. */
export function wayOf(page: Page, from: Position, to: Position) {
  const bearing = bearingDegrees(from, to)
  const metres = Math.round(distanceMetres(from, to))
  const pointKey = `map.directions.${directionOf(bearing)}` as const
  return {
    metres,
    distance: page.distance(metres),
    walk: page.walk(metres),
    /** The key of the name of its point of the compass. */
    pointKey,
    direction: page.text('map.bearing', { direction: page.text(pointKey) }),
    turn: Math.round(bearing),
    /** The same on the screen, which the visitor turns with the device (map-page.tsx). */
    turnOnScreen: `calc(${Math.round(bearing)}deg - var(--heading, 0deg))`,
  }
}
