import { distanceMetres, isInside } from '@openfountain/core/geodesy'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { Chance } from '@openfountain/testing/chance'
import { seed } from '@openfountain/testing/effort'
import { freshFolder } from '@openfountain/testing/site/sample'
import { writeCells } from '../../src/map/build/cells.ts'
import { divide } from '../../src/map/build/quadtree.ts'
import { RowColumns } from '../../src/map/build/rows.ts'
import { cellCapacity, type CellEntry, cellMayMatch } from '../../src/map/data/cell.ts'
import { Cells } from '../../src/map/data/cells.ts'
import { noFilter } from '../../src/map/list/filter.ts'
import { boundsAround } from '../../src/map/page/position.ts'
import type { Stages } from '../../src/status/stage.ts'

const chance = new Chance(seed)
const draw = () => chance.below(2 ** 30) / 2 ** 30
const fountains = Array.from({ length: 6000 }, (_, place) => {
  const city = place % 3
  return {
    id: place + 1,
    name: `Fountain ${place + 1}`,
    latitude: city === 2 ? draw() * 178 - 89 : (city === 0 ? 47.3 : -17.8) + draw() * 0.1,
    longitude: city === 2 ? draw() * 360 - 180 : city === 0 ? 8.5 + draw() * 0.1 : 179.95 - draw() * 0.1,
    amenities: place % 500 === 0 ? ['spring', 'Singing'] : ['tap'],
    region: ['Zürich', 'Taveuni', null][city],
    approved: true,
    verified: place % 4 === 0,
    last_confirmed: '2026-03-04T05:06:07.000Z',
    rating: place % 5 === 0 ? 4.25 : null,
    review_count: place % 5 === 0 ? 4 : 0,
    source: place % 2 === 0 ? 'City of Zürich' : undefined,
    osm_type: place % 2 === 0 ? 'relation' : undefined,
    osm_id: place % 2 === 0 ? 999_999_999_999_999 - place : undefined,
    last_listed: place % 2 === 0 ? '2026-02-03' : undefined,
    state: place % 50 === 0 ? ('off' as const) : place % 50 === 1 ? ('broken' as const) : null,
    description: place === 0 ? 'Fermée en hiver. '.repeat(20) : undefined,
  }
})

/** Closed ones open again on the first of April. */
const stagesOf = ({ state }: { readonly state?: string | null | undefined }): Stages =>
  state === 'off'
    ? [
        { state, people: 0, back: '2027-04-01', until: '2027-03-31' },
        { state: 'works', people: 1 },
      ]
    : state === 'broken'
      ? [{ state, people: 2 }]
      : []

const day = '2026-11-22'
let folder: string
let cells: Cells

const readerOf =
  (below: string, asked: string[] = []) =>
  async (name: string) => {
    asked.push(name)
    return JSON.parse(await readFile(join(below, 'cells', name), 'utf8')) as unknown
  }

async function written(all: readonly Parameters<RowColumns['add']>[0][]): Promise<string> {
  const made = await freshFolder()
  const rows = new RowColumns()
  for (const fountain of all) rows.add(fountain)
  const hasPage = (id: number) => id <= 100
  await writeCells(rows, { folder: made, dataTime: '2026-06-01T00:00:00.000Z', hasPage, stagesOf })
  return made
}

beforeAll(async () => {
  folder = await written(fountains)
  cells = new Cells(readerOf(folder), () => day)
})

const everywhere = [-180, -90, 180, 90] as const
const centre = { latitude: 47.35, longitude: 8.55 }

describe('a fountain by its id alone', () => {
  it('is found wherever it is, from three small files', async () => {
    for (const id of [1, 4096, 4097, 6000]) {
      const expected = fountains[id - 1]
      expect(await cells.byId(id)).toMatchObject({
        id,
        name: expected?.name,
        latitude: expect.closeTo(expected?.latitude ?? NaN, 5),
        longitude: expect.closeTo(expected?.longitude ?? NaN, 5),
      })
    }
    const asked: string[] = []
    await new Cells(readerOf(folder, asked)).byId(3000)
    expect(asked.filter((name) => name.startsWith('ids-'))).toEqual(['ids-0.json'])
    expect(asked.length).toBeLessThanOrEqual(4)
    expect([await cells.byId(0), await cells.byId(6001)]).toEqual([undefined, undefined])
  })
})

