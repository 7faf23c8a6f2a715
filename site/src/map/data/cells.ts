import { distanceMetres, distanceToBoxMetres, isInside } from '@openfountain/core/geodesy'
import {
  cellBounds,
  type CellDetail,
  type CellEntry,
  type CellIndex,
  type CellPoint,
  decodeDetails,
  decodePoints,
  type IdFile,
  type Fountain,
} from './cell.ts'
import type { Bounds } from '../../data/region.ts'
import type { LiveLayer } from '../../live/layer.ts'
import { remembered } from '../../remembered.ts'
import { cellMayMatch, type Filter, matches, noFilter } from '../list/filter.ts'
import { boundsMeet, centre, type Position } from '../page/position.ts'
import { rankOf, today } from '../../status/stage.ts'

/** Reads a file of the cells by its name, as JSON. */
export type ReadFile = (name: string) => Promise<unknown>

export interface NearFountain {
  readonly fountain: Fountain
  readonly metres: number
}

export interface NearResult {
  /** Nearest first; those that are not usable follow, private ones last. */
  readonly found: readonly NearFountain[]
  /** False when the search ended before a nearer one could be excluded. */
  readonly complete: boolean
}

/** Most cells read by one search for the nearest, or for an id. */
const cellLimit = 60

const everywhere: Bounds = [-180, -90, 180, 90]

const routeCells = 300

/** Concurrent requests for files. */
const readsAtOnce = 6

/** A fountain that was found, whose details are read if it is among the nearest. */
interface Found {
  readonly point: CellPoint
  readonly metres: number
  whole(): Promise<Fountain> | Fountain
}

const nearestOf = (found: readonly Found[], limit: number): Found[] =>
  found.toSorted((a, b) => a.metres - b.metres).slice(0, limit)

/** The fountains by square of the map, loaded on demand and cached. */
export class Cells {
  /** Changes newer than the files; the methods return fountains with these applied. */
  updates: LiveLayer | undefined
  readonly #index: CellIndex | undefined
  readonly #file: ReadFile
  readonly #points: (key: string) => Promise<readonly CellPoint[]>
  readonly #details: (key: string) => Promise<readonly CellDetail[]>

  /** @param index default that of the files @param day returns today, on which states depend */
  constructor(read: ReadFile, index?: CellIndex, day: () => string = today) {
    this.#index = index
    this.#file = remembered(read)
    this.#points = remembered(async (key) => decodePoints(await read(`${key}.json`), day()))
    this.#details = remembered(async (key) => decodeDetails(await read(`${key}.more.json`)))
  }

  /** The index of all cells. @throws the errors of reading; a later call tries again. */
  async index(): Promise<CellIndex> {
    return this.#index ?? ((await this.#file('index.json')) as CellIndex)
  }

  /** The cells that can hold a fountain inside the bounds that matches the filter. */
  async entries(bounds: Bounds, filter: Filter): Promise<readonly CellEntry[]> {
    const index = await this.index()
    return index.cells.filter(
      (entry) => cellMayMatch(index, entry, filter) && boundsMeet(cellBounds(entry), bounds),
    )
  }

