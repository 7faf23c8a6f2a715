import { expect, test } from 'vitest'
import { conformance } from '../src/endpoints/ogc.ts'
import { stageOfFile } from '@openfountain/testing/server/stage'

/** The requirements of OGC API Features parts 1 and 2, by the identifiers that the official suite names. */

const crs84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'
const epsg = 'http://www.opengis.net/def/crs/EPSG/0'
const items = '/ogc/collections/waypoints/items'

interface Link {
  readonly href: string
  readonly rel: string
  readonly type?: string
}
interface Feature {
  readonly id: number
  readonly type: string
  readonly geometry: { readonly type: string; readonly coordinates: readonly [number, number] }
  readonly properties: Readonly<Record<string, unknown>>
}
interface Page {
  readonly features: readonly Feature[]
  readonly links: readonly Link[]
  readonly numberMatched?: number
  readonly numberReturned: number
  readonly timeStamp: string
}
interface Parameter {
  readonly name: string
}

const stage = await stageOfFile()
for (let place = 0; place < 5; place++)
  await stage.made({ name: `Spring "latitude":${place},"`, longitude: 10 + place, openingHours: '24/7' })
await stage.made({ name: 'Fiji', latitude: -17, longitude: 179.5 })

const bodyOf = async (path: string): Promise<Record<string, unknown>> => {
  const { status, body } = await stage.get(path)
  expect(status, path).toBe(200)
  return body
}
const pageOf = async (query = ''): Promise<Page> => (await bodyOf(`${items}${query}`)) as unknown as Page
const linksOf = async (path: string) => (await bodyOf(path))['links'] as readonly Link[]
const relsOf = async (path: string) => (await linksOf(path)).map(({ rel }) => rel)
const idsOf = async (query: string) => (await pageOf(query)).features.map(({ id }) => id)
const collection = () => bodyOf('/ogc/collections/waypoints')
const extent = async () =>
  (await collection())['extent'] as { spatial: { bbox: number[][] }; temporal: { interval: unknown } }
const definition = async () => await bodyOf('/ogc/api')
const parameter = async (name: string): Promise<Parameter | undefined> => {
  const { paths } = (await definition()) as unknown as {
    paths: Record<string, { get: { parameters: readonly Parameter[] } }>
  }
  return paths['/collections/waypoints/items']?.get.parameters.find((each) => each.name === name)
}
const refused = async (query: string) => {
  const { status, headers } = await stage.get(`${items}${query}`)
  expect([status, headers.get('content-type')], query).toEqual([400, 'application/problem+json'])
}
const crsOf = async (path: string) => (await stage.get(path)).headers.get('content-crs')

