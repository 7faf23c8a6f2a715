/** @module-tag browser */
import { createReadStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { textIn, newFolder } from '@openfountain/testing/folder'
import { listening } from '@openfountain/testing/listening'
import { newProfile } from '@openfountain/testing/browser/page'
import { filesOf } from '@openfountain/testing/site/built-site'
import { base, exportOf } from '@openfountain/testing/site/sites'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'
import { square, total } from '@openfountain/testing/site/town'
import { clickMiddle, heading, mapReady, visit } from '@openfountain/testing/site/visit'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildSite, type SiteWarning } from '../../src/index.ts'
import { lake, writeStreetTiles } from './street-tiles.ts'

const near = `?at=${square.latitude},${square.longitude},16`
const overLake = `?at=${lake.latitude},${lake.longitude},16.5`
const water = { light: [220, 235, 241], dark: [13, 25, 31] }

const data = await exportOf('town')

const archive = join(newFolder(), 'town.pmtiles')
// The size of a country's archive; the file is sparse beyond the tiles.
await writeStreetTiles(archive, { bytes: 6_000_000_000 })

async function build(basemap?: string, options: Partial<Parameters<typeof buildSite>[0]> = {}) {
  const out = join(newFolder(), 'site')
  const warnings: SiteWarning[] = []
  const onWarning = (one: SiteWarning) => void warnings.push(one)
  const given = { basemap, pages: 'none', ...options } as const
  const report = await buildSite({ data, out, languages: ['en'], onWarning, ...given })
  const text = (path: string) =>
    textIn(out, join(path, 'index.html'))
      .replaceAll(/<[^>]*>/gu, '')
      .replaceAll(/\s+/gu, ' ')
  return { out, report, warnings, text, files: await filesOf(out) }
}

const colourInTheMiddle = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    dispatchEvent(new Event('beforeprint'))
    const picture = document.querySelector<HTMLImageElement>('.map-picture') ?? new Image()
    await picture.decode()
    const { naturalWidth: width, naturalHeight: height } = picture
    const context = new OffscreenCanvas(width, height).getContext('2d')
    context?.drawImage(picture, 0, 0)
    dispatchEvent(new Event('afterprint'))
    const pixel = context?.getImageData(Math.round(width / 2), Math.round(height / 2), 1, 1).data ?? []
    return [...pixel].slice(0, 3)
  })

async function isColoured(page: Page, colour: readonly number[]): Promise<void> {
  await expect
    .poll(() => colourInTheMiddle(page).catch(() => []), { timeout: 30_000, interval: 400 })
    .toEqual(colour)
}

const small = { viewport: { width: 480, height: 480 } }

const credits = async (page: Page) =>
  (await page.locator('#attribution').innerText()).replaceAll(/\s+/gu, ' ')

