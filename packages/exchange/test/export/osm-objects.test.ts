import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { parse as parseCsv } from 'csv-parse/sync'
import { parquetReadObjects } from 'hyparquet'
import { token } from '@openfountain/core'
import { expect, test } from 'vitest'
import { exportRegistry } from '../../src/index.ts'
import { emptyRegistry, importContent } from '../import/fixture.ts'
import { compressors, jsonIn, temporaryFolder, textIn } from './written-edition.ts'

const source = { name: 'OSM', license: 'ODbL-1.0' }

const overpass = (...elements: object[]) => JSON.stringify({ elements })
const element = (type: string, id: number, lat: number, tags: object) => ({ type, id, lat, lon: 8, tags })

/** What a format says of each waypoint's object, absent as null. */
type Said = readonly [type: string | null, id: number | null, tags: object | null]

async function saidIn(out: string): Promise<Record<string, Said[]>> {
  const said = (row: Record<string, unknown>): Said => {
    const { osm_type: type, osm_id: id, osm_tags: tags } = row
    const isNone = (value: unknown) => value === undefined || value === null || value === ''
    return [
      isNone(type) ? null : String(type),
      isNone(id) ? null : Number(id),
      isNone(tags) ? null : typeof tags === 'string' ? JSON.parse(tags) : (tags as object),
    ]
  }
  const inDatabase = (file: string) => {
    const database = new Database(join(out, file), { readonly: true })
    const rows = database.prepare<[], Record<string, unknown>>('select * from waypoints order by id').all()
    database.close()
    return rows.map(said)
  }
  const parquet = await parquetReadObjects({
    compressors,
    columns: ['id', 'osm_type', 'osm_id', 'osm_tags'],
    file: Uint8Array.from(readFileSync(join(out, 'waypoints.parquet'))).buffer,
  })
  return {
    csv: parseCsv<Record<string, unknown>>(textIn(out, 'waypoints.csv'), { columns: true }).map(said),
    ndjson: textIn(out, 'waypoints.ndjson.gz')
      .trim()
      .split('\n')
      .map((line) => said(JSON.parse(line))),
    geojson: jsonIn(out, 'waypoints.geojson').features.map(
      ({ properties }: { properties: Record<string, unknown> }) => said(properties),
    ),
    gpkg: inDatabase('waypoints.gpkg'),
    sqlite: inDatabase('registry.sqlite'),
    parquet: parquet.toSorted((one, other) => Number(one['id']) - Number(other['id'])).map(said),
  }
}

test('every format has the object that a waypoint is at OpenStreetMap, with its tags as they were imported', async () => {
  const registry = await emptyRegistry({ license: 'ODbL-1.0' })
  const way = { amenity: 'fountain', bottle: 'no', drinking_water: 'yes', 'name:de': 'Brunnen "am Tor", alt' }
  await importContent(
    registry,
    overpass(element('node', 12_345_678_901, 47, { amenity: 'drinking_water' }), element('way', 5, 48, way)),
    { source },
  )
  await importContent(registry, 'id,lat,lon,name\nA-1,49,8,Tor\n', {
    source: { name: 'Town', license: 'CC0-1.0' },
  })
  await registry.waypoints.create({ name: 'Own', latitude: 1, longitude: 2 }, token())
  // Another source, which comes first by its id in no list, names the same fountain as the town does.
  const run = await registry.imports.start({ source: { name: 'OSM, again', license: 'ODbL-1.0' } })
  await run.apply([
    {
      row: 1,
      ref: 'relation/7',
      mergeInto: 3,
      input: { name: 'Tor', latitude: 49, longitude: 8 },
      tags: { amenity: 'fountain' },
    },
    { row: 2, ref: 'node/1x', mergeInto: 4, input: { name: 'Own', latitude: 1, longitude: 2 } },
  ])
  await run.finish({ counts: {}, missing: 'keep' })
  const out = join(temporaryFolder(), 'out')
  await exportRegistry(registry, { out })
  const expected: Said[] = [
    ['node', 12_345_678_901, { amenity: 'drinking_water' }],
    ['way', 5, way],
    ['relation', 7, { amenity: 'fountain' }],
    [null, null, null],
  ]
  for (const [format, said] of Object.entries(await saidIn(out))) expect(said, format).toEqual(expected)
  // What is derived is called so: this registry knows it as a place to drink.
  expect(jsonIn(out, 'waypoints.geojson').features[1].properties).toMatchObject({
    derived_tags: { amenity: 'drinking_water' },
  })
  await registry.close()
})

test('what is personal, a note among mappers or no tag at all is not kept', async () => {
  const registry = await emptyRegistry()
  await importContent(
    registry,
    overpass({
      ...element('node', 1, 47, {
        amenity: 'drinking_water',
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
        check_date: '2025-06-01',
      }),
      user: 'ada',
      uid: 1,
      timestamp: '2025-06-02T00:00:00Z',
    }),
    { source },
  )
  const [listed] = await registry.waypoints.sources(1)
  expect(listed?.tags).toEqual({ amenity: 'drinking_water', check_date: '2025-06-01' })
  await registry.close()
})

test('a table of tags has none of the columns about the object itself among them', async () => {
  const registry = await emptyRegistry()
  await importContent(
    registry,
    'type,id,lat,lon,amenity,fountain\nnode,246569213,41.8,12.4,drinking_water,nasone\n',
    { source },
  )
  expect(await registry.waypoints.sources(1)).toMatchObject([
    { ref: 'node/246569213', tags: { amenity: 'drinking_water', fountain: 'nasone' } },
  ])
  await registry.close()
})
