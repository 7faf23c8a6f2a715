import { boxAround, distanceMetres, isInside } from '@openfountain/core/geodesy'
import { expect, it } from 'vitest'
import { Chance } from '@openfountain/testing/chance'
import { seed } from '@openfountain/testing/effort'
import { jsonIn, newFolder } from '@openfountain/testing/folder'
import { writeCells } from '../../src/map/build/cells.ts'
import { rowCollector, type Row } from '../../src/data/row.ts'
import { cellCapacity } from '../../src/map/data/cell.ts'
import { Cells } from '../../src/map/data/cells.ts'
import { firstFilter, noFilter } from '../../src/map/list/filter.ts'
import type { Stages } from '../../src/status/stage.ts'

const chance = new Chance(seed)
const draw = () => chance.below(2 ** 30) / 2 ** 30
const description = 'Fermée en hiver. '.repeat(20)
const listed = { source: 'City of Zürich', osm_type: 'relation' as const, last_listed: '2026-02-03' }
const fountains = Array.from({ length: 6000 }, (_, place) => {
  const city = place % 3
  const pole = place >= 5998 ? 90 * (place % 2 === 0 ? 1 : -1) : undefined
  return {
    id: place + 1,
    name: `Fountain ${place + 1}`,
    latitude: pole ?? (city === 2 ? draw() * 178 - 89 : (city === 0 ? 47.3 : -17.8) + draw() * 0.1),
    longitude: city === 2 ? draw() * 360 - 180 : city === 0 ? 8.5 + draw() * 0.1 : 179.95 - draw() * 0.1,
    amenities: place % 500 === 0 ? ['spring', 'Singing'] : place < 42 ? [`of its own ${place}`] : ['tap'],
    region: ['Zürich', 'Taveuni', null][city],
    approved: true,
    verified: place % 4 === 0,
    last_confirmed: '2026-03-04T05:06:07.000Z',
    ...(place % 5 === 0 ? { rating: 4.25, review_count: 4 } : { rating: null, review_count: 0 }),
    ...(place % 2 === 0 && { ...listed, osm_id: 999_999_999_999_999 - place }),
    state: place % 50 === 0 ? ('off' as const) : place % 50 === 1 ? ('broken' as const) : null,
    ...(place % 50 === 2 && { access: 'private' }),
    ...(place % 50 === 3 && { drinkable: 'no' }),
    ...(place === 0 && { description }),
  }
})

const stagesOf = ({ state }: { readonly state?: string | null | undefined }): Stages =>
  state === 'off'
    ? [{ state, people: 0, back: '2027-04-01', until: '2027-03-31' } as const, { state: 'works', people: 1 }]
    : state === 'broken'
      ? [{ state, people: 2 }]
      : []

const readerOf =
  (below: string, asked: string[] = []) =>
  async (name: string): Promise<unknown> => {
    asked.push(name)
    return jsonIn(below, `map/cells/${name}`)
  }

async function written(all: readonly Omit<Row, 'updated_at' | 'digest'>[]): Promise<string> {
  const made = newFolder()
  const { rows, add } = rowCollector()
  for (const fountain of all) add({ ...fountain, updated_at: '' })
  const hasPage = (id: number) => id <= 100
  await writeCells(rows, { outDir: made, dataTime: '2026-06-01T00:00:00.000Z', hasPage, stagesOf })
  return made
}

const folder = await written(fountains)
const cells = new Cells(readerOf(folder), undefined, () => '2026-11-22')

const everywhere = [-180, -90, 180, 90] as const
const centre = { latitude: 47.35, longitude: 8.55 }

it('a fountain is found by its id alone wherever it is, from three small files', async () => {
  for (const id of [1, 4096, 4097, 5999, 6000]) {
    const { name, latitude = NaN, longitude = NaN } = fountains[id - 1] ?? {}
    const place = { latitude: expect.closeTo(latitude, 5), longitude: expect.closeTo(longitude, 5) }
    expect(await cells.find(id)).toMatchObject({ id, name, ...place })
  }
  const asked: string[] = []
  await new Cells(readerOf(folder, asked)).find(3000)
  expect(asked.filter((name) => name.startsWith('ids-'))).toEqual(['ids-0.json'])
  expect(asked.length).toBeLessThanOrEqual(4)
  expect([await cells.find(0), await cells.find(6001)]).toEqual([undefined, undefined])
})

