import { expect, it } from 'vitest'
import { baseTileFile } from '../../src/map/engine/basemap.ts'
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
  ['shell', '/town/map/js/home-ABC.js', {}],
  ['shell', '/town/_astro/home.css', {}],
  ['shell', '/town/icon.svg', {}],
  ['data', '/town/map/cells/3-4-5.json?v=1', {}],
  ['data', '/town/map/base/1-0-0.mvt?v=1', {}],
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
  [key, 10, 5, 0, west, south, west + 0.1, south + 0.1] as const
const bounds = [12.9, 54.9, 13.2, 55.2] as const
const cells = [cell('near', 13, 55), cell('far', 100, 0)]
const index = { time: '2026-01-01T00:00:00Z', amenities: [], checks: [], ids: [], cells }
const base = { zooms: ['2', '1220', '0'.repeat(16)] }

it('a view that is kept has the squares that it shows and the land around them', () => {
  const files = filesToKeep(bounds, index, base)
  const cells = ['near.json', 'near.more.json', 'index.json'].map((name) => `map/cells/${name}`)
  const whole = [...cells, 'map/places.json', 'map/base/index.json']
  expect(files).toEqual(expect.arrayContaining(whole))
  expect(files).not.toContain('map/cells/far.json')
  const tiles = files?.filter((file) => file.endsWith('.mvt'))
  expect(tiles).toEqual(['map/base/0-0-0.mvt', 'map/base/1-1-0.mvt'])
})

it('a view that is kept has the places of ids, unless there are too many of them', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, file) => file * 4096)
  const kept = (count: number) => filesToKeep(bounds, { ...index, ids: ids(count) }, base)
  expect(kept(2)).toEqual(expect.arrayContaining(['map/cells/ids-0.json', 'map/cells/ids-1.json']))
  expect(kept(100)?.some((file) => file.includes('ids-'))).toBe(false)
})

it('a view that is kept has no land where the operator’s style is used, and is refused when it has too many squares', () => {
  expect(filesToKeep(bounds, index, undefined)?.some((file) => file.includes('base'))).toBe(false)
  const cells = Array.from({ length: savedCellLimit + 1 }, (_, place) => cell(`c${place}`, 13, 55))
  const many = { ...index, cells }
  expect(filesToKeep([12, 54, 14, 56], many, base)).toBeUndefined()
  expect(filesToKeep([100, 0, 101, 1], many, base)).toBeDefined()
})

it('the base map distinguishes tiles of land, of water and with a coast', () => {
  const index = { zooms: ['2', '0122'] }
  const file = (...tile: [zoom: number, x: number, y: number]) => baseTileFile(index, ...tile)
  expect([file(0, 0, 0), file(1, 1, 1), file(1, 1, 0)]).toEqual(['0-0-0.mvt', '1-1-1.mvt', 'land.mvt'])
  expect([file(1, 0, 0), file(1, 2, 0), file(1, -1, 0), file(9, 0, 0)]).toEqual(Array.from({ length: 4 }))
})
