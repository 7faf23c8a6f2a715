import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AppOptions } from '../src/index.ts'
import { rangeOf } from '../src/http/file.ts'
import { openStage } from './stage.ts'

async function folder(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'openfountain-files-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  await fill(path, files)
  return path
}

async function fill(path: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(path, name, '..'), { recursive: true })
    await writeFile(join(path, name), content)
  }
}

async function serving(options: AppOptions) {
  const stage = await openStage(options)
  onTestFinished(() => stage.close())
  return stage
}

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

describe('ranges', () => {
  test.each([
    ['bytes=0-9', { first: 0, last: 9 }],
    ['bytes=90-', { first: 90, last: 99 }],
    ['bytes=90-500', { first: 90, last: 99 }],
    ['bytes=-5', { first: 95, last: 99 }],
    ['bytes=-500', { first: 0, last: 99 }],
    ['bytes=0-0,5-6', undefined],
    ['bytes=9-1', undefined],
    ['items=0-1', undefined],
    ['bytes=-', undefined],
    [null, undefined],
  ])('%s of a hundred bytes', (header, range) => {
    expect(rangeOf(header, 100)).toEqual(range)
  })

  test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', `bytes=${'9'.repeat(30)}-`])(
    '%s lies outside',
    (header) => {
      expect(() => rangeOf(header, 100)).toThrow('outside')
    },
  )
})

describe('exports', () => {
  const geojson = JSON.stringify({ type: 'FeatureCollection', features: [], note: 'x'.repeat(300_000) })
  const csv = 'id,name\r\n1,"Market, square"\r\n'
  const content = {
    'waypoints.geojson': geojson,
    'waypoints.csv': csv,
    'secret.txt': 'not listed',
    SHA256SUMS: `${sha256(geojson)}  waypoints.geojson\n${sha256(csv)}  waypoints.csv\n${sha256('')}  gone.csv\n${sha256('')}  ../evil\n`,
    'datapackage.json': JSON.stringify({
      licenses: [{ name: 'CC0-1.0' }],
      resources: [
        { path: 'waypoints.geojson', title: 'GeoJSON', mediatype: 'application/geo+json', bytes: 1, rows: 7 },
        { path: 'waypoints.csv', title: 'CSV', mediatype: 'text/csv', licenses: [{ name: 'ODbL-1.0' }] },
      ],
    }),
  }

  test('are listed with size, hash, age and licence', async () => {
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
        createdAt: expect.any(String),
        ageSeconds: expect.any(Number),
      },
      expect.objectContaining({ file: 'waypoints.csv', sha256: sha256(csv), license: 'ODbL-1.0' }),
      expect.objectContaining({ file: 'SHA256SUMS', mediaType: 'text/plain', license: 'CC0-1.0' }),
    ])
    expect((await stage.ask('GET', '/api/exports/SHA256SUMS')).text).toBe(content.SHA256SUMS)
  })

  test('are sent with their type, licence and hash', async () => {
    const stage = await serving({ exports: await folder(content) })
    const told = await stage.ask('GET', '/api/exports/waypoints.csv')
    expect(told.status).toBe(200)
    expect(told.text).toBe(csv)
    expect(told.headers.get('content-type')).toBe('text/csv')
    expect(told.headers.get('content-disposition')).toBe('attachment; filename="waypoints.csv"')
    expect(told.headers.get('etag')).toBe(`"${sha256(csv)}"`)
    expect(told.headers.get('link')).toContain('ODbL-1.0')
    expect(told.headers.get('access-control-allow-origin')).toBe('*')
    const held = { 'if-none-match': `"${sha256(csv)}"` }
    expect((await stage.ask('GET', '/api/exports/waypoints.csv', { headers: held })).status).toBe(304)
  })

  test('are sent in ranges, so that a download can go on', async () => {
    const stage = await serving({ exports: await folder(content) })
    const ask = (headers: Readonly<Record<string, string>>) =>
      stage.ask('GET', '/api/exports/waypoints.geojson', { headers })
    const whole = await ask({})
    expect(whole.text).toBe(geojson)
    expect(whole.headers.get('accept-ranges')).toBe('bytes')
    const part = await ask({ range: 'bytes=100-250099' })
    expect(part.status).toBe(206)
    expect(part.text).toBe(geojson.slice(100, 250_100))
    expect(part.headers.get('content-range')).toBe(`bytes 100-250099/${geojson.length}`)
    expect(part.headers.get('content-length')).toBe('250000')
    const same = await ask({ range: 'bytes=0-6', 'if-range': `"${sha256(geojson)}"` })
    expect(same.status).toBe(206)
    expect(same.text).toBe('{"type"')
    const other = await ask({ range: 'bytes=0-1', 'if-range': '"another"' })
    expect(other.status).toBe(200)
    const outside = await ask({ range: 'bytes=99999999-' })
    expect(outside.status).toBe(416)
    expect(outside.headers.get('content-range')).toBe(`bytes */${geojson.length}`)
    const head = await stage.ask('HEAD', '/api/exports/waypoints.geojson')
    expect(head.headers.get('content-length')).toBe(String(geojson.length))
  })

  test.each(['secret.txt', 'gone.csv', '..%2fevil', '../evil', 'a/b.csv', '%00', 'constructor'])(
    'never send %s, which is not listed',
    async (name) => {
      const stage = await serving({ exports: await folder(content) })
      expect((await stage.ask('GET', `/api/exports/${name}`)).status).toBe(404)
    },
  )

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

  test('may be split by licence, each in a folder of its own', async () => {
    const split = {
      'CC0-1.0/waypoints.csv': csv,
      SHA256SUMS: `${sha256(csv)}  CC0-1.0/waypoints.csv\n${sha256(csv)}  a/b/c.csv\n${sha256(csv)}  ../x/y.csv\n`,
    }
    const stage = await serving({ exports: await folder(split) })
    const { body } = await stage.ask('GET', '/api/exports')
    expect((body['exports'] as { file: string }[]).map(({ file }) => file)).toEqual([
      'CC0-1.0/waypoints.csv',
      'SHA256SUMS',
    ])
    const told = await stage.ask('GET', '/api/exports/CC0-1.0/waypoints.csv')
    expect(told.text).toBe(csv)
    expect(told.headers.get('content-disposition')).toBe('attachment; filename="waypoints.csv"')
  })

  test('may be dated: the newest is where latest leads', async () => {
    const path = await folder({})
    const stage = await serving({ exports: path })
    for (const [name, text] of [
      ['2026-01', 'id\r\n'],
      ['2026-02', 'id,name\r\n'],
    ] as const) {
      await fill(join(path, name), { 'waypoints.csv': text, SHA256SUMS: `${sha256(text)}  waypoints.csv\n` })
      await symlink(name, join(path, 'next'))
      await rename(join(path, 'next'), join(path, 'latest'))
      const told = await stage.ask('GET', '/api/exports/waypoints.csv')
      expect(told.text).toBe(text)
      expect(told.headers.get('etag')).toBe(`"${sha256(text)}"`)
    }
  })

  test('are none when nothing was exported yet', async () => {
    const stage = await serving({ exports: join(tmpdir(), 'openfountain-no-such-folder') })
    expect((await stage.ask('GET', '/api/exports')).body['exports']).toEqual([])
    expect((await stage.ask('GET', '/api/exports/waypoints.csv')).status).toBe(404)
  })
})