describe('a site with streets', () => {
  let out: string
  let host: StaticHost
  let built: Awaited<ReturnType<typeof build>>

  beforeAll(async () => {
    built = await build(archive, { base, languages: ['en', 'de'], pages: 3 })
    out = built.out
    host = await hostFolder(out, { base })
  })

  it('has them in its folder, asks no other host for anything, and names who made them on About, in each language', async () => {
    expect(built.report.baseMap).toBe('streets')
    expect(built.report.contentSecurityPolicy).toContain("connect-src 'self';")
    // Six gigabytes of streets are more than the usual hosts take.
    expect(built.warnings).toEqual([expect.objectContaining({ code: 'BEYOND_LIMITS' })])
    const files = ['de.json', 'en.json', 'streets.pmtiles'].map((name) => `map/streets/${name}`)
    expect(built.files.filter((file) => file.startsWith('map/streets/')).toSorted()).toEqual(files)
    expect(built.text('about')).toContain('Streets: © OpenStreetMap contributors, Protomaps.')
    expect(built.text('de/about')).toContain('Straßen: © OpenStreetMap contributors, Protomaps.')
    expect(built.text('about')).not.toContain('sees your IP address')
  })

  it('draws them in the dark, and in light colours after a change', async () => {
    const options = { ...small, colorScheme: 'dark' } as const
    const { page, complaints, requests } = await visit(`${host.url}${overLake}`, options)
    await isColoured(page, water.dark)
    await page.emulateMedia({ colorScheme: 'light' })
    await isColoured(page, water.light)
    const isOwn = (address: string) => address.startsWith(host.url) || /^(?:data|blob):/u.test(address)
    expect(requests.filter((address) => !isOwn(address))).toEqual([])
    expect(complaints).toEqual([])
  })

  it.each([
    ['they', ''],
    ['their tiles', '=[1-9]'],
  ])('shows the map with its fountains before them, even where %s never arrive', async (_, ranges) => {
    const context = await newProfile({ ...small, serviceWorkers: 'block' })
    let held = 0
    await context.route(/map\/streets\//u, (route) => {
      if (new RegExp(ranges, 'u').test(route.request().headers()['range'] ?? '')) held += 1
      else void route.continue()
    })
    const page = await context.newPage()
    await page.goto(`${host.url}${near}`)
    await mapReady(page)
    await heading(page, /in view$/u)
    await clickMiddle(page)
    await page.locator('#card h2', { hasText: 'Market Square' }).waitFor()
    expect(held).toBeGreaterThan(0)
    expect(await credits(page)).toContain('Streets: © OpenStreetMap contributors, Protomaps')
    const link = page.locator('#attribution').getByRole('link', { name: '© OpenStreetMap contributors' })
    expect(await link.getAttribute('href')).toBe('https://www.openstreetmap.org/copyright')
  })

  it('takes no more than 700 kB until they are drawn, of an archive of 6 GB, and the map before them', async () => {
    const counting = await hostFolder(out, { base })
    const options = { viewport: { width: 390, height: 844 }, serviceWorkers: 'block' } as const
    const { page } = await visit(`${counting.url}${overLake}`, options)
    const first = counting.bytesSent()
    await isColoured(page, water.light)
    expect(first).toBeGreaterThan(200_000)
    expect(counting.bytesSent()).toBeLessThan(700_000)
  })

  it('reads none of them where the map is far away', async () => {
    const { requests } = await visit(`${host.url}?at=${square.latitude},${square.longitude},6`, small)
    const asked = (part: string) => requests.filter((address) => address.includes(part)).length
    await expect.poll(() => asked('map/streets/en.json')).toBeGreaterThan(0)
    expect(asked('streets.pmtiles')).toBeLessThanOrEqual(2)
  })

  it('without a network has the land and the fountains, and says what it does not keep', async () => {
    const away = await hostFolder(out, { base })
    const { page, context } = await visit(`${away.url}${near}`, small)
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
  })

  it('has the land alone where the host sends no parts of files', async () => {
    const whole = await hostFolder(out, { base, ranges: false })
    const { page, complaints } = await visit(`${whole.url}${overLake}`, small)
    expect(await colourInTheMiddle(page)).toEqual([246, 244, 238])
    expect(complaints).toEqual([])
  })
})

