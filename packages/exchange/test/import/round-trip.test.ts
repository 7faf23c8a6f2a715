import path from 'node:path'
import { expect, test } from 'vitest'
import { token, type Registry, type Source, type Waypoint, type WaypointInput } from '@openfountain/core'
import { linesIn, newFolder, textIn } from '@openfountain/testing/folder'
import { emptyRegistry } from '@openfountain/testing/registry'
import { sampleProperties, sampleValues } from '@openfountain/testing/sample-values'
import { exportRegistry, formats, importFile } from '../../src/index.ts'
import { dated, importContent, source } from './fixture.ts'

/** Custom fields with all characters that formats have to escape. */
const properties = {
  height: 1e21,
  inspectedBy: ['=1+1; "A"', 'Zoë,\n\u2028 B', '{}'],
  inventoryNumber: '{"a":1}; <b>\\ \u2028',
  isHeated: false,
}

const fountains: readonly WaypointInput[] = [
  {
    ...sampleValues('Apr-Oct: Mo-Su 06:00-22:00; PH "closed", \u2028 off', 1),
    properties,
    name: '=1+1',
    latitude: 47.123_456_789,
    longitude: -8.5,
    description: 'line one\nline <b>two</b>; "quoted" &amp; more',
    amenities: ['bubbler', 'odd; one', 'Singing'],
    image: 'https://example.org/a.jpg?x=1&y=2',
    maintainer: "O'Neil & Sons",
    region: 'Zürich',
    approved: true,
    verified: true,
  },
  { name: 'Brunnen 水 🚰', latitude: -0.000_000_1, longitude: 180 },
  { name: "'s-Hertogenbosch", latitude: 51.7, longitude: 5.3, amenities: ['wheelchair'], drinkable: 'no' },
  { name: 'Unsigned', latitude: 51.8, longitude: 5.3, description: 'By the gate', drinkable: 'unsigned' },
  { name: 'Declared', latitude: 0.1 + 0.2, longitude: 5.3, drinkable: 'yes' },
  { name: 'Null', latitude: 1.5, longitude: 5.3, amenities: ['dog-bowl', 'tap'], description: '-' },
  { name: 'Zierbrunnen (keine Trinkqualität)', latitude: 1.6, longitude: 5.3, region: 'NA' },
  { name: 'At the same place', latitude: 1.6, longitude: 5.3 },
  { name: 'Tap, Rue de la Paix 5', latitude: 48.9, longitude: 2.3 },
]

const said = ({ id: _id, createdAt: _created, updatedAt: _updated, ...waypoint }: Waypoint) => waypoint

const everything = (registry: Registry) => registry.waypoints.list({ limit: 100_000 })

/** Tables with all fields; GPX has fewer, KMZ is KML, and tiles are for maps. */
const tables = formats.filter(({ file }) => /^waypoints\.(?!gpx|kmz|pmtiles)/u.test(file))
const files = tables.map(({ file }) => file)

interface Exported {
  readonly folder: string
  readonly waypoints: readonly Waypoint[]
  readonly sources: readonly Source[]
}

const made = new Map<object, Promise<Exported>>()

function exported(fill: (registry: Registry) => Promise<unknown>): Promise<Exported> {
  const known = made.get(fill)
  if (known) return known
  const making = (async () => {
    const registry = await emptyRegistry({ properties: sampleProperties })
    await fill(registry)
    const folder = path.join(newFolder(), 'out')
    await exportRegistry(registry, { out: folder, formats: [...tables.map(({ name }) => name), 'gpx'] })
    return { folder, waypoints: await everything(registry), sources: await registry.sources.list() }
  })()
  made.set(fill, making)
  return making
}

async function contributed(registry: Registry): Promise<void> {
  for (const fountain of fountains) await registry.waypoints.create(fountain, token())
}

const tags = { amenity: 'fountain', bottle: 'no', description: '=a "b", {c}', note: 'ask Ada' }

async function ofOpenStreetMap(registry: Registry): Promise<void> {
  const run = await registry.imports.start({ source })
  const at = { latitude: 10, longitude: 20 }
  await run.apply([
    { row: 1, ref: 'way/7', tags, input: { ...at, name: 'Way' } },
    { row: 2, ref: 'node/999999999999999', input: { ...at, name: 'Node', latitude: 11 } },
    { row: 3, ref: 'node/1x', input: { ...at, name: 'None', latitude: 12 } },
  ])
  await run.finish({ counts: {}, missing: 'keep' })
}

async function ofSeveral(registry: Registry): Promise<void> {
  await registry.waypoints.create({ name: 'Contributed', latitude: 10, longitude: 10 }, token())
  const attribution = 'Lunds kommun'
  const lund = { name: 'City of Lund', url: 'https://example.org/lund', license: 'CC0-1.0', attribution }
  const stortorget = { name: 'Stortorget', latitude: 55.7, longitude: 13.19 }
  const run = await registry.imports.start({ source: lund })
  await run.apply([
    { row: 1, ref: '=A-1', input: stortorget },
    { row: 2, ref: 'A-2', input: { name: 'Botaniska', latitude: 55.71, longitude: 13.2 } },
  ])
  await run.finish({ counts: {}, missing: 'keep' })
  const malmo = { name: 'City of Malmö', license: 'PDDL-1.0', attribution: '© Malmö' }
  const other = await registry.imports.start({ source: malmo })
  await other.apply([
    { row: 1, ref: 'B-1', input: { name: 'Gustav', latitude: 55.6, longitude: 13 } },
    { row: 2, ref: 'B;2', input: stortorget, mergeInto: 2 },
  ])
  await other.finish({ counts: {}, missing: 'keep' })
}

