/** @module-tag others */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { waypointStates } from '@openfountain/core/status'
import { jsonIn, newFolder, textIn } from '@openfountain/testing/folder'
import { afterAll, expect, test } from 'vitest'
import { waypointFields, type FieldType } from '../../src/export/fields.ts'
import { sampleEdition, sampleWaypoints } from './sample-snapshot.ts'

const folder = newFolder()
cpSync(await sampleEdition(), folder, { recursive: true })
const duck = await (await DuckDBInstance.create()).connect()
afterAll(() => duck.closeSync())

const run = (program: string, ...given: string[]): string =>
  execFileSync(program, given, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 })
const asked = async (sql: string) => (await duck.runAndReadAll(sql)).getRowsJson()
const at = (file: string) => `'${path.join(folder, file)}'`

/** The summary of a file's waypoints by ogrinfo, the same in old and new versions. */
function layerIn(file: string) {
  const named = /\.(?:gpx|gpkg|sqlite)$/u.test(file)
  const text = run('ogrinfo', '-so', ...(named ? [file, 'waypoints'] : ['-al', file]))
  const box = /^Extent: \((.+), (.+)\) - \((.+), (.+)\)$/mu.exec(text)?.slice(1).map(Number)
  const columns = text.matchAll(/^(\w+): (\w+(?:\(\w+\))?) \(\d+\.\d+\)/gmu)
  const types = Array.from(columns, ([, column = '', type = '']) => [column, type] as const)
  return { rows: Number(/^Feature Count: (\d+)$/mu.exec(text)?.[1]), box, types }
}

const counted = {
  ogrinfo: (file: string) => layerIn(file).rows,
  sqlite3: (file: string) => Number(run('sqlite3', file, 'SELECT count(*) FROM waypoints')),
  xmllint: (file: string) => {
    const element = file.endsWith('.gpx') ? 'wpt' : 'Placemark'
    return Number(run('xmllint', '--xpath', `count(//*[local-name()="${element}"])`, file))
  },
  duckdb: async (file: string) => Number((await asked(`select count(*) from ${at(file)}`))[0]?.[0]),
} as const

const whole = [-180, -90, 180, Math.max(...sampleWaypoints.map(({ latitude }) => latitude))]

test.each<[file: string, programs: readonly (keyof typeof counted)[], box?: readonly number[]]>([
  ['waypoints.geojson', ['ogrinfo'], whole],
  ['waypoints.csv', ['ogrinfo', 'duckdb']],
  ['waypoints.ndjson.gz', ['duckdb']],
  // GPX has no longitude of 180: that meridian is -180 there.
  ['waypoints.gpx', ['ogrinfo', 'xmllint'], [-180, -90]],
  ['waypoints.kml', ['ogrinfo', 'xmllint'], whole],
  ['waypoints.kmz', ['ogrinfo'], whole],
  ['waypoints.parquet', ['duckdb']],
  ['waypoints.gpkg', ['ogrinfo', 'sqlite3'], whole],
  ['registry.sqlite', ['ogrinfo', 'sqlite3']],
])(
  '%s has as many rows for %j as the data package says, and they lie where they should',
  async (file, programs, box) => {
    const { resources } = jsonIn(folder, 'datapackage.json')
    expect(resources.find((resource: { path: string }) => resource.path === file)?.rows).toBe(
      sampleWaypoints.length,
    )
    for (const program of programs) expect(await counted[program](file), program).toBe(sampleWaypoints.length)
    if (box) expect(layerIn(file).box?.slice(0, box.length)).toEqual(box)
  },
)

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

const columns = (kind: 'duckdb' | 'sqlite' | 'gpkg' | 'ogr', ...left: string[]) =>
  Object.fromEntries(
    waypointFields.flatMap(({ name, type }) => (left.includes(name) ? [] : [[name, types[type][kind]]])),
  )

const columnsIn = (file: string) => {
  const text = run('sqlite3', file, "SELECT name, type FROM pragma_table_info('waypoints')")
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => line.split('|')),
  )
}

test('the columns of waypoints have the documented types for DuckDB, sqlite3 and ogrinfo', async () => {
  const found = await asked(`describe select * exclude (bbox, geometry) from ${at('waypoints.parquet')}`)
  expect(Object.fromEntries(found.map(([name, type]) => [String(name), type]))).toEqual(columns('duckdb'))
  expect(columnsIn('registry.sqlite')).toEqual(columns('sqlite'))
  const { geom, ...inPackage } = columnsIn('waypoints.gpkg')
  expect(geom).toBe('POINT')
  expect(inPackage).toEqual(columns('gpkg', 'latitude', 'longitude'))
  const layer = Object.fromEntries(layerIn('waypoints.gpkg').types)
  expect(layer).toEqual(columns('ogr', 'id', 'latitude', 'longitude'))
  expect(Object.fromEntries(layerIn('waypoints.geojson').types)).toMatchObject({
    id: 'Integer',
    name: 'String',
    amenities: 'StringList',
    verified: 'Integer(Boolean)',
    created_at: 'DateTime',
    derived_tags: 'String(JSON)',
  })
  expect(layerIn('waypoints.csv').types.map(([name]) => name)).toEqual(waypointFields.map(({ name }) => name))
})

