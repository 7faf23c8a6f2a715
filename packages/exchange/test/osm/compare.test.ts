import { token } from '@openfountain/core'
import { changedTags } from '@openfountain/core/internal'
import { emptyRegistry } from '@openfountain/testing/registry'
import { osmPbf } from '@openfountain/testing/import/packed-files'
import { expect, test } from 'vitest'
import { compareWithOsm, mapRouletteText, osmChangeText } from '../../src/index.ts'
import { fileWith, importContent, node, overpass, source } from '../import/fixture.ts'

const osmSource = { name: 'OpenStreetMap', license: 'ODbL-1.0' }
const at = (latitude: number) => ({ lat: latitude, lon: 8, version: 3 })
const nodes = [
  node(1, { seasonal: 'summer', bench: 'no' }, at(47.1)),
  node(2, { wheelchair: 'designated' }, at(47.2)),
  node(3, { bottle: 'yes' }, at(47.3)),
  node(4, {}, at(47.4)),
]

async function filled(options = {}) {
  const registry = await emptyRegistry(options)
  await importContent(registry, overpass(nodes), { source: osmSource })
  await registry.waypoints.update(1, { amenities: ['seasonal', 'bench', 'lit'] }, token())
  await registry.waypoints.update(3, { drinkable: 'no' }, token())
  await registry.waypoints.update(4, { openingHours: '24/7', access: 'yes' }, token())
  return registry
}

test('only what people changed is proposed, and only over what was imported', async () => {
  const registry = await filled()
  await registry.waypoints.create({ name: 'New', latitude: 47.35, longitude: 8, amenities: ['tap'] }, token())
  const file = fileWith(
    overpass([...nodes.slice(0, 3), node(4, { opening_hours: 'Mo-Fr' }, at(47.4)), node(5, {}, at(47.15))]),
  )
  const { counts, rows, changes } = await compareWithOsm(registry, { file })
  expect(counts).toEqual({ same: 1, differs: 3, 'only-here': 1, 'only-there': 1, unsure: 0 })
  expect(rows).toMatchObject([
    {
      id: 1,
      osm: 'node/1',
      by: 'reference',
      kind: 'differs',
      tags: { bench: ['yes', 'no'], lit: ['yes', null] },
    },
    { id: 2, kind: 'same' },
    { id: 3, kind: 'differs' },
    { id: 4, tags: { opening_hours: ['24/7', 'Mo-Fr'], access: ['yes', null] }, proposed: { access: 'yes' } },
    { id: 5, kind: 'only-here', proposed: { amenity: 'drinking_water', man_made: 'water_tap' } },
    { osm: 'node/5', kind: 'only-there' },
  ])
  expect(changes).toMatchObject([
    { kind: 'modify', osm: 'node/1', set: { bench: 'yes', lit: 'yes' }, unset: [] },
    {
      osm: 'node/3',
      set: { amenity: 'fountain', drinking_water: 'no', 'drinking_water:legal': 'no' },
    },
    { osm: 'node/4', set: { access: 'yes' } },
    { kind: 'create', id: 5 },
  ])
  expect(changes.map((change) => (change.kind === 'modify' ? Object.keys(change.set) : []))).toEqual([
    ['lit', 'bench'],
    ['amenity', 'drinking_water', 'drinking_water:legal'],
    ['access'],
    [],
  ])
  expect(osmChangeText(changes)).toContain(
    '<node id="1" version="3" lat="47.1" lon="8"><tag k="amenity" v="drinking_water"/><tag k="seasonal" v="summer"/><tag k="bench" v="yes"/><tag k="lit" v="yes"/></node>',
  )
  const tasks = mapRouletteText(changes).split('\n')
  expect(tasks).toHaveLength(4)
  expect(tasks[0]?.charCodeAt(0)).toBe(0x1e)
  expect(JSON.parse(tasks[0]?.slice(1) ?? '')).toMatchObject({
    cooperativeWork: {
      meta: { version: 2, type: 1 },
      operations: [
        {
          operationType: 'modifyElement',
          data: { id: 'node/1', operations: [{ operation: 'setTags', data: { bench: 'yes', lit: 'yes' } }] },
        },
      ],
    },
  })
})

