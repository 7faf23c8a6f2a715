import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { token, type Source, type Waypoint, type WaypointInput } from '@openfountain/core'
import { sampleProperties, sampleValues } from '@openfountain/testing/sample-values'
import { exportRegistry } from '../../src/index.ts'
import { importFile } from '../../src/import/index.ts'
import { textIn } from '../export/written-edition.ts'
import { emptyRegistry, source, temporaryFolder } from './fixture.ts'

/** Custom fields with all that formats have to escape. */
const properties = {
  properties: {
    height: 1e21,
    inspectedBy: ['=1+1; "A"', 'Zoë,\n\u2028 B', '{}'],
    inventoryNumber: '{"a":1}; <b>\\ \u2028',
    isHeated: false,
  },
}

const fountains: readonly WaypointInput[] = [
  {
    ...sampleValues('Apr-Oct: Mo-Su 06:00-22:00; PH "closed", \u2028 off', 1),
    ...properties,
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
  { name: 'Declared', latitude: 51.9, longitude: 5.3, drinkable: 'yes' },
  { name: 'Null', latitude: 1.5, longitude: 5.3, amenities: ['dog-bowl', 'tap'], description: '-' },
  { name: 'Zierbrunnen (keine Trinkqualität)', latitude: 1.6, longitude: 5.3, region: 'NA' },
  { name: 'At the same place', latitude: 1.6, longitude: 5.3 },
  { name: 'Tap, Rue de la Paix 5', latitude: 48.9, longitude: 2.3 },
]

/** What people enter for a waypoint, without what the registry adds. */
function said({ id: _id, createdAt: _created, updatedAt: _updated, ...waypoint }: Waypoint) {
  return waypoint
}

async function exported(): Promise<{ folder: string; waypoints: Waypoint[] }> {
  const registry = await emptyRegistry({ properties: sampleProperties })
  for (const fountain of fountains) await registry.waypoints.create(fountain, token())
  const folder = path.join(await temporaryFolder(), 'out')
  await exportRegistry(registry, { out: folder })
  return { folder, waypoints: await registry.waypoints.list({ limit: 100_000 }) }
}

describe('our own exports', () => {
  test.each(['csv', 'geojson', 'ndjson.gz', 'gpkg', 'parquet', 'kml'])(
    'come back from .%s without loss',
    async (extension) => {
      const { folder, waypoints } = await exported()
      const registry = await emptyRegistry({ properties: sampleProperties })
      const { counts } = await importFile(registry, {
        file: path.join(folder, `waypoints.${extension}`),
        source,
      })
      expect(counts).toMatchObject({
        rows: fountains.length,
        created: fountains.length,
        refused: 0,
        leftOut: 0,
      })
      const back = (await registry.waypoints.list({ limit: 100_000 })).map(said)
      const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
      expect(back.toSorted(byName)).toEqual(waypoints.map(said).toSorted(byName))
      const again = await importFile(registry, { file: path.join(folder, `waypoints.${extension}`), source })
      expect(again.counts).toMatchObject({ unchanged: fountains.length, created: 0, updated: 0 })
    },
  )

  test('come back from .gpx with what it can hold', async () => {
    const { folder, waypoints } = await exported()
    const registry = await emptyRegistry()
    await importFile(registry, { file: path.join(folder, 'waypoints.gpx'), source })
    const held = ({ name, latitude, description, amenities, image, drinkable }: Waypoint) => ({
      name,
      latitude,
      description,
      amenities,
      image,
      drinkable,
    })
    expect((await registry.waypoints.list({ limit: 100_000 })).map(held)).toEqual(waypoints.map(held))
    const undrinkable =
      /<desc>[^<]*Not drinking water<\/desc>(?:<link.*?<\/link>)?<sym>Water Source<\/sym><type>water not for drinking</gu
    expect(textIn(folder, 'waypoints.gpx').match(undrinkable)).toHaveLength(
      waypoints.filter(({ drinkable }) => drinkable === 'no').length,
    )
  })

  test('of every format with a table of waypoints are tried above', async () => {
    const { folder } = await exported()
    const tables = readdirSync(folder).filter((name) => name.startsWith('waypoints.'))
    expect(tables.toSorted()).toEqual([
      'waypoints.csv',
      'waypoints.geojson',
      'waypoints.gpkg',
      'waypoints.gpx',
      'waypoints.kml',
      'waypoints.kmz',
      'waypoints.ndjson.gz',
      'waypoints.parquet',
      'waypoints.pmtiles',
    ])
  })

  test.each(['csv', 'geojson', 'ndjson.gz', 'gpkg', 'parquet', 'kml'])(
    'bring the objects of OpenStreetMap back from .%s, with their tags and nothing that may be personal',
    async (extension) => {
      const first = await emptyRegistry()
      const run = await first.imports.start({ source })
      const tags = { amenity: 'fountain', bottle: 'no', description: '=a "b", {c}', note: 'ask Ada' }
      const at = { latitude: 10, longitude: 20 }
      await run.apply([
        { row: 1, ref: 'way/7', tags, input: { ...at, name: 'Way' } },
        { row: 2, ref: 'node/999999999999999', input: { ...at, name: 'Node', latitude: 11 } },
        { row: 3, ref: 'A-1', input: { ...at, name: 'None', latitude: 12 } },
      ])
      await run.finish({ counts: {}, missing: 'keep' })
      const out = path.join(await temporaryFolder(), 'out')
      await exportRegistry(first, { out })
      const second = await emptyRegistry()
      const file = path.join(out, `waypoints.${extension}`)
      await importFile(second, { file, source })
      const again = await importFile(second, { file, source })
      expect(again.counts).toMatchObject({ unchanged: 3, created: 0, updated: 0 })
      const back = path.join(await temporaryFolder(), 'back')
      await exportRegistry(second, { out: back, formats: ['ndjson'] })
      const objects = gunzipSync(readFileSync(path.join(back, 'waypoints.ndjson.gz')))
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .map((row) => [row.name, row.osm_type, row.osm_id, row.osm_tags])
      const { note: _personal, ...kept } = tags
      expect(new Map(objects.map(([name, ...object]) => [name, object]))).toEqual(
        new Map([
          ['Way', ['way', 7, kept]],
          ['Node', ['node', 999_999_999_999_999, null]],
          ['None', [null, null, null]],
        ]),
      )
    },
  )

  test('from one format are recognised in another', async () => {
    const { folder } = await exported()
    const registry = await emptyRegistry()
    await importFile(registry, { file: path.join(folder, 'waypoints.csv'), source })
    for (const extension of ['geojson', 'gpkg', 'parquet', 'kml', 'ndjson.gz']) {
      const { counts } = await importFile(registry, {
        file: path.join(folder, `waypoints.${extension}`),
        source,
      })
      expect(counts).toMatchObject({ unchanged: fountains.length, created: 0 })
    }
  })

  test.each(['csv', 'geojson', 'ndjson.gz', 'gpkg', 'parquet', 'kml'])(
    'from several sources bring each source back from .%s when imported one by one',
    async (extension) => {
      const first = await emptyRegistry()
      await first.waypoints.create({ name: 'Contributed', latitude: 10, longitude: 10 }, token())
      const lund = {
        name: 'City of Lund',
        url: 'https://example.org/lund',
        license: 'CC0-1.0',
        attribution: 'Lunds kommun',
      }
      const run = await first.imports.start({ source: lund })
      await run.apply([
        { row: 1, ref: '=A-1', input: { name: 'Stortorget', latitude: 55.7, longitude: 13.19 } },
        { row: 2, ref: 'A-2', input: { name: 'Botaniska', latitude: 55.71, longitude: 13.2 } },
      ])
      await run.finish({ counts: {}, missing: 'keep' })
      const malmo = { name: 'City of Malmö', license: 'PDDL-1.0', attribution: '© Malmö' }
      const other = await first.imports.start({ source: malmo })
      await other.apply([
        { row: 1, ref: 'B-1', input: { name: 'Gustav', latitude: 55.6, longitude: 13 } },
        // The first of Lund's, which has a reference of its own at each.
        { row: 2, ref: 'B;2', input: { name: 'Stortorget', latitude: 55.7, longitude: 13.19 }, mergeInto: 2 },
      ])
      await other.finish({ counts: {}, missing: 'keep' })
      const [out, back] = [path.join(await temporaryFolder(), 'a'), path.join(await temporaryFolder(), 'b')]
      await exportRegistry(first, { out })
      const file = path.join(out, `waypoints.${extension}`)

      const second = await emptyRegistry()
      const whole = await importFile(second, { file, source, dryRun: true })
      expect(whole.notes).toEqual([{ code: 'SOURCES_NAMED', sources: ['City of Lund', 'City of Malmö'] }])
      for (const each of await first.sources.list()) {
        const { name, license, url, attribution } = each
        await importFile(second, {
          file,
          map: {
            source: {
              name,
              license,
              ...(url !== undefined && { url }),
              ...(attribution !== undefined && { attribution }),
            },
            fields: { ref: 'source_refs' },
            only: { sources: [name] },
          },
        })
      }
      const left = await importFile(second, { file, source, map: { only: { sources: false } } })
      expect(left.counts).toMatchObject({ created: 1, leftOut: 3 })

      await exportRegistry(second, { out: back })
      const columns = ['name', 'latitude', 'longitude', 'sources', 'source_refs', 'license', 'attribution']
      const rowsIn = (folder: string) =>
        gunzipSync(readFileSync(path.join(folder, 'waypoints.ndjson.gz')))
          .toString()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>)
          .filter((row) => row['name'] !== 'Contributed')
          .map((row) => columns.map((column) => row[column]))
          .toSorted()
      expect(rowsIn(back)).toEqual(rowsIn(out))
      expect(rowsIn(back)).toHaveLength(3)
      const described = ({ name, license, url, attribution, waypoints }: Source) => ({
        name,
        license,
        url,
        attribution,
        waypoints,
      })
      expect((await second.sources.list()).map(described)).toEqual(
        expect.arrayContaining((await first.sources.list()).map(described)),
      )
    },
  )
})
