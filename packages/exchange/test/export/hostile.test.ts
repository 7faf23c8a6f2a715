import path from 'node:path'
import Database from 'better-sqlite3'
import { parse as parseCsv } from 'csv-parse/sync'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { fieldNames, waypointFields } from '@openfountain/core/fields'
import { compressors, jsonIn, linesIn, textIn } from '@openfountain/testing/folder'
import { restoreCell } from '../../src/index.ts'
import { documentIn, hostileNames, sampleEdition, writtenEdition } from './sample-snapshot.ts'

/** The texts of all elements of a name, in the order of the document. */
function elementTexts(xml: string, parent: string, name: string): string[] {
  const texts: string[] = []
  const within: string[] = []
  const parser = new SaxesParser()
  parser.on('opentag', (tag) => {
    within.push(tag.name)
    if (tag.name === name && within.at(-2) === parent) texts.push('')
  })
  parser.on('closetag', () => within.pop())
  const gather = (text: string) => {
    if (within.at(-1) === name && within.at(-2) === parent) texts.push((texts.pop() ?? '') + text)
  }
  parser.on('text', gather)
  parser.on('cdata', gather)
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  return texts
}

function inDatabase(folder: string, file: string): string[] {
  const database = new Database(path.join(folder, file), { readonly: true })
  const names = database.prepare<[], string>('SELECT name FROM waypoints ORDER BY id').pluck().all()
  database.close()
  return names
}

async function inParquet(folder: string): Promise<string[]> {
  const file = await asyncBufferFromFile(path.join(folder, 'waypoints.parquet'))
  const rows = await parquetReadObjects({ compressors, file, columns: ['id', 'name', 'amenities'] })
  const ordered = rows.toSorted((one, other) => Number(one['id']) - Number(other['id']))
  expect(ordered.map(({ amenities }) => amenities[0]).slice(-hostileNames.length)).toEqual(hostileNames)
  return ordered.map(({ name }) => String(name))
}

const csvRows = (folder: string): Record<string, string>[] =>
  parseCsv(textIn(folder, 'waypoints.csv'), { columns: true })

test.each<[string, (folder: string) => string[] | Promise<string[]>]>([
  [
    'GeoJSON',
    (folder) =>
      jsonIn(folder, 'waypoints.geojson').features.map(
        ({ properties }: { properties: { name: string } }) => properties.name,
      ),
  ],
  [
    'newline-delimited JSON, one record a line',
    (folder) => linesIn(folder, 'waypoints.ndjson.gz').map(({ name }) => name),
  ],
  [
    'CSV when their guard is taken off',
    (folder) => csvRows(folder).map(({ name = '' }) => restoreCell(name)),
  ],
  ['GPX', (folder) => elementTexts(textIn(folder, 'waypoints.gpx'), 'wpt', 'name')],
  ['KML', (folder) => elementTexts(textIn(folder, 'waypoints.kml'), 'Placemark', 'name')],
  ['KMZ', (folder) => elementTexts(documentIn(folder, 'waypoints.kmz'), 'Placemark', 'name')],
  ['GeoPackage', (folder) => inDatabase(folder, 'waypoints.gpkg')],
  ['SQLite', (folder) => inDatabase(folder, 'registry.sqlite')],
  ['Parquet', inParquet],
])('hostile names survive %s', async (_, read) => {
  expect((await read(await sampleEdition())).slice(-hostileNames.length)).toEqual(hostileNames)
})

test('hostile texts of every column survive CSV, in which no cell begins like a formula', async () => {
  const folder = await sampleEdition()
  for (const name of fieldNames) {
    const { type, column } = waypointFields[name]
    if (type !== 'text') continue
    const texts = csvRows(folder).map((row) => restoreCell(row[column] ?? ''))
    expect(texts.slice(-hostileNames.length), column).toEqual(hostileNames)
  }
  for (const file of ['waypoints.csv', 'reviews.csv', 'contributors.csv', 'leaderboard.csv']) {
    const rows: string[][] = parseCsv(textIn(folder, file))
    expect(rows.length, file).toBeGreaterThan(1)
    const cells = rows.flat().filter((cell) => Number.isNaN(Number(cell)))
    expect(cells.filter((cell) => /^[=+\-@\t\r\n＝＋－＠]/u.test(cell))).toEqual([])
  }
})

test('hostile names are inert in the description of KML that viewers show as HTML', async () => {
  const texts = elementTexts(textIn(await sampleEdition(), 'waypoints.kml'), 'Placemark', 'description')
  expect(texts.length).toBeGreaterThan(hostileNames.length)
  expect(texts.join('\n').replaceAll('<br/>', '')).not.toMatch(/[<>]/u)
})

test('a hostile publisher stays text in every companion file', async () => {
  const name = '</script><b>Fountains</b>\n](http://evil.example)'
  const folder = await writtenEdition({ publisher: { name, author: name, license: 'ODbL-1.0' } }, [])
  expect(textIn(folder, 'dataset.jsonld')).not.toContain('<')
  expect(jsonIn(folder, 'dataset.jsonld').name).toBe(name)
  expect(textIn(folder, 'ATTRIBUTION.md')).not.toMatch(/<b>|[^\\]\]\(http:\/\/evil/u)
  expect(textIn(folder, 'LICENSE.txt').split('\n')[0]).toContain('](http://evil.example)')
})