test('a fountain without an object is matched by its place, and one near an object is no addition', async () => {
  const registry = await emptyRegistry()
  const name = 'Löwenbrunnen'
  await registry.waypoints.create({ name, latitude: 47.1, longitude: 8, season: '04-01/10-31' }, token())
  await registry.waypoints.create({ name: 'Other', latitude: 47.2, longitude: 8 }, token())
  const file = fileWith(
    overpass([
      node(1, { name, seasonal: 'yes' }, at(47.1001)),
      node(2, { name: 'Bärenbrunnen' }, at(47.2001)),
      node(3, {}, at(47.3)),
    ]),
  )
  const { rows, changes } = await compareWithOsm(registry, { file })
  expect(rows).toMatchObject([
    { id: 1, osm: 'node/1', by: 'place', kind: 'differs', tags: { seasonal: ['Apr 01-Oct 31', 'yes'] } },
    { id: 2, kind: 'unsure', notProposed: 'near-another' },
    { osm: 'node/2' },
    { osm: 'node/3', kind: 'only-there' },
  ])
  expect(changes).toEqual([])
})

test('what came from a source is no addition, and what OpenStreetMap cannot take is left out and named', async () => {
  const registry = await filled()
  const list = 'id,lat,lon\n7,47.15,8\n'
  await importContent(registry, list, { source: { name: 'City', license: 'CC-BY-SA-4.0' } })
  await importContent(registry, 'id,lat,lon\n8,47.25,8\n', { source: { ...source, name: 'Free' } })
  await importContent(registry, 'id,lat,lon\n7,47.15,8\n9,47.1,8\n', {
    source: { name: 'City', license: 'CC-BY-SA-4.0' },
  })
  const { rows, leftOut, changes } = await compareWithOsm(registry, { file: fileWith(overpass(nodes)) })
  const reasonOf = (id: number) => rows.find((row) => row.id === id)?.notProposed
  expect([1, 5, 6].map(reasonOf)).toEqual(['licence', 'licence', 'of-a-source'])
  expect(leftOut).toMatchObject([{ name: 'City', license: 'CC-BY-SA-4.0', waypoints: 2, verdict: 'no' }])
  expect(changes.map(({ id }) => id)).toEqual([3, 4])
})

test('a registry whose own licence OpenStreetMap cannot take proposes nothing, unless its publisher consents', async () => {
  const registry = await filled({ license: 'CC-BY-4.0', name: 'Lund' })
  const file = fileWith(overpass(nodes))
  const { changes, leftOut } = await compareWithOsm(registry, { file })
  expect([changes, leftOut]).toMatchObject([[], [{ name: 'contributions to Lund', waypoints: 3 }]])
  const permitted = ['contributions to Lund']
  expect((await compareWithOsm(registry, { file, permitted })).changes).toHaveLength(3)
})

test('where nobody knows what a source had, as on a mirror, and of redacted values, nothing is of people', () => {
  const record = { amenities: ['bench'], access: 'yes' } as const
  expect(changedTags({ ...record, sourceValues: ['{}'] })).toEqual({})
  expect(changedTags({ ...record, sourceValues: ['{"amenities":null,"access":null}'] })).toEqual({})
  expect(changedTags({ ...record, sourceValues: ['{"name":"A"}'] })).toEqual({ bench: 'yes', access: 'yes' })
})

test('what is gone at OpenStreetMap is not added again', async () => {
  const registry = await filled()
  const { rows } = await compareWithOsm(registry, {
    file: fileWith(overpass([nodes[0], nodes[3]] as object[])),
  })
  expect(rows.filter(({ notProposed }) => notProposed === 'was-there').map(({ id }) => id)).toEqual([2, 3])
})

test('XML and extracts are compared like JSON, and other files are refused', async () => {
  const registry = await filled()
  const plain = [{ id: 4, lat: 47.4, lon: 8, tags: { amenity: 'drinking_water' } }]
  const xml = `<osm version="0.6"><node id="4" lat="47.4" lon="8" version="7"><tag k="amenity" v="drinking_water"/></node></osm>`
  for (const content of [xml, osmPbf({ nodes: plain, ways: [], relations: [] })]) {
    const { changes } = await compareWithOsm(registry, { file: fileWith(content) })
    expect(changes).toMatchObject([{ osm: 'node/4', set: { access: 'yes', opening_hours: '24/7' } }])
  }
  await expect(compareWithOsm(registry, { file: fileWith('id,lat,lon\n1,47,8\n') })).rejects.toMatchObject({
    code: 'UNKNOWN_FORMAT',
  })
})
