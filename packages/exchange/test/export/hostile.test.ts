import { join } from 'node:path'
import Database from 'better-sqlite3'
import { parse as parseCsv } from 'csv-parse/sync'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { SaxesParser } from 'saxes'
import { beforeAll, expect, test } from 'vitest'
import { fieldNames, waypointFields } from '@openfountain/core/fields'
import { restoreCell } from '../../src/index.ts'
import { hostileNames } from './sample-snapshot.ts'
import { compressors, jsonIn, textIn, writtenEdition } from './written-edition.ts'

let folder: string
beforeAll(async () => {
  folder = await writtenEdition()
})

const hostile = (names: readonly string[]) => names.slice(-hostileNames.length)

/** The texts of all elements of a name, in the order of the document. */
function elementTexts(xml: string, parent: string, name: string): string[] {
  const texts: string[] = []
  const path: string[] = []
  const parser = new SaxesParser()
  parser.on('opentag', (tag) => {
    path.push(tag.name)
    if (tag.name === name && path.at(-2) === parent) texts.push('')
  })
  parser.on('closetag', () => path.pop())
  const gather = (text: string) => {
    if (path.at(-1) === name && path.at(-2) === parent) texts.push((texts.pop() ?? '') + text)
  }
  parser.on('text', gather)
  parser.on('cdata', gather)
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  return texts
}

test('hostile names survive GeoJSON', () => {
  const { features } = jsonIn(folder, 'waypoints.geojson')
  const names = features.map(({ properties }: { properties: { name: string } }) => properties.name)
  expect(hostile(names)).toEqual(hostileNames)
})

test('hostile names survive newline-delimited JSON, one record a line', () => {
  const lines = textIn(folder, 'waypoints.ndjson.gz').trimEnd().split('\n')
  expect(hostile(lines.map((line) => JSON.parse(line).name))).toEqual(hostileNames)
})

const textColumns = fieldNames.flatMap((name) => {
  const { type, column } = waypointFields[name]
  return type === 'text' ? [column] : []
})

test('hostile names survive CSV when their guard is taken off', () => {
  const rows: Record<string, string>[] = parseCsv(textIn(folder, 'waypoints.csv'), { columns: true })
  for (const column of textColumns) {
    expect(hostile(rows.map((row) => restoreCell(row[column] ?? '')))).toEqual(hostileNames)
  }
})

test('no cell of any CSV begins like a formula', () => {
  const files = ['waypoints.csv', 'reviews.csv', 'contributors.csv', 'leaderboard.csv']
  for (const file of files) {
    const rows: string[][] = parseCsv(textIn(folder, file))
    expect(rows.length, file).toBeGreaterThan(1)
    const cells = rows.flat().filter((cell) => Number.isNaN(Number(cell)))
    expect(cells.filter((cell) => /^[=+\-@\t\r\n＝＋－＠]/u.test(cell))).toEqual([])
  }
})

test('hostile names survive GPX', () => {
  expect(hostile(elementTexts(textIn(folder, 'waypoints.gpx'), 'wpt', 'name'))).toEqual(hostileNames)
})

test('hostile names survive KML, and are inert in the description that viewers show as HTML', () => {
  const xml = textIn(folder, 'waypoints.kml')
  expect(hostile(elementTexts(xml, 'Placemark', 'name'))).toEqual(hostileNames)
  const html = elementTexts(xml, 'Placemark', 'description').join('\n').replaceAll('<br/>', '')
  expect(html).not.toMatch(/[<>]/u)
})

test('hostile names survive GeoPackage and SQLite', () => {
  for (const file of ['waypoints.gpkg', 'registry.sqlite']) {
    const database = new Database(join(folder, file), { readonly: true })
    const names = database.prepare<[], string>('SELECT name FROM waypoints ORDER BY id').pluck().all()
    database.close()
    expect(hostile(names)).toEqual(hostileNames)
  }
})

test('hostile names survive Parquet', async () => {
  const file = await asyncBufferFromFile(join(folder, 'waypoints.parquet'))
  const rows = await parquetReadObjects({ compressors, file, columns: ['id', 'name', 'region', 'amenities'] })
  const ordered = rows.toSorted((one, other) => Number(one['id']) - Number(other['id']))
  expect(hostile(ordered.map(({ name }) => String(name)))).toEqual(hostileNames)
  expect(hostile(ordered.map(({ amenities }) => amenities[0]))).toEqual(hostileNames)
})

test('a hostile publisher stays text in every companion file', async () => {
  const name = '</script><b>Fountains</b>\n](http://evil.example)'
  const hostileFolder = await writtenEdition({ publisher: { name, author: name, license: 'ODbL-1.0' } }, [])
  expect(textIn(hostileFolder, 'dataset.jsonld')).not.toContain('<')
  expect(jsonIn(hostileFolder, 'dataset.jsonld').name).toBe(name)
  expect(textIn(hostileFolder, 'ATTRIBUTION.md')).not.toMatch(/<b>|[^\\]\]\(http:\/\/evil/u)
  expect(textIn(hostileFolder, 'LICENSE.txt').split('\n')[0]).toContain('](http://evil.example)')
})
