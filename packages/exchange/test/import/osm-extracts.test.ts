import { closeSync, openSync } from 'node:fs'

import { expect, test } from 'vitest'
import { osmPbf } from '@openfountain/testing/import/packed-files'
import { osmPbfParts } from '../../src/import/read/osm-pbf.ts'
import { fileWith, imported } from './fixture.ts'

const nodes = [
  { id: 1, lat: 47.37, lon: 8.54, tags: { amenity: 'drinking_water', name: 'Löwenbrunnen' } },
  { id: 2, lat: 47.1, lon: 8.1, tags: { amenity: 'bench' } },
  { id: 3, lat: 47.2, lon: 8.2, tags: {} },
  { id: 4, lat: 47.4, lon: 8.4, tags: {} },
  { id: 5, lat: 47.5, lon: 8.5, tags: { 'disused:amenity': 'drinking_water' } },
]
const ways = [
  { id: 1, nodes: [3, 4, 3], tags: { amenity: 'drinking_water', name: 'Bärenbrunnen' } },
  { id: 2, nodes: [1, 4], tags: {} },
  { id: 3, nodes: [99], tags: { man_made: 'water_tap' } },
]
const relations = [{ id: 1, ways: [2], tags: { amenity: 'drinking_water', name: 'Adlerbrunnen' } }]

const tagXml = (tags: object) =>
  Object.entries(tags)
    .map(([k, v]) => `<tag k="${k}" v="${v}"/>`)
    .join('')
const xml = `<?xml version="1.0"?><osm version="0.6"><note>www.openstreetmap.org ODbL</note><meta osm_base="2025-06-01T10:00:00Z"/>${nodes
  .map(({ id, lat, lon, tags }) => `<node id="${id}" lat="${lat}" lon="${lon}">${tagXml(tags)}</node>`)
  .join('')}${ways
  .map(
    ({ id, nodes: refs, tags }) =>
      `<way id="${id}">${refs.map((ref) => `<nd ref="${ref}"/>`).join('')}${tagXml(tags)}</way>`,
  )
  .join('')}${relations
  .map(
    ({ id, ways: refs, tags }) =>
      `<relation id="${id}">${refs.map((ref) => `<member type="way" ref="${ref}" role=""/>`).join('')}${tagXml(tags)}</relation>`,
  )
  .join('')}</osm>`

test.each([
  ['OpenStreetMap XML', () => xml],
  ['OpenStreetMap extract', () => osmPbf({ nodes, ways, relations, seconds: 1_748_772_000 })],
])(
  '%s: fountains are read, ways and relations at the centre of their nodes, and others are counted',
  async (format, content) => {
    const { report, waypoints } = await imported(content())
    expect(report).toMatchObject({ format, published: '2025-06-01' })
    expect(report.counts).toMatchObject({ rows: 5, created: 3, leftOut: 1, refused: 1 })
    expect(report.refused).toMatchObject([{ code: 'NO_GEOMETRY' }])
    expect(report.notes).toEqual([{ code: 'ELEMENTS_NOT_READ', elements: 1 }])
    expect(waypoints).toMatchObject([
      { name: 'Löwenbrunnen', latitude: 47.37, longitude: 8.54 },
      { name: 'Bärenbrunnen', latitude: 47.3, longitude: 8.3 },
      { name: 'Adlerbrunnen', latitude: 47.385, longitude: 8.47 },
    ])
    expect(report.columns.some(({ how }) => how === 'tag')).toBe(true)
  },
)

const header = osmPbf({ nodes: [], ways: [], relations: [] })

test.each<[string, string, () => Uint8Array]>([
  [
    'a block that unpacks without an end',
    'BOMB',
    () => osmPbf({ nodes, ways, relations, data: Buffer.alloc(40_000_000) }),
  ],
  [
    'a block that is larger than any',
    'MALFORMED',
    () => Buffer.concat([header, Buffer.from('0000000e0a074f534d446174611880808020', 'hex')]),
  ],
  [
    'a header that is larger than any',
    'MALFORMED',
    () => Buffer.concat([header, Buffer.from('7fffffff', 'hex')]),
  ],
  ['a file that is cut off', 'TRUNCATED', () => osmPbf({ nodes, ways, relations }).subarray(0, -9)],
  [
    'another feature of the format',
    'UNKNOWN_FORMAT',
    () => osmPbf({ nodes, ways, relations, features: ['LocationsOnWays2'] }),
  ],
])('%s is refused', async (_, code, content) => {
  const descriptor = openSync(fileWith(content()), 'r')
  const parts = async () => {
    for await (const _part of osmPbfParts(descriptor));
  }
  await expect(parts()).rejects.toMatchObject({ name: 'ImportRefused', code })
  closeSync(descriptor)
})

test('an extract has the water points that a walker wants, and no others', async () => {
  const of: Readonly<Record<string, Record<string, string>>> = {
    tap: { man_made: 'water_tap', drinking_water: 'yes' },
    point: { amenity: 'water_point' },
    bubbler: { amenity: 'fountain', drinking_water: 'yes' },
    spring: { natural: 'spring', drinking_water: 'yes' },
    'signed spring': { natural: 'spring', 'drinking_water:legal': 'yes' },
    pump: { man_made: 'pump', drinking_water: 'yes' },
    'spring box': { man_made: 'spring_box', drinking_water: 'yes' },
    'no more said': { drinking_water: 'yes' },
    'decoration, left out': { amenity: 'fountain' },
    'not for drinking, left out': { natural: 'spring', drinking_water: 'no' },
    'nobody knows': { natural: 'spring' },
    hut: { tourism: 'alpine_hut', drinking_water: 'yes' },
    campsite: { tourism: 'camp_site', drinking_water: 'yes' },
    toilets: { amenity: 'toilets', drinking_water: 'yes' },
    'no water': { man_made: 'pump', drinking_water: 'no' },
  }
  const found = Object.values(of).map((tags, at) => ({ id: at + 1, lat: 47 + at / 100, lon: 8, tags }))
  const { report, waypoints } = await imported(osmPbf({ nodes: found, ways: [], relations: [] }))
  const read = waypoints.map(({ latitude }) => Object.keys(of)[Math.round((latitude - 47) * 100)])
  expect(read).toEqual(Object.keys(of).slice(0, 8))
  expect(report.counts).toMatchObject({ leftOut: 2, refused: 0 })
  expect(report.notes).toContainEqual({ code: 'ELEMENTS_NOT_READ', elements: 5 })
})
