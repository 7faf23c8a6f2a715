import { token, type Registry } from '@openfountain/core'
import { editionOf, formats, type TextFormat } from '@openfountain/exchange'
import { createApp, type AppOptions } from '@openfountain/server'
import { expect, onTestFinished, test } from 'vitest'
import { emptyRegistry } from '@openfountain/testing/registry'
import { waypointFormats } from '../src/waypoint-formats.ts'

interface Collection {
  readonly attribution: string
  readonly features: readonly { readonly id: number; readonly properties: object }[]
}

async function filled(): Promise<Registry> {
  const registry = await emptyRegistry({ license: 'ODbL-1.0', author: 'City of Lund' })
  for (const [index, name] of ['=SUM(1;2)', 'Källa <b>\t\n', 'Spring, "old"'].entries()) {
    const place = { name, latitude: index + 1, longitude: 10, region: 'Lund', amenities: ['tap'] }
    await registry.waypoints.create(place, token())
  }
  const run = await registry.imports.start({ source: { name: 'OpenStreetMap', license: 'ODbL-1.0' } })
  const input = { name: 'Theirs', latitude: 4, longitude: 10, region: 'Malmö' }
  await run.apply([{ row: 1, ref: 'node/1', input, state: 'off' }])
  await run.finish({ counts: {}, missing: 'keep' })
  return registry
}

function asking(registry: Registry, options: AppOptions = { formats: waypointFormats }) {
  const app = createApp(registry, options)
  return async (accept: string, query = '') => {
    const url = `http://fountains.test/api/waypoints${query}`
    const response = await app.fetch(new Request(url, { headers: { accept } }))
    expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, accept])
    return response.text()
  }
}

test('the API returns CSV with the columns of the exports, inert in spreadsheets, and GeoJSON and GPX of the same records', async () => {
  const ask = asking(await filled())
  const [header, first, , third] = (await ask('text/csv')).split('\r\n')
  expect(header).toMatch(/^id,name,latitude,longitude,/)
  expect(first).toMatch(/^1,'=SUM\(1;2\),1,10,/)
  expect(third).toMatch(/^3,"Spring, ""old""",3,10,/)
  const { features } = JSON.parse(await ask('application/geo+json')) as Collection
  expect(features[0]?.properties).toMatchObject({
    added_by: 'api',
    license: 'ODbL-1.0',
    derived_tags: { man_made: 'water_tap' },
  })
  expect(await ask('application/gpx+xml')).toContain('<name>Källa &lt;b&gt;')
})

test('GeoJSON is the same embedded as served, and as exported', async () => {
  const registry = await filled()
  const [embedded, served] = [asking(registry, {}), asking(registry)]
  for (const query of ['', '?near=2,2'])
    expect(await embedded('application/geo+json', query)).toBe(await served('application/geo+json', query))
  const snapshot = await registry.snapshot()
  onTestFinished(() => snapshot.close())
  const { name, author, license } = registry
  const edition = editionOf({ snapshot, publisher: { name, author, license } })
  const format = formats.find((one) => one.name === 'geojson')
  if (format === undefined || !('text' in format)) throw new Error('the export has no GeoJSON')
  const { text } = format as TextFormat
  expect(await embedded('application/geo+json')).toBe([...text(edition, { rows: 0 })].join(''))
})
