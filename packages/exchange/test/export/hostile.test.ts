import { parse as parseCsv } from 'csv-parse/sync'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { fieldNames, waypointFields } from '@openfountain/core/fields'
import { jsonIn, textIn } from '@openfountain/testing/folder'
import { restoreCell } from '../../src/index.ts'
import { documentIn, hostileNames, rowsIn, sampleEdition, writtenEdition } from './sample-snapshot.ts'

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

const csvRows = (folder: string): Record<string, string>[] =>
  parseCsv(textIn(folder, 'waypoints.csv'), { columns: true })

test('hostile names survive every table, CSV when their guard is taken off', async () => {
  for (const [format, rows] of Object.entries(await rowsIn(await sampleEdition()))) {
    const names = rows.slice(-hostileNames.length).map(({ name }) => String(name))
    expect(format === 'csv' ? names.map(restoreCell) : names, format).toEqual(hostileNames)
    if (format !== 'parquet') continue
    const lists = rows.slice(-hostileNames.length).map(({ amenities }) => amenities)
    expect(lists).toEqual(hostileNames.map((name) => [name]))
  }
})

const inXml: readonly (readonly [string, string, (folder: string, file: string) => string])[] = [
  ['waypoints.gpx', 'wpt', textIn],
  ['waypoints.kml', 'Placemark', textIn],
  ['waypoints.kmz', 'Placemark', documentIn],
]

test.each(inXml)('hostile names survive %s', async (file, element, read) => {
  const names = elementTexts(read(await sampleEdition(), file), element, 'name')
  expect(names.slice(-hostileNames.length)).toEqual(hostileNames)
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
