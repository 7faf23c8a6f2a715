import { boxAround, distanceMetres, earthRadiusMetres, type Place } from '../places/geodesy.ts'
import { lengthened, roomFor } from './arrays.ts'

const circumference = 2 * Math.PI * earthRadiusMetres
const none = -1
/** More than there are cells in a row, so that a row and a column make one number. */
const rowFactor = 2 ** 23
/** Places of one cell that are looked at: more at one spot are all the same to whoever looks for neighbours. */
const mostInCell = 64

/**
 * Places in cells about as wide as a distance, in memory, so that those within that distance of a place are in the cells
 * around it. A place is known by its id, a small number.
 */
export class PlaceGrid {
  readonly #metres: number
  readonly #rowDegrees: number
  #latitudes = new Float64Array()
  #longitudes = new Float64Array()
  /** The next place in the same cell, and whether a place is in the grid. */
  #next = new Uint32Array()
  #isIn = new Uint8Array()
  /** Cells by a hash of their number: the number, and the first place. */
  #cells = new Float64Array(1024).fill(none)
  #first = new Uint32Array(1024)
  #used = 0

  /** @param metres the distance within which neighbours are found */
  constructor(metres: number) {
    this.#metres = metres
    this.#rowDegrees = (metres / circumference) * 360
  }

  has(id: number): boolean {
    return this.#isIn[id] === 1
  }

  placeOf(id: number): Place {
    return { latitude: this.#latitudes[id] ?? 0, longitude: this.#longitudes[id] ?? 0 }
  }

  put(id: number, { latitude, longitude }: Place): void {
    if (id >= this.#next.length) this.#grow(roomFor(id))
    this.#latitudes[id] = latitude
    this.#longitudes[id] = longitude
    this.#isIn[id] = 1
    const slot = this.#slotFor(this.#cellOf(this.#rowOf(latitude), longitude))
    this.#next[id] = this.#first[slot] ?? 0
    this.#first[slot] = id
  }

  remove(id: number): void {
    if (!this.has(id)) return
    this.#isIn[id] = 0
    const { latitude, longitude } = this.placeOf(id)
    const slot = this.#slotOf(this.#cellOf(this.#rowOf(latitude), longitude))
    const [first, next] = [this.#first, this.#next]
    if (first[slot] === id) {
      first[slot] = next[id] ?? 0
      return
    }
    for (let before = first[slot] ?? 0; before !== 0; before = next[before] ?? 0)
      if (next[before] === id) {
        next[before] = next[id] ?? 0
        return
      }
  }

  /** The ids of the places near a place, but for its own. */
  near(id: number): number[] {
    const place = this.placeOf(id)
    const found: number[] = []
    const [west, south, east, north] = boxAround(place, this.#metres)
    for (let row = this.#rowOf(south); row <= this.#rowOf(north); row++) {
      const last = this.#columnOf(row, east)
      const all = this.#columnsIn(row)
      for (let column = this.#columnOf(row, west), left = all; left > 0; left--) {
        this.#inCell(row * rowFactor + column, id, place, found)
        if (column === last) break
        column = (column + 1) % all
      }
    }
    return found
  }

  #inCell(cell: number, id: number, place: Place, found: number[]): void {
    const slot = this.#slotOf(cell)
    if (this.#cells[slot] === none) return
    const next = this.#next
    let left = mostInCell
    for (let other = this.#first[slot] ?? 0; other !== 0 && left > 0; other = next[other] ?? 0) {
      left--
      if (other !== id && distanceMetres(place, this.placeOf(other)) <= this.#metres) found.push(other)
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
    return row * rowFactor + this.#columnOf(row, longitude)
  }

  /** Where a cell is, or would be. */
  #slotOf(cell: number): number {
    const cells = this.#cells
    const mask = cells.length - 1
    const mixed =
      Math.imul(Math.floor(cell / rowFactor), 0x9e3779b1) ^ Math.imul(cell % rowFactor, 0x85ebca6b)
    let slot = (mixed ^ (mixed >>> 15)) & mask
    while (cells[slot] !== none && cells[slot] !== cell) slot = (slot + 1) & mask
    return slot
  }

  #slotFor(cell: number): number {
    const slot = this.#slotOf(cell)
    if (this.#cells[slot] === cell) return slot
    if (this.#used * 2 >= this.#cells.length) {
      this.#rehash(this.#cells.length * 2)
      return this.#slotFor(cell)
    }
    this.#used++
    this.#cells[slot] = cell
    return slot
  }

  #rehash(length: number): void {
    const [cells, first] = [this.#cells, this.#first]
    this.#cells = new Float64Array(length).fill(none)
    this.#first = new Uint32Array(length)
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index] ?? none
      if (cell === none) continue
      const slot = this.#slotOf(cell)
      this.#cells[slot] = cell
      this.#first[slot] = first[index] ?? 0
    }
  }

  #grow(length: number): void {
    this.#latitudes = lengthened(this.#latitudes, length)
    this.#longitudes = lengthened(this.#longitudes, length)
    this.#next = lengthened(this.#next, length)
    this.#isIn = lengthened(this.#isIn, length)
  }
}
