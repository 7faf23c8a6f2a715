/** @module-tag browser */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gzipSync } from 'node:zlib'
import { availableLanguages, loadLanguages } from '../../src/build/languages.ts'
import { buildSite } from '../../src/index.ts'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { exportTown, square, taps, total } from './town.ts'
import { heading, mapReady, query, visit } from './visit.ts'

const base = '/water/'
const languages = await loadLanguages(await availableLanguages())
let out: string
let browser: Browser

beforeAll(async () => {
  out = join(await freshFolder(), 'site')
  await buildSite({ data: await exportTown(), out, base })
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
})

const near = `?at=${square.latitude},${square.longitude},16`

describe('on a host without range requests', () => {
  it('the map shows the same, from small files', async () => {
    const host = await hostFolder(out, { base, ranges: false })
    const { page, context, complaints, requests } = await visit(browser, host.url)
    await heading(page, `${total} fountains in view`)
    await page.goto(`${host.url}${near}`)
    await mapReady(page)
    await heading(page, /^\d+ fountains? in view$/u)
    expect(await page.locator('#list .fountain-name').first().textContent()).toBe('Market Square')
    expect(requests.filter((address) => address.includes('.geojson') && !address.includes('areas'))).toEqual(
      [],
    )
    expect(complaints).toEqual([])
    await context.close()
    await host.close()
  })
})

describe('without JavaScript', () => {
  it('the directory by region is there and leads to the fountains', async () => {
    const host = await hostFolder(out, { base })
    const { page, context } = await visit(browser, host.url, { javaScriptEnabled: false })
    expect(await page.locator('#directory a').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining('Linden Quarter')]),
    )
    await page.locator('#directory a', { hasText: 'Linden Quarter' }).click()
    await page.locator('main a', { hasText: 'Market Square' }).first().click()
    expect(await page.locator('h1').textContent()).toContain('Market Square')
    await context.close()
    await host.close()
  })
})

describe('in every language', () => {
  it.each(
    languages.map(
      ({ tag, messages, format }) =>
        [tag === 'en' ? '' : `${tag}/`, tag, format.count(messages.map.inView, total)] as const,
    ),
  )('/%s counts what is in view in its words', async (path, tag, words) => {
    const host = await hostFolder(out, { base })
    const { page, context, complaints } = await visit(browser, `${host.url}${path}`)
    expect(await page.locator('html').getAttribute('lang')).toBe(tag)
    expect(await heading(page, words)).toBe(words)
    expect(complaints).toEqual([])
    await context.close()
    await host.close()
  })

  it('another one shows the map in its words', async () => {
    const host = await hostFolder(out, { base })
    const { page, context } = await visit(browser, host.url)
    await page.locator('.menu-language summary').click()
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page.waitForURL(`${host.url}de/`)
    await mapReady(page)
    await heading(page, `${total} Brunnen`)
    await context.close()
    await host.close()
  })
})

describe('in a frame', () => {
  it('says in the language of the page how to zoom', async () => {
    const host = await hostFolder(out, { base })
    const { page, context } = await visit(browser, `${host.url}de/embed/`)
    const hint = page.locator('.maplibregl-cooperative-gesture-screen')
    await hint.waitFor({ state: 'attached' })
    expect((await hint.textContent())?.trim()).toBe(
      'Strg + Scrollen zoomt die KarteDie Karte mit zwei Fingern verschieben',
    )
    await context.close()
    await host.close()
  })

  it('shows the place and the amenity that its address asks for', async () => {
    const host = await hostFolder(out, { base })
    const { page, context, complaints } = await visit(
      browser,
      `${host.url}embed/?at=55.72,13.4,13&amenity=tap`,
    )
    const link = page.locator('#open-large')
    await page.waitForFunction(() =>
      document.querySelector('#open-large')?.getAttribute('href')?.includes('at='),
    )
    const large = new URL((await link.getAttribute('href')) ?? '', host.url)
    expect(large.pathname).toBe(base)
    expect(large.searchParams.get('at')).toBe('55.72,13.4,13')
    expect(large.searchParams.getAll('amenity')).toEqual(['tap'])
    await page.goto(large.href)
    await mapReady(page)
    await heading(page, `${taps - 1} fountains in view`)
    expect(complaints).toEqual([])
    await context.close()
    await host.close()
  })
})

