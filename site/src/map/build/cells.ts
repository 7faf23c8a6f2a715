import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vocabulary } from '@openfountain/core/vocabulary'
import { type CheckName, checkNames, checks } from '../list/filter.ts'
import type { StatedRow } from '../../data/knowledge.ts'
import { shownState, type Stages } from '../../status/stage.ts'
import {
  bitCount,
  type BuiltPoint,
  type CellDetail,
  type CellEntry,
  type CellIndex,
  encodeDetails,
  encodePoints,
  type IdFile,
} from '../data/cell.ts'
import { BuildCache } from '../../build/build-cache.ts'
import { objectOf } from '../data/osm-object.ts'
import { divide, type Square } from './quadtree.ts'
import type { RowColumns } from './rows.ts'
import { TurnCollector } from './turns.ts'

/** The number of files that `writeCells` writes for these rows. */
export function countCellFiles({ latitudes, longitudes, length }: RowColumns): number {
  return divide(latitudes, longitudes).length * 2 + Math.ceil(length / idsPerFile) + 1
}

export interface CellOptions {
  /** The root of the site that is being written. */
  readonly outDir: string
  /** Default none. */
  readonly cache?: BuildCache
  readonly dataTime: string
  /** Whether a waypoint has a page of its own. */
  hasPage(id: number): boolean
  /** The stages of a waypoint's status. */
  stagesOf(row: StatedRow): Stages
}

/** The result of writing cells. */
export interface CellFiles extends CellIndex {
  /** The first day on which turns.json is needed; absent when it never is, and empty when it is needed at once. */
  readonly turns?: string
}

/** Ids in one file: a few kilobytes when compressed. */
const idsPerFile = 4096

const amenities = Object.keys(vocabulary).slice(0, bitCount)
const bitOf: ReadonlyMap<string, number> = new Map(amenities.map((key, bit) => [key, bit]))

/**
 * Writes below `map/` `turns.json`, `cells/index.json`, for each cell `cells/KEY.json` (points) and `cells/KEY.more.json` (the rest), and
 * `cells/ids-N.json`, which map ids to cells.
 */
export async function writeCells(rows: RowColumns, options: CellOptions): Promise<CellFiles> {
  const { outDir, cache = new BuildCache({ folder: outDir }) } = options
  const folder = join(outDir, 'map/cells')
  await mkdir(folder, { recursive: true })
  const cells: CellEntry[] = []
  const cellOfRow = new Uint32Array(rows.length)
  const collector = new TurnCollector()
  for (const square of divide(rows.latitudes, rows.longitudes)) {
    const stages = Array.from(square.rows, (row) => options.stagesOf(rows.stated(row)))
    for (const [place, row] of square.rows.entries()) {
      collector.add(rows.ids[row] ?? 0, rows.states[row], stages[place] ?? [])
      cellOfRow[row] = cells.length
    }
    const paths = ['', '.more'].map((part) => `map/cells/${square.key}${part}.json`)
    const entry = await cache.put(paths, inputsOf(rows, square, stages, options), () => {
      const points = Array.from(square.rows, (row, place) => pointOf(rows, row, stages[place] ?? []))
      const details = Array.from(square.rows, (row) => detailOf(rows, row, options))
      const texts = [encodePoints(points), encodeDetails(details)].map((one) => JSON.stringify(one))
      return { texts, facts: entryOf(square, points) }
    })
    cells.push(entry)
  }
  const ids = await writeIds(rows.ids, cellOfRow, folder)
  const index: CellIndex = { time: options.dataTime, amenities, checks: checkNames, cells, ids }
  await writeFile(join(folder, 'index.json'), JSON.stringify(index))
  const turns = collector.result()
  const [first] = turns
  if (first) await writeFile(join(outDir, 'map/turns.json'), JSON.stringify(turns))
  return { ...index, ...(first && { turns: first[0] }) }
}

/** Writes `ids-N.json`, which map fountains to cells, and returns the lowest id of each. */
async function writeIds(ids: readonly number[], cellOfRow: Uint32Array, folder: string): Promise<number[]> {
  const order = Uint32Array.from(ids, (_, row) => row).toSorted((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0))
  const starts: number[] = []
  for (let from = 0; from < order.length; from += idsPerFile) {
    const part = order.subarray(from, from + idsPerFile)
    let last = 0
    const steps = Array.from(part, (row) => {
      const step = (ids[row] ?? 0) - last
      last += step
      return step
    })
    const file: IdFile = { ids: steps, cells: Array.from(part, (row) => cellOfRow[row] ?? 0) }
    await writeFile(join(folder, `ids-${starts.length}.json`), JSON.stringify(file))
    starts.push(steps[0] ?? 0)
  }
  return starts
}

/** The inputs of a cell's files. */
function inputsOf(
  { digests, ids }: RowColumns,
  { key, rows }: Square,
  stages: readonly Stages[],
  { hasPage }: CellOptions,
): string {
  const known = Array.from(
    rows,
    (row, place) =>
      `${digests[row]} ${hasPage(ids[row] ?? 0)} ${stages[place]?.length ? JSON.stringify(stages[place]) : ''}`,
  )
  return `${key}\n${known.join('\n')}`
}

function pointOf(rows: RowColumns, row: number, stages: Stages): BuiltPoint {
  const region = rows.regions[row]
  const place = rows.places[row]
  return {
    id: rows.ids[row] ?? 0,
    latitude: rows.latitudes[row] ?? 0,
    longitude: rows.longitudes[row] ?? 0,
    amenities: rows.amenitySets[row] ?? [],
    verified: rows.verified[row] ?? false,
    approved: rows.approved[row] ?? false,
    stages,
    region,
    place,
  }
}

function detailOf(rows: RowColumns, row: number, { hasPage }: CellOptions): CellDetail {
  const rating = rows.ratings[row] ?? 0
  const source = rows.sources[row]
  const listed = rows.listed[row]
  const object = objectOf(rows.objects[row] ?? 0)
  const description = rows.descriptions[row]
  return {
    name: rows.names[row] ?? '',
    reviews: rows.reviewCounts[row] ?? 0,
    confirmed: rows.confirmed[row] ?? '',
    page: hasPage(rows.ids[row] ?? 0),
    ...(rating > 0 && { rating }),
    source,
    listed,
    object,
    description,
    ...rows.facts[row],
  }
}

/** Whether a fountain matches in any of its stages. */
function mayMatch(name: CheckName, { stages, ...point }: BuiltPoint): boolean {
  const states = new Set([undefined, ...stages.map(shownState)])
  return [...states].some((state) => checks[name].matches({ ...point, state }))
}

function entryOf({ key }: Square, points: readonly BuiltPoint[]): CellEntry {
  let [west, south, east, north, matched, offers] = [180, 90, -180, -90, 0, 0]
  for (const point of points) {
    west = Math.min(west, point.longitude)
    east = Math.max(east, point.longitude)
    south = Math.min(south, point.latitude)
    north = Math.max(north, point.latitude)
    for (const [bit, name] of checkNames.entries()) if (mayMatch(name, point)) matched |= 1 << bit
    for (const amenity of point.amenities) {
      const bit = bitOf.get(amenity)
      if (bit !== undefined) offers |= 1 << bit
    }
  }
  const edges = [down(west), down(south), up(east), up(north)] as const
  return [key, points.length, matched >>> 0, offers >>> 0, ...edges]
}

/** Bounds are in ten-thousandths of a degree, rounded outwards. */
const down = (degrees: number) => Math.floor(degrees * 1e4) / 1e4
const up = (degrees: number) => Math.ceil(degrees * 1e4) / 1e4
