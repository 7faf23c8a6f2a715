import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isUsable } from '@openfountain/core/status'
import { vocabulary } from '@openfountain/core/vocabulary'
import { indexed } from '../list/filter.ts'
import type { StatedRow } from '../../data/knowledge.ts'
import { shownState, type Stages } from '../../status/stage.ts'
import {
  bitCount,
  type CellEntry,
  type CellIndex,
  detailColumns,
  encode,
  type Fountain,
  type IdFile,
  pointColumns,
} from '../data/cell.ts'
import { BuildCache } from '../../build/build-cache.ts'
import type { Row } from '../../data/row.ts'
import { shortened } from '../../messages.ts'
import { descriptionLength } from '../data/facts.ts'
import { boundsOfAll, roundedOutwards } from '../page/position.ts'
import { divide } from './quadtree.ts'
import { type Turn, turnFile, turnsOf } from './turns.ts'

export const countCellFiles = (rows: readonly Row[]): number =>
  divide(rows).length * 2 + Math.ceil(rows.length / idsPerFile) + 1

export interface CellOptions {
  readonly outDir: string
  /** Default none. */
  readonly cache?: BuildCache
  readonly dataTime: string
  hasPage(id: number): boolean
  stagesOf(row: StatedRow): Stages
}

export interface CellFiles {
  /** The index, where it is so short that its bytes cost less than a request. */
  readonly cells?: CellIndex
  /** The first day on which turns.json is needed; absent when it never is, and empty when it is needed at once. */
  readonly turns?: string
}

const mostInPage = 24

/** Ids in one file: a few kilobytes when compressed. */
const idsPerFile = 4096

const amenities = Object.keys(vocabulary).slice(0, bitCount)
const bitOf: ReadonlyMap<string, number> = new Map(amenities.map((key, bit) => [key, bit]))

/** Writes `map/turns.json`, `cells/index.json`, for each cell `KEY.json` (points) and `KEY.more.json`, and `ids-N.json`, which map ids to cells. */
export async function writeCells(rows: readonly Row[], options: CellOptions): Promise<CellFiles> {
  const { outDir, cache = new BuildCache({ folder: outDir }), dataTime, hasPage, stagesOf } = options
  const folder = join(outDir, 'map/cells')
  await mkdir(folder, { recursive: true })
  const cells: CellEntry[] = []
  const turns: Turn[] = []
  const cellOf = new Map<number, number>()
  for (const { key, items } of divide(rows)) {
    const fountains = items.map((row): Fountain => ({
      ...row,
      state: undefined,
      description: row.description && shortened(row.description, descriptionLength),
      stages: stagesOf(row),
      page: hasPage(row.id),
    }))
    for (const [place, { id, state }] of items.entries()) {
      turns.push(...turnsOf(id, state, fountains[place]?.stages ?? []))
      cellOf.set(id, cells.length)
    }
    const inputs = fountains.map(({ page, stages }, place) =>
      [items[place]?.digest, page, stages.length > 0 && JSON.stringify(stages)].join(' '),
    )
    const write = (part: string, make: () => object) =>
      cache.write(`map/cells/${key}${part}.json`, inputs.join('\n'), () => JSON.stringify(make()))
    await write('', () => encode(pointColumns, fountains))
    await write('.more', () => encode(detailColumns, fountains))
    cells.push(entryOf(key, fountains, items.filter(isUsable).length))
  }
  const ids = await writeIds(cellOf, folder)
  const index: CellIndex = { time: dataTime, amenities, checks: Object.keys(indexed), cells, ids }
  await writeFile(join(folder, 'index.json'), JSON.stringify(index))
  const file = turnFile(turns)
  const [first] = file
  if (first) await writeFile(join(outDir, 'map/turns.json'), JSON.stringify(file))
  return { ...(cells.length <= mostInPage && { cells: index }), ...(first && { turns: first[0] }) }
}

async function writeIds(cellOf: ReadonlyMap<number, number>, folder: string): Promise<number[]> {
  const order = Float64Array.from(cellOf.keys()).toSorted()
  const starts: number[] = []
  for (let from = 0; from < order.length; from += idsPerFile) {
    const part = [...order.subarray(from, from + idsPerFile)]
    const file: IdFile = {
      ids: part.map((id, place) => id - (part[place - 1] ?? 0)),
      cells: part.map((id) => cellOf.get(id) ?? 0),
    }
    await writeFile(join(folder, `ids-${starts.length}.json`), JSON.stringify(file))
    starts.push(part[0] ?? 0)
  }
  return starts
}

function mayMatch(matches: (fountain: Fountain) => boolean, fountain: Fountain): boolean {
  const states = new Set([undefined, ...fountain.stages.map(shownState)])
  return [...states].some((state) => matches({ ...fountain, state }))
}

function entryOf(key: string, points: readonly Fountain[], usable: number): CellEntry {
  let [matched, offers] = [0, 0]
  for (const point of points) {
    for (const [bit, check] of Object.values(indexed).entries())
      if (mayMatch(check, point)) matched |= 1 << bit
    for (const amenity of point.amenities) {
      const bit = bitOf.get(amenity)
      if (bit !== undefined) offers |= 1 << bit
    }
  }
  const bounds = boundsOfAll(points) ?? [0, 0, 0, 0]
  // To about ten metres.
  return [key, points.length, matched >>> 0, offers >>> 0, ...roundedOutwards(bounds, 1e4), usable]
}
