import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { folder } from '@openfountain/testing/server/folder'
import { serving } from '@openfountain/testing/server/stage'

const script = `export const x = '${'y'.repeat(5000)}'`
const files = {
  'index.html': '<!doctype html><title>Map</title>',
  '404.html': '<!doctype html><title>Nothing here</title>',
  'embed/index.html': '<!doctype html><title>Embed</title>',
  'about/index.html': '<!doctype html><title>About</title>',
  'rules.html': '<!doctype html><title>Rules</title>',
  '_astro/map.8aJk2.js': script,
  '_astro/explore/home.8aJk2.js': script,
  'data/tiles.pmtiles': new Uint8Array(200_000).fill(7),
  'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '.env': 'SECRET=1',
  '.well-known/security.txt': 'Contact: x',
  _headers: '/*',
}

test('a site is served beside the API, with pages for folders and names without ending', async () => {
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

test('a site sends folders without a slash to their own path, whatever prefix the app has', async () => {
  const stage = await serving({ site: await folder(files) })
  const response = await stage.raw('GET', '/about')
  expect(response.status).toBe(308)
  expect(response.headers.get('location')).toBe('./about/')
})

test('a site has a page for what is missing', async () => {
  const stage = await serving({ site: await folder(files) })
  const response = await stage.raw('GET', '/nowhere')
  expect(response.status).toBe(404)
  expect(await response.text()).toContain('Nothing here')
  const bare = await serving({ site: await folder({ 'index.html': 'x' }) })
  const missing = await bare.raw('GET', '/nowhere')
  expect(missing.status).toBe(404)
  expect(await missing.json()).toMatchObject({ code: 'NOT_FOUND' })
  expect((await bare.raw('POST', '/')).status).toBe(405)
})

test('a site never leaves its folder or shows what is hidden', async () => {
  const outside = await folder({ 'leak.txt': 'SECRET' })
  const site = await folder(files)
  await symlink(join(outside, 'leak.txt'), join(site, 'leak.txt'))
  const stage = await serving({ site })
  for (const path of [
    '/.env',
    '/_headers',
    '/..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/about/..%5c..%5cx',
    '/%00',
    '/leak.txt',
    `/${'x'.repeat(5000)}`,
  ]) {
    const response = await stage.raw('GET', path)
    expect([path, response.status]).toEqual([path, 404])
    expect(await response.text()).not.toMatch(/SECRET|root:/)
  }
  expect(stage.failures).toEqual([])
})

test('a site says how long its files may be cached', async () => {
  const stage = await serving({ site: await folder(files) })
  const cache = async (path: string) => (await stage.raw('GET', path)).headers.get('cache-control')
  for (const file of ['_astro/map.8aJk2.js', '_astro/explore/home.8aJk2.js'])
    expect(await cache(`/${file}`)).toBe('public, max-age=31536000, immutable')
  expect(await cache('/')).toBe('public, max-age=0, must-revalidate')
  expect(await cache('/icon.svg')).toBe('public, max-age=0, must-revalidate')
  const { headers } = await stage.raw('GET', '/')
  const tag = headers.get('etag') ?? ''
  expect((await stage.raw('GET', '/', { headers: { 'if-none-match': tag } })).status).toBe(304)
  const since = headers.get('last-modified') ?? ''
  expect((await stage.raw('GET', '/', { headers: { 'if-modified-since': since } })).status).toBe(304)
})

test('a site packs text and sends tiles in ranges', async () => {
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

test('a site has a strict Content-Security-Policy, or the one it is given', async () => {
  const site = await folder(files)
  const stage = await serving({ site })
  const policy = (await stage.raw('GET', '/')).headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'self'")
  expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|http/)
  const own = await serving({ site: { folder: site, contentSecurityPolicy: "default-src 'none'" } })
  expect((await own.raw('GET', '/')).headers.get('content-security-policy')).toBe(
    "default-src 'none'; frame-ancestors 'self'",
  )
  expect((await own.raw('GET', '/embed/')).headers.get('content-security-policy')).toBe("default-src 'none'")
})

test('without a site everything outside the API is not found', async () => {
  const stage = await serving({})
  expect((await stage.ask('GET', '/')).body).toMatchObject({ code: 'NOT_FOUND' })
})
