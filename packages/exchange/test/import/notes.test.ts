import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { emptyRegistry, placed } from '@openfountain/testing/registry'
import { exportRegistry, importFile } from '../../src/index.ts'
import { imported, source } from './fixture.ts'

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
  expect((await imported(content)).report.notes).toEqual(notes)
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
  const report = await importFile(await emptyRegistry(), { file, source })
  expect(report.counts.rows).toBe(1)
  expect(report.notes).toEqual([{ code: 'TABLE_NOT_READ', table: 'wells', crs: 'EPSG:3857' }])
})
