/** @module-tag others */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { splitList, restoreCell } from '../../src/export/text/cell.ts'
import { waypointFields, type FieldType } from '../../src/export/fields.ts'
import { sampleWaypoints } from './sample-snapshot.ts'
import { jsonIn, textIn, writtenEdition } from './written-edition.ts'

/** What several programs, which others wrote, find in the files of one export is the same. */

interface Column {
  readonly name: string
  readonly type: string
  readonly constraints?: { readonly required?: boolean; readonly enum?: readonly string[] }
}

interface Resource {
  readonly name: string
  readonly path: string
  readonly rows: number
  readonly schema: {
    readonly fields: readonly Column[]
    readonly primaryKey?: readonly string[]
    readonly foreignKeys?: readonly {
      readonly fields: readonly [string]
      readonly reference: { readonly resource: string; readonly fields: readonly [string] }
    }[]
  }
}

let folder: string
let resources: readonly Resource[]
let duck: DuckDBConnection

beforeAll(async () => {
  folder = await writtenEdition()
  resources = jsonIn(folder, 'datapackage.json').resources
  duck = await (await DuckDBInstance.create()).connect()
})
afterAll(() => duck.closeSync())

const run = (program: string, ...given: string[]): string =>
  execFileSync(program, given, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 })

const asked = async (sql: string) => (await duck.runAndReadAll(sql)).getRowsJson()
const at = (file: string) => `'${join(folder, file)}'`

const counted = {
  ogrinfo: (file: string) => {
    const layer = file.endsWith('.gpx') || file.endsWith('.sqlite') ? [file, 'waypoints'] : ['-al', file]
    return Number(/^Feature Count: (\d+)$/mu.exec(run('ogrinfo', '-so', ...layer))?.[1])
  },
  sqlite3: (file: string) => Number(run('sqlite3', file, 'SELECT count(*) FROM waypoints')),
  xmllint: (file: string) => {
    const element = file.endsWith('.gpx') ? 'wpt' : 'Placemark'
    return Number(run('xmllint', '--xpath', `count(//*[local-name()="${element}"])`, file))
  },
  duckdb: async (file: string) => Number((await asked(`select count(*) from ${at(file)}`))[0]?.[0]),
} as const

test.each<readonly [file: string, programs: readonly (keyof typeof counted)[]]>([
  ['waypoints.geojson', ['ogrinfo']],
  ['waypoints.csv', ['ogrinfo', 'duckdb']],
  ['waypoints.ndjson.gz', ['duckdb']],
  ['waypoints.gpx', ['ogrinfo', 'xmllint']],
  ['waypoints.kml', ['ogrinfo', 'xmllint']],
  ['waypoints.kmz', ['ogrinfo']],
  ['waypoints.parquet', ['duckdb']],
  ['waypoints.gpkg', ['ogrinfo', 'sqlite3']],
  ['registry.sqlite', ['ogrinfo', 'sqlite3']],
])('%s has as many rows for %j as the data package says', async (file, programs) => {
  expect(resources.find(({ path }) => path === file)?.rows).toBe(sampleWaypoints.length)
  for (const program of programs) expect(await counted[program](file), program).toBe(sampleWaypoints.length)
})

/** What the programs call the types of columns. */
const types: Readonly<Record<FieldType, { duckdb: string; sqlite: string; gpkg: string; ogr: string }>> = {
  integer: { duckdb: 'BIGINT', sqlite: 'INTEGER', gpkg: 'INTEGER', ogr: 'Integer64' },
  number: { duckdb: 'DOUBLE', sqlite: 'REAL', gpkg: 'DOUBLE', ogr: 'Real' },
  string: { duckdb: 'VARCHAR', sqlite: 'TEXT', gpkg: 'TEXT', ogr: 'String' },
  boolean: { duckdb: 'BOOLEAN', sqlite: 'INTEGER', gpkg: 'BOOLEAN', ogr: 'Integer(Boolean)' },
  date: { duckdb: 'DATE', sqlite: 'TEXT', gpkg: 'DATE', ogr: 'Date' },
  datetime: { duckdb: 'TIMESTAMP WITH TIME ZONE', sqlite: 'TEXT', gpkg: 'DATETIME', ogr: 'DateTime' },
  list: { duckdb: 'VARCHAR[]', sqlite: 'TEXT', gpkg: 'TEXT', ogr: 'String(JSON)' },
  object: { duckdb: 'JSON', sqlite: 'TEXT', gpkg: 'TEXT', ogr: 'String(JSON)' },
  any: { duckdb: 'JSON', sqlite: 'TEXT', gpkg: 'TEXT', ogr: 'String' },
}

