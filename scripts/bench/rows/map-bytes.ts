import { open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { openRegistry } from '@openfountain/core'
import { editionOf, formats } from '@openfountain/exchange'
import { PMTiles, type RangeResponse, type Source } from 'pmtiles'
import { figures } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

/** The tiles that a phone shows first: the whole world at zoom 1. */
const firstTiles = [
  [1, 0, 0],
  [1, 1, 0],
  [1, 0, 1],
  [1, 1, 1],
] as const

/** A web host that serves ranges, and counts the bytes that are sent. */
class CountingSource implements Source {
  readonly #file: FileHandle
  bytes = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  getKey(): string {
    return 'tiles'
  }

  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    const data = new Uint8Array(length)
    const { bytesRead } = await this.#file.read(data, 0, length, offset)
    this.bytes += bytesRead
    return { data: data.slice(0, bytesRead).buffer }
  }
}

async function measure({ size, file, folder }: Bench): Promise<Reading[]> {
  const registry = await openRegistry({ database: await file(size) })
  const snapshot = await registry.snapshot()
  try {
    const { name, author, license } = registry
    const edition = editionOf({ snapshot, publisher: { name, author, license } })
    const tiles = path.join(folder, 'waypoints.pmtiles')
    const format = formats.find((each) => each.name === 'pmtiles')
    if (format === undefined) throw new Error('format not found: pmtiles')
    await format.write(tiles, edition, { rows: 0 })
    const features = [...snapshot.records()].map(
      ({ id, name, latitude, longitude }) =>
        `{"type":"Feature","id":${id},"geometry":{"type":"Point","coordinates":[${longitude.toFixed(5)},${latitude.toFixed(5)}]},"properties":{"name":${JSON.stringify(name)}}}`,
    )
    const slim = gzipSync(`{"type":"FeatureCollection","features":[${features.join(',')}]}`).length
    const handle = await open(tiles)
    const source = new CountingSource(handle)
    const archive = new PMTiles(source)
    for (const [zoom, x, y] of firstTiles) await archive.getZxy(zoom, x, y)
    await handle.close()
    const ratio = source.bytes / slim
    return [
      {
        id: 'map, bytes to first paint',
        title: 'map, bytes to first paint',
        against: 'slim GeoJSON, gzipped',
        goal: { atMost: 1 / 200, unit: 'ratio' },
        value: { median: ratio, low: ratio, high: ratio },
        subject: `${figures(source.bytes / 1000)} kB`,
        yardstick: `${figures(slim / 1000)} kB`,
      },
    ]
  } finally {
    snapshot.close()
    await registry.close()
  }
}

/** What a phone loads of the fountains before the map is drawn: the archive's directory and the first tiles. */
export const mapBytes: Row = { name: 'map', measure }
