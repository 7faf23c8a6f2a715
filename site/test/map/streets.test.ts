/** @module-tag browser */
import { createServer, type Server } from 'node:http'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite, type SiteReport, type SiteWarning } from '../../src/index.ts'
import { filesOf } from '@openfountain/testing/site/built-site'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'
import { lake, townBounds, writeStreetTiles } from './street-tiles.ts'
import { exportTown, square } from './town.ts'
import { clickMiddle, heading, mapReady, visit } from './visit.ts'

const near = `?at=${square.latitude},${square.longitude},16`
const overLake = `?at=${lake.latitude},${lake.longitude},16.5`
const water = { light: [220, 235, 241], dark: [13, 25, 31] }

let data: string
let archive: string
let browser: Browser

beforeAll(async () => {
  data = await exportTown()
  archive = join(await freshFolder(), 'town.pmtiles')
  // As large as that of a country: what is beyond the tiles takes no space on the disk.
  await writeStreetTiles(archive, { bytes: 6_000_000_000 })
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
})

/** The colour in the middle of the picture of the map that a print would have, which is what is drawn. */
const colourInTheMiddle = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    dispatchEvent(new Event('beforeprint'))
    const picture = document.querySelector<HTMLImageElement>('.map-picture')
    await picture?.decode()
    const canvas = document.createElement('canvas')
    const { naturalWidth = 1, naturalHeight = 1 } = picture ?? {}
    canvas.width = naturalWidth
    canvas.height = naturalHeight
    const context = canvas.getContext('2d')
    if (picture) context?.drawImage(picture, 0, 0)
    dispatchEvent(new Event('afterprint'))
    const [red, green, blue] =
      context?.getImageData(Math.round(naturalWidth / 2), Math.round(naturalHeight / 2), 1, 1).data ?? []
    return [red ?? 0, green ?? 0, blue ?? 0]
  })

/** Each look at the colour is a picture of the map. */
const patiently = { timeout: 30_000, interval: 400 }

/** Software draws the fewer pixels the sooner. */
const small = { viewport: { width: 480, height: 480 } }

const streetTiles = (requests: readonly string[]) =>
  requests.filter((address) => address.includes('.pmtiles') && !address.includes('waypoints'))

