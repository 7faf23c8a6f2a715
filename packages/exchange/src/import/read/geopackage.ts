import Database from 'better-sqlite3'
import { wkbToGeojson } from 'hyparquet/src/wkb.js'
import { isGeometry, type Geometry } from './geometry.ts'
import { ImportRefused } from './refusal.ts'
import type { FileFacts, RowBatches, SourceRow } from './source-row.ts'

const batch = 1000

interface FeatureTable {
  readonly tableName: string
  readonly columnName: string
  readonly organization: string
  readonly code: number
}

/**
 * The features of a GeoPackage (OGC 12-128r18), table after table. Only plain tables are read: views and
 * triggers of a foreign file are never run.
 *
 * @throws ImportRefused UNKNOWN_FORMAT for another kind of SQLite file, MALFORMED for a damaged one
 */
export async function* readGeoPackage(file: string, facts: FileFacts): RowBatches {
  let database: Database.Database
  try {
    database = new Database(file, { readonly: true, fileMustExist: true })
    database.pragma('trusted_schema = off')
    database.pragma('cell_size_check = on')
  } catch (error) {
    throw new ImportRefused({ code: 'MALFORMED' }, 'The SQLite file cannot be opened.', { cause: error })
  }
  try {
    let row = 0
    for (const table of featureTables(database)) {
      const crs = `${table.organization}:${table.code}`
      if (table.code > 0) facts.crs ??= crs
      if (table.code > 0 && facts.crs !== crs) {
        facts.notes.push({ code: 'TABLE_NOT_READ', table: table.tableName, crs })
        continue
      }
      let rows: SourceRow[] = []
      for (const record of database.prepare(`select * from ${quoted(table.tableName)}`).iterate()) {
        row += 1
        rows.push(rowOf(record as Record<string, unknown>, table.columnName, row))
        if (rows.length === batch) {
          yield rows
          rows = []
        }
      }
      if (rows.length > 0) yield rows
    }
  } catch (error) {
    if (error instanceof ImportRefused) throw error
    throw new ImportRefused({ code: 'MALFORMED' }, 'The GeoPackage is damaged.', { cause: error })
  } finally {
    database.close()
  }
}

function featureTables(database: Database.Database): FeatureTable[] {
  const known = database
    .prepare(`select count(*) from sqlite_schema where type = 'table' and name = 'gpkg_geometry_columns'`)
    .pluck()
    .get()
  if (known !== 1)
    throw new ImportRefused({ code: 'UNKNOWN_FORMAT' }, 'This is a SQLite file, but not a GeoPackage.')
  return database
    .prepare(
      `select g.table_name as tableName, g.column_name as columnName,
              s.organization as organization, s.organization_coordsys_id as code
       from gpkg_geometry_columns g
       join gpkg_spatial_ref_sys s on s.srs_id = g.srs_id
       join gpkg_contents c on c.table_name = g.table_name and c.data_type = 'features'
       join sqlite_schema t on t.name = g.table_name and t.type = 'table'
       order by g.table_name`,
    )
    .all() as FeatureTable[]
}

function rowOf(record: Record<string, unknown>, geometryColumn: string, row: number): SourceRow {
  const fields: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(record)) {
    if (column === geometryColumn || value === null || value === '' || Buffer.isBuffer(value)) continue
    fields[column] = value
  }
  return {
    row,
    fields,
    geometry: geometryOf(record[geometryColumn]),
    original: () => JSON.stringify(fields),
  }
}

/** Envelope sizes in doubles by the indicator in bits 1–3 of the flags. */
const envelopes = [0, 4, 6, 6, 8]

function geometryOf(value: unknown): Geometry | null {
  if (!Buffer.isBuffer(value) || value.length < 13 || value.toString('latin1', 0, 2) !== 'GP') return null
  const flags = value.readUInt8(3)
  if ((flags & 0b1_0000) !== 0) return null
  const offset = 8 + 8 * (envelopes[(flags >> 1) & 0b111] ?? 0)
  try {
    const view = new DataView(value.buffer, value.byteOffset, value.byteLength)
    const geometry: unknown = wkbToGeojson({ view, offset })
    return isGeometry(geometry) ? geometry : null
  } catch {
    return null
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
