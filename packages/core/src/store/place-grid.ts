import { boxAround, distanceMetres, earthRadiusMetres, type Place } from '../places/geodesy.ts'

const circumference = 2 * Math.PI * earthRadiusMetres

/** A small number for a cell. Others may have the same, since distances are measured anyway. */
const keyOf = (row: number, column: number): number =>
  Math.imul(row, 0x9e3779b1) ^ Math.imul(column, 0x85ebca6b)

/** The most places of one cell to check: more at one spot do not change the neighbours. */
const mostInCell = 64

/**
 * Places in cells about as wide as a distance, in memory, so that all places within that distance are in the cells
 * around a place.
 */
export class PlaceGrid {
  readonly #metres: number
  readonly #rowDegrees: number
  readonly #places = new Map<number, Place>()
  /** The ids of the places in each cell, the newest last. */
  readonly #cells = new Map<number, number[]>()

  /** @param metres the distance within which neighbours are found */
  constructor(metres: number) {
    this.#metres = metres
    this.#rowDegrees = (metres / circumference) * 360
  }

  placeOf(id: number): Place | undefined {
    return this.#places.get(id)
  }

  put(id: number, { latitude, longitude }: Place): void {
    this.#places.set(id, { latitude, longitude })
    const cell = this.#cellOf(this.#rowOf(latitude), longitude)
    const ids = this.#cells.get(cell)
    if (ids === undefined) this.#cells.set(cell, [id])
    else ids.push(id)
  }

  remove(id: number): void {
    const place = this.#places.get(id)
    if (place === undefined) return
    this.#places.delete(id)
    const cell = this.#cellOf(this.#rowOf(place.latitude), place.longitude)
    const others = (this.#cells.get(cell) ?? []).filter((each) => each !== id)
    if (others.length > 0) this.#cells.set(cell, others)
    else this.#cells.delete(cell)
  }

  /** The ids of the places near a place of the grid, without its own. */
  near(id: number): number[] {
    const place = this.#places.get(id)
    const found: number[] = []
    if (place === undefined) return found
    const [west, south, east, north] = boxAround(place, this.#metres)
    for (let row = this.#rowOf(south); row <= this.#rowOf(north); row++) {
      const last = this.#columnOf(row, east)
      const all = this.#columnsIn(row)
      for (let column = this.#columnOf(row, west), left = all; left > 0; left--) {
        this.#inCell(keyOf(row, column), id, place, found)
        if (column === last) break
        column = (column + 1) % all
      }
    }
    return found
  }

  #inCell(cell: number, id: number, place: Place, found: number[]): void {
    for (const other of this.#cells.get(cell)?.slice(-mostInCell) ?? []) {
      const at = this.#places.get(other)
      if (other !== id && at !== undefined && distanceMetres(place, at) <= this.#metres) found.push(other)
    }
  }

  #rowOf(latitude: number): number {
    return Math.floor((Math.max(-90, Math.min(90, latitude)) + 90) / this.#rowDegrees)
  }

  /** How many cells there are along a row, each at least as wide as the distance. */
  #columnsIn(row: number): number {
    const south = row * this.#rowDegrees - 90
    const widest = Math.max(Math.abs(south), Math.abs(south + this.#rowDegrees))
    const around = circumference * Math.cos((Math.min(90, widest) * Math.PI) / 180)
    return Math.max(1, Math.floor(around / this.#metres))
  }

  #columnOf(row: number, longitude: number): number {
    const columns = this.#columnsIn(row)
    return Math.min(columns - 1, Math.floor(((longitude + 180) / 360) * columns))
  }

  #cellOf(row: number, longitude: number): number {
    return keyOf(row, this.#columnOf(row, longitude))
  }
}
