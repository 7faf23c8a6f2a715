/** @module-tag long */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Registry } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { parse as parseCsv } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { counted, seed } from '@openfountain/testing/effort'
import { newFolder, textIn } from '@openfountain/testing/folder'
import { RandomHistory } from '@openfountain/testing/histories/random-history'
import { hostileRequests } from '@openfountain/testing/server/hostile'
import { serving } from '@openfountain/testing/server/stage'
import { buildSite } from '../src/index.ts'
import { filesOf, pagesOf } from '@openfountain/testing/site/built-site'
import { parseXml } from './xml.ts'
import { emptyRegistry } from '@openfountain/testing/registry'

function exactText(folder: string, name: string): string {
  const bytes = readFileSync(join(folder, name))
  const plain = name.endsWith('.gz') ? gunzipSync(bytes) : bytes
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain)
}

function countOf(xml: string, element: string): number {
  parseXml(xml)
  return xml.split(`<${element} `).length + xml.split(`<${element}>`).length - 2
}

/** Readers by file name; each throws for a text that is not of its file type. @returns the number of rows, if any */
const readers: readonly (readonly [end: RegExp, read: (text: string) => number | undefined])[] = [
  [/\.geojson$/u, (text) => (JSON.parse(text) as { features: unknown[] }).features.length],
  [/\.(?:json|jsonld|webmanifest)$/u, (text) => void JSON.parse(text)],
  [/\.ndjson(?:\.gz)?$/u, (text) => text.match(/[^\n]+/gu)?.filter((line) => JSON.parse(line)).length ?? 0],
  [/\.csv$/u, (text) => (parseCsv(text) as unknown[]).length - 1],
  [/\.gpx$/u, (text) => countOf(text, 'wpt')],
  [/\.kml$/u, (text) => countOf(text, 'Placemark')],
  [/\.(?:atom|xml|svg)$/u, (text) => void parseXml(text)],
]

async function rowsIn(folder: string): Promise<Map<string, number>> {
  const rows = new Map<string, number>()
  for (const name of await filesOf(folder)) {
    const [, read] = readers.find(([end]) => end.test(name)) ?? []
    if (read) rows.set(name, read(exactText(folder, name)) ?? Number.NaN)
  }
  return rows
}

type Written = { readonly registry: Registry; readonly erased: readonly string[] }

const random =
  (hostile: boolean) =>
  async (ofSeed: number): Promise<Written> => {
    let now = Date.parse(hostile ? '1970-01-01T00:00:00Z' : '2026-01-05T08:00:00Z')
    const registry = await emptyRegistry({ clock: () => new Date((now += 1000)) })
    const history = new RandomHistory(ofSeed, { hostile })
    const isErased = () => hostile || history.erased.size > 0
    for (let step = 0; step < 200 || !isErased(); step += 1) {
      if (hostile && step === 100) now = Date.parse('9999-12-30T00:00:00Z')
      await history.step(registry)
    }
    return { registry, erased: hostile ? [] : [...history.erased] }
  }

/** A registry after hostile requests. Requests about accounts change nothing in the export. */
async function requested(ofSeed: number): Promise<Written> {
  const stage = await serving()
  const routes = Object.entries(stage.document.paths).flatMap(([route, operations]) =>
    Object.keys(operations)
      .filter((method) => method !== 'get' && !/^\/api\/(?:auth|user\/)/u.test(route))
      .map((method) => [method.toUpperCase(), route] as const),
  )
  const numRuns = counted({ quick: 1000, all: 4000, full: 20_000 })
  let accepted = 0
  for (const given of fc.sample(hostileRequests(routes), { seed: ofSeed, numRuns })) {
    const { method, path, body } = given
    const headers = { ...given.headers, ...stage.secrets[given.as] }
    const request = { method, headers, body }
    const response = await stage.app.fetch(new Request(`http://fountains.test${path}`, request))
    if (response.ok) accepted += 1
    await response.body?.cancel()
  }
  expect(accepted).toBeGreaterThan(numRuns / 80)
  return { registry: stage.registry, erased: [] }
}

const seeds = Array.from({ length: counted({ quick: 1, all: 3, full: 10 }) }, (_, index) => seed + index)

const writers = { writes: random(false), 'hostile writes': random(true), 'hostile requests': requested }
const cases = Object.entries(writers).flatMap((writer) => seeds.map((ofSeed) => [...writer, ofSeed] as const))

test.each(cases)(
  'after random histories of %s every file of an export and of its site is what its name says, and complete, without what was erased',
  async (_what, write, ofSeed) => {
    const folder = newFolder()
    const [data, out] = [join(folder, 'export'), join(folder, 'site')]
    const { registry, erased } = await write(ofSeed)
    await exportRegistry(registry, { out: data })
    const waypoints = await registry.waypoints.list()
    const { totalWaypoints } = await registry.statistics()
    if (write !== requested) expect(totalWaypoints).toBeGreaterThanOrEqual(3)
    const rows = await rowsIn(data)
    for (const format of ['csv', 'geojson', 'gpx', 'kml', 'ndjson.gz'])
      expect(rows.get(`waypoints.${format}`), format).toBe(totalWaypoints)
    expect(rows.get('changes.ndjson.gz')).toBe((await registry.changes.head()).id)

    await buildSite({ data, out, languages: ['en'], url: 'https://lindenau.example/' })
    await rowsIn(out)
    const pages = new Set((await pagesOf(out)).map(({ path }) => path))
    expect(waypoints.filter(({ id }) => !pages.has(`/waypoint/${id}/`))).toEqual([])
    for (const root of [data, out])
      for (const file of await filesOf(root)) {
        const content = textIn(root, file)
        for (const text of erased)
          expect(content.includes(JSON.stringify(text).slice(1, -1)), `${file} has ${text}`).toBe(false)
      }
  },
)
