import path from 'node:path'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { tileIdToZxy, type PMTiles } from 'pmtiles'
import { expect, test } from 'vitest'
import { Chance } from '@openfountain/testing/chance'
import { newFolder } from '@openfountain/testing/folder'
import type { WaypointRecord } from '../../src/export/snapshot.ts'
import { writeArchive } from '../../src/export/tiles/archive.ts'
import { pmtiles } from '../../src/export/tiles/tiles.ts'
import {
  archiveIn,
  publisher,
  sampleEdition,
  sampleWaypoints,
  snapshotOf,
  waypoint,
  writtenEdition,
} from './sample-snapshot.ts'

const northernmost = Math.max(...sampleWaypoints.map(({ latitude }) => latitude))

const archiveOf = async (waypoints: readonly WaypointRecord[]): Promise<PMTiles> =>
  archiveIn(await writtenEdition({ snapshot: snapshotOf({ waypoints }) }, [pmtiles]))

async function featuresIn(archive: PMTiles, z: number, x: number, y: number) {
  if (Math.min(x, y) < 0 || Math.max(x, y) >= 2 ** z) return []
  const tile = await archive.getZxy(z, x, y)
  const layer = tile && new VectorTile(new PbfReader(tile.data)).layers['waypoints']
  return Array.from({ length: layer?.length ?? 0 }, (_, index) => layer?.feature(index))
}

const tileOf = ({ longitude, latitude }: { longitude: number; latitude: number }, zoom: number) => {
  const sine = Math.sin((latitude * Math.PI) / 180)
  const y = 0.5 - (0.25 * Math.log((1 + sine) / (1 - sine))) / Math.PI
  const side = 2 ** zoom
  const cell = (share: number) => Math.min(Math.max(Math.floor(share * side), 0), side - 1)
  return [cell(longitude / 360 + 0.5), cell(Math.min(Math.max(y, 0), 1))] as const
}

test('the reader of PMTiles finds header, bounds, attribution and licence', async () => {
  const archive = archiveIn(await sampleEdition())
  expect(await archive.getHeader()).toMatchObject({
    specVersion: 3,
    clustered: true,
    tileType: 1,
    tileCompression: 2,
    minZoom: 0,
    maxZoom: 12,
    minLon: -180,
    maxLon: 180,
    minLat: -90,
    maxLat: northernmost,
  })
  expect(await archive.getMetadata()).toMatchObject({
    attribution:
      'Friends of Lund, <a href="https://opendatacommons.org/licenses/odbl/1-0/">ODbL-1.0</a>; ' +
      '<a href="https://example.org/lund">Lunds kommun</a>, ' +
      '<a href="https://creativecommons.org/publicdomain/zero/1.0/">CC0-1.0</a>',
    license: publisher.license,
    vector_layers: [{ id: 'waypoints', maxzoom: 12 }],
  })
})

test('at the deepest zoom every waypoint is a point of its own with its properties, and no name that was made', async () => {
  const archive = archiveIn(await sampleEdition())
  for (const record of sampleWaypoints) {
    const found = await featuresIn(archive, 12, ...tileOf(record, 12))
    const own = found.find((feature) => feature?.id === record.id)
    const { id, verified } = record
    const name = id === 5 ? undefined : record.name
    expect(own).toBeDefined()
    expect({ name: undefined, ...own?.properties }).toMatchObject({ id, name, verified })
  }
  const [first] = sampleWaypoints
  const found = await featuresIn(archive, 12, ...tileOf(first ?? { longitude: 0, latitude: 0 }, 12))
  expect(found.find((feature) => feature?.id === 1)?.properties).toMatchObject({
    kind: 'bottle-filler',
    amenities: String.raw`bottle-filler;wheelchair;odd;one\here`,
    region: 'Lund',
    rating: 4,
    state: 'off',
  })
})

