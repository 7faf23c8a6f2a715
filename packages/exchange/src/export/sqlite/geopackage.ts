import Database from 'better-sqlite3'
import { attributionLine } from '@openfountain/core'
import { columnsBesidePosition, creditOf } from '@openfountain/core/internal'
import type { Edition } from '../edition.ts'
import { waypointFields, type FieldType } from '../fields.ts'
import type { Format, Tally } from '../format.ts'
import {
  geopackageTables,
  rtreeTriggers,
  spatialReferenceSystems,
  supportingExtensions,
} from './geopackage-schema.ts'
import { addLayerStyle } from './layer-style.ts'
import { fillRtree, type TreePoint } from './rtree.ts'
import { columnDefinitions, insertion, sqlValue } from './sql-table.ts'

const types: Readonly<Record<FieldType, string>> = {
  integer: 'INTEGER',
  number: 'DOUBLE',
  string: 'TEXT',
  boolean: 'BOOLEAN',
  date: 'DATE',
  datetime: 'DATETIME',
  list: 'TEXT',
  object: 'TEXT',
  any: 'TEXT',
}

/** The position is the geometry, the id the primary key. */
const ownColumns = columnsBesidePosition.filter(([name]) => name !== 'id')
const columns = ownColumns.flatMap(([own]) => waypointFields.find(({ name }) => name === own) ?? [])

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
  write: async (path, edition, tally) => {
    const database = new Database(path)
    try {
      // The file is discarded when anything fails, so a journal would protect nothing.
      database.pragma('journal_mode = OFF')
      database.pragma('synchronous = OFF')
      // Rows are written in the order of the table: few pages are read again.
      database.pragma('cache_size = -8192')
      database.pragma('application_id = 0x47504B47')
      database.pragma('user_version = 10300')
      database.exec('BEGIN')
      database.exec(geopackageTables)
      database.exec(
        `CREATE TABLE waypoints (id INTEGER PRIMARY KEY NOT NULL, geom POINT NOT NULL, ${columnDefinitions(columns, types).join(', ')})`,
      )
      const bounds = await insertWaypoints(database, edition, tally)
      describe(database, edition, bounds)
      addLayerStyle(database, edition.snapshot.dataTime)
      database.exec(rtreeTriggers('waypoints', 'geom', 'id'))
      database.exec('COMMIT')
    } finally {
      database.close()
    }
  },
}

interface Bounds {
  west: number
  south: number
  east: number
  north: number
}

/** Rows between two turns of the event loop. */
const batch = 2000

async function insertWaypoints(
  database: Database.Database,
  edition: Edition,
  tally: Tally,
): Promise<Bounds | undefined> {
  const insert = insertion(database, 'waypoints', ['id', 'geom', ...columns.map(({ name }) => name)])
  database.exec('CREATE VIRTUAL TABLE rtree_waypoints_geom USING rtree(id, minx, maxx, miny, maxy)')
  const points: TreePoint[] = []
  const geometry = pointBlob()
  let bounds: Bounds | undefined
  for (const record of edition.waypoints()) {
    const { id, latitude, longitude } = record
    const terms = edition.terms(record)
    const values = ownColumns.map(([, valueOf]) => sqlValue(valueOf(record, terms)))
    insert([id, geometry(longitude, latitude), ...values])
    points.push({ id, x: longitude, y: latitude })
    bounds = {
      west: Math.min(bounds?.west ?? 180, longitude),
      south: Math.min(bounds?.south ?? 90, latitude),
      east: Math.max(bounds?.east ?? -180, longitude),
      north: Math.max(bounds?.north ?? -90, latitude),
    }
    tally.rows += 1
    if (tally.rows % batch === 0) await new Promise(setImmediate)
  }
  // SQLite otherwise forbids writing to the shadow tables of a virtual table.
  database.unsafeMode(true)
  fillRtree(database, 'rtree_waypoints_geom', points)
  database.unsafeMode(false)
  return bounds
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

function describe(database: Database.Database, edition: Edition, bounds: Bounds | undefined): void {
  const { publisher, license, snapshot } = edition
  const attribution = attributionLine(edition.attributions)
  const time = snapshot.dataTime
  const systems = database.prepare('INSERT INTO gpkg_spatial_ref_sys VALUES (?, ?, ?, ?, ?, ?)')
  for (const system of spatialReferenceSystems) systems.run(...system)
  database
    .prepare('INSERT INTO gpkg_contents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run(
      'waypoints',
      'features',
      publisher.name,
      `Public water fountains. Published by ${publisher.author}, ${license}. Data: ${attribution}`,
      time,
      bounds?.west ?? null,
      bounds?.south ?? null,
      bounds?.east ?? null,
      bounds?.north ?? null,
      4326,
    )
  database.exec(`INSERT INTO gpkg_geometry_columns VALUES ('waypoints', 'geom', 'POINT', 4326, 0, 0)`)
  const extensions = database.prepare('INSERT INTO gpkg_extensions VALUES (?, ?, ?, ?, ?)')
  for (const extension of supportingExtensions('waypoints', 'geom')) extensions.run(...extension)
  const documentation = database.prepare(
    'INSERT INTO gpkg_data_columns (table_name, column_name, name, title, description, mime_type) VALUES (?, ?, ?, ?, ?, ?)',
  )
  for (const { name, type, meaning } of waypointFields) {
    if (name === 'latitude' || name === 'longitude') continue
    const mime = type === 'list' || type === 'object' ? 'application/json' : null
    documentation.run('waypoints', name, name, name, meaning, mime)
  }
  database
    .prepare(
      `INSERT INTO gpkg_metadata VALUES (1, 'dataset', 'https://schema.org/Dataset', 'application/json', ?)`,
    )
    .run(
      JSON.stringify({
        name: publisher.name,
        publisher: publisher.author,
        license,
        creditText: attribution,
        sources: edition.sources.map((source) => ({
          name: source.name,
          url: source.url,
          license: source.license,
          attribution: creditOf(source).name,
        })),
        log: snapshot.head,
      }),
    )
  database
    .prepare('INSERT INTO gpkg_metadata_reference VALUES (?, NULL, NULL, NULL, ?, 1, NULL)')
    .run('geopackage', time)
}