describe('the first view', () => {
  it('is a poster before the map, and takes less than 350 kB, of which tiles less than 30 kB', async () => {
    const host = await hostFolder(out, { base })
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
    const page = await context.newPage()
    const client = await context.newCDPSession(page)
    await client.send('Network.enable')
    const addresses = new Map<string, string>()
    const sizes = new Map<string, number>()
    client.on('Network.responseReceived', ({ requestId, response }) => addresses.set(requestId, response.url))
    client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const address = addresses.get(requestId) ?? ''
      sizes.set(address, (sizes.get(address) ?? 0) + encodedDataLength)
    })
    await page.goto(host.url)
    expect(await page.locator('#poster').isVisible()).toBe(true)
    await mapReady(page)
    await heading(page, `${total} fountains in view`)
    const sum = (part: string) =>
      [...sizes].filter(([address]) => address.includes(part)).reduce((bytes, [, size]) => bytes + size, 0)
    // The page's session does not see what its worker loads: that script, and from the cache what both share.
    const worker = /"worker":"([^"]+)"/u.exec(await page.content())?.[1] ?? ''
    const script = gzipSync(await readFile(join(out, worker.slice(base.length))))
    expect(sum('') + script.length).toBeLessThan(350_000)
    expect(sum('.pmtiles')).toBeLessThan(30_000)
    expect(sum('map/js/')).toBeGreaterThan(200_000)
    await context.close()
    await host.close()
  })
})

describe('a map without streets', () => {
  it.each(['', 'embed/'])(
    'says at street level where directions lead, and not from afar: /%s',
    async (path) => {
      const host = await hostFolder(out, { base })
      const { page, context } = await visit(browser, `${host.url}${path}${near}`)
      const note = page.locator('#attribution .no-streets', { hasText: 'no streets: Directions opens' })
      await note.waitFor()
      for (let step = 0; step < 3; step += 1) await page.locator('.map-controls button').nth(1).click()
      await note.waitFor({ state: 'hidden' })
      await context.close()
      await host.close()
    },
  )

  it.each(languages.map(({ tag, messages }) => [tag, messages] as const))(
    'says so in %s, with the word of the button',
    async (tag, { streets, waypoint }) => {
      for (const page of ['', 'embed/']) {
        const html = await readFile(join(out, tag === 'en' ? '' : tag, page, 'index.html'), 'utf8')
        expect(html).toContain(streets.none)
      }
      expect(streets.none).toContain(waypoint.directions)
    },
  )
})

describe('without a network', () => {
  it('works after one visit, and says how old its data is', async () => {
    const host = await hostFolder(out, { base })
    const { page, context } = await visit(browser, `${host.url}${near}`)
    await page.locator('#keep-offline').waitFor({ timeout: 60_000 })
    await page.locator('#keep-offline').click()
    await page.locator('#status', { hasText: 'Saved for offline use.' }).waitFor({ timeout: 60_000 })
    await host.close()
    await context.setOffline(true)
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${host.url}${near}&fountain=1`)
    await mapReady(page)
    await heading(page, /^\d+ fountains? in view$/u)
    expect(await page.locator('#card h2').textContent()).toBe('Market Square')
    expect(await page.locator('.toast').textContent()).toMatch(/^You are offline\. Data as of .*2026\.$/u)
    await page.goto(`${host.url}de/leaderboard/`)
    await page.getByRole('heading', { name: 'Not kept on this device' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`${base}de/leaderboard/`)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('continues with what is cached when the network fails while the map is open', async () => {
    const host = await hostFolder(out, { base })
    const { page, context } = await visit(browser, `${host.url}${near}`)
    const before = await heading(page, /^\d+ fountains? in view$/u)
    await context.setOffline(true)
    await page.locator('.toast', { hasText: 'You are offline' }).waitFor()
    expect(await heading(page, /^\d+ fountains? in view$/u)).toBe(before)
    await context.setOffline(false)
    await page.locator('.toast').waitFor({ state: 'hidden' })
    await context.close()
    await host.close()
  })

  it('a new version waits until the visitor accepts it', async () => {
    const host = await hostFolder(out, { base })
    const { page, context } = await visit(browser, host.url)
    await page.locator('#keep-offline').waitFor({ timeout: 60_000 })
    const file = join(out, 'sw.js')
    const worker = await readFile(file, 'utf8')
    try {
      await writeFile(file, `${worker}\n// newer`)
      await page.reload()
      await mapReady(page)
      // The page may have loaded by the time that the click returns.
      await Promise.all([
        page.waitForEvent('load', { timeout: 60_000 }),
        page.getByRole('button', { name: 'Reload' }).click({ timeout: 60_000 }),
      ])
      await mapReady(page)
      expect(await page.getByRole('button', { name: 'Reload' }).count()).toBe(0)
      expect(query(page).size).toBe(0)
    } finally {
      await writeFile(file, worker)
    }
    await context.close()
    await host.close()
  })
})
