import { join } from 'node:path'
import { readdirSync, readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { openRegistry, token, user, type Registry } from '@openfountain/core'
import { PMTiles } from 'pmtiles'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newSharedDatabase, type TestDatabase } from '@openfountain/testing/database'
import { exportRegistry } from '../../src/index.ts'
import { documentIn, jsonIn, temporaryFolder, textIn } from './written-edition.ts'

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
  const terms = '<cc:license>CC0-1.0</cc:license><cc:attributionName>Stadt Zürich</cc:attributionName>'
  expect([...new Set(gpx.match(/<extensions.*?<\/extensions>/gu))]).toEqual([
    `<extensions xmlns:cc="http://creativecommons.org/ns#">${terms}</extensions>`,
  ])
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
      '&lt;img src=x onerror=alert(1)&gt;&quot; &amp; more (published under ODbL-1.0 by consent), CC-BY-4.0&quot; onclick=&quot;x',
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

test('what is published by consent says so in its row, in the notice, in the data package and for the file', async () => {
  await imported('Club', 'CC-BY-4.0', 2, { latitude: 40, region: 'Elsewhere' })
  const out = await exported({ permitted: ['Club'] })
  const club = 'Club (published under ODbL-1.0 by consent)'
  expect(textIn(out, 'waypoints.csv')).toContain(`,CC-BY-4.0,${club}\r\n`)
  expect(textIn(out, 'ATTRIBUTION.md')).toContain(
    String.raw`- Club \(published under ODbL-1.0 by consent\), [CC-BY-4.0](`,
  )
  const { sources } = jsonIn(out, 'datapackage.json') as {
    sources: { title: string; consents_to?: string }[]
  }
  expect(sources.map((source) => [source.title, source.consents_to])).toEqual([
    ['OSM', undefined],
    ['Club', 'ODbL-1.0'],
  ])
  expect(jsonIn(out, 'sources.json')).toMatchObject({
    sources: [{ name: 'OSM' }, { consents_to: 'ODbL-1.0' }],
  })
  expect(jsonIn(out, 'waypoints.geojson').attribution).toBe(`${openStreetMap}, ODbL-1.0; ${club}, CC-BY-4.0`)
  // A source that needs no consent for its licence is not said to have given it.
  expect(textIn(await exported({ permitted: ['Club', 'OSM'] }), 'waypoints.csv')).not.toContain(
    `${openStreetMap} (`,
  )
})

test('in an export that is split by licence, only the set that needs the consent says that it was given', async () => {
  await imported('Club', 'CC-BY-4.0', 2, { latitude: 40, region: 'Elsewhere' })
  const out = await exported({ splitByLicense: true, permitted: ['Club'] })
  expect(textIn(out, 'CC-BY-4.0/waypoints.csv')).toContain(',CC-BY-4.0,Club\r\n')
})

/** How each file carries its licence and whom to name; in the others the entry of the data package does. */
const carriers: Readonly<Record<string, (out: string, file: string) => unknown>> = {
  'waypoints.csv': (out, file) =>
    textIn(out, file)
      .split('\r\n')
      .slice(1, -1)
      .every((row) => row.endsWith(credit)),
  'waypoints.ndjson.gz': (out, file) =>
    textIn(out, file)
      .trim()
      .split('\n')
      .every((line) => JSON.parse(line).attribution === openStreetMap),
  'difference.ndjson.gz': (out, file) =>
    textIn(out, file)
      .trim()
      .split('\n')
      .every((line) => {
        const { waypoint } = JSON.parse(line)
        return waypoint === undefined || waypoint.attribution === openStreetMap
      }),
  'waypoints.gpx': (out, file) =>
    textIn(out, file).includes(`<copyright author="${openStreetMap}, ODbL-1.0">`),
  'waypoints.kml': (out, file) => textIn(out, file).includes(openStreetMap),
  'waypoints.kmz': (out, file) => documentIn(out, file).includes(openStreetMap),
  'waypoints.pmtiles': async (out) => (await tilesAttribution(out)).includes(openStreetMap),
  'waypoints.parquet': (out, file) =>
    readFileSync(join(out, file)).includes(`"attribution":"${openStreetMap}, ODbL-1.0"`),
  'waypoints.gpkg': (out, file) => readFileSync(join(out, file)).includes(`Data: ${openStreetMap}, ODbL-1.0`),
  'registry.sqlite': (out, file) => readFileSync(join(out, file)).includes(`${openStreetMap}, ODbL-1.0`),
  'LICENSE.txt': (out, file) => textIn(out, file).includes(`Data: ${openStreetMap}, ODbL-1.0`),
  'ATTRIBUTION.md': (out, file) => textIn(out, file).includes(openStreetMap),
  'dataset.jsonld': (out, file) => jsonIn(out, file).creditText === `${openStreetMap}, ODbL-1.0`,
  'datapackage.json': (out, file) =>
    jsonIn(out, file).openfountain.attribution === `${openStreetMap}, ODbL-1.0`,
}
const credit = `,ODbL-1.0,${openStreetMap}`

/** Tables without room for anything but their rows, checksums, and the log, whose entries are what proves them. */
const withoutRoom = /^(?:(?:reviews|contributors|leaderboard|stats)\.csv|changes\.ndjson\.gz|SHA256SUMS)$/u

test('every file of an export carries its licence and whom to name, and its entry in the data package does', async () => {
  for (const since of [undefined, '1']) {
    const out = await exported({ since })
    const { resources } = jsonIn(out, 'datapackage.json') as {
      resources: { path: string; licenses: { name: string }[]; attribution: string }[]
    }
    for (const { path, licenses, attribution } of resources) {
      expect(licenses, path).toMatchObject([{ name: 'ODbL-1.0' }])
      expect([author, `${openStreetMap}, ODbL-1.0`], path).toContain(attribution)
    }
    const files = readdirSync(out)
    expect(files.length).toBeGreaterThan(resources.length)
    for (const file of files) {
      if (withoutRoom.test(file)) continue
      const carrier = carriers[file]
      if (carrier) {
        expect(await carrier(out, file), file).toBe(true)
        continue
      }
      // Any other one is JSON that says it itself.
      const isRegistry = /^(?:reviews|contributors|leaderboard|stats|areas)\./u.test(file)
      expect(jsonIn(out, file), file).toMatchObject({
        license: 'ODbL-1.0',
        attribution: isRegistry ? author : `${openStreetMap}, ODbL-1.0`,
      })
    }
  }
})
