/** @module-tag others */
import { readFile } from 'node:fs/promises'
import { createServer, get, type IncomingMessage } from 'node:http'
import { extname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { openRegistry } from '@openfountain/core'
import { createApp, nodeListener } from '@openfountain/server'
import { newPage, says } from '@openfountain/testing/browser/page'
import { filesOf } from '@openfountain/testing/site/built-site'
import { portOf } from '@openfountain/testing/listening'
import { exportSample } from '@openfountain/testing/site/sample'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { siteFolder } from '../../packages/cli/src/commands/serve.ts'
import { precompress } from '../../packages/exchange/src/export/folder/precompress.ts'
import { buildSite } from '../src/index.ts'
import { startApache, startCaddy, startNginx, type WebServer } from '@openfountain/testing/site/web-servers'
import { newFolder } from '@openfountain/testing/folder'

async function startServer(): Promise<WebServer> {
  const registry = await openRegistry({ database: ':memory:' })
  const publicUrl = 'https://fountains.example'
  const app = createApp(registry, { publicUrl, exports, site: await siteFolder(site, undefined) })
  const server = createServer(nodeListener(app))
  return {
    url: `http://127.0.0.1:${await portOf(server)}/`,
    close: async () => {
      server.close().closeAllConnections()
      await registry.close()
    },
  }
}

async function behind(start: typeof startNginx, example: string): Promise<WebServer> {
  const server = await startServer()
  const proxy = await start(example, { '127.0.0.1:3000': new URL(server.url).host })
  return { url: proxy.url, close: async () => void (await proxy.close(), await server.close()) }
}

const ofFiles = () => ({ '/srv/fountains/public': site })

const site = join(newFolder(), 'site')
const exports = await exportSample()
await precompress(exports, [{ file: 'waypoints.csv' }, { file: 'waypoints.geojson' }])
await buildSite({ data: exports, out: site, languages: ['en', 'de'] })
const files = await filesOf(site)

async function head(url: string): Promise<Headers> {
  const { headers, body } = await fetch(url, { redirect: 'manual' })
  await body?.cancel()
  return headers
}

/** As the IANA or the format's own specification has them. */
const registered = {
  'data/waypoints.csv': 'text/csv',
  'data/waypoints.geojson': 'application/geo+json',
  'data/waypoints.gpkg': 'application/geopackage+sqlite3',
  'data/waypoints.gpx': 'application/gpx+xml',
  'data/waypoints.kml': 'application/vnd.google-earth.kml+xml',
  'data/waypoints.kmz': 'application/vnd.google-earth.kmz',
  'data/waypoints.parquet': 'application/vnd.apache.parquet',
  'data/waypoints.pmtiles': 'application/vnd.pmtiles',
  'data/dataset.jsonld': 'application/ld+json',
  'manifest.webmanifest': 'application/manifest+json',
  'changes.atom': 'application/atom+xml',
}

/** The folder of files whose names have a content hash. */
const hashed = /^_astro\//u

function samples(): string[] {
  const byKind = new Map(files.map((file) => [hashed.exec(file)?.[0] ?? extname(file), file]))
  return [...new Set([...byKind.values(), 'index.html', 'embed/index.html', '404.html'])]
}

describe.each<readonly [string, () => Promise<WebServer>]>([
  ['the server', startServer],
  ['nginx before the server', () => behind(startNginx, 'self-hosting/nginx.conf')],
  ['Caddy before the server', () => behind(startCaddy, 'self-hosting/Caddyfile')],
  ['nginx with the files alone', () => startNginx('site/nginx.conf', ofFiles())],
  ['Caddy with the files alone', () => startCaddy('site/Caddyfile', ofFiles())],
  ['Apache with the files alone', () => startApache('site/apache.htaccess', site)],
])('a built site from %s', (_name, start) => {
  let server: WebServer

  beforeAll(async () => {
    server = await start()
  })

  afterAll(() => server?.close())

  it('has a policy, a fixed type and Strict-Transport-Security on every type of file', async () => {
    expect(samples().length).toBeGreaterThan(12)
    for (const path of [...samples(), 'no-such-page/']) {
      const headers = await head(`${server.url}${path}`)
      const policy = headers.get('content-security-policy') ?? ''
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
      expect(headers.get('strict-transport-security'), path).toBe('max-age=31536000')
      expect(policy, path).toContain("base-uri 'none'")
      expect(policy, path).toMatch(/default-src 'none'|object-src 'none'/u)
      if (path.endsWith('.html'))
        expect(headers.get('referrer-policy'), path).toBe('strict-origin-when-cross-origin')
      const isLong = headers.get('cache-control')?.includes('immutable') === true
      expect(isLong, path).toBe(hashed.test(path))
      expect(policy.includes('frame-ancestors'), path).toBe(!path.startsWith('embed/'))
    }
  })

  it('has the registered type of each download, and sends the compressed form that lies beside it', async () => {
    for (const [path, type] of Object.entries(registered)) {
      const sent = (await head(`${server.url}${path}`)).get('content-type')
      expect([path, sent?.split(';')[0]?.toLowerCase()]).toEqual([path, type])
    }
    const url = `${server.url}data/waypoints.csv`
    // As it was sent: fetch would unpack it.
    const response = await new Promise<IncomingMessage>((resolve) => {
      get(url, { headers: { 'accept-encoding': 'gzip' } }, resolve)
    })
    const packed = await readFile(join(exports, 'waypoints.csv.gz'))
    expect((await buffer(response)).equals(packed)).toBe(true)
    const part = await fetch(url, { headers: { 'accept-encoding': 'identity', range: 'bytes=3-9' } })
    const csv = await readFile(join(exports, 'waypoints.csv'), 'utf8')
    expect([part.status, await part.text()]).toEqual([206, csv.slice(3, 10)])
  })

  it('works in a browser: maps with their workers, inline scripts, and framing of the embed page', async () => {
    const page = await newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      const text = message.text()
      if (/Content.Security.Policy|MIME|Refused|violates/iu.test(text)) complaints.push(text)
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    for (const path of ['', 'embed/', 'waypoint/1/', 'de/data/', 'about/']) {
      await page.goto(`${server.url}${path}`, { waitUntil: 'load' })
      const hasMap = path === '' || path === 'embed/'
      if (hasMap) await page.waitForSelector('html.map-ready', { state: 'attached' })
    }
    await page.goto(`${server.url}explore/`)
    await says(page.locator('#explore-found'), '47 of 47 fountains')
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    expect(complaints).toEqual([])
  })
})

it.each([
  ['nginx', startNginx, 'self-hosting/nginx.conf'],
  ['Caddy', startCaddy, 'self-hosting/Caddyfile'],
] as const)(
  '%s without the registry has the headers on its own error page',
  async (_name, start, example) => {
    const proxy = await start(example, { '127.0.0.1:3000': '127.0.0.1:1' })
    const { status, headers } = await fetch(proxy.url)
    await proxy.close()
    expect(status).toBe(502)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
  },
)