test('the columns of waypoints say which names were made', async () => {
  for (const file of ['waypoints.parquet', 'waypoints.csv', 'waypoints.ndjson.gz'])
    expect(await asked(`select id::varchar from ${at(file)} where name_is_generated`), file).toEqual([['5']])
})

test('ogrinfo finds waypoints in the GeoPackage through its spatial index, and keeps it when it edits the file', () => {
  const around = ['-spat', '13.190', '55.700', '13.1925', '55.7025', '-al', '-so', 'waypoints.gpkg']
  expect(run('ogrinfo', ...around)).toContain('Feature Count: 2')
  run('cp', 'waypoints.gpkg', 'edited.gpkg')
  run('ogrinfo', '-sql', 'DELETE FROM waypoints WHERE id = 1', 'edited.gpkg')
  const indexed = run(
    'ogrinfo',
    '-q',
    '-sql',
    'SELECT count(*) AS n FROM rtree_waypoints_geom',
    'edited.gpkg',
  )
  expect(indexed).toContain(`n (Integer) = ${sampleWaypoints.length - 1}`)
})

test('sqlite3 finds nothing wrong with the database files, the R*Tree, keys and documented columns included', () => {
  for (const file of ['waypoints.gpkg', 'registry.sqlite'])
    expect(run('sqlite3', file, 'PRAGMA integrity_check; PRAGMA foreign_key_check')).toBe('ok\n')
  expect(run('sqlite3', 'waypoints.gpkg', "SELECT rtreecheck('rtree_waypoints_geom')")).toBe('ok\n')
  for (const table of ['reviews', 'changes'])
    expect(run('sqlite3', 'registry.sqlite', `PRAGMA foreign_key_list('${table}')`)).toContain(
      '|waypoints|waypoint_id|id|',
    )
  const undocumented =
    "SELECT m.name || '.' || c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' " +
    "AND m.name NOT IN ('fields', 'about') AND NOT EXISTS (SELECT 1 FROM fields f WHERE f.table_name = m.name AND f.name = c.name)"
  expect(run('sqlite3', 'registry.sqlite', undocumented)).toBe('')
})

test('xmllint finds the styles of the GeoPackage well-formed, with a rule for each state', () => {
  for (const style of ['styleQML', 'styleSLD']) {
    const text = run('sqlite3', 'waypoints.gpkg', `SELECT ${style} FROM layer_styles`)
    writeFileSync(path.join(folder, `${style}.xml`), text)
    expect(run('xmllint', '--noout', '--nonet', `${style}.xml`)).toBe('')
  }
  const states = run('xmllint', '--xpath', '//category/@value', 'styleQML.xml')
  const values = Array.from(states.matchAll(/value="(\w+)"/gu), ([, value]) => value)
  expect(values).toEqual([...waypointStates])
  const symbols = run('xmllint', '--xpath', 'count(//symbol)', 'styleQML.xml')
  const rules = run('xmllint', '--xpath', 'count(//*[local-name()="Rule"])', 'styleSLD.xml')
  expect([symbols, rules].map(Number)).toEqual([values.length, values.length])
})

test('xmllint finds the GPX valid by the schema, positions in range and elements in sequence, and refuses it with a mistake', () => {
  const schema = path.join(import.meta.dirname, '../fixtures/gpx-waypoints.xsd')
  const gpx = textIn(folder, 'waypoints.gpx')
  const validated = (text: string) => {
    writeFileSync(path.join(folder, 'changed.gpx'), text)
    return spawnSync('xmllint', ['--noout', '--nonet', '--schema', schema, 'changed.gpx'], { cwd: folder })
      .status
  }
  expect(validated(gpx)).toBe(0)
  for (const [right, wrong] of [
    ['lon="-180"', 'lon="180"'],
    ['<wpt lat="', '<wpt lat="1e-7" lon="0"></wpt><wpt lat="'],
    ['<sym>Drinking Water</sym><type>drinking water</type>', '<type>a</type><sym>b</sym>'],
  ] as const) {
    expect(gpx).toContain(right)
    expect(validated(gpx.replace(right, wrong)), wrong).toBe(3)
  }
})
