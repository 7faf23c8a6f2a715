import type { Waypoint } from '../data/records.ts'
import { atLeast, windowOn, type Window } from './land.ts'

/** A small picture of a waypoint's place on earth. */
export interface Locator {
  readonly width: number
  readonly height: number
  /** The square of the background land: all its waypoints share one picture. */
  readonly square: Square
  readonly x: number
  readonly y: number
}

/** A square of four degrees by its middle: in fours of degrees to the east and to the north. */
export interface Square {
  readonly column: number
  readonly row: number
}

const cell = 4
const size = 120

/** Draws a waypoint's position in a window a few hundred kilometres wide. */
export function drawLocator({ longitude, latitude }: Pick<Waypoint, 'latitude' | 'longitude'>): Locator {
  // Not minus zero, which would be another square.
  const square = { column: Math.round(longitude / cell) + 0, row: Math.round(latitude / cell) + 0 }
  const [x, y] = windowOf(square).place(longitude, latitude)
  return { width: size, height: size, square, x: Math.round(x), y: Math.round(y) }
}

/** Squares per side in one file, so that a worldwide registry has some hundreds of files. */
const squaresPerSide = 3

/** The land of a locator, below the root of the site: a file and the symbol in it. */
export const landAddress = ({ square }: Pick<Locator, 'square'>): string =>
  `map/land/${fileOf(square)}.svg#${symbolOf(square)}`

/** The files with the land around these waypoints, by name without extension. Pages of nearby waypoints share one. */
export function landFiles(
  waypoints: readonly Pick<Waypoint, 'latitude' | 'longitude'>[],
): ReadonlyMap<string, readonly Square[]> {
  const squares = new Map(
    waypoints.map((waypoint) => {
      const { square } = drawLocator(waypoint)
      return [nameOf(square), square]
    }),
  )
  const inOrder = [...squares.values()].toSorted((a, b) => a.column - b.column || a.row - b.row)
  return Map.groupBy(inOrder, fileOf)
}

/** An SVG file with the land of each square as a symbol. */
export async function drawLand(squares: readonly Square[]): Promise<string> {
  const symbols = await Promise.all(
    squares.map(async (square) => {
      const land = `<path d="${await windowOf(square).land()}"/>`
      return `<symbol id="${symbolOf(square)}" viewBox="0 0 ${size} ${size}">${land}</symbol>`
    }),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>\n`
}

const fileOf = ({ column, row }: Square): string =>
  nameOf({ column: Math.floor(column / squaresPerSide), row: Math.floor(row / squaresPerSide) })

const symbolOf = (square: Square): string => `land-${nameOf(square)}`

const nameOf = ({ column, row }: Square): string => `${column}_${row}`

function windowOf({ column, row }: Square): Window {
  const [longitude, latitude] = [column * cell, row * cell]
  const south = Math.max(-80, Math.min(72, latitude - 4))
  const bounds = atLeast([longitude - 4, south, longitude + 4, south + 8], 8)
  return windowOn(bounds, { width: size, height: size, margin: 4, grain: 0.5 })
}