describe('squares', () => {
  it('are no fuller than they may be, but for the smallest where too many are at one place', () => {
    const squares = divide(
      fountains.map(({ latitude }) => latitude),
      fountains.map(({ longitude }) => longitude),
    )
    expect(Math.max(...squares.map(({ rows }) => rows.length))).toBeLessThanOrEqual(cellCapacity)
    const many = Array.from({ length: cellCapacity + 5 }, () => 10)
    const sizes = divide(many, many).map(({ key, rows }) => [key.split('-')[0], rows.length])
    expect(sizes).toEqual([['16', cellCapacity + 5]])
  })
  it('hold the poles and both sides of the antimeridian', () => {
    expect(divide([90, -90, 0, 0], [0, 0, 180, -180]).map(({ rows }) => rows.length)).toEqual([4])
    expect(divide([], [])).toEqual([])
  })
})

describe('the bits of a cell', () => {
  const amenities = Array.from({ length: 32 }, (_, bit) => `amenity-${bit}`)
  const index = { time: '', amenities, checks: ['verified'], ids: [], cells: [] }
  const cell = (checks: number, offers: number): CellEntry => ['0-0-0', 1, checks, offers, 0, 0, 1, 1]
  it('rule out cells without a fountain that a filter matches, up to the last of the 32, and nothing for what has no bit', () => {
    const verified = { ...noFilter, verified: true }
    const offering = (bit: number) => ({ ...noFilter, amenities: [`amenity-${bit}`] })
    expect([0, 1].map((checks) => cellMayMatch(index, cell(checks, 0), verified))).toEqual([false, true])
    expect([1, 2 ** 31].map((offers) => cellMayMatch(index, cell(0, offers), offering(31)))).toEqual([
      false,
      true,
    ])
    expect(cellMayMatch(index, cell(0, 0), offering(32))).toBe(true)
    expect(cellMayMatch({ ...index, checks: [] }, cell(0, 0), verified)).toBe(true)
  })
})