const requirements: Readonly<Record<string, () => Promise<void>>> = {
  'core/root-op': async () => void (await bodyOf('/ogc')),
  'core/root-success': async () =>
    expect(await relsOf('/ogc')).toEqual(
      expect.arrayContaining(['service-desc', 'service-doc', 'conformance', 'data']),
    ),
  'core/api-definition-op': async () => {
    for (const { href } of (await linksOf('/ogc')).filter(({ rel }) => rel.startsWith('service-')))
      expect((await stage.get(new URL(href).pathname)).status, href).toBe(200)
  },
  'core/api-definition-success': async () => {
    const link = (await linksOf('/ogc')).find(({ rel }) => rel === 'service-desc')
    expect((await stage.get('/ogc/api')).headers.get('content-type')).toBe(link?.type)
  },
  'core/conformance-op': async () => void (await bodyOf('/ogc/conformance')),
  'core/conformance-success': async () =>
    expect((await bodyOf('/ogc/conformance'))['conformsTo']).toEqual(conformance),
  'core/http': async () => {
    expect((await stage.ask('POST', items, { body: {} })).status).toBe(405)
    expect((await stage.ask('HEAD', items)).status).toBe(200)
  },
  'core/crs84': async () =>
    expect((await pageOf()).features[0]?.geometry.coordinates).toEqual([13.1929, 55.7029]),
  'core/fc-md-op': async () => void (await bodyOf('/ogc/collections')),
  'core/fc-md-success': async () =>
    expect((await bodyOf('/ogc/collections'))['collections']).toEqual([await collection()]),
  'core/fc-md-links': async () => expect(await relsOf('/ogc/collections')).toContain('self'),
  'core/fc-md-items': async () => expect((await collection())['id']).toBe('waypoints'),
  'core/fc-md-items-links': async () =>
    expect(await linksOf('/ogc/collections/waypoints')).toContainEqual(
      expect.objectContaining({ rel: 'items', type: 'application/geo+json' }),
    ),
  'core/fc-md-extent': async () =>
    expect((await extent()).spatial.bbox[0]?.map((side) => Math.round(side * 100) / 100)).toEqual([
      10, -17, 179.5, 55.7,
    ]),
  'core/fc-md-extent-multi': async () => {
    const { spatial, temporal } = await extent()
    expect([spatial.bbox.length, temporal.interval]).toEqual([1, [[null, null]]])
  },
  'core/sfc-md-op': async () => void (await collection()),
  'core/sfc-md-success': async () => expect(await relsOf('/ogc/collections/waypoints')).toContain('items'),
  'core/fc-op': async () => void (await pageOf()),
  'core/fc-limit-definition': async () =>
    expect(await parameter('limit')).toMatchObject({
      in: 'query',
      schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    }),
  'core/fc-limit-response-1': async () => {
    expect((await pageOf('?limit=2')).features).toHaveLength(2)
    expect((await pageOf('?limit=10001')).features).toHaveLength(7)
  },
  'core/fc-bbox-definition': async () =>
    expect(await parameter('bbox')).toMatchObject({
      in: 'query',
      style: 'form',
      explode: false,
      schema: {
        type: 'array',
        items: { type: 'number' },
        oneOf: [
          { minItems: 4, maxItems: 4 },
          { minItems: 6, maxItems: 6 },
        ],
      },
    }),
  'core/fc-bbox-response': async () => {
    expect(await idsOf('?bbox=10.5,55,12.5,56')).toEqual([4, 5].map((id) => id - 1))
    expect(await idsOf('?bbox=10.5,55,0,12.5,56,100')).toEqual([3, 4])
    expect(await idsOf('?bbox=170,-20,-170,0')).toEqual([7])
    expect(await idsOf('?bbox=0,0,1,1')).toEqual([])
  },
  'core/fc-time-definition': async () =>
    expect(await parameter('datetime')).toMatchObject({ in: 'query', schema: { type: 'string' } }),
  'core/fc-time-response': async () => {
    const [at] = (await pageOf()).features.map(({ properties }) => String(properties['updatedAt']))
    for (const within of [`${at}`, `../${at}`, `${at}/..`, `/${at}`, `${at}/`])
      expect(await idsOf(`?datetime=${within}`), within).toHaveLength(7)
    expect(await idsOf('?datetime=../2026-04-30')).toEqual([])
    expect(await idsOf('?datetime=2026-01-01/2026-12-31')).toHaveLength(7)
  },
  'core/query-param-unknown': () => refused('?made_up=1'),
  'core/query-param-invalid': async () => {
    const wrong = ['limit=0', 'limit=x', 'bbox=1,2,3', 'bbox=a,b,c,d', 'bbox=0,0,1,100', 'datetime=once']
    for (const query of [
      ...wrong,
      'datetime=2026-02-01/2026-01-01',
      'crs=EPSG:4326',
      'bbox-crs=x',
      'limit=1&limit=2',
    ])
      await refused(`?${query}`)
  },
  'core/fc-response': async () => {
    const { waypoints } = await bodyOf('/api/waypoints')
    expect((await pageOf()).features.map(({ properties }) => properties)).toEqual(waypoints)
    const named = await pageOf(`?name=${encodeURIComponent('Spring "latitude":2,"')}`)
    expect(named.features.map(({ geometry }) => geometry.coordinates)).toEqual([[12, 55.5]])
  },
  'core/fc-links': async () => {
    const found: number[] = []
    let next: string | undefined = `${items}?limit=3`
    while (next !== undefined) {
      const { features, links } = (await bodyOf(next)) as unknown as Page
      found.push(...features.map(({ id }) => id))
      expect(links.map(({ rel }) => rel)).toContain('self')
      next = links.find(({ rel }) => rel === 'next')?.href.replace('http://fountains.test', '')
    }
    expect(found).toEqual([1, 2, 3, 4, 5, 6, 7])
  },
  'core/fc-rel-type': async () =>
    expect((await pageOf('?limit=1')).links.filter(({ type }) => type === undefined)).toEqual([]),
  'core/fc-timeStamp': async () => expect((await pageOf()).timeStamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  'core/fc-numberMatched': async () => {
    expect((await pageOf('?limit=1')).numberMatched).toBe(7)
    expect(await pageOf('?openingHours=24/7')).not.toHaveProperty('numberMatched')
  },
  'core/fc-numberReturned': async () => expect((await pageOf('?limit=3')).numberReturned).toBe(3),
  'core/f-op': async () => void (await bodyOf(`${items}/1`)),
  'core/f-success': async () => {
    const { links: _links, ...feature } = await bodyOf(`${items}/1`)
    expect(feature).toEqual((await pageOf()).features[0])
    expect((await stage.get(`${items}/99`)).status).toBe(404)
  },
  'core/f-links': async () =>
    expect(await relsOf(`${items}/1`)).toEqual(expect.arrayContaining(['self', 'collection'])),
  'geojson/definition': async () =>
    expect((await stage.get(items)).headers.get('content-type')).toBe('application/geo+json'),
  'geojson/content': async () => {
    const page = await pageOf()
    expect(page).toHaveProperty('type', 'FeatureCollection')
    for (const { type, geometry } of page.features)
      expect([type, geometry.type]).toEqual(['Feature', 'Point'])
  },
  'oas30/oas-definition-1': async () =>
    expect((await stage.get('/ogc/api')).headers.get('content-type')).toBe(
      'application/vnd.oai.openapi+json;version=3.0',
    ),
  'oas30/oas-definition-2': async () => {
    const text = JSON.stringify(await definition())
    expect((await definition())['openapi']).toBe('3.0.3')
    expect(text).not.toMatch(/"(?:const|\$schema|examples)":|"type":(?:\[|"null")/)
  },
  'oas30/oas-impl': async () =>
    expect((await definition())['servers']).toEqual([{ url: 'http://fountains.test/ogc' }]),
  'oas30/completeness': async () =>
    expect(Object.keys((await definition())['paths'] as object)).toEqual([
      '/',
      '/conformance',
      '/api',
      '/collections',
      '/collections/waypoints',
      ...['queryables', 'schema', 'items', 'items/{id}'].map((name) => `/collections/waypoints/${name}`),
    ]),
  'oas30/exceptions-codes': async () => {
    const { paths } = (await definition()) as unknown as {
      paths: Record<string, { get: { responses: object } }>
    }
    const statuses = Object.keys(paths['/collections/waypoints/items/{id}']?.get.responses ?? {})
    expect(statuses).toEqual(expect.arrayContaining(['200', '400', '404', '500']))
  },
  'oas30/security': async () =>
    expect(JSON.stringify((await definition())['paths'])).not.toMatch(/"security":\[\{/),
  'crs/crs-uri': async () =>
    expect((await collection())['crs']).toEqual([crs84, `${epsg}/4326`, `${epsg}/3857`]),
  'crs/fc-md-crs-list': async () => expect((await collection())['crs']).toContain(crs84),
  'crs/fc-md-crs-list-global': async () =>
    expect(JSON.stringify(await bodyOf('/ogc/collections'))).not.toContain('#/crs'),
  'crs/fc-md-storageCrs': async () => expect((await collection())['storageCrs']).toBe(crs84),
  'crs/fc-md-storageCrs-valid-value': async () => {
    const { crs, storageCrs } = await collection()
    expect(crs).toContain(storageCrs)
  },
  'crs/fc-bbox-crs-definition': async () =>
    expect(await parameter('bbox-crs')).toMatchObject({
      in: 'query',
      schema: { type: 'string', default: crs84 },
    }),
  'crs/fc-bbox-crs-valid-value': () =>
    refused('?bbox=0,0,1,1&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/25832'),
  'crs/fc-bbox-crs-valid-defaultValue': async () =>
    expect(await idsOf(`?bbox=10.5,55,12.5,56&bbox-crs=${crs84}`)).toEqual([3, 4]),
  'crs/fc-bbox-crs-action': async () => {
    expect(await idsOf(`?bbox=55,10.5,56,12.5&bbox-crs=${epsg}/4326`)).toEqual([3, 4])
    expect(await idsOf(`?bbox=1168855,7361866,1391494,7558415&bbox-crs=${epsg}/3857`)).toEqual([3, 4])
  },
  'crs/fc-crs-definition': async () =>
    expect(await parameter('crs')).toMatchObject({ in: 'query', schema: { type: 'string', default: crs84 } }),
  'crs/fc-crs-valid-value': () => refused('?crs=http://www.opengis.net/def/crs/EPSG/0/25832'),
  'crs/fc-crs-default-value': async () => expect(await crsOf(items)).toBe(`<${crs84}>`),
  'crs/fc-crs-action': async () => {
    const at = async (name: string) =>
      (await pageOf(`?crs=${epsg}/${name}&limit=1`)).features[0]?.geometry.coordinates
    expect(await at('4326')).toEqual([55.7029, 13.1929])
    // As cs2cs of PROJ 9.1 has it.
    expect(await at('3857')).toEqual([1468626.91, 7499497.368])
  },
  'crs/geojson': async () =>
    expect((await stage.get(`${items}/1?crs=${epsg}/3857`)).body).toHaveProperty('geometry.type', 'Point'),
  'crs/ogc-crs-header': async () => {
    for (const path of [items, `${items}/1`])
      expect(await crsOf(`${path}?crs=${epsg}/3857`)).toBe(`<${epsg}/3857>`)
  },
  'crs/ogc-crs-header-value': async () => expect(await crsOf(`${items}?crs=${crs84}`)).toBe(`<${crs84}>`),
}

test.each(Object.entries(requirements))('OGC API Features meets /req/%s', (_name, check) => check())

test('OGC API Features takes every field with one value as a parameter, and says so in queryables and schema', async () => {
  const { properties } = (await bodyOf('/ogc/collections/waypoints/queryables')) as { properties: object }
  const [feature] = (await pageOf('?limit=1')).features
  const given = Object.entries(feature?.properties ?? {}).filter(([name]) => name in properties)
  expect(given.map(([name]) => name)).toContain('addedByUserId')
  for (const [name, value] of given) {
    const query = `?${name}=${encodeURIComponent(String(value))}`
    const { features } = await pageOf(query)
    expect(features, query).toContainEqual(feature)
    expect(new Set(features.map(({ properties }) => properties[name]))).toEqual(new Set([value]))
  }
  for (const name of Object.keys(properties).filter((each) => each !== 'geometry'))
    expect(await parameter(name), name).toBeDefined()
  const schema = (await bodyOf('/ogc/collections/waypoints/schema')) as { properties: object }
  for (const name of Object.keys(feature?.properties ?? {})) expect(schema.properties).toHaveProperty(name)
})

test('OGC API Features is the same until the next write', async () => {
  const { headers } = await stage.get(items)
  const again = await stage.raw('GET', items, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
})