test('at every zoom the points of all clusters and the single ones add up', async () => {
  const waypoints = Array.from({ length: 800 }, (_, index) =>
    waypoint(index + 1, {
      latitude: 48.8 + ((index * 7919) % 1000) / 5000,
      longitude: 2.2 + ((index * 104_729) % 1000) / 3000,
    }),
  )
  const archive = await archiveOf(waypoints)
  for (const zoom of [0, 5, 9, 11, 12]) {
    const [xs, ys] = ([0, 1] as const).map((axis) => waypoints.map((record) => tileOf(record, zoom)[axis]))
    // A cluster's centre may be in a tile next to those of its points.
    const range = (all: readonly number[] = []) =>
      Array.from(
        { length: Math.max(...all) - Math.min(...all) + 3 },
        (_, index) => Math.min(...all) - 1 + index,
      )
    let total = 0
    for (const x of range(xs))
      for (const y of range(ys))
        for (const feature of await featuresIn(archive, zoom, x, y))
          total += feature?.properties['cluster'] ? Number(feature.properties['point_count']) : 1
    expect({ zoom, total }).toEqual({ zoom, total: waypoints.length })
  }
  expect(await featuresIn(archive, 0, 0, 0)).toHaveLength(1)
})

test('clusters say how many of theirs are usable where some are not, and single waypoints why', async () => {
  const near = Array.from({ length: 6 }, (_, index) =>
    waypoint(index + 1, {
      latitude: 48.8 + index / 10_000,
      longitude: 2.2,
      ...[{ access: 'private' as const }, { drinkable: 'no' as const }, { state: 'broken' as const }][index],
    }),
  )
  const far = [7, 8].map((id) => waypoint(id, { latitude: -20, longitude: 140 + id / 10_000 }))
  const archive = await archiveOf([...near, ...far])
  const clusters = (await featuresIn(archive, 0, 0, 0)).map((feature) => feature?.properties)
  expect(clusters).toHaveLength(2)
  expect(clusters).toContainEqual({ cluster: true, point_count: 6, usable_count: 3 })
  expect(clusters).toContainEqual({ cluster: true, point_count: 2 })
  const single = await featuresIn(archive, 12, ...tileOf({ longitude: 2.2, latitude: 48.8 }, 12))
  expect(single.find((feature) => feature?.id === 1)?.properties).toMatchObject({ access: 'private' })
})

test('a registry without waypoints gives an archive that opens', async () => {
  const archive = await archiveOf([])
  expect(await archive.getHeader()).toMatchObject({ numAddressedTiles: 0 })
  expect(await archive.getZxy(0, 0, 0)).toBeUndefined()
})

test(
  'the reader of PMTiles finds every tile of an archive whose directory has leaves',
  { tags: ['long'] },
  async () => {
    const folder = newFolder()
    const chance = new Chance(7)
    const tiles = new Map<number, Buffer>()
    // Zoom 8 begins at tile 21,845. Irregular gaps and lengths make a directory that does not fit the root.
    for (let tileId = 21_845, count = 0; count < 14_000; count += 1, tileId += 1 + chance.below(5)) {
      const tile = Buffer.from(chance.bytes(1 + chance.below(200)))
      tiles.set(tileId, tile)
    }
    const bounds: [number, number, number, number] = [-180, -85, 180, 85]
    const written = Array.from(tiles, ([id, bytes]) => ({ id, bytes, mayRepeat: false }))
    await writeArchive(path.join(folder, 'waypoints.pmtiles'), written, {
      minZoom: 8,
      maxZoom: 8,
      bounds,
      metadata: {},
    })
    const archive = archiveIn(folder)
    const header = await archive.getHeader()
    expect(header.leafDirectoryLength).toBeGreaterThan(0)
    expect(header.numAddressedTiles).toBe(tiles.size)
    for (const [tileId, tile] of tiles) {
      const found = await archive.getZxy(...tileIdToZxy(tileId))
      if (found === undefined || !tile.equals(new Uint8Array(found.data)))
        throw new Error(`tile ${tileId} is not what was written`)
    }
    expect(await archive.getZxy(...tileIdToZxy(21_844 + 4 ** 8))).toBe(undefined)
  },
)