const listing = (broken: string, works: string) =>
  `id,lat,lon,name,dispo,motif_ind\na,47.1,8.5,A,${broken}\nb,47.2,8.5,B,${works}\n`
const withStates = (registry: Registry) =>
  importContent(registry, listing('NON,FERMETURE HIVERNALE', 'OUI,'), { ...dated, approved: false })

test.each(files)('our own exports come back from %s without loss', async (name) => {
  const { folder, waypoints } = await exported(contributed)
  const registry = await emptyRegistry({ properties: sampleProperties })
  const file = path.join(folder, name)
  const { counts } = await importFile(registry, { file, source })
  const rows = fountains.length
  expect(counts).toMatchObject({ rows, created: rows, refused: 0, leftOut: 0 })
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
  expect((await everything(registry)).map(said).toSorted(byName)).toEqual(
    waypoints.map(said).toSorted(byName),
  )
  const again = await importFile(registry, { file, source })
  expect(again.counts).toMatchObject({ unchanged: rows, created: 0, updated: 0 })
  // Rows of one format are recognised in another.
  const csv = await importFile(registry, { file: path.join(folder, 'waypoints.csv'), source })
  expect(csv.counts).toMatchObject({ unchanged: rows, created: 0 })
})

test('our own exports come back from .gpx with what it can hold', async () => {
  const { folder, waypoints } = await exported(contributed)
  const registry = await emptyRegistry()
  await importFile(registry, { file: path.join(folder, 'waypoints.gpx'), source })
  const held = ['name', 'latitude', 'description', 'amenities', 'image', 'drinkable'] as const
  const heldOf = (each: Waypoint) => held.map((field) => each[field])
  expect((await everything(registry)).map(heldOf)).toEqual(waypoints.map(heldOf))
  const undrinkable =
    /<desc>[^<]*Not drinking water<\/desc>(?:<link.*?<\/link>)?<sym>Water Source<\/sym><type>water not for drinking</gu
  expect(textIn(folder, 'waypoints.gpx').match(undrinkable)).toHaveLength(
    waypoints.filter(({ drinkable }) => drinkable === 'no').length,
  )
})

test.each(files)(
  'our own exports bring the objects of OpenStreetMap back from %s, with their tags and nothing that may be personal',
  async (name) => {
    const { folder } = await exported(ofOpenStreetMap)
    const registry = await emptyRegistry()
    const { counts } = await importFile(registry, { file: path.join(folder, name), source })
    expect(counts).toMatchObject({ created: 3 })
    const back = newFolder()
    await exportRegistry(registry, { out: back, formats: ['ndjson'] })
    const { note: _personal, ...kept } = tags
    const objects = linesIn(back, 'waypoints.ndjson.gz').map((row) => [
      row.name,
      [row.osm_type, row.osm_id, row.osm_tags],
    ])
    expect(Object.fromEntries(objects)).toEqual({
      Way: ['way', 7, kept],
      Node: ['node', 999_999_999_999_999, null],
      None: [null, null, null],
    })
  },
)

test.each(['waypoints.csv', 'waypoints.ndjson.gz', 'waypoints.kml'])(
  'our own exports from several sources bring each source back from %s when imported one by one',
  async (name) => {
    const { folder, sources } = await exported(ofSeveral)
    const file = path.join(folder, name)
    const registry = await emptyRegistry()
    const whole = await importFile(registry, { file, source, ...dated, dryRun: true })
    expect(whole.notes).toEqual([{ code: 'SOURCES_NAMED', sources: ['City of Lund', 'City of Malmö'] }])
    for (const { name: each, license, url, attribution } of sources) {
      const described = {
        license,
        url,
        attribution,
      }
      const map = {
        source: { name: each, ...described },
        fields: { ref: 'source_refs' },
        only: { sources: [each] },
      }
      await importFile(registry, { file, map })
    }
    const left = await importFile(registry, { file, source, map: { only: { sources: false } } })
    expect(left.counts).toMatchObject({ created: 1, leftOut: 3 })
    const back = newFolder()
    await exportRegistry(registry, { out: back, formats: ['ndjson'] })
    const columns = ['name', 'latitude', 'longitude', 'sources', 'source_refs', 'license', 'attribution']
    const rowsIn = (of: string) =>
      linesIn(of, 'waypoints.ndjson.gz')
        .filter((row) => row.name !== 'Contributed')
        .map((row) => columns.map((column) => row[column]))
        .toSorted()
    expect(rowsIn(back)).toEqual(rowsIn(folder))
    expect(rowsIn(back)).toHaveLength(3)
    for (const { name: each, license, url, attribution, waypoints } of sources)
      expect(await registry.sources.list()).toContainEqual(
        expect.objectContaining({ name: each, license, attribution, waypoints, ...(url && { url }) }),
      )
  },
)

test.each(files.filter((name) => !/gpkg|parquet/u.test(name)))(
  'our own exports say derived states, which %s does not bring back; what was not approved stays so',
  async (name) => {
    const { folder } = await exported(withStates)
    expect(textIn(folder, 'waypoints.csv')).toMatch(/,off,\d{4}-\d\d-\d\d,/u)
    const registry = await emptyRegistry()
    const { counts } = await importFile(registry, { file: path.join(folder, name), source })
    expect(counts).toMatchObject({ created: 2, refused: 0 })
    const back = await everything(registry)
    const sources = await Promise.all(back.map(({ id }) => registry.waypoints.sources(id)))
    expect(sources.flatMap(([first]) => [first?.state])).toEqual([undefined, undefined])
    expect(back.map(({ approved }) => approved)).toEqual([false, false])
    expect(back.map(({ description }) => description)).toContain('Fermeture Hivernale')
  },
)
