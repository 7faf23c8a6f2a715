import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { listening } from '@openfountain/testing/listening'
import { fetchFile, type FetchFileOptions } from '../src/index.ts'

type Answer = (url: URL, request: IncomingMessage, response: ServerResponse) => unknown

async function serving(answer: Answer) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const value = answer(new URL(request.url ?? '', 'http://127.0.0.1'), request, response)
    if (value !== undefined) response.end(JSON.stringify(value))
  })
  return { asked, at: `http://127.0.0.1:${await listening(server)}` }
}

async function fetched(address: string, options: FetchFileOptions = {}) {
  const pauses: number[] = []
  const pause = async (seconds: number) => pauses.push(seconds)
  await using got = await fetchFile(address, { allowPrivate: true, pause, ...options })
  const text = got && readFileSync(got.file, 'utf8')
  const { url: _url, file: _file, ...facts } = got ?? { url: '', file: '' }
  return { text, json: text === undefined ? undefined : JSON.parse(text), pauses, ...facts }
}

const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error as { refusal?: { code: string } }).refusal?.code,
  )

const all = [1, 2, 3, 4, 5].map((id) => ({ id, lat: 47, lon: 8 }))
const features = all.map(({ id }) => ({ type: 'Feature', id, properties: {}, geometry: null }))
const from = (url: URL, name: string) => Number(url.searchParams.get(name) ?? 0)
const two = <Row>(rows: readonly Row[], offset: number): Row[] => rows.slice(offset, offset + 2)
const collection = (rows: readonly unknown[], more: object = {}) => ({
  type: 'FeatureCollection',
  ...more,
  features: rows,
})

const portals: Readonly<Record<string, readonly [address: string, answer: (url: URL) => object]>> = {
  ArcGIS: [
    '/FeatureServer/0/query?where=1%3D1&f=geojson',
    (url) => {
      const rows = two(features, from(url, 'resultOffset'))
      return collection(rows, { properties: { exceededTransferLimit: rows.at(-1)?.id !== 5 } })
    },
  ],
  CKAN: [
    '/api/3/action/datastore_search?resource_id=x&limit=2',
    (url) => {
      const next = `/api/3/action/datastore_search?resource_id=x&limit=2&offset=${from(url, 'offset') + 2}`
      return { success: true, result: { records: two(all, from(url, 'offset')), total: 5, _links: { next } } }
    },
  ],
  'Opendatasoft 2.1': [
    '/api/explore/v2.1/catalog/datasets/x/records',
    (url) => ({ total_count: 5, results: two(all, from(url, 'offset')) }),
  ],
  'Opendatasoft 1': [
    '/api/records/1.0/search/',
    (url) => ({ nhits: 5, records: two(all, from(url, 'start')) }),
  ],
  Socrata: ['/resource/abcd-1234.json?$limit=2', (url) => two(all, from(url, '$offset'))],
  'a web feature service': [
    '/wfs?SERVICE=WFS&REQUEST=GetFeature&STARTINDEX=0',
    (url) => collection(two(features, from(url, 'STARTINDEX')), { numberMatched: 5 }),
  ],
  'OGC API Features': [
    '/collections/x/items',
    (url) => {
      const offset = from(url, 'offset')
      const links = offset < 4 ? [{ rel: 'next', href: `/collections/x/items?offset=${offset + 2}` }] : []
      return collection(two(features, offset), { links })
    },
  ],
}

