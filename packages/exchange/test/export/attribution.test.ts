import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { user, type Registry } from '@openfountain/core'
import { beforeEach, expect, test } from 'vitest'
import { jsonIn, newFolder, textIn } from '@openfountain/testing/folder'
import { emptyRegistry, placed } from '@openfountain/testing/registry'
import { exportRegistry } from '../../src/index.ts'
import { archiveIn, documentIn } from './sample-snapshot.ts'

const author = 'Friends of <Lund> & "co"'
const openStreetMap = '© OpenStreetMap contributors'
const ofMap = `${openStreetMap}, ODbL-1.0`

let registry: Registry

beforeEach(async () => {
  registry = await emptyRegistry({ author, license: 'ODbL-1.0' })
  await imported('OSM', 'ODbL-1.0', 35)
})

async function imported(
  name: string,
  license: string,
  latitude: number,
  attribution?: string,
): Promise<void> {
  const run = await registry.imports.start({ source: { name, license, ...(attribution && { attribution }) } })
  const rows = Array.from({ length: name === 'OSM' ? 10 : 2 }, (_, index) => {
    const input = { name: `${name} ${index}`, latitude, longitude: index / 10, region: name }
    return { row: index + 1, ref: `${name} ${index}`, input }
  })
  await run.apply(rows)
  await run.finish({ counts: {}, missing: 'keep' })
}

const zurich = () => imported('Zürich', 'CC0-1.0', 47, 'Stadt Zürich')
const club = () => imported('Club', 'CC-BY-4.0', 40)

const twoFormats = ['csv', 'geojson']

async function exported(content: Parameters<typeof exportRegistry>[1] | object = {}): Promise<string> {
  const out = path.join(newFolder(), 'export')
  await exportRegistry(registry, { out, ...content })
  return out
}

const creditIn = (out: string, file = 'waypoints.geojson') => jsonIn(out, file).attribution

test('every format with room for a credit names publisher, OpenStreetMap in its own words, and the others', async () => {
  await placed(registry)
  await zurich()
  const names = ['geojson', 'gpx']
  const out = await exported({ formats: names })
  const line = `${author}, ${ofMap}; Stadt Zürich, CC0-1.0`
  expect(jsonIn(out, 'datapackage.json').openfountain.attribution).toBe(line)
  expect(jsonIn(out, 'waypoints.geojson').features[0].properties).toMatchObject({
    attribution: openStreetMap,
  })
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
})

test('the credit in map tiles is HTML in which names stay text', async () => {
  const hostile = '<img src=x onerror=alert(1)>" & more'
  await placed(registry)
  await imported(hostile, 'CC-BY-4.0" onclick="x', 40)
  const out = await exported({ permitted: [hostile], where: { bbox: [-1, 30, 2, 45] }, formats: ['pmtiles'] })
  expect(await archiveIn(out).getMetadata()).toMatchObject({
    attribution:
      `<a href="https://www.openstreetmap.org/copyright">${openStreetMap}</a>, ` +
      '<a href="https://opendatacommons.org/licenses/odbl/1-0/">ODbL-1.0</a>; ' +
      '&lt;img src=x onerror=alert(1)&gt;&quot; &amp; more (published under ODbL-1.0 by consent), CC-BY-4.0&quot; onclick=&quot;x',
  })
})

test('a registry to which nobody contributed does not name its publisher for what others collected', async () => {
  expect(creditIn(await exported({ formats: twoFormats }))).toBe(ofMap)
  const ada = await registry.users.create({ name: 'Ada', xp: 100 })
  await registry.reviews.create({ bubblerId: 1, rating: 5 }, user(ada.id))
  expect(creditIn(await exported({ formats: [...twoFormats, 'reviews.csv'] }))).toBe(`${author}, ${ofMap}`)
})

test('a part of the registry names only the sources that are in it', async () => {
  await zurich()
  expect(creditIn(await exported({ where: { region: 'Zürich' }, formats: twoFormats }))).toBe(
    'Stadt Zürich, CC0-1.0',
  )
})

