import { describe, expect, it } from 'vitest'
import { baseTileFile } from '../../src/map/engine/basemap.ts'
import type { CellEntry } from '../../src/map/data/cell.ts'
import { cacheNames, handlingOf } from '../../src/offline/caches.ts'
import { filesToKeep, keptCellLimit } from '../../src/offline/kept-view.ts'

const site = { origin: 'https://water.example', base: '/town/' }

describe('the worker', () => {
  const handling = (path: string, about: { mode?: string; method?: string; range?: boolean } = {}) =>
    handlingOf(
      {
        url: new URL(path, site.origin).href,
        method: about.method ?? 'GET',
        mode: about.mode ?? 'cors',
        range: about.range ?? false,
      },
      site,
    )

  it('handles pages, the shell and the map’s data', () => {
    expect(handling('/town/', { mode: 'navigate' })).toBe('page')
    expect(handling('/town/de/waypoint/7/?x=1', { mode: 'navigate' })).toBe('page')
    expect(handling('/town/map/js/home-ABC.js')).toBe('shell')
    expect(handling('/town/_astro/home.css')).toBe('shell')
    expect(handling('/town/icon.svg')).toBe('shell')
    expect(handling('/town/map/cells/3-4-5.json?v=1')).toBe('data')
    expect(handling('/town/map/base/1-0-0.mvt?v=1')).toBe('data')
    expect(handling('/town/search/a-b.json?v=1')).toBe('data')
    expect(handling('/town/data/areas.geojson?v=1')).toBe('data')
  })

  it('ignores other requests', () => {
    expect(handling('/town/data/waypoints.pmtiles?v=1', { range: true })).toBe('none')
    expect(handling('/town/data/waypoints.csv', { mode: 'navigate' })).toBe('none')
    expect(handling('/town/api/waypoints')).toBe('none')
    expect(handling('/town/api/docs', { mode: 'navigate' })).toBe('none')
    expect(handling('/town/changes.atom')).toBe('none')
    expect(handling('/town/', { method: 'POST', mode: 'navigate' })).toBe('none')
    expect(handling('/village/', { mode: 'navigate' })).toBe('none')
    expect(handling('https://other.example/town/', { mode: 'navigate' })).toBe('none')
  })

  it('keeps sites on one host apart, none of whose names begins another', () => {
    expect(cacheNames('/a/').prefix.startsWith(cacheNames('/').prefix)).toBe(false)
    expect(cacheNames('/a/').pages('1').startsWith(cacheNames('/a/').pages(''))).toBe(true)
  })
})

describe('a view that is kept', () => {
  const cell = (key: string, west: number, south: number): CellEntry => [
    key,
    10,
    5,
    0,
    west,
    south,
    west + 0.1,
    south + 0.1,
  ]
  const index = {
    time: '2026-01-01T00:00:00Z',
    amenities: [],
    checks: [],
    ids: [],
    cells: [cell('near', 13, 55), cell('far', 100, 0)],
  }
  const base = { zooms: ['2', '1220', '0'.repeat(16)] }

  it('has the squares that it shows and the land around them', () => {
    const files = filesToKeep([12.9, 54.9, 13.2, 55.2], index, base)
    expect(files).toContain('map/cells/near.json')
    expect(files).toContain('map/cells/near.more.json')
    expect(files).not.toContain('map/cells/far.json')
    expect(files).toEqual(
      expect.arrayContaining(['map/cells/index.json', 'map/places.json', 'map/base/index.json']),
    )
    expect(files?.filter((file) => file.endsWith('.mvt'))).toEqual([
      'map/base/0-0-0.mvt',
      'map/base/1-1-0.mvt',
    ])
  })

  it('has the places of ids, unless there are too many of them', () => {
    const bounds = [12.9, 54.9, 13.2, 55.2] as const
    const ids = (count: number) => Array.from({ length: count }, (_, file) => file * 4096)
    const kept = (count: number) => filesToKeep(bounds, { ...index, ids: ids(count) }, base)
    expect(kept(2)).toEqual(expect.arrayContaining(['map/cells/ids-0.json', 'map/cells/ids-1.json']))
    expect(kept(100)?.some((file) => file.includes('ids-'))).toBe(false)
  })

  it('has no land where the operator’s style is used', () => {
    expect(
      filesToKeep([12.9, 54.9, 13.2, 55.2], index, undefined)?.some((file) => file.includes('base')),
    ).toBe(false)
  })

  it('is refused when it has too many squares', () => {
    const many = {
      ...index,
      cells: Array.from({ length: keptCellLimit + 1 }, (_, place) => cell(`c${place}`, 13, 55)),
    }
    expect(filesToKeep([12, 54, 14, 56], many, base)).toBeUndefined()
    expect(filesToKeep([100, 0, 101, 1], many, base)).toBeDefined()
  })
})

it('the base map distinguishes tiles of land, of water and with a coast', () => {
  const index = { zooms: ['2', '0122'] }
  expect(baseTileFile(index, 0, 0, 0)).toBe('0-0-0.mvt')
  expect(baseTileFile(index, 1, 0, 0)).toBeUndefined()
  expect(baseTileFile(index, 1, 1, 0)).toBe('land.mvt')
  expect(baseTileFile(index, 1, 1, 1)).toBe('1-1-1.mvt')
  expect(baseTileFile(index, 1, 2, 0)).toBeUndefined()
  expect(baseTileFile(index, 1, -1, 0)).toBeUndefined()
  expect(baseTileFile(index, 9, 0, 0)).toBeUndefined()
})
