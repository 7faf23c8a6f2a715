/** @module-tag browser */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { openRegistry } from '@openfountain/core'
import { createApp, nodeListener } from '@openfountain/server'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { precompress } from '../../packages/exchange/src/export/folder/precompress.ts'
import { siteFolder } from '../../packages/cli/src/commands/serve.ts'
import { buildSite } from '../src/index.ts'
import { filesOf } from '@openfountain/testing/site/built-site'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { exportSample, freshFolder } from '@openfountain/testing/site/sample'
import { startApache, startCaddy, startNginx, type WebServer } from './web-servers.ts'

let folder: string
let exports: string
let files: readonly string[]
let browser: Browser

/** The registry's own server, reached over HTTPS as far as it knows. */
async function startServer(): Promise<WebServer> {
  const registry = await openRegistry({ database: ':memory:' })
  const app = createApp(registry, {
    publicUrl: 'https://fountains.example',
    exports,
    site: await siteFolder(join(folder, 'site'), undefined),
  })
  const server = createServer(nodeListener(app))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await registry.close()
    },
  }
}

/** The registry's server behind one that ends TLS. */
async function behind(start: typeof startNginx, example: string): Promise<WebServer> {
  const server = await startServer()
  const proxy = await start(example, { '127.0.0.1:3000': new URL(server.url).host })
  return {
    url: proxy.url,
    close: async () => {
      await proxy.close()
      await server.close()
    },
  }
}

const ofFiles = { '/srv/fountains/public': '' }
const servers: readonly (readonly [name: string, start: () => Promise<WebServer>])[] = [
  ['the server', startServer],
  ['nginx before the server', () => behind(startNginx, 'self-hosting/nginx.conf')],
  ['Caddy before the server', () => behind(startCaddy, 'self-hosting/Caddyfile')],
  ['nginx with the files alone', () => startNginx('site/nginx.conf', ofFiles)],
  ['Caddy with the files alone', () => startCaddy('site/Caddyfile', ofFiles)],
  ['Apache with the files alone', () => startApache('site/apache.htaccess', join(folder, 'site'))],
]

beforeAll(async () => {
  folder = await freshFolder()
  exports = await exportSample()
  await precompress(exports, [{ file: 'waypoints.csv' }, { file: 'waypoints.geojson' }])
  await buildSite({ data: exports, out: join(folder, 'site'), languages: ['en', 'de'] })
  files = await filesOf(join(folder, 'site'))
  Object.assign(ofFiles, { '/srv/fountains/public': join(folder, 'site') })
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
})

/** A body as it was sent, compressed or not. */
async function rawBytes(url: string, headers: Readonly<Record<string, string>>): Promise<Buffer> {
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage]
  return buffer(response)
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

/** Folders of files whose names have a hash of their content. */
const hashed = /^(?:_astro|map\/js|exploring)\//u

/** One file of each type and of each folder of hashed ones, and each kind of page. */
function samples(): string[] {
  const byKind = new Map<string, string>()
  for (const file of files) byKind.set(hashed.exec(file)?.[0] ?? extname(file), file)
  return [...new Set([...byKind.values(), 'index.html', 'embed/index.html', '404.html'])]
}