const columns = (kind: 'duckdb' | 'sqlite' | 'gpkg' | 'ogr') =>
  Object.fromEntries(waypointFields.map(({ name, type }) => [name, types[type][kind]]))
const without = (described: Record<string, string>, ...names: string[]) =>
  Object.fromEntries(Object.entries(described).filter(([name]) => !names.includes(name)))

/** The documented columns as DuckDB is told them; lists are texts in a file that has none. */
const told = (hasLists: boolean) =>
  `{${waypointFields
    .map(({ name, type }) => `${name}: '${type === 'list' && !hasLists ? 'VARCHAR' : types[type].duckdb}'`)
    .join(', ')}}`

describe('the columns of waypoints', () => {
  test('have the documented types for DuckDB in the Parquet file', async () => {
    const found = await asked(`describe select * from ${at('waypoints.parquet')}`)
    const named = Object.fromEntries(found.map(([name, type]) => [String(name), String(type)]))
    expect(without(named, 'bbox', 'geometry')).toEqual(columns('duckdb'))
  })

  test('have the documented types for sqlite3 and for ogrinfo in the GeoPackage', () => {
    const typesIn = (file: string) =>
      Object.fromEntries(
        run('sqlite3', file, "SELECT name, type FROM pragma_table_info('waypoints')")
          .trim()
          .split('\n')
          .map((line) => line.split('|')),
      )
    expect(typesIn('registry.sqlite')).toEqual(columns('sqlite'))
    const position = ['latitude', 'longitude'] as const
    expect(without(typesIn('waypoints.gpkg'), 'geom')).toEqual(without(columns('gpkg'), ...position))
    const layer = run('ogrinfo', '-so', 'waypoints.gpkg', 'waypoints')
    const found = layer.matchAll(/^(\w+): (\w+(?:\(\w+\))?) \(\d+\.\d+\)/gmu)
    expect(Object.fromEntries(Array.from(found, ([, name, type]) => [name, type]))).toEqual(
      without(columns('ogr'), 'id', ...position),
    )
  })

  test('say which names were made, alike in every file', async () => {
    const made = "select string_agg(id::varchar, ' ') from"
    for (const file of ['waypoints.parquet', 'waypoints.csv', 'waypoints.ndjson.gz'])
      expect(await asked(`${made} ${at(file)} where name_is_generated`), file).toEqual([['5']])
    for (const file of ['waypoints.gpkg', 'registry.sqlite'])
      expect(run('sqlite3', file, 'SELECT id FROM waypoints WHERE name_is_generated = 1'), file).toBe('5\n')
    const features: { id: number; properties: Record<string, unknown> }[] = jsonIn(
      folder,
      'waypoints.geojson',
    ).features
    const named = features.filter(({ properties }) => properties['name_is_generated'] === false)
    expect(named.map(({ id }) => id)).not.toContain(5)
    expect(named).toHaveLength(sampleWaypoints.length - 1)
  })

  test('are read with these types by DuckDB from CSV, JSON lines and Parquet, with as many values each', async () => {
    const tables = {
      csv: `read_csv(${at('waypoints.csv')}, header = true, quote = '"', escape = '"', columns = ${told(false)})`,
      json: `read_json(${at('waypoints.ndjson.gz')}, format = 'newline_delimited', columns = ${told(true)})`,
      parquet: at('waypoints.parquet'),
    }
    const single = waypointFields.filter(({ type }) => type !== 'list')
    const values = single.map(({ name }) => `count(${name}), count(distinct ${name}::varchar)`).join(', ')
    const figures = `select ${values}, round(sum(latitude), 6), round(sum(longitude), 6), min(created_at), max(updated_at)`
    const exact = await asked(`${figures} from ${tables.parquet}`)
    expect(await asked(`${figures} from ${tables.json}`)).toEqual(exact)
    // Texts that a spreadsheet would run have an apostrophe before them, and stay as many.
    expect(await asked(`${figures} from ${tables.csv}`)).toEqual(exact)
  })
})

