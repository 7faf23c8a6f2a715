/** @module-tag long */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openRegistry, token, type Registry } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { beforeEach, expect, it } from 'vitest'
import { openExportFolder } from '../src/data/folder.ts'
import { loadRegistry } from '../src/data/registry.ts'
import { buildSite } from '../src/index.ts'
import { jsonIn, textIn, newFolder } from '@openfountain/testing/folder'
import { filesOf, pageAt, pagesOf, tagged, textOf } from '@openfountain/testing/site/built-site'

let registry: Registry
let data: string

async function imported(source: string, license: string, names: string[], into: (number | undefined)[] = []) {
  const run = await registry.imports.start({ source: { name: source, license } })
  const rows = names.map((name, index) => {
    const input = { name, latitude: 48 + index / 100, longitude: 16 }
    const merge = into[index] !== undefined && { mergeInto: into[index] }
    return { row: index + 1, ref: `${source}-${index}`, input, ...merge }
  })
  await run.apply(rows)
  await run.finish({ counts: {}, missing: 'keep' })
}

beforeEach(async () => {
  let minutes = 0
  const clock = () => new Date(Date.UTC(2026, 5, 1) + ++minutes * 60_000)
  registry = await openRegistry({ database: ':memory:', clock, name: 'Two cities', author: 'Friends' })
  data = join(newFolder(), 'exports')
  return () => registry.close()
})

async function twoCities(): Promise<void> {
  await imported('Stadt Wien', 'CC-BY-4.0', ['Prater', 'Ring'])
  await registry.waypoints.create({ name: 'Own', latitude: 47, longitude: 8 }, token())
  await imported('Zürich', 'CC0-1.0', ['Bellevue', 'Prater'], [undefined, 1])
  const corners = [13, 14, 14.5].map((longitude, at) => [longitude, 55 + at * at])
  const coordinates = [[...corners, [13, 55]]]
  await registry.areas.create({ name: 'Centre', coordinates }, token())
  for (const bubblerId of [1, 3]) await registry.observations.create({ bubblerId, kind: 'works' }, token())
  await exportRegistry(registry, { out: data, splitByLicense: true })
}

const licences = ['CC-BY-4.0', 'CC0-1.0', 'ODbL-1.0']

it('an export that is split by licence is read as one registry, and becomes a site that shows all fountains and offers the files by licence', async () => {
  await twoCities()
  const folder = await openExportFolder(data)
  const parts = folder.parts.map(({ folder: name, waypoints }) => [name, waypoints])
  expect(parts).toEqual(licences.map((name, at) => [name, at === 0 ? 2 : 1]))
  const loaded = await loadRegistry(folder, { limit: 10 })
  expect([loaded.survey.waypoints, loaded.areas.length]).toEqual([4, 1])
  expect(loaded.waypoints.map(({ name, license }) => [name, license]).toSorted()).toEqual([
    ['Bellevue', 'CC0-1.0'],
    ['Own', 'ODbL-1.0'],
    ['Prater', 'CC-BY-4.0 AND CC0-1.0'],
    ['Ring', 'CC-BY-4.0'],
  ])
  const sources = loaded.sources.map(({ name, waypoints }) => `${name} ${waypoints}`)
  expect(sources).toEqual(['Stadt Wien 2', 'Zürich 2'])

  const out = join(newFolder(), 'site')
  const report = await buildSite({ data, out, languages: ['en', 'fr'] })
  expect(report).toMatchObject({ waypoints: 4, waypointPages: 4 })
  const pages = await pagesOf(out)
  const page = (path: string) => pageAt(pages, path)
  const headings = tagged(page('/data/'), 'h2').map((one) => textOf(one).trim())
  expect(headings.slice(0, 4)).toEqual([...licences.map((name) => `Licence: ${name}`), 'About all files'])
  expect(page('/fr/data/').html).toContain('Les fichiers sont séparés par licence')
  expect(page('/data/').html).toContain('href="/data/CC-BY-4.0/waypoints.csv"')
  expect(tagged(page('/about/'), 'blockquote').map(textOf).join()).toContain(licences.join(', '))
  expect(page('/').html).toContain('"tiles":false')
  const files = await filesOf(out)
  const expected = ['CC-BY-4.0/ATTRIBUTION.md', 'CC0-1.0/waypoints.pmtiles', 'SHA256SUMS', 'areas.geojson']
  expect(files).toEqual(expect.arrayContaining(expected.map((name) => `data/${name}`)))
  expect(files).not.toContain('data/waypoints.pmtiles')
  const ofParts = licences.map((name) => jsonIn(join(data, name), 'status.json'))
  expect(jsonIn(out, 'data/status.json')).toEqual({
    ...ofParts[0],
    license: licences.join(' AND '),
    attribution: expect.stringMatching(/^Stadt Wien, .*; Zürich, .*Friends/u) as string,
    states: { 1: expect.anything() as unknown, 3: expect.anything() as unknown },
  })
})

it('the map has the tiles of the only part that has fountains', async () => {
  await imported('Stadt Wien', 'CC-BY-4.0', ['Prater'])
  await exportRegistry(registry, { out: data, splitByLicense: true })
  const out = join(newFolder(), 'site')
  await buildSite({ data, out, languages: ['en'] })
  expect(textIn(out, 'data/waypoints.pmtiles')).toBe(textIn(data, 'CC-BY-4.0/waypoints.pmtiles'))
  expect(textIn(out, 'index.html')).toContain('"tiles":true')
})

it('a split export is refused when a file of a part is missing, and when a part would lie outside', async () => {
  await twoCities()
  await rm(join(data, 'CC0-1.0/waypoints.ndjson.gz'))
  await expect(openExportFolder(data)).rejects.toThrow('incomplete: CC0-1.0/waypoints.ndjson.gz is missing')
  const described = textIn(data, 'datapackage.json')
  const outside = described.replace('"folder": "CC0-1.0"', '"folder": "../CC0-1.0"')
  await writeFile(join(data, 'datapackage.json'), outside)
  await expect(openExportFolder(data)).rejects.toThrow(/openfountain\.parts\.1\.folder/u)
})

it('an export under another licence than the registry’s is shown under its own', async () => {
  await imported('Stadt Wien', 'CC-BY-4.0', ['Prater'])
  await exportRegistry(registry, { out: data, license: 'CC-BY-4.0' })
  const folder = await openExportFolder(data)
  expect(folder).toMatchObject({ licenses: ['CC-BY-4.0'], registry: { license: 'ODbL-1.0' } })
})
