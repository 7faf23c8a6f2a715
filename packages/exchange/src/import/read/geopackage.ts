import Database from 'better-sqlite3'
import { wkbToGeojson } from 'hyparquet/src/wkb.js'
import { isGeometry, type Geometry } from './geometry.ts'
import type { FilePart, FileToRead } from './reading-child.ts'
import { ImportRefused } from './refusal.ts'
import type { SentRow } from './source-row.ts'

const batch = 1000

type FeatureTable = Readonly<Record<'tableName' | 'columnName' | 'organization', string> & { code: number }>

/**
 * The features of a GeoPackage (OGC 12-128r18), table after table. Only plain tables are read: views, virtual tables and
 * triggers of a foreign file are never run.
 *
 * @throws ImportRefused UNKNOWN_FORMAT for another kind of SQLite file, MALFORMED for a damaged one
 */
export function* geoPackageParts(_descriptor: number, { path }: FileToRead): Generator<FilePart, void> {
  const database = opened(path)
  try {
    let row = 0
    let crs: string | undefined
    for (const table of featureTables(database)) {
      const own = table.code > 0 ? `${table.organization}:${table.code}` : undefined
      if (own !== undefined) {
        if (crs === undefined) yield { crs: own }
        crs ??= own
        if (crs !== own) {
          yield { note: { code: 'TABLE_NOT_READ', table: table.tableName, crs: own } }
          continue
        }
      }
      let rows: SentRow[] = []
      for (const record of database.prepare(`select * from ${quoted(table.tableName)}`).iterate()) {
        row += 1
        rows.push(rowOf(record as Record<string, unknown>, table.columnName, row))
        if (rows.length === batch) {
          yield { rows }
          rows = []
        }
      }
      if (rows.length > 0) yield { rows }
    }
  } finally {
    database.close()
  }
}

function opened(path: string): Database.Database {
  try {
    const database = new Database(path, { readonly: true, fileMustExist: true })
    database.pragma('trusted_schema = off')
    database.pragma('cell_size_check = on')
    return database
  } catch (error) {
    throw new ImportRefused({ code: 'MALFORMED' }, 'The SQLite file cannot be opened.', { cause: error })
  }
}

const ownTables = ['gpkg_contents', 'gpkg_geometry_columns', 'gpkg_spatial_ref_sys']

function featureTables(database: Database.Database): FeatureTable[] {
  const plain = `select name from pragma_table_list where schema = 'main' and type = 'table'`
  const known = new Set(database.prepare<[], string>(plain).pluck().all())
  if (!ownTables.every((name) => known.has(name)))
    throw new ImportRefused({ code: 'UNKNOWN_FORMAT' }, 'This is a SQLite file, but not a GeoPackage.')
  const tables = database
    .prepare<[], FeatureTable>(
      `select g.table_name as tableName, g.column_name as columnName,
              s.organization as organization, s.organization_coordsys_id as code
       from gpkg_geometry_columns g
       join gpkg_spatial_ref_sys s on s.srs_id = g.srs_id
       join gpkg_contents c on c.table_name = g.table_name and c.data_type = 'features'
       order by g.table_name`,
    )
    .all()
  return tables.filter(({ tableName }) => known.has(tableName))
}

function rowOf(record: Record<string, unknown>, geometryColumn: string, row: number): SentRow {
  const filled = Object.entries(record).filter(
    ([column, value]) =>
      column !== geometryColumn && value !== null && value !== '' && !Buffer.isBuffer(value),
  )
  return { row, fields: Object.fromEntries(filled), geometry: geometryOf(record[geometryColumn]) }
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

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
