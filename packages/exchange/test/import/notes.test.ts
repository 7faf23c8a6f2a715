import path from 'node:path'
import Database from 'better-sqlite3'
import iconv from 'iconv-lite'
import { token } from '@openfountain/core'
import { expect, test } from 'vitest'
import { exportRegistry, importFile } from '../../src/index.ts'
import { emptyRegistry, imported, source, temporaryFolder } from './fixture.ts'

test('text that is not UTF-8 is noted with the encoding that it was read in', async () => {
  const { report, waypoints } = await imported(iconv.encode('name,lat,lon\nBürgerbrunnen,47,8\n', 'latin1'))
  expect(waypoints[0]?.name).toBe('Bürgerbrunnen')
  expect(report.notes).toEqual([{ code: 'NOT_UTF8', encoding: 'windows-1252' }])
})

test('routes and tracks of GPX are noted, and none where there are none', async () => {
  const gpx = (more: string) =>
    `<gpx xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="47" lon="8"><name>A</name></wpt>${more}</gpx>`
  const { report } = await imported(gpx('<rte/><trk/><trk/>'))
  expect(report.notes).toEqual([{ code: 'WAYS_NOT_READ', ways: 3 }])
  expect((await imported(gpx(''))).report.notes).toEqual([])
})

test('links of KML to other files are noted', async () => {
  const { report } = await imported(
    '<kml xmlns="http://www.opengis.net/kml/2.2"><Document><NetworkLink/><Placemark><name>A</name>' +
      '<Point><coordinates>8,47</coordinates></Point></Placemark></Document></kml>',
  )
  expect(report.notes).toEqual([{ code: 'LINKS_NOT_FOLLOWED', links: 1 }])
})

test('rows beyond the poles are noted when others are where they should be', async () => {
  const rows = Array.from({ length: 30 }, (_, index) => `F${index},47.${index + 10},8.5\n`)
  const { report } = await imported(`name,lat,lon\n${rows.join('')}Swapped,123,45\n`)
  expect(report.counts).toMatchObject({ created: 30, refused: 1 })
  expect(report.notes).toEqual([{ code: 'BEYOND_POLE', rows: 1 }])
})

test('a table of a GeoPackage in another coordinate system is noted and not read', async () => {
  const registry = await emptyRegistry()
  await registry.waypoints.create({ name: 'A', latitude: 47, longitude: 8 }, token())
  const out = await temporaryFolder()
  await exportRegistry(registry, { out, formats: ['gpkg'] })
  const file = path.join(out, 'waypoints.gpkg')
  const database = new Database(file)
  database.exec(`
    create table wells as select * from waypoints;
    insert into gpkg_spatial_ref_sys values ('Web Mercator', 3857, 'EPSG', 3857, 'undefined', null);
    insert into gpkg_contents (table_name, data_type, identifier, srs_id) values ('wells', 'features', 'wells', 3857);
    insert into gpkg_geometry_columns values ('wells', 'geom', 'POINT', 3857, 0, 0);`)
  database.close()
  const report = await importFile(await emptyRegistry(), { file, source })
  expect(report.counts.rows).toBe(1)
  expect(report.notes).toEqual([{ code: 'TABLE_NOT_READ', table: 'wells', crs: 'EPSG:3857' }])
})