test.each(Object.entries(portals))('all pages of %s are one file', async (_, [address, answer]) => {
  const { asked, at } = await serving(answer)
  const { json, pages, partial } = await fetched(at + address)
  const rows: readonly { id: number }[] = json.features ?? json
  expect(rows.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
  expect([pages, new Set(asked).size, partial]).toEqual([3, 3, undefined])
  expect(JSON.stringify(json)).not.toContain('exceededTransferLimit')
})

const member = (name: string) =>
  `<wfs:member><app:f gml:id="${name}"><app:name>${name}</app:name><app:geom><gml:Point srsName="EPSG:4326"><gml:pos>8 47</gml:pos></gml:Point></app:geom></app:f></wfs:member>`
const names = ['Löwe', 'Bär', 'Adler', 'Hirsch', 'Wolf']
const wfs = (members: readonly string[], root: string) =>
  Buffer.from(
    `<?xml version="1.0" encoding="ISO-8859-1"?><!-- a > b --><wfs:FeatureCollection xmlns:wfs="a>b" ${root} numberReturned="${members.length}">${members.map(member).join('')}</wfs:FeatureCollection>\n`,
    'latin1',
  )

test.each<[string, (url: URL) => string, object?]>([
  ['by a total', () => 'numberMatched="5"'],
  [
    'by links',
    (url) =>
      from(url, 'startindex') < 4
        ? `numberMatched="unknown" next="/wfs?a=b&amp;startindex=${from(url, 'startindex') + 2}"`
        : 'numberMatched="unknown"',
  ],
  ['by a total, with links to the host behind it', () => `numberMatched='5' next='http://10.0.0.1/wfs'`],
  ['that say more than there are', () => 'numberMatched="70"', { returned: 5, total: 70 }],
])('all pages of a web feature service as GML are one file, %s', async (_, root, partial) => {
  const { asked, at } = await serving((url, __, response) => {
    response.end(wfs(two(names, from(url, 'startindex')), root(url)))
  })
  await using got = await fetchFile(`${at}/wfs?REQUEST=GetFeature&startindex=0`, { allowPrivate: true })
  const text = readFileSync(got?.file ?? '', 'latin1')
  expect(text.match(/(?<=<app:name>)\p{L}+/gu)).toEqual(names)
  expect(text.match(/<\/?wfs:FeatureCollection/gu)).toHaveLength(2)
  expect(text).toMatch(/^<\?xml .*<\/wfs:FeatureCollection>\n$/su)
  expect([got?.partial, new Set(asked).size]).toEqual([partial, partial === undefined ? 3 : 4])
})

test('a page of a web feature service that is an error, or cut off, is none', async () => {
  for (const page of ['<ows:ExceptionReport/>', '<wfs:FeatureCollection numberReturned="2"><wfs:member>']) {
    const { at } = await serving((url, __, response) => {
      response.end(url.search === '' ? wfs(two(names, 0), 'numberMatched="5"') : page)
    })
    expect(await refused(fetched(at))).toBe('NO_PAGE')
  }
})

test.each<[string, string, Answer, object]>([
  [
    'a total that is too great',
    '/records',
    (url) => ({ total_count: 90, results: two(all, from(url, 'offset')) }),
    { returned: 5, total: 90 },
  ],
  [
    'more and more of nothing',
    '/query',
    (url) => collection(from(url, 'resultOffset') === 0 ? features : [], { exceededTransferLimit: true }),
    { returned: 5 },
  ],
  [
    'a total that shrinks',
    '/records',
    (url) => ({ total_count: 5 - from(url, 'offset'), results: two(all, from(url, 'offset')) }),
    { returned: 4, total: 5 },
  ],
  [
    'a row of the page before instead of another',
    '/records',
    (url) => ({ total_count: 4, results: two(all, from(url, 'offset') / 2) }),
    { returned: 3, total: 4 },
  ],
])('a portal that pages wrongly, with %s, has a part', async (_, address, answer, partial) => {
  const { asked, at } = await serving(answer)
  expect(await fetched(at + address)).toMatchObject({ partial })
  expect(asked.length).toBeLessThan(5)
})

test.each<[string, Answer, string]>([
  [
    'a page of another host',
    () => collection(features, { links: [{ rel: 'next', href: 'http://10.0.0.1/' }] }),
    'ELSEWHERE',
  ],
  [
    'a page that is none',
    (url) =>
      url.pathname === '/2'
        ? { error: 'no' }
        : collection(features, { links: [{ rel: 'next', href: '/2' }] }),
    'NO_PAGE',
  ],
  ['the same page again', () => collection(two(features, 0), { numberMatched: 5 }), 'REPEATED'],
  ['the same page without a total', () => collection(features, { exceededTransferLimit: true }), 'REPEATED'],
  ['more than may be', () => ({ text: 'x'.repeat(5000) }), 'TOO_LARGE'],
  [
    'pages that are too long together',
    (url) => ({ total_count: 1e6, results: [{ offset: from(url, 'offset'), text: 'x'.repeat(800) }] }),
    'TOO_LARGE',
  ],
  ['what is missing', (_, __, response) => void response.writeHead(404).end(), 'STATUS'],
  [
    'a pause of an hour',
    (_, __, response) => void response.writeHead(503, { 'retry-after': '3600' }).end(),
    'STATUS',
  ],
])('%s is refused, without another try', async (_, answer, code) => {
  const { asked, at } = await serving(answer)
  expect(await refused(fetched(at, { maxBytes: 2000 }))).toBe(code)
  expect(asked.length).toBeLessThan(6)
})

test('a busy host is asked again after the pause that it wants, and one that cuts the connection from the beginning', async () => {
  let times = 0
  const { at } = await serving((_, __, response) => {
    times += 1
    if (times === 1) response.writeHead(429, { 'retry-after': '7' }).end()
    else if (times === 2) {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('{"half":')
      setImmediate(() => response.destroy())
    } else return { whole: true }
    return undefined
  })
  expect(await fetched(at)).toMatchObject({ json: { whole: true }, pauses: [7, 2] })
})

test('one that stays busy, or stalls, is given up after four tries', async () => {
  const busy = await serving((_, __, response) => void response.writeHead(503).end())
  expect(await refused(fetched(busy.at))).toBe('STATUS')
  expect(busy.asked).toHaveLength(4)
  const stalled = await serving((_, __, response) => void response.write('{'))
  expect(await refused(fetched(stalled.at, { idleSeconds: 0.05 }))).toBe('TOO_SLOW')
  expect(stalled.asked).toHaveLength(4)
})

test('what did not change since is not fetched again, and what did is', async () => {
  let etag = '"a"'
  const { at } = await serving((_, request, response) => {
    response.setHeader('etag', etag)
    if (request.headers['if-none-match'] !== etag) return collection(features)
    response.writeHead(304).end()
    return undefined
  })
  const first = await fetched(at)
  expect(first.etag).toBe('"a"')
  expect((await fetched(at, { known: first })).text).toBeUndefined()
  etag = '"b"'
  expect((await fetched(at, { known: first })).etag).toBe('"b"')
})

test('a document that is no page of several stays as it is, byte for byte', async () => {
  const { at } = await serving(
    (_, __, response) => void response.end(' {"type":"FeatureCollection", "features":[]}'),
  )
  expect((await fetched(at)).text).toBe(' {"type":"FeatureCollection", "features":[]}')
})
