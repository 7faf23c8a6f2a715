import { expect, it } from 'vitest'
import type { CellEntry } from '../../src/map/data/cell.ts'
import { cacheNames, handlingOf } from '../../src/offline/caches.ts'
import { filesToKeep, savedCellLimit } from '../../src/offline/saved-view.ts'

const site = { origin: 'https://water.example', base: '/town/' }
const plain = { method: 'GET', mode: 'cors', range: false }

const handling = (path: string, about: { mode?: string; method?: string; range?: boolean } = {}) =>
  handlingOf({ ...plain, url: new URL(path, site.origin).href, ...about }, site)
const navigate = { mode: 'navigate' }

it.each([
  ['page', '/town/', navigate],
  ['page', '/town/de/waypoint/7/?x=1', navigate],
  ['shell', '/town/_astro/contribute/open.ABC.js', {}],
  ['shell', '/town/_astro/home.css', {}],
  ['shell', '/town/icon.svg', {}],
  ['data', '/town/map/cells/3-4-5.json?v=1', {}],
  ['part', '/town/map/base.pmtiles?v=1', { range: true }],
  ['none', '/town/map/base.pmtiles?v=1', {}],
  ['data', '/town/search/a-b.json?v=1', {}],
  ['data', '/town/data/areas.geojson?v=1', {}],
  ['none', '/town/data/waypoints.pmtiles?v=1', { range: true }],
  ['none', '/town/data/waypoints.csv', navigate],
  ['none', '/town/api/waypoints', {}],
  ['none', '/town/api/docs', navigate],
  ['none', '/town/changes.atom', {}],
  ['none', '/town/', { method: 'POST', ...navigate }],
  ['none', '/village/', navigate],
  ['none', 'https://other.example/town/', navigate],
])('the worker handles as %s: %s', (as, path, about) => {
  expect(handling(path, about)).toBe(as)
})

it('the worker keeps sites on one host apart, none of whose names begins another', () => {
  expect(cacheNames('/a/').prefix.startsWith(cacheNames('/').prefix)).toBe(false)
  expect(cacheNames('/a/').pages('1').startsWith(cacheNames('/a/').pages(''))).toBe(true)
})

const cell = (key: string, west: number, south: number): CellEntry =>
  [key, 10, 5, 0, west, south, west + 0.1, south + 0.1, 10] as const
const bounds = [12.9, 54.9, 13.2, 55.2] as const
const cells = [cell('near', 13, 55), cell('far', 100, 0)]
const index = { time: '2026-01-01T00:00:00Z', amenities: [], checks: [], ids: [], cells }

it('a view that is kept has the squares that it shows', () => {
  const files = filesToKeep(bounds, index)
  const cells = ['near.json', 'near.more.json', 'index.json'].map((name) => `map/cells/${name}`)
  const whole = [...cells, 'map/places.json']
  expect(files).toEqual(expect.arrayContaining(whole))
  expect(files).not.toContain('map/cells/far.json')
})

it('a view that is kept has the places of ids, unless there are too many of them', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, file) => file * 4096)
  const kept = (count: number) => filesToKeep(bounds, { ...index, ids: ids(count) })
  expect(kept(2)).toEqual(expect.arrayContaining(['map/cells/ids-0.json', 'map/cells/ids-1.json']))
  expect(kept(100)?.some((file) => file.includes('ids-'))).toBe(false)
})

it('a view that is kept is refused when it has too many squares', () => {
  const cells = Array.from({ length: savedCellLimit + 1 }, (_, place) => cell(`c${place}`, 13, 55))
  const many = { ...index, cells }
  expect(filesToKeep([12, 54, 14, 56], many)).toBeUndefined()
  expect(filesToKeep([100, 0, 101, 1], many)).toBeDefined()
})