describe('cells', () => {
  it('give a fountain back as it was', async () => {
    const [first] = fountains
    expect(first && (await cells.find(1, boundsAround(first, 0.001)))).toEqual({
      id: 1,
      name: 'Fountain 1',
      latitude: expect.closeTo(first?.latitude ?? 0, 5) as number,
      longitude: expect.closeTo(first?.longitude ?? 0, 5) as number,
      amenities: ['spring', 'Singing'],
      region: 'Zürich',
      approved: true,
      verified: true,
      confirmed: '2026-03-04',
      rating: 4.25,
      reviews: 4,
      source: 'City of Zürich',
      listed: '2026-02-03',
      object: 'relation/999999999999999',
      state: 'off',
      stage: { state: 'off', people: 0, back: '2027-04-01', until: '2027-03-31' },
      description: `${'Fermée en hiver. '.repeat(20).slice(0, 279)}…`,
      page: true,
    })
    const [, second] = fountains
    const other = second && (await cells.find(2, boundsAround(second, 0.001)))
    expect(other).toMatchObject({ state: 'broken' })
    expect(other).not.toHaveProperty('listed')
    expect(other).not.toHaveProperty('object')
    expect(await cells.find(999_999, [8.5, 47.3, 8.6, 47.4])).toBeUndefined()
  })
  it('say what holds today, however long ago they were written', async () => {
    const [first] = fountains
    const on = (date: string) => new Cells(readerOf(folder), () => date)
    expect((await on('2027-03-31').byId(first?.id ?? 0))?.state).toBe('off')
    expect((await on('2027-04-01').byId(first?.id ?? 0))?.state).toBe('works')
    const works = { ...noFilter, works: true }
    const { found } = await on('2027-04-01').nearest(centre, 5, works)
    expect(found.map(({ fountain }) => (fountain.id - 1) % 50)).toEqual([0, 0, 0, 0, 0])
    expect((await cells.nearest(centre, 5, works)).found).toEqual([])
  })
  it('find the nearest ones as a search through all of them does, those that give water first', async () => {
    for (const from of [
      centre,
      { latitude: -17.8, longitude: -179.99 },
      { latitude: 0, longitude: -30 },
      { latitude: 89.9, longitude: 100 },
    ]) {
      const expected = fountains
        .map(({ state, ...fountain }) => ({
          id: fountain.id,
          dry: state === null ? 0 : 1,
          metres: distanceMetres(from, fountain),
        }))
        .toSorted((a, b) => a.metres - b.metres)
        .slice(0, 10)
        .toSorted((a, b) => a.dry - b.dry)
      const { found, complete } = await cells.nearest(from, 10, noFilter)
      expect(found.map(({ fountain }) => fountain.id)).toEqual(expected.map(({ id }) => id))
      expect(complete).toBe(true)
    }
  })
  it('find one that gives water, though all that are nearer are out of order', async () => {
    const count = 2 * cellCapacity
    const dry = Array.from({ length: count }, (_, place) => ({
      id: place + 1,
      name: `Fountain ${place + 1}`,
      amenities: [],
      approved: true,
      verified: false,
      last_confirmed: '2026-01-01',
      review_count: 0,
      latitude: 10 + place * 1e-4,
      longitude: 20,
      state: place < count - 2 ? ('broken' as const) : undefined,
    }))
    const small = new Cells(readerOf(await written(dry)))
    const { found } = await small.nearest({ latitude: 10, longitude: 20 }, 5, noFilter)
    expect(found.map(({ fountain }) => fountain.id)).toEqual([2 * cellCapacity - 1, 1, 2, 3, 4])
  })
  it('find the nearest of a kind, of a region and inside bounds', async () => {
    const springs = await cells.nearest(centre, 3, { ...noFilter, amenities: ['spring'] })
    const spring = { fountain: { amenities: expect.arrayContaining(['spring']) as string[] } }
    expect(springs.found).toMatchObject([spring, spring, spring])
    const far = await cells.nearest(centre, 3, { ...noFilter, verified: true, region: 'Taveuni' })
    const verified = { fountain: { region: 'Taveuni', verified: true } }
    expect(far.found).toMatchObject([verified, verified, verified])
    const bounds = [8.5, 47.3, 8.52, 47.32] as const
    const inside = await cells.nearest(centre, 50, noFilter, bounds)
    expect(inside.found.length).toBeGreaterThan(5)
    expect(inside.found.filter(({ fountain }) => !isInside(bounds, fountain))).toEqual([])
  })
  it('are skipped when none of their fountains can match', async () => {
    const all = await cells.entries(everywhere, noFilter)
    expect(all.reduce((sum, [, count]) => sum + count, 0)).toBe(fountains.length)
    expect(await cells.entries(everywhere, { ...noFilter, amenities: ['wheelchair'] })).toEqual([])
  })
  it('come with their names where these can be read, and without them where they cannot', async () => {
    const namesOf = async (from: Cells): Promise<(string | undefined)[]> => {
      const names: (string | undefined)[] = []
      const entries = await from.entries(everywhere, noFilter)
      const onFailure = (error: unknown): never => {
        throw error
      }
      for await (const points of from.pointsOf(entries, { named: true, onFailure }))
        names.push(...points.map((point) => ('name' in point ? point.name : undefined)))
      return names
    }
    expect((await namesOf(cells)).toSorted()).toEqual(fountains.map(({ name }) => name).toSorted())
    const offline = new Cells(async (name) => {
      if (name.endsWith('.more.json')) throw new TypeError('Failed to fetch')
      return readerOf(folder)(name)
    })
    expect(new Set(await namesOf(offline))).toEqual(new Set([undefined]))
  })
  it('are tried again after a failure, and a failing one does not hold up the others', async () => {
    const index = (await readerOf(folder)('index.json')) as { cells: [string][] }
    const bad = index.cells[0]?.[0] ?? ''
    let broken = true
    const flaky = new Cells(async (name) => {
      if (broken && name === `${bad}.json`) throw new Error('gone')
      return readerOf(folder)(name)
    })
    const failures: unknown[] = []
    const count = async () => {
      let sum = 0
      const entries = await flaky.entries(everywhere, noFilter)
      for await (const points of flaky.pointsOf(entries, { onFailure: (error) => failures.push(error) }))
        sum += points.length
      return sum
    }
    expect(await count()).toBeLessThan(fountains.length)
    expect(failures).toHaveLength(1)
    broken = false
    expect(await count()).toBe(fountains.length)
  })
})
