import { openRegistry, token } from '@openfountain/core'
import { editionOf, formats, type TextFormat } from '@openfountain/exchange'
import { createApp } from '@openfountain/server'
import { expect, onTestFinished, test } from 'vitest'
import { waypointFormats } from '../src/waypoint-formats.ts'

async function served() {
  const registry = await openRegistry({ database: ':memory:', license: 'CC0-1.0', author: 'City of Lund' })
  onTestFinished(() => registry.close())
  for (const [name, latitude] of [
    ['=SUM(1;2)', 1],
    ['Källa <b>', 2],
    ['Spring, "old"', 3],
  ] as const)
    await registry.waypoints.create(
      { name, latitude, longitude: 10, region: 'Lund', amenities: ['tap'] },
      token(),
    )
  const app = createApp(registry, { formats: waypointFormats })
  return async (accept: string, query = '') => {
    const response = await app.fetch(
      new Request(`http://fountains.test/api/waypoints${query}`, { headers: { accept } }),
    )
    expect(response.status).toBe(200)
    return {
      type: response.headers.get('content-type'),
      link: response.headers.get('link'),
      text: await response.text(),
    }
  }
}

test('the API returns CSV with the columns of the exports, inert in spreadsheets', async () => {
  const ask = await served()
  const { type, link, text } = await ask('text/csv')
  expect(type).toBe('text/csv')
  expect(link).toContain('CC0-1.0')
  const [header, first, , third, ...rest] = text.split('\r\n')
  expect(header).toMatch(/^id,name,latitude,longitude,/)
  expect(first).toMatch(/^1,'=SUM\(1;2\),1,10,/)
  expect(third).toMatch(/^3,"Spring, ""old""",3,10,/)
  expect(rest).toEqual([''])
})

test('the API returns GeoJSON and GPX of the same records', async () => {
  const ask = await served()
  const { features } = JSON.parse((await ask('application/geo+json')).text) as {
    features: { id: number; properties: object }[]
  }
  expect(features.map(({ id }) => id)).toEqual([1, 2, 3])
  expect(features[0]?.properties).toMatchObject({
    added_by: 'api',
    license: 'CC0-1.0',
    derived_tags: { man_made: 'water_tap' },
  })
  const gpx = (await ask('application/gpx+xml')).text
  expect(gpx).toContain('<name>Källa &lt;b&gt;</name>')
  expect(gpx.match(/<wpt /g)).toHaveLength(3)
})

test('what narrows the list narrows every format', async () => {
  const ask = await served()
  const ids = async (query: string) => {
    const { text } = await ask('application/geo+json', query)
    return (JSON.parse(text) as { features: { id: number }[] }).features.map(({ id }) => id)
  }
  expect(await ids('?bbox=9,1.5,11,5')).toEqual([2, 3])
  expect(await ids('?near=3,10&limit=2')).toEqual([3, 2])
  expect(await ids('?region=nowhere')).toEqual([])
  expect(await ids('?after=2')).toEqual([3])
})

test('every format has the order of the JSON response: by id, or nearest first', async () => {
  const ask = await served()
  const column = (text: string) =>
    text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => Number(line.split(',', 1)[0]))
  for (const query of ['', '?near=2.1,10', '?near=90,10', '?near=2.1,10&radius=120000', '?bbox=9,0,11,5']) {
    const { waypoints } = JSON.parse((await ask('application/json', query)).text) as {
      waypoints: { id: number; name: string }[]
    }
    const ids = waypoints.map(({ id }) => id)
    expect(column((await ask('text/csv', query)).text), query).toEqual(ids)
    const { features } = JSON.parse((await ask('application/geo+json', query)).text) as {
      features: { id: number }[]
    }
    expect(
      features.map(({ id }) => id),
      query,
    ).toEqual(ids)
    const gpx = (await ask('application/gpx+xml', query)).text
    const latitudes = [...gpx.matchAll(/<wpt lat="(\d)"/g)].map(([, latitude]) => Number(latitude))
    // A fountain's latitude is its id.
    expect(latitudes, query).toEqual(ids)
  }
})