describe('a site', () => {
  const script = `export const x = '${'y'.repeat(5000)}'`
  const files = {
    'index.html': '<!doctype html><title>Map</title>',
    '404.html': '<!doctype html><title>Nothing here</title>',
    'embed/index.html': '<!doctype html><title>Embed</title>',
    'about/index.html': '<!doctype html><title>About</title>',
    'rules.html': '<!doctype html><title>Rules</title>',
    '_astro/map.8aJk2.js': script,
    'data/tiles.pmtiles': new Uint8Array(200_000).fill(7),
    'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '.env': 'SECRET=1',
    '.well-known/security.txt': 'Contact: x',
    _headers: '/*',
  }

  test('is served beside the API, with pages for folders and names without ending', async () => {
    const stage = await serving({ site: await folder(files) })
    for (const [path, title] of [
      ['/', 'Map'],
      ['/index.html', 'Map'],
      ['/about/', 'About'],
      ['/rules', 'Rules'],
      ['/?x=1', 'Map'],
    ] as const) {
      const response = await stage.raw('GET', path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await response.text()).toContain(`<title>${title}</title>`)
    }
    expect((await stage.ask('GET', '/api/stats')).status).toBe(200)
    expect((await stage.ask('GET', '/api/nowhere')).body['code']).toBe('NOT_FOUND')
    expect((await stage.raw('GET', '/.well-known/security.txt')).status).toBe(200)
  })

  test('sends folders without a slash to their own path, whatever prefix the app has', async () => {
    const stage = await serving({ site: await folder(files) })
    const response = await stage.raw('GET', '/about')
    expect(response.status).toBe(308)
    expect(response.headers.get('location')).toBe('./about/')
  })

  test('has a page for what is missing', async () => {
    const stage = await serving({ site: await folder(files) })
    const response = await stage.raw('GET', '/nowhere')
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('Nothing here')
    const bare = await serving({ site: await folder({ 'index.html': 'x' }) })
    const told = await bare.raw('GET', '/nowhere')
    expect(told.status).toBe(404)
    expect(await told.json()).toMatchObject({ code: 'NOT_FOUND' })
    expect((await bare.raw('POST', '/')).status).toBe(405)
  })

  test.each([
    '/.env',
    '/_headers',
    '/..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/about/..%5c..%5cx',
    '/%00',
    '/leak.txt',
    `/${'x'.repeat(5000)}`,
  ])('never leaves its folder or shows what is hidden: %s', async (path) => {
    const outside = await folder({ 'leak.txt': 'SECRET' })
    const site = await folder(files)
    await symlink(join(outside, 'leak.txt'), join(site, 'leak.txt'))
    const stage = await serving({ site })
    const response = await stage.raw('GET', path)
    expect(response.status).toBe(404)
    expect(await response.text()).not.toMatch(/SECRET|root:/)
    expect(stage.failures).toEqual([])
  })

  test('tells how long its files may be kept', async () => {
    const stage = await serving({ site: await folder(files) })
    const cache = async (path: string) => (await stage.raw('GET', path)).headers.get('cache-control')
    expect(await cache('/_astro/map.8aJk2.js')).toBe('public, max-age=31536000, immutable')
    expect(await cache('/')).toBe('public, max-age=0, must-revalidate')
    expect(await cache('/icon.svg')).toBe('public, max-age=0, must-revalidate')
    const { headers } = await stage.raw('GET', '/')
    const tag = headers.get('etag') ?? ''
    expect((await stage.raw('GET', '/', { headers: { 'if-none-match': tag } })).status).toBe(304)
    const since = headers.get('last-modified') ?? ''
    expect((await stage.raw('GET', '/', { headers: { 'if-modified-since': since } })).status).toBe(304)
  })

  test('packs text and sends tiles in ranges', async () => {
    const stage = await serving({ site: await folder(files) })
    const gzip = { 'accept-encoding': 'gzip' }
    for (let twice = 0; twice < 2; twice++) {
      const packed = await stage.raw('GET', '/_astro/map.8aJk2.js', { headers: gzip })
      expect(packed.headers.get('content-encoding')).toBe('gzip')
      expect(packed.headers.get('vary')).toBe('Accept-Encoding')
      expect(gunzipSync(new Uint8Array(await packed.arrayBuffer())).toString()).toBe(script)
      const tag = packed.headers.get('etag') ?? ''
      const held = await stage.raw('GET', '/_astro/map.8aJk2.js', {
        headers: { ...gzip, 'if-none-match': tag },
      })
      expect(held.status).toBe(304)
    }
    const tiles = await stage.raw('GET', '/data/tiles.pmtiles', {
      headers: { ...gzip, range: 'bytes=0-16383' },
    })
    expect(tiles.status).toBe(206)
    expect(tiles.headers.get('content-encoding')).toBeNull()
    expect(tiles.headers.get('content-range')).toBe('bytes 0-16383/200000')
    expect((await tiles.arrayBuffer()).byteLength).toBe(16_384)
  })

  test('has a strict Content-Security-Policy, or the one it is given', async () => {
    const site = await folder(files)
    const stage = await serving({ site })
    const policy = (await stage.raw('GET', '/')).headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'self'")
    expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|http/)
    const own = await serving({ site: { folder: site, contentSecurityPolicy: "default-src 'none'" } })
    expect((await own.raw('GET', '/')).headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'self'",
    )
    expect((await own.raw('GET', '/embed/')).headers.get('content-security-policy')).toBe(
      "default-src 'none'",
    )
  })

  test('may have been built for a path of its own', async () => {
    const stage = await serving({ site: { folder: await folder(files), base: '/fountains' } })
    expect((await stage.raw('GET', '/fountains/about/')).status).toBe(200)
    expect((await stage.raw('GET', '/fountains/')).status).toBe(200)
    expect((await stage.raw('GET', '/about/')).status).toBe(404)
  })
})

test('without a site everything outside the API is not found', async () => {
  const stage = await serving({})
  expect((await stage.ask('GET', '/')).body).toMatchObject({ code: 'NOT_FOUND' })
})