it('cells hold every fountain once, are no fuller than they may be, and are skipped when none of theirs can match', async () => {
  const counts = (await cells.entries(everywhere, noFilter)).map(([, count]) => count)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(fountains.length)
  expect(Math.max(...counts)).toBeLessThanOrEqual(cellCapacity)
  expect(await cells.entries(everywhere, { ...noFilter, amenities: ['wheelchair'] })).toEqual([])
})

it('cells give a fountain back as it was', async () => {
  const [first, second] = fountains
  const found = first && (await cells.find(1, boxAround(first, 100)))
  const flags = { approved: true, verified: true, page: true }
  const reviewed = { rating: 4.25, review_count: 4, state: 'off' }
  const source = {
    source: 'City of Zürich',
    last_listed: '2026-02-03',
    osm_type: 'relation',
    osm_id: 999_999_999_999_999,
  }
  const known = { id: 1, name: 'Fountain 1', amenities: ['spring', 'Singing'], region: 'Zürich' }
  expect(found).toEqual({
    ...known,
    ...reviewed,
    ...flags,
    ...source,
    stages: first && stagesOf(first),
    latitude: expect.closeTo(first?.latitude ?? 0, 5) as number,
    longitude: expect.closeTo(first?.longitude ?? 0, 5) as number,
    description: `${description.slice(0, 279)}…`,
  })
  const other = second && (await cells.find(2, boxAround(second, 100)))
  expect(other).toMatchObject({ state: 'broken' })
  expect([other?.last_listed, other?.osm_id]).toEqual([undefined, undefined])
  expect(await cells.find(3)).toMatchObject({ access: 'private' })
  expect(await cells.find(4)).toMatchObject({ drinkable: 'no' })
  expect(await cells.find(999_999, [8.5, 47.3, 8.6, 47.4])).toBeUndefined()
})

it('cells say what holds today, however long ago they were written', async () => {
  const on = (date: string) => new Cells(readerOf(folder), undefined, () => date)
  expect((await on('2027-03-31').find(1))?.state).toBe('off')
  expect((await on('2027-04-01').find(1))?.state).toBe('works')
  const works = { ...noFilter, states: ['works' as const] }
  const { found } = await on('2027-04-01').nearest(centre, 5, works)
  expect(found.map(({ fountain }) => (fountain.id - 1) % 50)).toEqual([0, 0, 0, 0, 0])
  expect((await cells.nearest(centre, 5, works)).found).toEqual([])
})

it.each([
  centre,
  { latitude: -17.8, longitude: -179.99 },
  { latitude: 0, longitude: -30 },
  { latitude: 89.9, longitude: 100 },
])(
  'cells find the ones nearest to %o as a search through all does, usable ones first, private ones last',
  async (from) => {
    const rank = ({ state, access, drinkable }: (typeof fountains)[number]) =>
      access ? 2 : (state ?? drinkable) ? 1 : 0
    const expected = fountains
      .toSorted((a, b) => distanceMetres(from, a) - distanceMetres(from, b))
      .slice(0, 10)
      .toSorted((a, b) => rank(a) - rank(b))
    const { found, complete } = await cells.nearest(from, 10, noFilter)
    expect(complete).toBe(true)
    expect(found.map(({ fountain }) => fountain.id)).toEqual(expected.map(({ id }) => id))
  },
)

it('cells find the usable ones, though all that are nearer are out of order, also where too many are at one place', async () => {
  const count = 2 * cellCapacity
  const common = { approved: true, verified: false, last_confirmed: '2026-01-01', review_count: 0 }
  const dry = Array.from({ length: count }, (_, place) => {
    const at = { latitude: place < cellCapacity + 5 ? 10 : 10 + place * 1e-4, longitude: 20 }
    const state = place < count - 2 ? ('broken' as const) : undefined
    return { id: place + 1, name: `Fountain ${place + 1}`, amenities: [], ...at, ...common, state }
  })
  const small = new Cells(readerOf(await written(dry)))
  const { found } = await small.nearest({ latitude: 10, longitude: 20 }, 5, firstFilter)
  expect(found.map(({ fountain }) => fountain.id)).toEqual([count - 1, count])
})

