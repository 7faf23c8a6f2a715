/** @module-tag long */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openRegistry, type Registry } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import Database from 'better-sqlite3'
import { parse as parseCsv } from 'csv-parse/sync'
import fc from 'fast-check'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from '@openfountain/testing/folder'
import { PMTiles } from 'pmtiles'
import { expect, test } from 'vitest'
import { RandomHistory } from '@openfountain/testing/histories/random-history'
import { hostileRequests } from '@openfountain/testing/server/hostile'
import { openStage } from '@openfountain/testing/server/stage'
import { buildSite } from '../src/index.ts'
import { filesOf, pagesOf } from '@openfountain/testing/site/built-site'
import { freshFolder } from '@openfountain/testing/site/sample'
import { parseXml } from './xml.ts'

/** The bytes of a file, unpacked. */
async function contentOf(file: string): Promise<Buffer> {
  const bytes = await readFile(file)
  return file.endsWith('.gz') ? gunzipSync(bytes) : bytes
}

const textOf = async (file: string): Promise<string> =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await contentOf(file))

/** Tiles as a file on disk. */
async function tilesIn(file: string): Promise<PMTiles> {
  const bytes = await readFile(file)
  return new PMTiles({
    getKey: () => file,
    getBytes: (offset, length) =>
      Promise.resolve({ data: new Uint8Array(bytes.subarray(offset, offset + length)).buffer }),
  })
}

/** Readers by the ends of names; each throws for a file that is not what its name says. @returns the rows, if any */
const readers: readonly (readonly [end: RegExp, read: (file: string) => Promise<number | undefined>])[] = [
  [
    /\.geojson$/u,
    async (file) => (JSON.parse(await textOf(file)) as { features: unknown[] }).features.length,
  ],
  [/\.(?:json|jsonld|webmanifest)$/u, async (file) => void JSON.parse(await textOf(file))],
  [
    /\.ndjson(?:\.gz)?$/u,
    async (file) => {
      const lines = (await textOf(file)).split('\n').filter((line) => line !== '')
      for (const line of lines) JSON.parse(line)
      return lines.length
    },
  ],
  [/\.csv$/u, async (file) => (parseCsv(await textOf(file)) as unknown[]).length - 1],
  [/\.gpx$/u, async (file) => countOf(await textOf(file), 'wpt')],
  [/\.kml$/u, async (file) => countOf(await textOf(file), 'Placemark')],
  [/\.(?:atom|xml|svg)$/u, async (file) => void parseXml(await textOf(file))],
  [
    /\.(?:sqlite|gpkg)$/u,
    async (file) => {
      const database = new Database(file, { readonly: true })
      try {
        expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
        return database.prepare<[], unknown>('select * from waypoints').all().length
      } finally {
        database.close()
      }
    },
  ],
  [
    /\.parquet$/u,
    async (file) => (await parquetReadObjects({ compressors, file: await asyncBufferFromFile(file) })).length,
  ],
  [
    /\.pmtiles$/u,
    async (file) => {
      const tiles = await tilesIn(file)
      expect(await tiles.getMetadata()).toBeTypeOf('object')
      expect((await tiles.getZxy(0, 0, 0))?.data.byteLength).toBeGreaterThan(0)
      return undefined
    },
  ],
]

function countOf(xml: string, element: string): number {
  parseXml(xml)
  return xml.split(`<${element} `).length + xml.split(`<${element}>`).length - 2
}

/** A registry whose first half is of the first year that a registry accepts, and the rest of the last one. */
async function hostileRegistry(seed: number, steps: number): Promise<Registry> {
  let now = Date.parse('1970-01-01T00:00:00Z')
  let users = 0
  const registry = await openRegistry({
    database: ':memory:',
    clock: () => new Date((now += 1000)),
    ids: () => `u${++users}`,
  })
  const history = new RandomHistory(seed, { hostile: true })
  for (let step = 0; step < steps; step++) {
    if (step === steps / 2) now = Date.parse('9999-12-30T00:00:00Z')
    await history.step(registry)
  }
  return registry
}

/** Reads all files of a folder by their readers. @returns the rows of each file that has them */
async function rowsIn(folder: string): Promise<Map<string, number>> {
  const rows = new Map<string, number>()
  for (const file of await filesOf(folder)) {
    const [, read] = readers.find(([end]) => end.test(file)) ?? []
    const found = await read?.(join(folder, file)).catch((error: unknown) => {
      throw new Error(file, { cause: error })
    })
    if (found !== undefined) rows.set(file, found)
  }
  return rows
}

test.each([11, 12, 13, 14])(
  'seed %i: every file of an export of hostile values is what its name says, and complete',
  async (seed) => {
    const data = await freshFolder()
    const registry = await hostileRegistry(seed, 250)
    await exportRegistry(registry, { out: data })
    const { totalWaypoints } = await registry.statistics()
    expect(totalWaypoints).toBeGreaterThan(5)
    const rows = await rowsIn(data)
    const complete = [...rows].filter(([file]) => file.startsWith('waypoints.'))
    expect(complete.map(([file]) => file).toSorted()).toEqual([
      'waypoints.csv',
      'waypoints.geojson',
      'waypoints.gpkg',
      'waypoints.gpx',
      'waypoints.kml',
      'waypoints.ndjson.gz',
      'waypoints.parquet',
    ])
    expect(new Set(complete.map(([, count]) => count))).toEqual(new Set([totalWaypoints]))
    await registry.close()
  },
)

test('what hostile requests leave in a registry is exported, and every file is what its name says', async () => {
  const stage = await openStage()
  // Those of accounts leave nothing that is exported.
  const routes = Object.entries(stage.document.paths).flatMap(([route, operations]) =>
    Object.keys(operations)
      .filter((method) => method !== 'get' && !/^\/api\/(?:auth|user\/)/u.test(route))
      .map((method) => [method.toUpperCase(), route] as const),
  )
  let accepted = 0
  for (const { method, path, as, headers, body } of fc.sample(hostileRequests(routes), {
    seed: 16,
    numRuns: 4000,
  })) {
    const request = new Request(`http://fountains.test${path}`, {
      method,
      headers: { ...headers, ...stage.secrets[as] },
      ...(body === undefined ? {} : { body }),
    })
    const response = await stage.app.fetch(request)
    if (response.ok) accepted += 1
    await response.body?.cancel()
  }
  expect(accepted).toBeGreaterThan(50)
  const data = await freshFolder()
  await exportRegistry(stage.registry, { out: data })
  const { totalWaypoints } = await stage.registry.statistics()
  expect((await rowsIn(data)).get('waypoints.geojson')).toBe(totalWaypoints)
  await stage.close()
})

test('a site of hostile values is built, and has a page of every fountain', async () => {
  const folder = await freshFolder()
  const [data, out] = [join(folder, 'export'), join(folder, 'site')]
  const registry = await hostileRegistry(15, 300)
  await exportRegistry(registry, { out: data })
  await buildSite({ data, out, languages: ['en'], url: 'https://lindenau.example/' })
  await rowsIn(out)
  const pages = new Set((await pagesOf(out)).map(({ path }) => path))
  const waypoints = await registry.waypoints.list()
  expect(waypoints.length).toBeGreaterThan(5)
  expect(waypoints.filter(({ id }) => !pages.has(`/waypoint/${id}/`))).toEqual([])
  await registry.close()
})