it('streets on a host of one’s own are read there, which the policy allows and About says; a host without them or without parts of files is refused', async () => {
  const { size } = await stat(archive)
  let sendsParts = true
  const server = createServer((request, response) => {
    const [, from = 0, to = 0] = /^bytes=(\d+)-(\d+)$/u.exec(request.headers.range ?? '')?.map(Number) ?? []
    const [start, end] = [from, Math.min(to, size - 1)]
    if (!sendsParts) return void response.writeHead(200).end('all of it')
    if (request.url !== '/town.pmtiles') return void response.writeHead(404).end()
    const headers = { 'access-control-allow-origin': '*', 'content-range': `bytes ${start}-${end}/${size}` }
    createReadStream(archive, { start, end }).pipe(response.writeHead(206, headers))
  })
  const address = `127.0.0.1:${await listening(server)}`
  const streets = `http://${address}/town.pmtiles`
  const { out, report, warnings, text, files } = await build(streets)
  expect(warnings).toEqual([])
  expect(report.contentSecurityPolicy).toContain(`connect-src 'self' http://${address};`)
  expect(files.filter((file) => file.endsWith('.pmtiles')).toSorted()).toEqual([
    'data/waypoints.pmtiles',
    'map/base.pmtiles',
  ])
  expect(text('about')).toContain(`it comes from ${address}, which therefore sees your IP address`)
  const host = await hostFolder(out)
  const { page, complaints } = await visit(`${host.url}${overLake}`, small)
  await isColoured(page, water.light)
  expect(complaints).toEqual([])

  const none = /basemap: .*none\.pmtiles cannot be read \(the host returned 404\); put the file there first/u
  await expect(build(`http://${address}/none.pmtiles`)).rejects.toThrow(none)
  await expect(build('http://127.0.0.1:1/town.pmtiles')).rejects.toThrow(/basemap: .* cannot be read \(/u)
  sendsParts = false
  const parts = /basemap: the host of .* does not send parts of files \(206\)/u
  await expect(build(streets)).rejects.toThrow(parts)
})

it('openfreemap is asked for the base map in both themes, alone, by its name and in its font', async () => {
  const service = 'https://tiles.openfreemap.org'
  const { out, report, text, files } = await build('openfreemap')
  expect(report.baseMap).toBe('openfreemap')
  expect(report.contentSecurityPolicy).toContain(`connect-src 'self' ${service};`)
  expect(text('about')).toContain('it comes from tiles.openfreemap.org,')
  expect(files.filter((file) => /map\/(?:base|streets)\//u.test(file))).toEqual([])
  const { url } = await hostFolder(out)
  const context = await newProfile({ ...small, colorScheme: 'light' })
  const asked: string[] = []
  await context.route(/^https:/u, async (route) => {
    const address = decodeURIComponent(route.request().url())
    asked.push(address)
    const headers = { 'access-control-allow-origin': '*' }
    if (!address.includes('/styles/')) return route.fulfill({ status: 404, headers })
    const paint = { 'background-color': address.endsWith('/dark') ? '#123456' : '#c0ffee' }
    const layers = [{ id: 'ground', type: 'background', paint }]
    const glyphs = `${service}/fonts/{fontstack}/{range}.pbf`
    await route.fulfill({ headers, json: { version: 8, sources: {}, glyphs, layers } })
  })
  const page = await context.newPage()
  await page.goto(`${url}${overLake}`)
  await mapReady(page)
  await isColoured(page, [192, 255, 238])
  await page.emulateMedia({ colorScheme: 'dark' })
  await isColoured(page, [18, 52, 86])
  await page.goto(`${url}${near}`)
  await mapReady(page)
  await clickMiddle(page)
  await page.locator('#card h2', { hasText: 'Market Square' }).waitFor()
  expect(await credits(page)).toContain('Streets: © OpenStreetMap contributors, © OpenMapTiles, OpenFreeMap')
  expect(await page.locator('.maplibregl-ctrl-attrib').count()).toBe(0)
  expect(asked.filter((address) => !address.startsWith(`${service}/`))).toEqual([])
  const fonts = asked.filter((address) => address.includes('/fonts/'))
  expect(fonts.filter((address) => !address.includes('/fonts/Noto Sans Regular/'))).toEqual([])
})

const point = { type: 'Point', coordinates: [13.2, 55.7] }
const style = {
  version: 8,
  projection: { type: 'globe' },
  sources: { fields: { type: 'geojson', attribution: '© Field Survey', data: point } },
  layers: [
    { id: 'ground', type: 'background', paint: { 'background-color': '#c0ffee' } },
    { id: 'fields', type: 'circle', source: 'fields' },
  ],
}

it('the operator’s style takes the place of the bundled base map, which is then not there, and fountains are chosen on it', async () => {
  const { out, files, warnings } = await build(undefined, { style: '/style.json' })
  expect(warnings).toEqual([])
  await writeFile(join(out, 'style.json'), JSON.stringify(style))
  const host = await hostFolder(out)
  const { page, complaints, requests } = await visit(host.url)
  await heading(page, `${total} fountains in view`)
  await page.locator('.maplibregl-ctrl-attrib', { hasText: '© Field Survey' }).waitFor()
  expect(requests.some((address) => address.includes('map/base'))).toBe(false)
  expect(files.filter((file) => file.startsWith('map/base'))).toEqual([])
  await page.goto(`${host.url}?at=${square.latitude},${square.longitude},16`)
  await mapReady(page)
  await clickMiddle(page)
  await page.locator('#card h2', { hasText: 'Market Square' }).waitFor()
  expect(complaints).toEqual([])
})
