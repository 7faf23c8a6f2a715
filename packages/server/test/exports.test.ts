import { rename, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { fill, folder, sha256 } from '@openfountain/testing/server/folder'
import { serving } from '@openfountain/testing/server/stage'

const geojson = JSON.stringify({ type: 'FeatureCollection', features: [], note: 'x'.repeat(300_000) })
const csv = 'id,name\r\n1,"Market, square"\r\n'
const content = {
  'waypoints.geojson': geojson,
  'waypoints.csv': csv,
  'secret.txt': 'not listed',
  SHA256SUMS: `${sha256(geojson)}  waypoints.geojson\n${sha256(csv)}  waypoints.csv\n${sha256('')}  gone.csv\n${sha256('')}  ../evil\n`,
  'datapackage.json': JSON.stringify({
    created: '2026-04-30T00:00:00.000Z',
    licenses: [{ name: 'CC0-1.0' }],
    resources: [
      { path: 'waypoints.geojson', title: 'GeoJSON', mediatype: 'application/geo+json', bytes: 1, rows: 7 },
      {
        path: 'waypoints.csv',
        title: 'CSV',
        mediatype: 'text/csv',
        licenses: [{ name: 'ODbL-1.0' }],
        openfountain: { data_time: '2026-04-29T07:00:00.000Z', as_of: '2026-04-29T00:00:00.000Z' },
      },
    ],
  }),
}

test('exports are listed with size, hash, age and licence', async () => {
  const stage = await serving({ exports: await folder(content) })
  const { body } = await stage.ask('GET', '/api/exports')
  expect(body['license']).toBe('ODbL-1.0')
  expect(body['exports']).toEqual([
    {
      file: 'waypoints.geojson',
      title: 'GeoJSON',
      mediaType: 'application/geo+json',
      bytes: geojson.length,
      sha256: sha256(geojson),
      rows: 7,
      license: 'CC0-1.0',
      createdAt: '2026-04-30T00:00:00.000Z',
      ageSeconds: expect.any(Number),
    },
    expect.objectContaining({
      file: 'waypoints.csv',
      sha256: sha256(csv),
      license: 'ODbL-1.0',
      createdAt: '2026-04-29T07:00:00.000Z',
    }),
    expect.objectContaining({ file: 'SHA256SUMS', mediaType: 'text/plain', license: 'CC0-1.0' }),
  ])
  expect((await stage.ask('GET', '/api/exports/SHA256SUMS')).text).toBe(content.SHA256SUMS)
})

test('exports are described for catalogues as JSON-LD and as Turtle, with their addresses here', async () => {
  const jsonld = '{"@context":{"dct":"http://purl.org/dc/terms/"},"@id":"dataset.jsonld"}'
  const turtle = '<dataset.jsonld> a <waypoints.csv> .'
  const sums = (where: string) =>
    `${sha256(jsonld)}  ${where}dataset.jsonld\n${sha256(turtle)}  ${where}dataset.ttl\n`
  const whole = { 'dataset.jsonld': jsonld, 'dataset.ttl': turtle, SHA256SUMS: sums('') }
  const stage = await serving({ exports: await folder(whole), publicUrl: 'https://lund.example' })
  const linked = await stage.ask('GET', '/api/dataset')
  expect(linked.headers.get('content-type')).toBe('application/ld+json')
  expect(linked.body).toEqual({
    '@context': { '@base': 'https://lund.example/api/exports/', dct: 'http://purl.org/dc/terms/' },
    '@id': 'dataset.jsonld',
  })
  const asked = await stage.ask('GET', '/api/dataset', { headers: { accept: 'text/turtle' } })
  expect(asked.headers.get('content-type')).toBe('text/turtle; charset=utf-8')
  expect(asked.text).toBe(`@base <https://lund.example/api/exports/> .\n${turtle}`)
  const held = { 'if-none-match': asked.headers.get('etag') ?? '', accept: 'text/turtle' }
  expect((await stage.raw('GET', '/api/dataset', { headers: held })).status).toBe(304)
  expect((await (await serving({})).ask('GET', '/api/dataset')).status).toBe(404)
})

test('exports are sent with their type, licence and hash', async () => {
  const stage = await serving({ exports: await folder(content) })
  const response = await stage.ask('GET', '/api/exports/waypoints.csv')
  expect(response.status).toBe(200)
  expect(response.text).toBe(csv)
  expect(response.headers.get('content-type')).toBe('text/csv')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="waypoints.csv"')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(response.headers.get('etag')).toBe(`"${sha256(csv)}"`)
  expect(response.headers.get('link')).toContain('ODbL-1.0')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  const held = { 'if-none-match': `"${sha256(csv)}"` }
  expect((await stage.ask('GET', '/api/exports/waypoints.csv', { headers: held })).status).toBe(304)
})

test('exports are sent in ranges, so that a download can go on', async () => {
  const stage = await serving({ exports: await folder(content) })
  const ask = (headers: Readonly<Record<string, string>>) =>
    stage.ask('GET', '/api/exports/waypoints.geojson', { headers })
  const size = geojson.length
  expect((await ask({})).headers.get('accept-ranges')).toBe('bytes')
  for (const [range, status, text] of [
    ['bytes=100-250099', 206, geojson.slice(100, 250_100)],
    ['bytes=-5', 206, geojson.slice(-5)],
    ['bytes=-99999999', 206, geojson],
    [`bytes=${size - 3}-`, 206, geojson.slice(-3)],
    [`bytes=${size - 3}-99999999`, 206, geojson.slice(-3)],
    ['bytes=0-0,5-6', 200, geojson],
    ['bytes=9-1', 200, geojson],
    ['items=0-1', 200, geojson],
    ['bytes=-', 200, geojson],
    [`bytes=${size}-`, 416, undefined],
    ['bytes=-0', 416, undefined],
    [`bytes=${'9'.repeat(30)}-`, 416, undefined],
  ] as const) {
    const response = await ask({ range })
    expect([range, response.status]).toEqual([range, status])
    if (text !== undefined) expect(response.text === text).toBe(true)
    if (status === 206) expect(response.headers.get('content-length')).toBe(String(text?.length))
  }
  const part = await ask({ range: 'bytes=100-250099' })
  expect(part.headers.get('content-range')).toBe(`bytes 100-250099/${size}`)
  expect((await ask({ range: `bytes=${size}-` })).headers.get('content-range')).toBe(`bytes */${size}`)
  const same = await ask({ range: 'bytes=0-6', 'if-range': `"${sha256(geojson)}"` })
  expect([same.status, same.text]).toEqual([206, '{"type"'])
  expect((await ask({ range: 'bytes=0-1', 'if-range': '"another"' })).status).toBe(200)
  const head = await stage.ask('HEAD', '/api/exports/waypoints.geojson')
  expect(head.headers.get('content-length')).toBe(String(geojson.length))
})

test('exports are sent in the compressed form that lies beside them and is preferred, ranges of the file itself', async () => {
  const path = await folder(content)
  const stage = await serving({ exports: path })
  const at = new Date('2026-05-01T10:00:00Z')
  const forms = {
    'waypoints.geojson.br': brotliCompressSync(geojson),
    'waypoints.geojson.zst': zstdCompressSync(geojson),
    'waypoints.geojson.gz': gzipSync(geojson),
    'waypoints.csv.gz': gzipSync('of an older file'),
  }
  await fill(path, forms)
  for (const name of ['waypoints.geojson', ...Object.keys(forms)]) await utimes(join(path, name), at, at)
  const ask = (accept: string, more: Readonly<Record<string, string>> = {}, file = 'waypoints.geojson') =>
    stage.raw('GET', `/api/exports/${file}`, { headers: { 'accept-encoding': accept, ...more } })
  for (const [accept, coding, ending] of [
    ['gzip, deflate, br, zstd', 'br', 'br'],
    ['gzip, br;q=0.1, zstd', 'zstd', 'zst'],
    ['gzip', 'gzip', 'gz'],
  ] as const) {
    const response = await ask(accept)
    expect(response.headers.get('content-encoding')).toBe(coding)
    expect(response.headers.get('vary')).toContain('Accept-Encoding')
    expect(response.headers.get('content-type')).toBe('application/geo+json')
    expect(response.headers.get('etag')).toBe(`"${sha256(geojson)}-${ending}"`)
    const body = Buffer.from(await response.arrayBuffer())
    expect(body.equals(forms[`waypoints.geojson.${ending}`])).toBe(true)
    expect(response.headers.get('content-length')).toBe(String(body.length))
    const held = await ask(accept, { 'if-none-match': response.headers.get('etag') ?? '' })
    expect(held.status).toBe(304)
    const on = await ask(accept, { range: 'bytes=7-', 'if-range': response.headers.get('etag') ?? '' })
    expect([on.status, on.headers.get('content-encoding'), await on.text()]).toEqual([200, null, geojson])
  }
  const part = await ask('br', { range: 'bytes=0-6' })
  expect([part.status, part.headers.get('content-encoding'), await part.text()]).toEqual([
    206,
    null,
    '{"type"',
  ])
  const plain = await ask('identity')
  expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, geojson])
  // A compressed copy with another modification time belongs to another file; and none is a download of its own.
  const older = await ask('gzip', {}, 'waypoints.csv')
  expect([older.headers.get('content-encoding'), await older.text()]).toEqual([null, csv])
  expect((await ask('br', {}, 'waypoints.geojson.br')).status).toBe(404)
})

