import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { emptyRegistry, placed } from '@openfountain/testing/registry'
import { exportRegistry, importFile } from '../../src/index.ts'
import { dated, feature, geojson, imported, source } from './fixture.ts'

test.each(['lat,lon\n47.37,8.54\nx,y\n', 'lat,lon\nx,y\n47.37,8.54\n47.38,8.55\n47.39,8.56\n'])(
  'one row without numbers is refused, and not the file, however small: %j',
  async (content) => {
    const { waypoints, report } = await imported(content)
    expect(waypoints[0]).toMatchObject({ latitude: 47.37, longitude: 8.54 })
    expect(report.counts).toMatchObject({ created: waypoints.length, refused: 1 })
    expect(report.refused).toMatchObject([{ code: 'UNREADABLE_COORDINATES', latitude: 'x', longitude: 'y' }])
  },
)

test('a file none of whose rows has numbers is refused', async () => {
  await expect(imported('lat,lon\nx,y\nx,y\n')).rejects.toMatchObject({ code: 'NO_COORDINATES' })
})

test('a report has the code, the facts of the first row and the words of each', async () => {
  const { report } = await imported(
    geojson(
      feature(8.5, 47.4, { name: 'A' }),
      feature(0, 0, { name: 'B' }),
      feature(47.4, 123, { name: 'C' }),
      feature(47.4, 124, { name: 'D' }),
      feature(8.6, 47.4, { name: 'E', amenity: 'fountain' }),
    ),
    { axes: 'keep' },
  )
  const beyond = 'latitude 123 is beyond the pole; latitude and longitude may be swapped'
  const zero = 'the coordinates are 0, 0, which stands for "unknown"'
  expect(report.refused).toEqual([
    { code: 'BEYOND_POLE', latitude: 123, reason: beyond, rows: 2, first: 3 },
    { code: 'ZERO', reason: zero, rows: 1, first: 2 },
  ])
  const tag = 'amenity=fountain'
  const decorative = { purpose: 'decoration', tag, reason: `it is for decoration (${tag})` }
  expect(report.leftOut).toEqual([{ code: 'OTHER_PURPOSE', ...decorative, rows: 1 }])
})

test('a cell that holds the name of an option does not make coordinates seem swapped', async () => {
  const { report } = await imported(
    'name,lat,lon\nA,47.4,8.5\nB,47.5,8.6\nC,47.6,8.7\nD,47.7,8.8\nE,--swap,8.9\n',
  )
  expect(report.counts).toMatchObject({ created: 4, refused: 1 })
  expect(report.refused[0]).toMatchObject({ code: 'UNREADABLE_COORDINATES', latitude: '--swap' })
})

test('coordinates are reported as they are, however large', async () => {
  await expect(imported(geojson(feature(5e21, 4e22, { name: 'A' })))).rejects.toMatchObject({
    code: 'CRS_UNKNOWN',
    details: { row: 1, x: 5e21, y: 4e22, possible: [] },
    message: expect.stringContaining('Row 1 is at 5e+21, 4e+22.'),
  })
})

test('an unknown encoding is not called a defect of a map', async () => {
  await expect(imported('name,lat,lon\nA,47,8\n', { encoding: 'klingon' })).rejects.toMatchObject({
    code: 'ENCODING_UNKNOWN',
    details: { encoding: 'klingon' },
    message: expect.stringContaining('"klingon"'),
  })
})

const gpx = (more: string) =>
  `<gpx xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="47" lon="8"><name>A</name></wpt>${more}</gpx>`
const rows = Array.from({ length: 30 }, (_, index) => `F${index},47.${index + 10},8.5\n`)

test.each<[string, string, object[]]>([
  ['routes and tracks of GPX', gpx('<rte/><trk/><trk/>'), [{ code: 'WAYS_NOT_READ', ways: 3 }]],
  ['no routes and tracks', gpx(''), []],
  [
    'links of KML to other files',
    '<kml xmlns="http://www.opengis.net/kml/2.2"><Document><NetworkLink/><Placemark><name>A</name>' +
      '<Point><coordinates>8,47</coordinates></Point></Placemark></Document></kml>',
    [{ code: 'LINKS_NOT_FOLLOWED', links: 1 }],
  ],
  [
    'rows beyond the poles when others are where they should be',
    `name,lat,lon\n${rows.join('')}Swapped,123,45\n`,
    [{ code: 'BEYOND_POLE', rows: 1 }],
  ],
])('%s are noted', async (_, content, notes) => {
  expect((await imported(content, dated)).report.notes).toEqual(notes)
})

test('a table of a GeoPackage in another coordinate system is noted and not read', async () => {
  const registry = await emptyRegistry()
  await placed(registry)
  const out = newFolder()
  await exportRegistry(registry, { out, formats: ['gpkg'] })
  const file = path.join(out, 'waypoints.gpkg')
  const database = new Database(file)
  database.exec(`
    create table wells as select * from waypoints;
    insert into gpkg_spatial_ref_sys values ('Web Mercator', 3857, 'EPSG', 3857, 'undefined', null);
    insert into gpkg_contents (table_name, data_type, identifier, srs_id) values ('wells', 'features', 'wells', 3857);
    insert into gpkg_geometry_columns values ('wells', 'geom', 'POINT', 3857, 0, 0);`)
  database.close()
  const report = await importFile(await emptyRegistry(), { file, source, ...dated })
  expect(report.counts.rows).toBe(1)
  expect(report.notes).toEqual([{ code: 'TABLE_NOT_READ', table: 'wells', crs: 'EPSG:3857' }])
})