it('cells count what each of some filters shows, and leave too much uncounted', async () => {
  const bounds = [8.5, 47.3, 8.6, 47.4] as const
  const inside = fountains.filter((fountain) => isInside(bounds, fountain))
  const verified = { ...noFilter, verified: true }
  const filters = [
    noFilter,
    firstFilter,
    verified,
    { ...verified, states: ['off' as const, 'broken' as const] },
  ]
  const isUsable = (place: number) => place % 50 > 3
  expect(await cells.counts(bounds, filters)).toEqual([
    inside.length,
    inside.filter(({ id }) => isUsable(id - 1)).length,
    inside.filter((one) => one.verified).length,
    inside.filter((one) => one.verified && one.state !== null).length,
  ])
  const sparse = Array.from({ length: 70 * cellCapacity }, (_, place) => ({
    id: place + 1,
    name: '',
    latitude: (place % 200) / 2 - 50,
    longitude: Math.floor(place / 200) * 0.8 - 170,
    amenities: [],
    approved: true,
    verified: false,
    review_count: 0,
  }))
  expect(await new Cells(readerOf(await written(sparse))).counts(everywhere, [noFilter])).toBeUndefined()
})

it('an index of few cells is for the page, which then reads none; that of many is a file alone', async () => {
  const hasPage = () => false
  const toIndex = async (number: number) => {
    const { rows, add } = rowCollector()
    for (let id = 1; id <= number; id += 1) {
      const at = { latitude: (id % 200) / 2 - 50, longitude: Math.floor(id / 200) * 0.8 - 170 }
      const row = { id, name: '', amenities: [], ...at, approved: true, verified: false }
      add({ ...row, review_count: 0, updated_at: '' })
    }
    const outDir = newFolder()
    const files = await writeCells(rows, { outDir, dataTime: '2026-06-01T00:00:00.000Z', hasPage, stagesOf })
    return { outDir, cells: files.cells }
  }
  const { outDir, cells: index } = await toIndex(2 * cellCapacity)
  expect(index).toEqual(await readerOf(outDir)('index.json'))
  const asked: string[] = []
  const { found } = await new Cells(readerOf(outDir, asked), index).nearest(centre, 1, noFilter)
  expect(found).toHaveLength(1)
  expect(asked).not.toContain('index.json')
  const many = await toIndex(70 * cellCapacity)
  expect(many.cells).toBeUndefined()
})

it('cells find the nearest of a kind, of a region and inside bounds', async () => {
  const springs = await cells.nearest(centre, 3, { ...noFilter, amenities: ['spring'] })
  const spring = { fountain: { amenities: expect.arrayContaining(['spring']) as string[] } }
  expect(springs.found).toMatchObject([spring, spring, spring])
  for (let place = 1; place < 42; place += 1) {
    const { found } = await cells.nearest(centre, 2, { ...noFilter, amenities: [`of its own ${place}`] })
    expect(found.map(({ fountain }) => fountain.id)).toEqual([place + 1])
  }
  const far = await cells.nearest(centre, 9, { ...noFilter, verified: true, region: 'Taveuni' })
  const verified = { fountain: { region: 'Taveuni', verified: true } }
  expect(far.found).toMatchObject(Array.from({ length: 9 }, () => verified))
  const bounds = [8.5, 47.3, 8.52, 47.32] as const
  const inside = await cells.nearest(centre, 50, noFilter, bounds)
  expect(inside.found.length).toBeGreaterThan(5)
  expect(inside.found.filter(({ fountain }) => !isInside(bounds, fountain))).toEqual([])
})

it('cells come with their names where these can be read; a file that fails holds up no other, and is tried again', async () => {
  const [[bad] = ['']] = await cells.entries(everywhere, noFilter)
  const failing = (isBroken: (name: string) => boolean) => {
    const flaky = new Cells(async (name) => {
      if (isBroken(name)) throw new TypeError('Failed to fetch')
      return readerOf(folder)(name)
    })
    return async () => {
      const [names, failures]: [unknown[], unknown[]] = [[], []]
      const options = { named: true, onFailure: (error: unknown) => failures.push(error) }
      for await (const points of flaky.pointsOf(await flaky.entries(everywhere, noFilter), options))
        names.push(...points.map((point) => ('name' in point ? point.name : undefined)))
      return { names: names.toSorted(), failures }
    }
  }
  const nameless = await failing((name) => name.endsWith('.more.json'))()
  expect([new Set(nameless.names), nameless.failures]).toEqual([new Set([undefined]), []])
  let isGone = true
  const read = failing((name) => isGone && name === `${bad}.json`)
  const some = await read()
  expect(some.failures).toHaveLength(1)
  isGone = false
  expect((await read()).names).toEqual(fountains.map(({ name }) => name).toSorted())
  expect(some.names.length).toBeLessThan(fountains.length)
})
