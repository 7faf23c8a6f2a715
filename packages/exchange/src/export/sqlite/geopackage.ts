import type Database from 'better-sqlite3'
import { attributionLine } from '@openfountain/core'
import { creditOf, partyText } from '@openfountain/core/internal'
import type { Edition } from '../edition.ts'
import { waypointFields } from '../fields.ts'
import { counted, type Format, type Tally } from '../format.ts'
import { waypointTable, type ListedWaypoint } from '../tables/waypoints.ts'
import { extensions, geopackageTables, rtreeTriggers, spatialReferenceSystems } from './geopackage-schema.ts'
import { addLayerStyle } from './layer-style.ts'
import { fillRtree, type TreePoint } from './rtree.ts'
import { columnDefinitions, insertRows, insertValues, writeDatabase } from './sql-table.ts'

const isGeometry = (name: string): boolean => name === 'latitude' || name === 'longitude'
const columns = waypointTable.columns.filter(({ name }) => name !== 'id' && !isGeometry(name))

/** GeoPackage 1.3: https://www.geopackage.org/spec130/ */
export const geopackage: Format = {
  name: 'gpkg',
  file: 'waypoints.gpkg',
  mediaType: 'application/geopackage+sqlite3',
  title: 'GeoPackage for QGIS and others',
  subject: 'waypoints',
  isDaily: true,
  holds:
    'Every column, a spatial index, the documentation of the columns, and a style by state for QGIS; latitude and longitude are the geometry.',
  loses: 'Nothing; lists and tags are JSON text.',
  fields: waypointFields,
  write: (path, edition, tally) =>
    writeDatabase(path, ['application_id = 0x47504B47', 'user_version = 10300'], async (database) => {
      database.exec(geopackageTables)
      database.exec(
        `CREATE TABLE waypoints (id INTEGER PRIMARY KEY NOT NULL, geom POINT NOT NULL, ${columnDefinitions(columns, 'geopackage').join(', ')})`,
      )
      await insertWaypoints(database, edition, tally)
      describe(database, edition)
      addLayerStyle(database, edition.snapshot.dataTime)
      database.exec(rtreeTriggers)
    }),
}

async function insertWaypoints(database: Database.Database, edition: Edition, tally: Tally): Promise<void> {
  database.exec('CREATE VIRTUAL TABLE rtree_waypoints_geom USING rtree(id, minx, maxx, miny, maxy)')
  const points: TreePoint[] = []
  function* located(): Iterable<ListedWaypoint> {
    for (const listed of counted(waypointTable.rows(edition), tally)) {
      const { id, longitude, latitude } = listed.record
      points.push({ id, x: longitude, y: latitude })
      yield listed
    }
  }
  const geometry = pointBlob()
  const own = [
    { name: 'id', value: ({ record }: ListedWaypoint) => record.id },
    { name: 'geom', value: ({ record }: ListedWaypoint) => geometry(record.longitude, record.latitude) },
  ]
  await insertRows(database, 'waypoints', [...own, ...columns], located())
  // SQLite otherwise forbids writing to the shadow tables of a virtual table.
  database.unsafeMode(true)
  fillRtree(database, 'rtree_waypoints_geom', points)
  database.unsafeMode(false)
}

/** A GeoPackage geometry: header without envelope in EPSG:4326, then the point in well-known binary. */
function pointBlob(): (x: number, y: number) => Buffer {
  const blob = Buffer.alloc(29)
  blob.write('GP', 0, 'latin1')
  blob.writeUInt8(0b1, 3)
  blob.writeInt32LE(4326, 4)
  blob.writeUInt8(1, 8)
  blob.writeUInt32LE(1, 9)
  return (x, y) => {
    blob.writeDoubleLE(x, 13)
    blob.writeDoubleLE(y, 21)
    return blob
  }
}

function describe(database: Database.Database, edition: Edition): void {
  const { publisher, license, snapshot } = edition
  const attribution = attributionLine(edition.attributions)
  const time = snapshot.dataTime
  const about = `Public water fountains. Published by ${publisher.author}, ${license}. Data: ${attribution}`
  const extent = edition.extent() ?? [null, null, null, null]
  const metadata = JSON.stringify({
    name: publisher.name,
    publisher: publisher.author,
    license,
    creditText: attribution,
    sources: edition.sources.map((source) => ({
      name: source.name,
      url: source.url,
      license: source.license,
      attribution: partyText(creditOf(source)),
    })),
    log: snapshot.head,
  })
  const documentation = waypointFields
    .filter(({ name }) => !isGeometry(name))
    .map(({ name, type, meaning }) => {
      const mediaType = type === 'list' || type === 'object' ? 'application/json' : null
      return ['waypoints', name, name, name, meaning, mediaType, null]
    })
  database.exec(spatialReferenceSystems)
  insertValues(database, 'gpkg_contents', [
    ['waypoints', 'features', publisher.name, about, time, ...extent, 4326],
  ])
  insertValues(database, 'gpkg_geometry_columns', [['waypoints', 'geom', 'POINT', 4326, 0, 0]])
  insertValues(database, 'gpkg_extensions', extensions)
  insertValues(database, 'gpkg_data_columns', documentation)
  insertValues(database, 'gpkg_metadata', [
    [1, 'dataset', 'https://schema.org/Dataset', 'application/json', metadata],
  ])
  insertValues(database, 'gpkg_metadata_reference', [['geopackage', null, null, null, time, 1, null]])
}