  async points(key: string): Promise<readonly CellPoint[]> {
    const points = await this.#points(key)
    const { updates } = this
    if (updates) {
      for (const [row, { id }] of points.entries())
        if (updates.needs(id)) updates.complete(await this.#fountain(key, row))
    }
    return points
  }

  /** Points of several cells, as soon as each is loaded; `named` ones with details. Failed cells are told to `onFailure`. */
  async *pointsOf(
    entries: readonly CellEntry[],
    { named = false, onFailure }: { readonly named?: boolean; onFailure(error: unknown): void },
  ): AsyncGenerator<readonly (CellPoint | Fountain)[]> {
    for (let from = 0; from < entries.length; from += readsAtOnce) {
      const batch = entries
        .slice(from, from + readsAtOnce)
        .map(([key]) => (named ? this.#named(key) : this.points(key)))
      for (const result of await Promise.allSettled(batch)) {
        if (result.status === 'fulfilled') yield this.#unchanged(result.value)
        else onFailure(result.reason)
      }
    }
  }

  /** The fountain with this id, or undefined. @param near where it may be: its cell is searched there first */
  async find(id: number, near?: Bounds): Promise<Fountain | undefined> {
    if (this.updates?.replaces(id)) return this.updates.get(id)
    const cells = near ? (await this.#outwards(centre(near), noFilter, near)).slice(0, cellLimit) : []
    for (const { key } of cells) {
      const found = await this.#inCell(key, id)
      if (found) return found
    }
    const key = await this.cellOf(id)
    return key === undefined ? undefined : this.#inCell(key, id)
  }

  async cellOf(id: number): Promise<string | undefined> {
    const { cells, ids: starts } = await this.index()
    const file = starts.findLastIndex((start) => start <= id)
    if (file < 0) return undefined
    const { ids, cells: places } = (await this.#file(`ids-${file}.json`)) as IdFile
    let at = 0
    return cells[places[ids.findIndex((step) => (at += step) === id)] ?? -1]?.[0]
  }

  /** The nearest fountains that match a filter, within bounds if given, by cells in the order of their least distance. */
  async nearest(from: Position, limit: number, filter: Filter, within?: Bounds): Promise<NearResult> {
    const queue = await this.#outwards(from, filter, within)
    const isWanted = (point: CellPoint): boolean =>
      matches(filter, point) && (within === undefined || isInside(within, point))
    let found: Found[] = []
    let read = 0
    for (const { key, least } of queue) {
      const farthest = found.length < limit ? Infinity : (found.at(-1)?.metres ?? Infinity)
      if (least > farthest || read >= cellLimit) break
      // The nearest are most often in the first cell, whose details come along.
      if (read === 0) void this.#details(key).catch(() => undefined)
      read += 1
      const points = await this.points(key)
      for (const [row, point] of points.entries()) {
        if (!isWanted(point) || this.updates?.replaces(point.id)) continue
        found.push({ point, metres: distanceMetres(from, point), whole: () => this.#fountain(key, row) })
      }
      found = nearestOf(found, limit)
    }
    // Last, because reading cells completes some of them.
    for (const newer of this.updates?.fountains() ?? []) {
      if (isWanted(newer))
        found.push({ point: newer, metres: distanceMetres(from, newer), whole: () => newer })
    }
    found = nearestOf(found, limit)
    const ordered = found.toSorted((a, b) => rankOf(a.point) - rankOf(b.point))
    return {
      found: await Promise.all(
        ordered.map(async ({ metres, whole }) => ({ fountain: await whole(), metres })),
      ),
      complete: read < cellLimit || read === queue.length,
    }
  }

  /** The fountains of a filter in some boxes that pass a test, with its answers; incomplete where too many cells would be read. */
  async passing<Answer>(
    boxes: readonly Bounds[],
    filter: Filter,
    test: (place: Position) => Answer | undefined,
  ) {
    const keys = new Set<string>()
    for (const box of boxes) for (const [key] of await this.entries(box, filter)) keys.add(key)
    const found: { readonly answer: Answer; whole(): Promise<Fountain> | Fountain }[] = []
    const take = (point: CellPoint, whole: () => Promise<Fountain> | Fountain): void => {
      const answer = matches(filter, point) ? test(point) : undefined
      if (answer !== undefined) found.push({ answer, whole })
    }
    for (const key of [...keys].slice(0, routeCells))
      for (const [row, point] of (await this.points(key)).entries())
        if (!this.updates?.replaces(point.id)) take(point, () => this.#fountain(key, row))
    for (const newer of this.updates?.fountains() ?? []) take(newer, () => newer)
    return { found, isComplete: keys.size <= routeCells }
  }

  /** How many fountains inside the bounds match each filter; undefined where too many cells would be read. */
  async counts(bounds: Bounds, filters: readonly Filter[]): Promise<readonly number[] | undefined> {
    const entries = await this.entries(bounds, noFilter)
    if (entries.length > cellLimit) return undefined
    const inside: CellPoint[] = []
    for await (const points of this.pointsOf(entries, { onFailure: () => undefined })) inside.push(...points)
    inside.push(...(this.updates?.fountains() ?? []))
    const seen = inside.filter((point) => isInside(bounds, point))
    return filters.map((filter) => seen.filter((point) => matches(filter, point)).length)
  }

  /** The cells that can hold matching fountains, those nearest to a place first. */
  async #outwards(from: Position, filter: Filter, within: Bounds = everywhere) {
    const entries = await this.entries(within, filter)
    return entries
      .map((entry) => ({ key: entry[0], least: distanceToBoxMetres(from, cellBounds(entry)) }))
      .toSorted((a, b) => a.least - b.least)
  }

  async #inCell(key: string, id: number): Promise<Fountain | undefined> {
    const row = (await this.points(key)).findIndex((point) => point.id === id)
    if (row < 0) return undefined
    return this.updates?.replaces(id) ? this.updates.get(id) : this.#fountain(key, row)
  }

  /** The points of a cell with their details; offline perhaps only the points. */
  async #named(key: string): Promise<readonly (CellPoint | Fountain)[]> {
    const points = await this.points(key)
    const details = await this.#details(key).catch(() => [])
    return points.map((point, row) => ({ ...point, ...details[row] }))
  }

  #unchanged(points: readonly CellPoint[]): readonly CellPoint[] {
    const { updates } = this
    return updates ? points.filter(({ id }) => !updates.replaces(id)) : points
  }

  async #fountain(key: string, row: number): Promise<Fountain> {
    const [points, details] = await Promise.all([this.#points(key), this.#details(key)])
    const [point, detail] = [points[row], details[row]]
    if (!point || !detail)
      throw new Error(`The files of cell ${key} do not belong together: build the site again.`)
    return { ...point, ...detail }
  }
}