test('exports never send what is not listed', async () => {
  const stage = await serving({ exports: await folder(content) })
  for (const name of ['secret.txt', 'gone.csv', '..%2fevil', '../evil', 'a/b.csv', '%00', 'constructor'])
    expect([name, (await stage.ask('GET', `/api/exports/${name}`)).status]).toEqual([name, 404])
})

test('a newer export is noticed, and a download of the older one goes on to its end', async () => {
  const path = await folder(content)
  const stage = await serving({ exports: path })
  const response = await stage.raw('GET', '/api/exports/waypoints.geojson')
  const reader = response.body?.getReader()
  const first = await reader?.read()
  const next = '{"type":"FeatureCollection"}'
  await fill(path, { 'next.geojson': next, sums: `${sha256(next)}  waypoints.geojson\n` })
  await rename(join(path, 'next.geojson'), join(path, 'waypoints.geojson'))
  await rename(join(path, 'sums'), join(path, 'SHA256SUMS'))
  expect((await stage.ask('GET', '/api/exports/waypoints.geojson')).text).toBe(next)
  let bytes = first?.value?.byteLength ?? 0
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    bytes += part.value.byteLength
  }
  expect(bytes).toBe(geojson.length)
})

test('exports may be dated: the newest is where latest leads', async () => {
  const path = await folder({})
  const stage = await serving({ exports: path })
  for (const [name, text] of [
    ['2026-01', 'id\r\n'],
    ['2026-02', 'id,name\r\n'],
  ] as const) {
    await fill(join(path, name), { 'waypoints.csv': text, SHA256SUMS: `${sha256(text)}  waypoints.csv\n` })
    await symlink(name, join(path, 'next'))
    await rename(join(path, 'next'), join(path, 'latest'))
    const response = await stage.ask('GET', '/api/exports/waypoints.csv')
    expect(response.text).toBe(text)
    expect(response.headers.get('etag')).toBe(`"${sha256(text)}"`)
  }
})