describe('a site with streets', () => {
  let out: string
  let host: StaticHost
  let report: SiteReport
  const warnings: SiteWarning[] = []

  beforeAll(async () => {
    out = join(await freshFolder(), 'site')
    report = await buildSite({
      data,
      out,
      base: '/water/',
      basemap: archive,
      languages: ['en', 'de'],
      onWarning: (warning) => void warnings.push(warning),
    })
    host = await hostFolder(out, { base: '/water/' })
  })

  afterAll(() => host?.close())

  it('has them in its folder, and asks no other host for anything', async () => {
    expect(report.baseMap).toBe('streets')
    expect(report.contentSecurityPolicy).toContain("connect-src 'self';")
    // Six gigabytes of streets are more than the usual hosts take.
    expect(warnings).toEqual([expect.objectContaining({ code: 'BEYOND_LIMITS' })])
    expect((await filesOf(out)).filter((file) => file.startsWith('map/streets/')).toSorted()).toEqual([
      'map/streets/de.json',
      'map/streets/en.json',
      'map/streets/streets.pmtiles',
    ])
    expect((await stat(join(out, 'map/streets/streets.pmtiles'))).ino).toBe((await stat(archive)).ino)
  })

  it('draws them in the dark, and in light colours after a change', async () => {
    const { page, context, complaints, requests } = await visit(browser, `${host.url}${overLake}`, {
      ...small,
      colorScheme: 'dark',
    })
    await expect.poll(() => colourInTheMiddle(page), patiently).toEqual(water.dark)
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(() => colourInTheMiddle(page), patiently).toEqual(water.light)
    const elsewhere = requests.filter(
      (address) => !address.startsWith(host.url) && !/^(?:data|blob):/u.test(address),
    )
    expect(elsewhere).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  it('shows the map with its fountains before them, even where they never arrive', async () => {
    const context = await browser.newContext({ ...small, serviceWorkers: 'block' })
    let held = 0
    await context.route(/map\/streets\//u, () => {
      held += 1
    })
    const page = await context.newPage()
    await page.goto(`${host.url}${near}`)
    await mapReady(page)
    await heading(page, /in view$/u)
    await clickMiddle(page)
    await page.locator('#card h2', { hasText: 'Market Square' }).waitFor()
    expect(held).toBeGreaterThan(0)
    await context.close()
  })

  it('takes no more than 700 kB until they are drawn, of an archive of 6 GB, and the map before them', async () => {
    const counting = await hostFolder(out, { base: '/water/' })
    const { page, context } = await visit(browser, `${counting.url}${overLake}`, {
      serviceWorkers: 'block',
      viewport: { width: 390, height: 844 },
    })
    const first = counting.bytesSent()
    await expect.poll(() => colourInTheMiddle(page), patiently).toEqual(water.light)
    const all = counting.bytesSent()
    expect(first).toBeGreaterThan(200_000)
    expect(all).toBeLessThan(700_000)
    await context.close()
    await counting.close()
  })

  it('reads none of them where the map is far away', async () => {
    const { context, requests } = await visit(
      browser,
      `${host.url}?at=${square.latitude},${square.longitude},6`,
      small,
    )
    const isStyle = (address: string) => address.includes('map/streets/en.json')
    await expect.poll(() => requests.some(isStyle)).toBe(true)
    expect(streetTiles(requests).length).toBeLessThanOrEqual(2)
    await context.close()
  })

  it.each(['', 'embed/'])('/%s names who made them, also beside an open card', async (path) => {
    const { page, context, complaints } = await visit(browser, `${host.url}${path}${near}`, {
      viewport: { width: 390, height: 844 },
    })
    await clickMiddle(page)
    await page.locator('#card').getByRole('link', { name: 'Directions' }).waitFor()
    const line = page.locator('#attribution')
    expect((await line.innerText()).replaceAll(/\s+/gu, ' ')).toContain(
      'Streets: © OpenStreetMap contributors, Protomaps',
    )
    expect(await line.getByRole('link', { name: '© OpenStreetMap contributors' }).getAttribute('href')).toBe(
      'https://www.openstreetmap.org/copyright',
    )
    expect(await line.innerText()).not.toContain('no streets')
    await expect
      .poll(() =>
        line.getByRole('link', { name: 'Protomaps' }).evaluate((link) => {
          const { left, right, top, bottom } = link.getBoundingClientRect()
          return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === link
        }),
      )
      .toBe(true)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('names them on About, in each language', async () => {
    const text = async (path: string) =>
      (await readFile(join(out, path, 'index.html'), 'utf8'))
        .replaceAll(/<[^>]*>/gu, '')
        .replaceAll(/\s+/gu, ' ')
    expect(await text('about')).toContain('Streets: © OpenStreetMap contributors, Protomaps.')
    expect(await text('de/about')).toContain('Straßen: © OpenStreetMap contributors, Protomaps.')
    expect(await text('about')).not.toContain('sees your IP address')
  })

  it('without a network has the land and the fountains, and says what it does not keep', async () => {
    const away = await hostFolder(out, { base: '/water/' })
    const { page, context } = await visit(browser, `${away.url}${near}`, small)
    await page.locator('#keep-offline').click({ timeout: 60_000 })
    await page.locator('#status', { hasText: 'without streets' }).waitFor({ timeout: 60_000 })
    await away.close()
    await context.setOffline(true)
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(`${away.url}${near}&fountain=1`)
    await mapReady(page)
    await page.locator('#card h2', { hasText: 'Market Square' }).waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('has the land alone where the host sends no parts of files', async () => {
    const whole = await hostFolder(out, { base: '/water/', ranges: false })
    const { page, context, complaints } = await visit(browser, `${whole.url}${overLake}`, small)
    expect(await colourInTheMiddle(page)).toEqual([246, 244, 238])
    expect(complaints).toEqual([])
    await context.close()
    await whole.close()
  })
})

describe('streets on a host of one’s own', () => {
  let server: Server
  let address: string
  let sendsParts = true

  beforeAll(async () => {
    const { size } = await stat(archive)
    server = createServer((request, response) => {
      const [, from = 0, to = 0] = /^bytes=(\d+)-(\d+)$/u.exec(request.headers.range ?? '')?.map(Number) ?? []
      const [start, end] = [from, Math.min(to, size - 1)]
      if (!sendsParts) return void response.writeHead(200).end('all of it')
      if (request.url !== '/town.pmtiles') return void response.writeHead(404).end()
      response.writeHead(206, {
        'access-control-allow-origin': '*',
        'content-range': `bytes ${start}-${end}/${size}`,
      })
      createReadStream(archive, { start, end }).pipe(response)
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const at = server.address()
    if (at === null || typeof at === 'string') throw new Error('no port')
    address = `http://127.0.0.1:${at.port}`
  })

  afterAll(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(resolve)
      }),
  )

  it('are read there, also by the published engine, which the policy allows and About says', async () => {
    const out = join(await freshFolder(), 'site')
    const warnings: string[] = []
    const report = await buildSite({
      data,
      out,
      basemap: `${address}/town.pmtiles`,
      engine: 'published',
      languages: ['en'],
      pages: 'none',
      onWarning: ({ code }) => void warnings.push(code),
    })
    expect(warnings).toEqual([])
    expect(report.contentSecurityPolicy).toContain(`connect-src 'self' ${address};`)
    expect((await filesOf(out)).filter((file) => file.endsWith('.pmtiles'))).toEqual([
      'data/waypoints.pmtiles',
    ])
    expect(await readFile(join(out, 'about/index.html'), 'utf8')).toContain(
      `it comes from ${address.replace('http://', '')}, which therefore sees your IP address`,
    )
    const host = await hostFolder(out)
    const { page, context, complaints } = await visit(browser, `${host.url}${overLake}`, small)
    await expect.poll(() => colourInTheMiddle(page), patiently).toEqual(water.light)
    expect(complaints).toEqual([])
    await context.close()
    await host.close()
  })

  it('are refused when the host does not have them, or sends no parts of files', async () => {
    const build = async (basemap: string) =>
      buildSite({ data, out: join(await freshFolder(), 'site'), basemap, languages: ['en'] })
    await expect(build(`${address}/none.pmtiles`)).rejects.toThrow(
      /basemap: .*none\.pmtiles cannot be read \(the host returned 404\); put the file there first/u,
    )
    sendsParts = false
    await expect(build(`${address}/town.pmtiles`)).rejects.toThrow(
      /basemap: the host of .* does not send parts of files \(206\)/u,
    )
    await expect(build('http://127.0.0.1:1/town.pmtiles')).rejects.toThrow(/basemap: .* cannot be read \(/u)
  })
})

describe('openfreemap', () => {
  const service = 'https://tiles.openfreemap.org'

  it('is asked for the base map in both themes, alone, by its name and in its font', async () => {
    const out = join(await freshFolder(), 'site')
    const report = await buildSite({ data, out, basemap: 'openfreemap', languages: ['en'], pages: 'none' })
    expect(report.baseMap).toBe('openfreemap')
    expect(report.contentSecurityPolicy).toContain(`connect-src 'self' ${service};`)
    expect(await readFile(join(out, 'about/index.html'), 'utf8')).toContain(
      'it comes from tiles.openfreemap.org,',
    )
    expect((await filesOf(out)).filter((file) => /map\/(?:base|streets)\//u.test(file))).toEqual([])
    const host = await hostFolder(out)
    const context = await browser.newContext({
      ...small,
      colorScheme: 'light',
    })
    const asked: string[] = []
    const colours = { positron: '#c0ffee', dark: '#123456' }
    await context.route(/^https:/u, async (route) => {
      const url = route.request().url()
      asked.push(decodeURIComponent(url))
      const name = url.endsWith('/dark') ? 'dark' : 'positron'
      const headers = { 'access-control-allow-origin': '*' }
      if (!url.includes('/styles/')) return route.fulfill({ status: 404, headers })
      const style = {
        version: 8,
        sources: {},
        glyphs: `${service}/fonts/{fontstack}/{range}.pbf`,
        layers: [{ id: 'ground', type: 'background', paint: { 'background-color': colours[name] } }],
      }
      await route.fulfill({ headers, contentType: 'application/json', body: JSON.stringify(style) })
    })
    const page = await context.newPage()
    await page.goto(`${host.url}${overLake}`)
    await mapReady(page)
    await expect.poll(() => colourInTheMiddle(page), patiently).toEqual([192, 255, 238])
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => colourInTheMiddle(page), patiently).toEqual([18, 52, 86])
    await page.goto(`${host.url}${near}`)
    await mapReady(page)
    await clickMiddle(page)
    await page.locator('#card h2', { hasText: 'Market Square' }).waitFor()
    expect((await page.locator('#attribution').innerText()).replaceAll(/\s+/gu, ' ')).toContain(
      'Streets: © OpenStreetMap contributors, © OpenMapTiles, OpenFreeMap',
    )
    expect(await page.locator('.maplibregl-ctrl-attrib').count()).toBe(0)
    expect(asked.filter((url) => !url.startsWith(`${service}/`))).toEqual([])
    expect(
      asked.filter((url) => url.includes('/fonts/') && !url.includes('/fonts/Noto Sans Regular/')),
    ).toEqual([])
    await context.close()
    await host.close()
  })
})

it('streets of another place are built with a warning', async () => {
  const far = join(await freshFolder(), 'far.pmtiles')
  const [west, south, east, north] = townBounds
  await writeStreetTiles(far, { bounds: [west - 90, south, east - 90, north], maxZoom: 9 })
  const warnings: SiteWarning[] = []
  const out = join(await freshFolder(), 'site')
  await buildSite({
    data,
    out,
    basemap: far,
    languages: ['en'],
    pages: 'none',
    onWarning: (one) => void warnings.push(one),
  })
  expect(warnings).toEqual([
    {
      code: 'BASEMAP_ELSEWHERE',
      message: 'None of the fountains lies on the base map: it is of another place',
    },
  ])
})
