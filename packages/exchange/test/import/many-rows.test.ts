/** @module-tag long */
import { appendFileSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { geoPackage } from '@openfountain/testing/import/damaged-files'
import { ods, osmPbf, shapefile, xlsx } from '@openfountain/testing/import/packed-files'
import { detectLayout, readDelimited } from '../../src/import/read/delimited.ts'
import { readGml } from '../../src/import/read/gml.ts'
import { readGpx } from '../../src/import/read/gpx.ts'
import { readJson, readJsonLines } from '../../src/import/read/json-rows.ts'
import { readKml } from '../../src/import/read/kml.ts'
import { readOsmXml } from '../../src/import/read/osm-xml.ts'
import type { FileToRead } from '../../src/import/read/reading-child.ts'
import { readSeparately } from '../../src/import/read/separate-rows.ts'
import type { FileFacts, RowBatches } from '../../src/import/read/source-row.ts'
import { fileWith } from './fixture.ts'

const million = 1_000_000
const mebibyte = 1024 * 1024

async function* textOf(head: string, row: (at: number) => string, tail: string): AsyncGenerator<string> {
  yield head
  for (let at = 0; at < million; at += 1000)
    yield Array.from({ length: 1000 }, (_, index) => row(at + index)).join('')
  yield tail
}

const member = (at: number) =>
  `<wfs:member><f gml:id="f.${at}"><name>G${at}</name><geom><gml:Point srsName="EPSG:4326"><gml:pos>8 ${40 + at / million}</gml:pos></gml:Point></geom></f></wfs:member>`
const node = (at: number) =>
  `<node id="${at}" lat="${40 + at / million}" lon="8"><tag k="amenity" v="drinking_water"/></node>`
const table = (at: number) => `G${at};${40 + at / million};8\n`
const heading = 'Brunnen der Stadt\n\nname;lat;lon\n'

const at8 = (at: number) => `{"type":"Point","coordinates":[8,${40 + at / million}]}`
const feature = (at: number) =>
  `${at === 0 ? '' : ','}{"type":"Feature","geometry":${at8(at)},"properties":{"name":"G${at}"}}`
const element = (at: number) =>
  `${at === 0 ? '' : ','}{"type":"node","id":${at},"lat":${40 + at / million},"lon":8,"tags":{"amenity":"drinking_water"}}`
const wpt = (at: number) => `<wpt lat="${40 + at / million}" lon="8"><name>G${at}</name></wpt>`
const placemark = (at: number) =>
  `<Placemark><name>G${at}</name><Point><coordinates>8,${40 + at / million}</coordinates></Point></Placemark>`

const readers: Readonly<Record<string, (facts: FileFacts) => RowBatches>> = {
  GeoJSON: (facts) => readJson(textOf('{"type":"FeatureCollection","features":[', feature, ']}'), facts),
  'Overpass JSON': (facts) => readJson(textOf('{"version":0.6,"elements":[', element, ']}'), facts),
  'GeoJSON by line': () =>
    readJsonLines(textOf('', (at) => `{"type":"Feature","geometry":${at8(at)},"properties":{}}\n`, '')),
  GPX: (facts) => readGpx(textOf('<gpx version="1.1">', wpt, '</gpx>'), facts),
  KML: (facts) => readKml(textOf('<kml><Document>', placemark, '</Document></kml>'), facts),
  GML: (facts) => readGml(textOf('<wfs:FeatureCollection>', member, '</wfs:FeatureCollection>'), facts),
  'OpenStreetMap XML': (facts) =>
    readOsmXml(
      () => textOf('<osm>', node, '<way id="1"><nd ref="1"/><tag k="fountain" v="drinking"/></way></osm>'),
      facts,
    ),
  'CSV below titles': () => {
    const layout = detectLayout(heading + table(1) + table(2), true)
    if (layout === undefined) throw new Error('No layout')
    return readDelimited(textOf(heading, table, ''), layout)
  },
}

test.each(Object.entries(readers))('a million rows of %s take no more memory than a few', async (_, read) => {
  const before = process.memoryUsage().heapUsed
  let [rows, most] = [0, 0]
  for await (const batch of read({ notes: [] })) {
    rows += batch.length
    most = Math.max(most, process.memoryUsage().heapUsed)
  }
  expect(rows).toBeGreaterThanOrEqual(million)
  expect((most - before) / mebibyte).toBeLessThan(300)
})

async function countOf(file: FileToRead): Promise<number> {
  let rows = 0
  for await (const batch of readSeparately(file, { notes: [] }, { limits: { memoryMiB: 384 } }))
    rows += batch.length
  return rows
}

test('a million nodes of an extract are read in 384 MiB', async () => {
  const file = fileWith('')
  const tags = { amenity: 'drinking_water' }
  for (let at = 0; at < million; at += 10_000) {
    const nodes = Array.from({ length: 10_000 }, (_, index) => ({
      id: at + index + 1,
      lat: 40,
      lon: 8,
      tags,
    }))
    appendFileSync(file, osmPbf({ nodes, ways: [], relations: [] }))
  }
  expect(await countOf({ format: 'osm-pbf', path: file })).toBe(million)
})

test.each(['geopackage', 'parquet'] as const)('a million rows of %s are read in 384 MiB', async (format) => {
  const fill = (database: Database.Database) =>
    database.exec(
      `insert into fountains (geom, name) with recursive n (i) as (select 2 union all select i + 1 from n where i < ${million})
       select geom, 'G' || i from n, fountains`,
    )
  const degrees = (name: string, from: number) => ({
    name,
    data: Float64Array.from({ length: million }, (_, at) => from + at / million),
    type: 'DOUBLE' as const,
  })
  const content =
    format === 'parquet'
      ? parquetWriteBuffer({ rowGroupSize: million, columnData: [degrees('lat', 40), degrees('lon', 8)] })
      : geoPackage('id integer primary key, geom blob, name text', [`'G1'`], fill)
  expect(await countOf({ format, path: fileWith(new Uint8Array(content)) })).toBe(million)
})

type Row = readonly [name: string, latitude: number, longitude: number]

const limited: Readonly<Record<'ods' | 'xlsx' | 'shapefile', (rows: readonly Row[]) => Uint8Array>> = {
  ods: (rows) => ods([['name', 'lat', 'lon'], ...rows]),
  xlsx: (rows) => xlsx({ A: { rows: [['name', 'lat', 'lon'], ...rows] } }),
  shapefile: (rows) =>
    shapefile({ points: rows.map(([, y, x]) => [x, y] as const), names: rows.map(([name]) => name) }),
}

test.each(['ods', 'xlsx', 'shapefile'] as const)(
  'a file of the format %s has 200,000 rows at the most, read in 384 MiB',
  async (format) => {
    const read = (length: number): Promise<number> =>
      countOf({
        format,
        path: fileWith(limited[format](Array.from({ length }, (_, at) => [`W${at}`, 40 + at / million, 8]))),
      })
    expect(await read(200_000)).toBe(200_000)
    await expect(read(200_001)).rejects.toMatchObject({
      refusal: { code: 'TOO_MANY_ROWS', most: 200_000 },
      message: expect.stringContaining('ogr2ogr -f GeoJSONSeq') as unknown,
    })
  },
)
