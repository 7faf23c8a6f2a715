import path from 'node:path'
import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { parse as parseCsv } from 'csv-parse/sync'
import { parquetReadObjects } from 'hyparquet'
import type { Registry, WaypointInput } from '@openfountain/core'
import { expect, test } from 'vitest'
import { compressors, jsonIn, linesIn, newFolder, textIn } from '@openfountain/testing/folder'
import { emptyRegistry, placed } from '@openfountain/testing/registry'
import { sampleProperties, sampleValues } from '@openfountain/testing/sample-values'
import { exportRegistry } from '../../src/index.ts'
import { imported, node, overpass } from '../import/fixture.ts'

const source = { name: 'OSM', license: 'ODbL-1.0' }

/** The rows of each format in the order of their ids, absent values as null, objects parsed. */
async function rowsIn(registry: Registry, columns: readonly string[]): Promise<Record<string, unknown[][]>> {
  const out = path.join(newFolder(), 'out')
  const formats = ['csv', 'ndjson', 'geojson', 'gpkg', 'sqlite', 'parquet']
  await exportRegistry(registry, { out, formats })
  const inDatabase = (file: string) => {
    const database = new Database(path.join(out, file), { readonly: true })
    const rows = database.prepare<[], Record<string, unknown>>('select * from waypoints order by id').all()
    database.close()
    return rows
  }
  const file = Uint8Array.from(readFileSync(path.join(out, 'waypoints.parquet'))).buffer
  const parquet = await parquetReadObjects({ compressors, columns: ['id', ...columns], file })
  const features: { properties: Record<string, unknown> }[] = jsonIn(out, 'waypoints.geojson').features
  const found: Record<string, Record<string, unknown>[]> = {
    csv: parseCsv(textIn(out, 'waypoints.csv'), { columns: true }),
    ndjson: linesIn(out, 'waypoints.ndjson.gz'),
    geojson: features.map(({ properties }) => properties),
    gpkg: inDatabase('waypoints.gpkg'),
    sqlite: inDatabase('registry.sqlite'),
    parquet: parquet.toSorted((one, other) => Number(one['id']) - Number(other['id'])),
  }
  const valueOf = (value: unknown) => {
    if (value === undefined || value === null || value === '') return null
    if (typeof value === 'bigint' || /^\d+$/u.test(String(value))) return Number(value)
    return typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value
  }
  return Object.fromEntries(
    Object.entries(found).map(([format, rows]) => [
      format,
      rows.map((row) => columns.map((column) => valueOf(row[column]))),
    ]),
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
  const { csv = [] } = await rowsIn(registry, ['derived_tags'])
  for (const [at, [input, tags]] of derived.entries()) expect([input, csv[at]]).toEqual([input, [tags]])
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
  const { geojson = [], ...others } = await rowsIn(registry, ['derived_tags'])
  expect(geojson).toHaveLength(inputs.length)
  for (const [format, rows] of Object.entries(others)) expect(rows, format).toEqual(geojson)
  const out = newFolder()
  await exportRegistry(registry, { out, formats: ['ndjson'] })
  for (const line of textIn(out, 'waypoints.ndjson.gz').trim().split('\n')) {
    const [, written = ''] = /"derived_tags":(\{.*?\})[,}]/u.exec(line) ?? []
    expect(JSON.stringify(JSON.parse(written))).toBe(written)
  }
})
