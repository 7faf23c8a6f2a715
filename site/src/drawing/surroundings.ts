import type { Neighbour } from '../data/neighbours.ts'
import type { Waypoint } from '../data/records.ts'
import { atLeast, windowOn } from './land.ts'

/** A plan of a waypoint and those around it: distance rings, true north up, no streets. */
export interface Surroundings {
  readonly width: number
  readonly height: number
  readonly rings: readonly { readonly metres: number; readonly radius: number }[]
  readonly points: readonly { readonly x: number; readonly y: number; readonly neighbour: Neighbour }[]
}

const width = 640
const height = 400
const steps = [50, 100, 200, 500, 1000, 2000, 5000] as const

/** Draws the surroundings so that all given neighbours are in the picture. */
export function drawSurroundings(neighbours: readonly Neighbour[]): Surroundings {
  const reach = Math.max(120, ...neighbours.map(({ distanceMetres }) => distanceMetres))
  const pixelsPerMetre = (height / 2 - 24) / reach
  const rings = steps
    .filter((metres) => metres * pixelsPerMetre > 40 && metres * pixelsPerMetre < width / 2 - 30)
    .slice(-3)
    .map((metres) => ({ metres, radius: Math.round(metres * pixelsPerMetre) }))
  const points = neighbours.map((neighbour) => ({
    x: Math.round(width / 2 + neighbour.east * pixelsPerMetre),
    y: Math.round(height / 2 - neighbour.north * pixelsPerMetre),
    neighbour,
  }))
  return { width, height, rings, points }
}

/** A small picture of where on earth a waypoint is. */
export interface Locator {
  readonly width: number
  readonly height: number
  readonly land: string
  readonly x: number
  readonly y: number
}

const cell = 4
const drawn = new Map<string, ReturnType<typeof locatorWindow>>()

/** Draws the land around a waypoint, a window a few hundred kilometres wide. */
export function drawLocator({ longitude, latitude }: Waypoint): Locator {
  const column = Math.round(longitude / cell)
  const row = Math.round(latitude / cell)
  const key = `${column} ${row}`
  const found = drawn.get(key) ?? locatorWindow(column * cell, row * cell)
  drawn.set(key, found)
  const [x, y] = found.window.place(longitude, latitude)
  return { width: 120, height: 120, land: found.land, x: Math.round(x), y: Math.round(y) }
}

function locatorWindow(longitude: number, latitude: number) {
  const south = Math.max(-80, Math.min(72, latitude - 4))
  const window = windowOn(atLeast([longitude - 4, south, longitude + 4, south + 8], 8), {
    width: 120,
    height: 120,
    margin: 4,
    grain: 0.5,
  })
  return { window, land: window.land() }
}