test('GeoJSON and GPX name those whose waypoints they hold', async () => {
  const registry = await openRegistry({ database: ':memory:', license: 'ODbL-1.0', author: 'City of Lund' })
  onTestFinished(() => registry.close())
  await registry.waypoints.create({ name: 'Own', latitude: 1, longitude: 1, region: 'Lund' }, token())
  const run = await registry.imports.start({ source: { name: 'OpenStreetMap', license: 'ODbL-1.0' } })
  await run.apply([
    { row: 1, ref: 'node/1', input: { name: 'Theirs', latitude: 2, longitude: 2, region: 'Malmö' } },
  ])
  await run.finish({ counts: {}, missing: 'keep' })
  const app = createApp(registry, { formats: waypointFormats })
  const ask = async (accept: string, query: string) => {
    const response = await app.fetch(
      new Request(`http://fountains.test/api/waypoints${query}`, { headers: { accept } }),
    )
    return response.text()
  }
  const credit = async (query: string) =>
    (JSON.parse(await ask('application/geo+json', query)) as { attribution: string }).attribution
  expect(await credit('')).toBe('City of Lund, © OpenStreetMap contributors, ODbL-1.0')
  expect(await credit('?region=Malm%C3%B6')).toBe('© OpenStreetMap contributors, ODbL-1.0')
  expect(await credit('?near=1,1&limit=1')).toBe('City of Lund, ODbL-1.0')
  expect(await ask('application/gpx+xml', '?region=Malm%C3%B6')).toContain(
    '<copyright author="© OpenStreetMap contributors, ODbL-1.0">',
  )
})

test('GeoJSON is the same embedded as served, and as exported', async () => {
  const registry = await openRegistry({ database: ':memory:', license: 'ODbL-1.0', author: 'City of Lund' })
  onTestFinished(() => registry.close())
  await registry.waypoints.create(
    { name: 'Own "1"\t\n', latitude: 1, longitude: 1, region: 'Lund', amenities: ['tap'] },
    token(),
  )
  const run = await registry.imports.start({ source: { name: 'City of Malmö', license: 'CC0-1.0' } })
  await run.apply([
    { row: 1, ref: 'a/1', input: { name: 'Theirs', latitude: 2, longitude: 2 }, state: 'off' },
  ])
  await run.finish({ counts: {}, missing: 'keep' })
  const ask = async (app: ReturnType<typeof createApp>, query: string) => {
    const headers = { accept: 'application/geo+json' }
    return (await app.fetch(new Request(`http://fountains.test/api/waypoints${query}`, { headers }))).text()
  }
  const [embedded, served] = [createApp(registry), createApp(registry, { formats: waypointFormats })]
  for (const query of ['', '?near=2,2', '?bbox=0,0,9,9', '?region=Lund'])
    expect(await ask(embedded, query), query).toBe(await ask(served, query))

  const snapshot = await registry.snapshot()
  onTestFinished(() => snapshot.close())
  const { name, author, license } = registry
  const edition = editionOf({ snapshot, publisher: { name, author, license } })
  const format = formats.find((one) => one.name === 'geojson')
  if (format === undefined || !('text' in format)) throw new Error('the export has no GeoJSON')
  const { text } = format as TextFormat
  expect(await ask(embedded, '')).toBe([...text(edition, { rows: 0 })].join(''))
  const { features } = JSON.parse(await ask(embedded, '?near=2,2')) as {
    features: { id: number; properties: object }[]
  }
  expect(features.map(({ id }) => id)).toEqual([2, 1])
  expect(features[0]?.properties).toMatchObject({
    state: 'off',
    sources: ['City of Malmö'],
    source_refs: ['a/1'],
    license: 'CC0-1.0',
    attribution: 'City of Malmö',
  })
})
