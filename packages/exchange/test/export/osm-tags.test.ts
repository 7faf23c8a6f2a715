import { readFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { parse as parseCsv } from 'csv-parse/sync'
import { parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { openRegistry, token, type WaypointInput } from '@openfountain/core'
import { sampleProperties, sampleValues } from '@openfountain/testing/sample-values'
import { exportRegistry } from '../../src/index.ts'
import { compressors, jsonIn, temporaryFolder, textIn } from './written-edition.ts'

/** The tags of each waypoint as the formats have them: the JSON text where a format has it as text. */
async function tagsOf(inputs: readonly Partial<WaypointInput>[]) {
  const registry = await openRegistry({ database: ':memory:', properties: sampleProperties })
  for (const [index, input] of inputs.entries())
    await registry.waypoints.create({ name: 'A', latitude: index / 10, longitude: 1, ...input }, token())
  const folder = path.join(temporaryFolder(), 'out')
  await exportRegistry(registry, { out: folder })
  await registry.close()
  const cells = parseCsv<{ derived_tags: string }>(textIn(folder, 'waypoints.csv'), { columns: true })
  const database = new Database(path.join(folder, 'waypoints.gpkg'), { readonly: true })
  const stored = database.prepare<[], string>('select derived_tags from waypoints order by id').pluck().all()
  database.close()
  const file = Uint8Array.from(readFileSync(path.join(folder, 'waypoints.parquet'))).buffer
  const rows = await parquetReadObjects({ compressors, file, columns: ['id', 'derived_tags'] })
  const features: { properties: { derived_tags: object } }[] = jsonIn(folder, 'waypoints.geojson').features
  const inText = (text: string) =>
    text.split('\n').flatMap((line) => /"derived_tags":(\{.*?\})[,}]/u.exec(line)?.[1] ?? [])
  return {
    csv: cells.map((row) => row.derived_tags),
    gpkg: stored,
    geojson: inText(textIn(folder, 'waypoints.geojson')),
    ndjson: inText(textIn(folder, 'waypoints.ndjson.gz')),
    parsed: features.map(({ properties }) => properties.derived_tags),
    parquet: rows
      .toSorted((one, other) => Number(one['id']) - Number(other['id']))
      .map((row) => row['derived_tags']),
  }
}

const base = { amenity: 'drinking_water' }

test.each<[Partial<WaypointInput>, Record<string, string | undefined>]>([
  [{ amenities: ['always-open'] }, { opening_hours: '24/7' }],
  [{ openingHours: 'Mo-Fr "all" day' }, { opening_hours: 'Mo-Fr "all" day' }],
  [
    { openingHours: 'Apr-Oct', amenities: ['always-open', 'bench'] },
    { bench: 'yes', opening_hours: 'Apr-Oct' },
  ],
  [{ season: '11-15/02-29' }, { seasonal: 'Nov 15-Feb 29' }],
  [{ season: '04-01/10-31', amenities: ['all-year'] }, { seasonal: 'Apr 01-Oct 31' }],
  [
    { season: '04-01/10-31', openingHours: '24/7', amenities: ['seasonal', 'tap'] },
    { man_made: 'water_tap', seasonal: 'Apr 01-Oct 31', opening_hours: '24/7' },
  ],
  [{ amenities: ['tested'] }, { 'drinking_water:legal': 'yes' }],
  [{ drinkable: 'yes', amenities: ['tested'] }, { 'drinking_water:legal': 'yes' }],
  [
    { drinkable: 'no', amenities: ['tested', 'tap'] },
    {
      amenity: undefined,
      man_made: 'water_tap',
      drinking_water: 'no',
      'drinking_water:legal': 'no',
    },
  ],
  [
    { drinkable: 'no', amenities: ['bubbler'] },
    { amenity: 'fountain', fountain: 'bubbler', drinking_water: 'no', 'drinking_water:legal': 'no' },
  ],
  [
    { drinkable: 'unsigned', amenities: ['tested'] },
    { 'drinking_water:legal': 'unsigned', 'drinking_water:signed': 'no' },
  ],
])('a field comes in place of an amenity’s tag with its key: %j', async (input, tags) => {
  const { parsed, csv } = await tagsOf([input])
  expect(parsed).toEqual([{ ...base, ...tags }])
  expect(csv).toEqual([JSON.stringify({ ...base, ...tags })])
})

test('the tags of a waypoint are the same in every format, each key once', async () => {
  const amenities = ['seasonal', 'all-year', 'always-open', 'tested', 'tap', 'my "own" [1]|']
  const { parsed, parquet, ...texts } = await tagsOf([
    {},
    { amenities },
    ...Array.from({ length: 4 }, (_, turn) => sampleValues('Mo "a", \\ b; c', turn)),
    ...Array.from({ length: 4 }, (_, turn) => ({ amenities, ...sampleValues('24/7', turn) })),
    ...Object.entries(sampleValues('24/7')).map(([name, value]) => ({ amenities, [name]: value })),
  ])
  const expected = parsed.map((tags) => JSON.stringify(tags))
  expect(parsed.length).toBeGreaterThan(10)
  for (const [format, found] of Object.entries(texts))
    expect({ format, found }).toEqual({ format, found: expected })
  expect(parquet).toEqual(parsed)
})
