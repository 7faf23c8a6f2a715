import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { openRegistry, token, user, type Registry } from '@openfountain/core'
import { PMTiles } from 'pmtiles'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newSharedDatabase, type TestDatabase } from '../../../core/test/database.ts'
import { exportRegistry } from '../../src/index.ts'
import { jsonIn, temporaryFolder, textIn } from './written-edition.ts'

const author = 'Friends of <Lund> & "co"'
const hostile = '<img src=x onerror=alert(1)>" & more'
const openStreetMap = '© OpenStreetMap contributors'

let folder: string
let own: TestDatabase
let registry: Registry

beforeEach(async () => {
  folder = temporaryFolder()
  let minutes = 0
  own = await newSharedDatabase()
  registry = await openRegistry({
    database: own.database,
    clock: () => new Date(Date.UTC(2026, 5, 1) + ++minutes * 60_000),
    author,
    license: 'ODbL-1.0',
  })
  await imported('OSM', 'ODbL-1.0', 10, { latitude: 35, region: 'Chattanooga' })
})
afterEach(async () => {
  await registry.close()
  await own.remove()
})

async function imported(
  name: string,
  license: string,
  count: number,
  { attribution, ...where }: { attribution?: string; latitude: number; region: string },
): Promise<void> {
  const run = await registry.imports.start({ source: { name, license, ...(attribution && { attribution }) } })
  await run.apply(
    Array.from({ length: count }, (_, index) => ({
      row: index + 1,
      ref: `${name} ${index}`,
      input: { name: `${name} ${index}`, ...where, longitude: index / 10 },
    })),
  )
  await run.finish({ counts: {}, missing: 'keep' })
}

async function exported(content: Parameters<typeof exportRegistry>[1] | object = {}): Promise<string> {
  const out = join(folder, 'export')
  await exportRegistry(registry, { out, ...content })
  return out
}

async function tilesAttribution(out: string): Promise<string> {
  const bytes = readFileSync(join(out, 'waypoints.pmtiles'))
  const archive = new PMTiles({
    getKey: () => out,
    getBytes: async (offset, length) => ({
      data: new Uint8Array(bytes.subarray(offset, offset + length)).buffer,
    }),
  })
  return ((await archive.getMetadata()) as { attribution: string }).attribution
}

const contribute = () => registry.waypoints.create({ name: 'Own', latitude: 1, longitude: 2 }, token())

test('every format with room for a credit names publisher, OpenStreetMap in its own words, and the others', async () => {
  await contribute()
  await imported('Zürich', 'CC0-1.0', 2, { attribution: 'Stadt Zürich', latitude: 47, region: 'Zürich' })
  const out = await exported()
  const line = `${author}, ${openStreetMap}, ODbL-1.0; Stadt Zürich, CC0-1.0`
  expect(jsonIn(out, 'datapackage.json').openfountain.attribution).toBe(line)
  expect(jsonIn(out, 'dataset.jsonld').creditText).toBe(line)
  expect(jsonIn(out, 'waypoints.geojson')).toMatchObject({ license: 'ODbL-1.0', attribution: line })
  expect(textIn(out, 'LICENSE.txt')).toContain(`\nData: ${line}\n`)
  expect(textIn(out, 'ATTRIBUTION.md')).toContain(`\n- ${openStreetMap} (OSM), [ODbL-1.0](`)
  expect(textIn(out, 'ATTRIBUTION.md')).toContain('<https://www.openstreetmap.org/copyright>')
  const inXml = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const gpx = textIn(out, 'waypoints.gpx')
  expect(gpx).toContain(`<copyright author="${inXml.replaceAll('"', '&quot;')}">`)
  expect(gpx).toContain(
    `<link href="https://www.openstreetmap.org/copyright"><text>${openStreetMap}</text></link>`,
  )
  expect(textIn(out, 'waypoints.kml')).toContain(`&gt;${openStreetMap}&lt;/a&gt;`)
  const fromDatabase = (file: string, sql: string) => {
    const database = new Database(join(out, file), { readonly: true })
    const [value] = database.prepare<[], string>(sql).pluck().all()
    database.close()
    return value
  }
  expect(fromDatabase('waypoints.gpkg', 'SELECT description FROM gpkg_contents')).toContain(`Data: ${line}`)
  expect(fromDatabase('waypoints.gpkg', 'SELECT metadata FROM gpkg_metadata')).toContain(openStreetMap)
  expect(fromDatabase('registry.sqlite', "SELECT value FROM about WHERE name = 'attribution'")).toBe(line)
  const { features } = jsonIn(out, 'waypoints.geojson') as { features: { properties: object }[] }
  expect(features[0]?.properties).toMatchObject({ attribution: openStreetMap })
})

test('the credit in map tiles is HTML in which names stay text', async () => {
  await contribute()
  await imported(hostile, 'CC-BY-4.0" onclick="x', 2, { latitude: 40, region: 'Elsewhere' })
  const attribution = await tilesAttribution(await exported({ permitted: [hostile], bbox: [-1, 30, 2, 45] }))
  expect(attribution).toBe(
    `<a href="https://www.openstreetmap.org/copyright">${openStreetMap}</a>, ` +
      '<a href="https://opendatacommons.org/licenses/odbl/1-0/">ODbL-1.0</a>; ' +
      '&lt;img src=x onerror=alert(1)&gt;&quot; &amp; more, CC-BY-4.0&quot; onclick=&quot;x',
  )
})

test('a registry to which nobody contributed does not name its publisher for what others collected', async () => {
  const out = await exported()
  expect(jsonIn(out, 'waypoints.geojson').attribution).toBe(`${openStreetMap}, ODbL-1.0`)
  const ada = await registry.users.create({ name: 'Ada', xp: 100 })
  await registry.reviews.create({ bubblerId: 1, rating: 5 }, user(ada.id))
  await exported()
  expect(jsonIn(out, 'waypoints.geojson').attribution).toBe(`${author}, ${openStreetMap}, ODbL-1.0`)
})

test('a part of the registry names only the sources that are in it', async () => {
  await imported('Zürich', 'CC0-1.0', 2, { attribution: 'Stadt Zürich', latitude: 47, region: 'Zürich' })
  const out = await exported({ region: 'Zürich' })
  expect(jsonIn(out, 'waypoints.geojson').attribution).toBe('Stadt Zürich, CC0-1.0')
})

test('each set of an export that is split by licence names its own sources', async () => {
  await imported('Zürich', 'CC0-1.0', 2, { attribution: 'Stadt Zürich', latitude: 47, region: 'Zürich' })
  const out = await exported({ splitByLicense: true })
  expect(jsonIn(out, 'CC0-1.0/waypoints.geojson').attribution).toBe('Stadt Zürich, CC0-1.0')
  expect(jsonIn(out, 'ODbL-1.0/waypoints.geojson').attribution).toBe(`${openStreetMap}, ODbL-1.0`)
})
