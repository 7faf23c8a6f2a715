import { boxAround, distanceMetres, earthRadiusMetres, type Place } from '../places/geodesy.ts'
import { doubtful, matchScore, type Comparable } from '../places/match-score.ts'
import { duplicates } from '../rules.ts'
import type { Duplicate, QueuePlace } from './answers.ts'

export interface PlacedRow {
  readonly id: number
  readonly latitude: number
  readonly longitude: number
  readonly deletedAt: string | null
}

export interface ListedComparable extends Comparable {
  readonly sources: readonly number[]
}
export type ComparableOf = (id: number) => ListedComparable

const pairOf = (one: number, other: number): string => `${Math.min(one, other)}-${Math.max(one, other)}`

/** Pairs of each waypoint with the older one that is most probably the same, without those rejected or listed both by one source. */
export class DuplicatePairs {
  readonly #grid = new PlaceGrid(duplicates.nearMetres)
  readonly #older = new Map<number, number>()
  /** The newer waypoints of the pairs, by id; undefined after a change. */
  #newer: readonly number[] | undefined
  readonly #distinctPairs = new Set<string>()

  /** Takes over waypoints in their current state. @returns the ids to compare: these waypoints and their neighbours */
  put(rows: readonly PlacedRow[]): Set<number> {
    const touched = new Set<number>()
    for (const { id, latitude, longitude, deletedAt } of rows) {
      touched.add(id)
      for (const other of this.#grid.near(id)) if (other > id) touched.add(other)
      this.#grid.remove(id)
      if (deletedAt !== null) continue
      this.#grid.put(id, { latitude, longitude })
      for (const other of this.#grid.near(id)) if (other > id) touched.add(other)
    }
    return touched
  }

  compared(ids: Iterable<number>): Set<number> {
    const all = new Set(ids)
    for (const id of ids) for (const other of this.#olderNear(id)) all.add(other)
    return all
  }

  look(ids: Iterable<number>, comparableOf: ComparableOf): void {
    for (const id of ids) {
      let [best, bestScore] = [0, doubtful]
      const { sources } = comparableOf(id)
      for (const other of this.#olderNear(id)) {
        if (comparableOf(other).sources.some((source) => sources.includes(source))) continue
        const score = this.#score(id, other, comparableOf)
        if (score > bestScore || (score === bestScore && (best === 0 || other < best)))
          [best, bestScore] = [other, score]
      }
      if ((this.#older.get(id) ?? 0) === best) continue
      this.#newer = undefined
      if (best === 0) this.#older.delete(id)
      else this.#older.set(id, best)
    }
  }

  /** Marks two waypoints as different fountains. @returns the one to check again, if any */
  distinguish({ smaller, greater }: { readonly smaller: number; readonly greater: number }): number[] {
    this.#distinctPairs.add(pairOf(smaller, greater))
    return this.#older.get(greater) === smaller ? [greater] : []
  }

  page({ after, limit }: QueuePlace): { readonly newer: number; readonly older: number }[] {
    this.#newer ??= [...this.#older.keys()].toSorted((one, other) => one - other)
    const some = this.#newer.filter((newer) => newer > after).slice(0, limit)
    return some.map((newer) => ({ newer, older: this.#older.get(newer) ?? 0 }))
  }

  get total(): number {
    return this.#older.size
  }

  described(
    { newer, older }: { readonly newer: number; readonly older: number },
    comparableOf: ComparableOf,
  ): Duplicate {
    return {
      newer,
      older,
      metres: this.#metres(newer, older),
      score: this.#score(newer, older, comparableOf),
    }
  }

  #olderNear(id: number): number[] {
    return this.#grid.near(id).filter((other) => other < id && !this.#distinctPairs.has(pairOf(id, other)))
  }

  #score(id: number, other: number, comparableOf: ComparableOf): number {
    return matchScore(comparableOf(id), comparableOf(other), this.#metres(id, other))
  }

  #metres(id: number, other: number): number {
    const [one, two] = [this.#grid.placeOf(id), this.#grid.placeOf(other)]
    return one && two ? distanceMetres(one, two) : 0
  }
}

const circumference = 2 * Math.PI * earthRadiusMetres

/** A small number for a cell. Others may have the same, since distances are measured anyway. */
const keyOf = (row: number, column: number): number =>
  Math.imul(row, 0x9e3779b1) ^ Math.imul(column, 0x85ebca6b)

/** The most places of one cell to check: more at one spot do not change the neighbours. */
const mostInCell = 64

/** Places in cells about as wide as a distance: all within it are in the cells around a place. */
export class PlaceGrid {
  readonly #metres: number
  readonly #rowDegrees: number
  readonly #places = new Map<number, Place>()
  /** The ids of the places in each cell, the newest last. */
  readonly #cells = new Map<number, number[]>()

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