describe.each(servers)('a built site from %s', (_name, start) => {
  let server: WebServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(async () => {
    await server?.close()
  })

  it('has a policy, a fixed type and Strict-Transport-Security on every type of file', async () => {
    const lacking: string[] = []
    expect(samples().length).toBeGreaterThan(12)
    for (const path of [...samples(), 'no-such-page/']) {
      const { headers, body } = await fetch(`${server.url}${path}`)
      await body?.cancel()
      const policy = headers.get('content-security-policy') ?? ''
      if (headers.get('x-content-type-options') !== 'nosniff') lacking.push(`${path}: nosniff`)
      if (!/^max-age=31536000$/u.test(headers.get('strict-transport-security') ?? ''))
        lacking.push(`${path}: ${headers.get('strict-transport-security')}`)
      if (!/base-uri 'none'/u.test(policy) || !/default-src 'none'|object-src 'none'/u.test(policy))
        lacking.push(`${path}: ${policy}`)
      if (path.endsWith('.html') && headers.get('referrer-policy') !== 'strict-origin-when-cross-origin')
        lacking.push(`${path}: ${headers.get('referrer-policy')}`)
      const isLong = headers.get('cache-control')?.includes('immutable') === true
      if (isLong !== hashed.test(path)) lacking.push(`${path}: ${headers.get('cache-control')}`)
      const isEmbed = path.startsWith('embed/')
      if (policy.includes('frame-ancestors') === isEmbed) lacking.push(`${path}: frames, ${policy}`)
    }
    expect(lacking).toEqual([])
  })

  it('has the registered type of each download, and sends the compressed form that lies beside it', async () => {
    const types: Record<string, string | null> = {}
    for (const path of Object.keys(registered)) {
      const { headers, body } = await fetch(`${server.url}${path}`)
      await body?.cancel()
      types[path] = headers.get('content-type')?.split(';')[0]?.toLowerCase() ?? null
    }
    expect(types).toEqual(registered)
    const csv = await readFile(join(exports, 'waypoints.csv'), 'utf8')
    const sent = await rawBytes(`${server.url}data/waypoints.csv`, { 'accept-encoding': 'gzip' })
    expect(sent.equals(await readFile(join(exports, 'waypoints.csv.gz')))).toBe(true)
    const part = await fetch(`${server.url}data/waypoints.csv`, {
      headers: { 'accept-encoding': 'identity', range: 'bytes=3-9' },
    })
    expect([part.status, await part.text()]).toEqual([206, csv.slice(3, 10)])
  })

  it('works in a browser: maps with their workers, inline scripts, and framing of the embed page', async () => {
    const context = await browser.newContext({ locale: 'en-GB' })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (/Content.Security.Policy|MIME|Refused|violates/iu.test(message.text()))
        complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    for (const path of ['', 'embed/', 'waypoint/1/', 'de/data/', 'about/']) {
      await page.goto(`${server.url}${path}`, { waitUntil: 'load' })
      if (path === '' || path === 'embed/')
        await page.waitForSelector('html.map-ready', { state: 'attached' })
    }
    // A worker reads the data, by parts.
    await page.goto(`${server.url}explore/`)
    await expect.poll(() => page.textContent('#explore-found')).toBe('47 of 47 fountains')
    expect(await page.textContent('#explore-whole')).toBe('')
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('downloads', () => {
  it('have a policy in which nothing runs, and Strict-Transport-Security, as every response has', async () => {
    const server = await startServer()
    try {
      const list = (await (await fetch(`${server.url}api/exports`)).json()) as { exports: { file: string }[] }
      expect(list.exports.length).toBeGreaterThan(8)
      const others = ['api', 'api/docs', 'api/nowhere', 'api/user', 'about', 'no-such-page', '%ff']
      for (const path of [...list.exports.map(({ file }) => `api/exports/${file}`), ...others]) {
        const { headers, body } = await fetch(`${server.url}${path}`, { redirect: 'manual' })
        await body?.cancel()
        expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
        expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000'])
        expect([path, headers.get('content-security-policy')]).toEqual([
          path,
          expect.stringContaining("default-src 'none'"),
        ])
        if (path.startsWith('api/exports/'))
          expect(headers.get('content-disposition')).toContain('attachment')
      }
    } finally {
      await server.close()
    }
  })
})

describe.each([
  ['nginx', startNginx, 'self-hosting/nginx.conf'],
  ['Caddy', startCaddy, 'self-hosting/Caddyfile'],
] as const)('%s without the registry', (_name, start, example) => {
  it('has the headers on its own error page', async () => {
    const proxy = await start(example, { '127.0.0.1:3000': '127.0.0.1:1' })
    const { status, headers } = await fetch(proxy.url)
    await proxy.close()
    expect(status).toBe(502)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
  })
})
