import path from 'node:path'
import { token, type Registry, type WaypointInput } from '@openfountain/core'
import { expect, test } from 'vitest'
import { newFolder, textIn } from '@openfountain/testing/folder'
import { emptyRegistry, placed } from '@openfountain/testing/registry'
import { sampleProperties, sampleValues } from '@openfountain/testing/sample-values'
import { exportRegistry } from '../../src/index.ts'
import { imported, node, overpass } from '../import/fixture.ts'
import { rowsIn } from './sample-snapshot.ts'

const source = { name: 'OSM', license: 'ODbL-1.0' }

async function derivedIn(registry: Registry): Promise<Record<string, unknown[]>> {
  const out = path.join(newFolder(), 'out')
  await exportRegistry(registry, { out, formats: ['csv', 'ndjson', 'geojson', 'gpkg', 'sqlite', 'parquet'] })
  const parsed = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value)
  const found = Object.entries(await rowsIn(out))
  return Object.fromEntries(
    found.map(([format, rows]) => [format, rows.map((row) => parsed(row['derived_tags']))]),
  )
}

test('what is personal, a note among mappers or no tag at all is not kept', async () => {
  const personal = {
    note: 'Ask Ada',
    'note:de': 'Ada',
    FIXME: 'where?',
    'contact:phone': '0664 555 0199',
    phone: '0664 555 0199',
    email: 'ada@example.org',
    created_by: 'JOSM',
    operator: 'Ada Brook',
    'operator:type': 'private',
    long: 'x'.repeat(256),
  }
  const edit = { user: 'ada', uid: 1, timestamp: '2025-06-02T00:00:00Z' }
  const { registry } = await imported(overpass([node(1, { ...personal, check_date: '2025-06-01' }, edit)]))
  const [listed] = await registry.waypoints.sources(1)
  expect(listed?.tags).toEqual({ amenity: 'drinking_water', check_date: '2025-06-01' })
})

test('a table of tags has none of the columns about the object itself among them', async () => {
  const { registry } = await imported(
    'type,id,lat,lon,amenity,fountain\nnode,246569213,41.8,12.4,drinking_water,nasone\n',
    { source },
  )
  expect(await registry.waypoints.sources(1)).toMatchObject([
    { ref: 'node/246569213', tags: { amenity: 'drinking_water', fountain: 'nasone' } },
  ])
})

const base = { amenity: 'drinking_water' }
const notDrinkable = { drinking_water: 'no', 'drinking_water:legal': 'no' }

const derived: readonly [Partial<WaypointInput>, Record<string, string>][] = [
  [{ amenities: ['always-open'] }, { ...base, opening_hours: '24/7' }],
  [{ openingHours: 'Mo-Fr "all" day' }, { ...base, opening_hours: 'Mo-Fr "all" day' }],
  [
    { openingHours: 'Apr-Oct', amenities: ['always-open', 'bench'] },
    { ...base, bench: 'yes', opening_hours: 'Apr-Oct' },
  ],
  [{ season: '11-15/02-29' }, { ...base, seasonal: 'Nov 15-Feb 29' }],
  [
    { season: '04-01/10-31', amenities: ['all-year'] },
    { ...base, seasonal: 'Apr 01-Oct 31' },
  ],
  [
    { season: '04-01/10-31', openingHours: '24/7', amenities: ['seasonal', 'tap'] },
    { ...base, man_made: 'water_tap', seasonal: 'Apr 01-Oct 31', opening_hours: '24/7' },
  ],
  [{ amenities: ['tested'] }, { ...base, 'drinking_water:legal': 'yes' }],
  [
    { drinkable: 'yes', amenities: ['tested'] },
    { ...base, 'drinking_water:legal': 'yes' },
  ],
  [
    { drinkable: 'no', amenities: ['tested', 'tap'] },
    { man_made: 'water_tap', ...notDrinkable },
  ],
  [
    { drinkable: 'no', amenities: ['bubbler'] },
    { amenity: 'fountain', fountain: 'bubbler', ...notDrinkable },
  ],
  [
    { drinkable: 'unsigned', amenities: ['tested'] },
    { ...base, 'drinking_water:legal': 'unsigned', 'drinking_water:signed': 'no' },
  ],
]

test('a field comes in place of an amenity’s tag with its key', async () => {
  const registry = await emptyRegistry()
  for (const [at, [input]] of derived.entries()) await placed(registry, { latitude: at / 10, ...input })
  const { csv = [] } = await derivedIn(registry)
  for (const [at, [input, tags]] of derived.entries()) expect([input, csv[at]]).toEqual([input, tags])
})

test('of an object only what people changed here is derived, and of undrinkable water nothing about drinking', async () => {
  const tags = { amenity: 'drinking_water', seasonal: 'summer', wheelchair: 'designated' }
  const { registry } = await imported(
    overpass([1, 2, 3].map((id) => node(id, { ...tags, check_date: '2025-06-01' }, { lat: 40 + id }))),
    { source },
  )
  await registry.waypoints.update(1, { amenities: ['seasonal', 'wheelchair', 'bench'], name: 'A' }, token())
  await registry.waypoints.update(2, { drinkable: 'no', amenities: ['bottle-filler'] }, token())
  await registry.observations.create({ bubblerId: 3, kind: 'works' }, token())
  await placed(registry, { latitude: 50, drinkable: 'no', amenities: ['tap', 'bottle-filler', 'filtered'] })
  const { csv } = await derivedIn(registry)
  expect(csv).toEqual([
    { bench: 'yes' },
    { amenity: 'fountain', ...notDrinkable },
    { check_date: '2026-01-01' },
    { man_made: 'water_tap', ...notDrinkable },
  ])
})

test('the tags of a waypoint are the same in every format, each key once', async () => {
  const registry = await emptyRegistry({ properties: sampleProperties })
  const amenities = ['seasonal', 'all-year', 'always-open', 'tested', 'tap', 'my "own" [1]|']
  const inputs: readonly object[] = [
    {},
    { amenities },
    ...Array.from({ length: 4 }, (_, turn) => sampleValues('Mo "a", \\ b; c', turn)),
    ...Array.from({ length: 4 }, (_, turn) => ({ amenities, ...sampleValues('24/7', turn) })),
    ...Object.entries(sampleValues('24/7')).map(([name, value]) => ({ amenities, [name]: value })),
  ]
  for (const [at, input] of inputs.entries()) await placed(registry, { latitude: at / 10, ...input })
  const { geojson = [], ...others } = await derivedIn(registry)
  expect(geojson).toHaveLength(inputs.length)
  for (const [format, rows] of Object.entries(others)) expect(rows, format).toEqual(geojson)
  const out = newFolder()
  await exportRegistry(registry, { out, formats: ['ndjson'] })
  for (const line of textIn(out, 'waypoints.ndjson.gz').trim().split('\n')) {
    const [, written = ''] = /"derived_tags":(\{.*?\})[,}]/u.exec(line) ?? []
    expect(JSON.stringify(JSON.parse(written))).toBe(written)
  }
})