test('what is published by consent says so in its row, in the notice, in the data package and for the file', async () => {
  await club()
  const out = await exported({ permitted: ['Club'], formats: [...twoFormats, 'sources'] })
  const consented = 'Club (published under ODbL-1.0 by consent)'
  expect(textIn(out, 'waypoints.csv')).toContain(`,CC-BY-4.0,${consented}\r\n`)
  expect(textIn(out, 'ATTRIBUTION.md')).toContain(
    String.raw`- Club \(published under ODbL-1.0 by consent\), [CC-BY-4.0](`,
  )
  const { sources } = jsonIn(out, 'datapackage.json')
  expect(
    sources.map(({ title, consents_to }: { title: string; consents_to?: string }) => [title, consents_to]),
  ).toEqual([
    ['OSM', undefined],
    ['Club', 'ODbL-1.0'],
  ])
  expect(jsonIn(out, 'sources.json').sources).toMatchObject([{ name: 'OSM' }, { consents_to: 'ODbL-1.0' }])
  expect(creditIn(out)).toBe(`${ofMap}; ${consented}, CC-BY-4.0`)
  const both = await exported({ permitted: ['Club', 'OSM'], formats: twoFormats })
  expect(textIn(both, 'waypoints.csv')).not.toContain(`${openStreetMap} (`)
})

test('in an export that is split by licence, only the set that needs the consent says that it was given', async () => {
  await club()
  const out = await exported({ splitByLicense: true, permitted: ['Club'], formats: twoFormats })
  expect(textIn(out, 'CC-BY-4.0/waypoints.csv')).toContain(',CC-BY-4.0,Club\r\n')
})

const lines = (out: string, file: string) => textIn(out, file).trim().split('\n')
const inBytes = (text: string) => (out: string, file: string) =>
  readFileSync(path.join(out, file)).includes(text)

/** The place of licence and attribution in each file; for other files the data package's entry has them. */
const carriers: Readonly<Record<string, (out: string, file: string) => boolean | Promise<boolean>>> = {
  'waypoints.csv': (out, file) =>
    lines(out, file)
      .slice(1)
      .every((row) => row.trim().endsWith(`,ODbL-1.0,${openStreetMap}`)),
  'waypoints.ndjson.gz': (out, file) =>
    lines(out, file).every((line) => JSON.parse(line).attribution === openStreetMap),
  'photos.ndjson': (out, file) =>
    lines(out, file).every((line) => line === '' || (JSON.parse(line).license && JSON.parse(line).author)),
  'difference.ndjson.gz': (out, file) =>
    lines(out, file).every(
      (line) => (JSON.parse(line).waypoint?.attribution ?? openStreetMap) === openStreetMap,
    ),
  'waypoints.gpx': inBytes(`<copyright author="${ofMap}">`),
  'waypoints.kml': inBytes(openStreetMap),
  'waypoints.kmz': (out, file) => documentIn(out, file).includes(openStreetMap),
  'waypoints.pmtiles': async (out) =>
    JSON.stringify(await archiveIn(out).getMetadata()).includes(openStreetMap),
  'waypoints.parquet': inBytes(`"attribution":"${ofMap}"`),
  'waypoints.gpkg': inBytes(`Data: ${ofMap}`),
  'registry.sqlite': inBytes(ofMap),
  'LICENSE.txt': inBytes(`Data: ${ofMap}`),
  'ATTRIBUTION.md': inBytes(openStreetMap),
  'dataset.jsonld': (out, file) => jsonIn(out, file).creditText === ofMap,
  'dataset.ttl': inBytes(`creditText> "${ofMap}"`),
  'datapackage.json': (out, file) => jsonIn(out, file).openfountain.attribution === ofMap,
}

/** Tables with room for their rows alone, checksums, and the log, whose entries are its proof. */
const withoutRoom = /^(?:(?:reviews|contributors|leaderboard|stats)\.csv|changes\.ndjson\.gz|SHA256SUMS)$/u

test('every file of an export carries its licence and whom to name, and its entry in the data package does', async () => {
  for (const content of [{}, { since: '1' }]) {
    const out = await exported(content)
    const { resources } = jsonIn(out, 'datapackage.json')
    for (const { path: file, licenses, attribution } of resources) {
      expect(licenses, file).toMatchObject([{ name: 'ODbL-1.0' }])
      expect([author, ofMap], file).toContain(attribution)
    }
    const files = readdirSync(out)
    expect(files.length).toBeGreaterThan(resources.length)
    for (const file of files.filter((name) => !withoutRoom.test(name))) {
      const isRegistry = /^(?:reviews|contributors|leaderboard|stats|areas)\./u.test(file)
      const carrier = carriers[file]
      if (carrier) expect(await carrier(out, file), file).toBe(true)
      else
        expect([file, jsonIn(out, file).license, creditIn(out, file)]).toEqual([
          file,
          'ODbL-1.0',
          isRegistry ? author : ofMap,
        ])
    }
  }
})
