import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { PMTiles, type Source } from 'pmtiles'
import { expect, test } from 'vitest'
import { pmtiles } from '../../src/export/tiles/tiles.ts'
import { publisher, sampleWaypoints, snapshotOf, waypoint } from './sample-snapshot.ts'
import { writtenEdition } from './written-edition.ts'

const northernmost = Math.max(...sampleWaypoints.map(({ latitude }) => latitude))

/** Reads an archive from memory as a browser reads it by ranges. */
function archiveIn(folder: string): PMTiles {
  const bytes = readFileSync(join(folder, 'waypoints.pmtiles'))
  const source: Source = {
    getKey: () => folder,
    getBytes: async (offset, length) => ({
      data: new Uint8Array(bytes.subarray(offset, offset + length)).buffer,
    }),
  }
  return new PMTiles(source)
}

async function featuresIn(archive: PMTiles, z: number, x: number, y: number) {
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
  const archive = archiveIn(await writtenEdition({}, [pmtiles]))
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
  const archive = archiveIn(await writtenEdition({}, [pmtiles]))
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

test('a name that was made for a nameless waypoint is no label of maps', async () => {
  const waypoints = [
    'Drinking fountain at 55.7029, 13.1929',
    'Tap, Stora Södergatan 5',
    'Tap of the twins',
  ].map((name, index) => waypoint(index + 1, { name }))
  const archive = archiveIn(await writtenEdition({ snapshot: snapshotOf({ waypoints }) }, [pmtiles]))
  const [first = { longitude: 0, latitude: 0 }] = waypoints
  const found = await featuresIn(archive, 12, ...tileOf(first, 12))
  expect(found.map((feature) => feature?.properties['name'])).toEqual([
    undefined,
    undefined,
    'Tap of the twins',
  ])
})

test('at every zoom the points of all clusters and the single ones add up', async () => {
  const waypoints = Array.from({ length: 2000 }, (_, index) =>
    waypoint(index + 1, {
      latitude: 48.8 + ((index * 7919) % 1000) / 5000,
      longitude: 2.2 + ((index * 104_729) % 1000) / 3000,
    }),
  )
  const archive = archiveIn(await writtenEdition({ snapshot: snapshotOf({ waypoints }) }, [pmtiles]))
  for (const zoom of [0, 5, 9, 11, 12]) {
    const tiles = new Set(waypoints.map((record) => tileOf(record, zoom).join('/')))
    let total = 0
    for (const tile of neighbours(tiles, zoom)) {
      const [x = 0, y = 0] = tile.split('/').map(Number)
      for (const feature of await featuresIn(archive, zoom, x, y)) {
        total += feature?.properties['cluster'] ? Number(feature.properties['point_count']) : 1
      }
    }
    expect({ zoom, total }).toEqual({ zoom, total: waypoints.length })
  }
  expect(await featuresIn(archive, 0, 0, 0)).toHaveLength(1)
})

/** A cluster's middle may be in a tile next to those of its points. */
function neighbours(tiles: ReadonlySet<string>, zoom: number): Set<string> {
  const side = 2 ** zoom
  const all = new Set<string>()
  for (const tile of tiles) {
    const [x = 0, y = 0] = tile.split('/').map(Number)
    for (const across of [-1, 0, 1]) {
      for (const down of [-1, 0, 1]) {
        const inside = x + across >= 0 && x + across < side && y + down >= 0 && y + down < side
        if (inside) all.add(`${x + across}/${y + down}`)
      }
    }
  }
  return all
}

test('tiles of equal content are stored once', async () => {
  // Pairs so close that they are clusters at all zooms but the deepest, in the same place of their tiles.
  const waypoints = Array.from({ length: 8 }, (_, index) => {
    const longitude = -180 + (360 / 8) * Math.floor(index / 2) * 2 + 0.01
    return waypoint(index + 1, { latitude: 0.01, longitude: longitude + (index % 2) * 1e-9 })
  })
  const archive = archiveIn(await writtenEdition({ snapshot: snapshotOf({ waypoints }) }, [pmtiles]))
  const { numAddressedTiles, numTileContents } = await archive.getHeader()
  expect(numTileContents).toBeLessThan(numAddressedTiles)
})

test('a registry without waypoints gives an archive that opens', async () => {
  const archive = archiveIn(await writtenEdition({ snapshot: snapshotOf({ waypoints: [] }) }, [pmtiles]))
  expect(await archive.getHeader()).toMatchObject({ numAddressedTiles: 0 })
  expect(await archive.getZxy(0, 0, 0)).toBeUndefined()
})