test('an export that is split by licence is offered with the licence of each folder', async () => {
  const csv = 'id,name\r\n'
  const names = ['CC0-1.0/waypoints.csv', 'CC0-1.0/LICENSE.txt', 'Our-own/waypoints.csv', 'datapackage.json']
  const resource = (path: string, license: object) => ({ path, rows: 0, licenses: [license] })
  const [free, own] = [
    { name: 'CC0-1.0', path: 'https://example.org' },
    { name: 'Our-own', title: '«Our own»' },
  ]
  const described = {
    licenses: [free, own],
    resources: [resource('CC0-1.0/waypoints.csv', free), resource('Our-own/waypoints.csv', own)],
    openfountain: {
      parts: [
        { folder: 'CC0-1.0', license: 'CC0-1.0', registry: false },
        { folder: 'Our-own', license: '«Our own»', registry: true },
      ],
    },
  }
  const stage = await serving({
    exports: await folder({
      'CC0-1.0/waypoints.csv': csv,
      'CC0-1.0/LICENSE.txt': csv,
      'Our-own/waypoints.csv': csv,
      'datapackage.json': JSON.stringify(described),
      SHA256SUMS: [...names, 'a/b/c.csv', '../x/y.csv'].map((name) => `${sha256(csv)}  ${name}\n`).join(''),
    }),
  })
  const { body } = await stage.ask('GET', '/api/exports')
  expect(body['exports']).toMatchObject([
    { file: 'CC0-1.0/waypoints.csv', license: 'CC0-1.0', rows: 0 },
    { file: 'CC0-1.0/LICENSE.txt', license: 'CC0-1.0' },
    { file: 'Our-own/waypoints.csv', license: '«Our own»' },
    { file: 'datapackage.json', license: 'ODbL-1.0' },
    { file: 'SHA256SUMS', license: 'ODbL-1.0' },
  ])
  const response = await stage.ask('GET', '/api/exports/Our-own/waypoints.csv')
  expect(response.text).toBe(csv)
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="waypoints.csv"')
})