const bad = (pattern: RegExp) => (text: string) => !pattern.test(text)

/** Whether a cell is none of a type: https://datapackage.org/standard/table-schema/#field-types */
const isWrong: Readonly<Record<string, (text: string) => boolean>> = {
  integer: bad(/^-?\d+$/u),
  number: bad(/^-?\d+(?:\.\d+)?(?:e[+-]\d+)?$/u),
  boolean: bad(/^(?:true|false)$/u),
  date: (text) => new Date(`${text}T00:00Z`).toISOString().slice(0, 10) !== text,
  datetime: (text) => new Date(text).toISOString() !== text,
  object: (text) => Object.getPrototypeOf(JSON.parse(text)) !== Object.prototype,
  list: (text) => splitList(restoreCell(text)).length === 0,
  string: () => false,
  any: () => false,
}

type Cells = Readonly<Record<string, string>>

/** What is wrong with the rows of a CSV by the rules of its schema. */
function faultsIn({ path, schema, rows }: Resource, tables: ReadonlyMap<string, readonly Cells[]>): string[] {
  const cells = tables.get(path) ?? []
  const faults = cells.length === rows ? [] : [`${cells.length} rows instead of ${rows}`]
  for (const { name, type, constraints } of schema.fields)
    for (const row of cells) {
      const text = row[name] ?? ''
      if (text === '') faults.push(...(constraints?.required ? [`${name} is missing`] : []))
      else if (isWrong[type]?.(text) ?? true) faults.push(`${name}: ${text} is no ${type}`)
      else if (constraints?.enum && !constraints.enum.includes(text)) faults.push(`${name}: ${text}`)
    }
  for (const key of schema.primaryKey ?? [])
    if (new Set(cells.map((row) => row[key])).size < cells.length) faults.push(`${key} twice`)
  for (const { fields, reference } of schema.foreignKeys ?? []) {
    const to = resources.find(({ name }) => name === reference.resource)?.path ?? ''
    const known = new Set(tables.get(to)?.map((row) => row[reference.fields[0]]))
    for (const row of cells) if (!known.has(row[fields[0]])) faults.push(`${fields[0]}: ${row[fields[0]]}`)
  }
  return faults
}

test('every CSV obeys the rules of its schema: types, required values, choices and keys', () => {
  const flat = resources.filter(({ path }) => path.endsWith('.csv'))
  const tables = new Map(
    flat.map(({ path }) => [path, parse(textIn(folder, path), { columns: true }) as readonly Cells[]]),
  )
  expect([...tables.keys()]).toEqual([
    'waypoints.csv',
    'reviews.csv',
    'contributors.csv',
    'leaderboard.csv',
    'stats.csv',
  ])
  for (const resource of flat) expect(faultsIn(resource, tables), resource.path).toEqual([])
  // The same rules find what is wrong.
  const [first, ...others] = tables.get('waypoints.csv') ?? []
  const [waypoints, reviews] = flat
  if (waypoints === undefined || reviews === undefined) throw new Error('the export has no CSV')
  for (const wrong of [
    { id: 'x' },
    { id: '2' },
    { state: 'unheard of' },
    { verified: 'yes' },
    { name: '' },
  ]) {
    const changed = new Map([...tables, ['waypoints.csv', [{ ...first, ...wrong }, ...others]]])
    expect(faultsIn(waypoints, changed), JSON.stringify(wrong)).toHaveLength(1)
  }
  expect(faultsIn(reviews, new Map([...tables, ['waypoints.csv', others]]))).toEqual(['waypoint_id: 1'])
})
