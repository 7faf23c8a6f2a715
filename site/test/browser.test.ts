/** @module-tag browser */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { join } from 'node:path'
import { availableLanguages, buildSite } from '../src/index.ts'
import { expectAccessibleInBoth } from '@openfountain/testing/browser/axe'
import { ofTheBrowser, startChromium } from '@openfountain/testing/browser/chromium'
import { exportSample, freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'

const base = '/water/'
const otherLanguages = (await availableLanguages()).slice(1)
const kinds = {
  home: '',
  fountain: 'waypoint/1/',
  regions: 'regions/',
  region: 'regions/old-harbour/',
  leaderboard: 'leaderboard/',
  contributors: 'contributors/',
  contributor: 'contributor/person-1/',
  changes: 'changes/',
  statistics: 'statistics/',
  rules: 'how-it-works/',
  data: 'data/',
  explore: 'explore/',
  about: 'about/',
  embedding: 'embedding/',
  embed: 'embed/',
  missing: 'no-such-page/',
  offline: 'offline/',
  german: 'de/statistics/',
} as const

let host: StaticHost
let browser: Browser

beforeAll(async () => {
  const out = join(await freshFolder(), 'site')
  await buildSite({ data: await exportSample(), out, base })
  host = await hostFolder(out, { base })
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await host?.close()
})

/** A page that records the browser's errors and every address that it requests. */
async function open(
  path: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ page: Page; context: BrowserContext; complaints: string[]; requests: string[] }> {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  const requests: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(`${host.url}${path}`, { waitUntil: 'networkidle' })
  return { page, context, complaints, requests }
}

/** Chromium reports a 404 of the page itself as a console error, and drivers talk about software rendering. */
const ownComplaints = (complaints: readonly string[]): string[] =>
  complaints.filter((text) => !text.includes('status of 404') && !ofTheBrowser.test(text))

describe.each([360, 1440])('at %i pixels', (width) => {
  let visit: Awaited<ReturnType<typeof open>>

  beforeAll(async () => {
    visit = await open('about/', { viewport: { width, height: 800 } })
  })

  afterAll(async () => {
    await visit?.context.close()
  })

  it.each(Object.entries(kinds))(
    'axe finds nothing wrong with %s in light and in dark colours, and nothing is complained of',
    async (kind, path) => {
      const { page, complaints, requests } = visit
      complaints.length = 0
      requests.length = 0
      const withMap = kind === 'home' || kind === 'embed'
      await page.goto(`${host.url}${path}`, { waitUntil: withMap ? 'networkidle' : 'load' })
      if (withMap) await page.waitForSelector('html.map-ready', { state: 'attached' })
      await expectAccessibleInBoth(page, kind)
      expect(ownComplaints(complaints)).toEqual([])
      expect(requests.filter((url) => !url.startsWith(host.url) && !/^(?:data|blob):/u.test(url))).toEqual([])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
    },
  )
})

describe('colours', () => {
  it('follow the system until the visitor chooses, and then stay chosen on every page', async () => {
    const { page, context } = await open('data/', { colorScheme: 'dark' })
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const dark = await paper()
    await page.click('#theme')
    const light = await paper()
    expect(light).not.toBe(dark)
    await page.goto(`${host.url}about/`)
    expect(await paper()).toBe(light)
    await page.click('#theme')
    await page.click('#theme')
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBeUndefined()
    expect(await paper()).toBe(dark)
    await context.close()
  })

  it('are chosen before the first paint', async () => {
    const { page, context } = await open('data/', { colorScheme: 'light' })
    await page.evaluate(() => localStorage.setItem('theme', 'dark'))
    await page.route('**/*.js', (route) => route.abort())
    await page.reload()
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
    await context.close()
  })
})

describe('languages', () => {
  it.each(otherLanguages)('switch to %s on any page and come with it to a fountain’s page', async (tag) => {
    const { page, context } = await open('statistics/')
    await page.click('.menu-language summary')
    await page.click(`[data-language="${tag}"]`)
    await page.waitForURL(`${host.url}${tag}/statistics/`)
    expect(await page.getAttribute('html', 'lang')).toBe(tag)
    const heading = await page.textContent('h1')
    expect(heading).not.toBe('Statistics')
    await page.goto(`${host.url}waypoint/1/`)
    await page.waitForFunction((wanted) => document.documentElement.lang === wanted, tag)
    expect(await page.textContent('h1')).toContain('Market Square 1')
    expect(await page.textContent('[data-t="waypoint.facts"]')).not.toBe('Facts')
    expect(await page.getAttribute('nav a[data-page="data/"]', 'href')).toBe(`${base}${tag}/data/`)
    const map = await page.getAttribute('a[data-query]', 'href')
    expect(map).toMatch(new RegExp(`^${base}${tag}/\\?at=.*fountain=1$`, 'u'))
    await context.close()
  })

  it('switch a fountain’s labels in place, back and forth', async () => {
    const { page, context } = await open('waypoint/1/')
    const label = () => page.textContent('[data-t="waypoint.updated"]')
    expect(await label()).toBe('Last changed')
    for (const [tag, expected] of [
      ['de', 'Letzte Änderung'],
      ['en', 'Last changed'],
    ]) {
      await page.click('.menu-language summary')
      await page.click(`[data-language="${tag}"]`)
      await page.waitForFunction((wanted) => document.documentElement.lang === wanted, tag)
      expect(await label()).toBe(expected)
    }
    await context.close()
  })

  it('are offered where an address has none and the browser prefers another, until one is chosen', async () => {
    const { page, context } = await open('statistics/?q=1', { locale: 'de-CH' })
    const offer = page.locator('.language-offer')
    expect(await offer.getAttribute('lang')).toBe('de')
    await offer.getByRole('link', { name: 'Diese Seite auf Deutsch' }).click()
    await page.waitForURL(`${host.url}de/statistics/?q=1`)
    expect(await offer.count()).toBe(0)
    await page.goto(`${host.url}statistics/`)
    await page.locator('.menu-language summary').click()
    await page.locator('[data-language="en"]').click()
    await page.waitForLoadState()
    expect(await page.locator('.language-offer').count()).toBe(0)
    await context.close()
  })

  it('are not offered again once the offer was closed, nor to whom the page is meant for', async () => {
    const french = await open('', { locale: 'fr-FR' })
    await french.page.getByRole('button', { name: 'Fermer' }).click()
    expect(await french.page.locator('.language-offer').count()).toBe(0)
    await french.page.goto(`${host.url}data/`)
    expect(await french.page.locator('.language-offer').count()).toBe(0)
    await french.context.close()
    const english = await open('', { locale: 'en-GB' })
    expect(await english.page.locator('.language-offer').count()).toBe(0)
    await english.context.close()
  })

  it('follow the browser on a fountain’s page when nothing was chosen', async () => {
    const { page, context } = await open('waypoint/1/', { locale: 'it-CH' })
    await page.waitForFunction(() => document.documentElement.lang === 'it')
    expect(await page.textContent('[data-t="waypoint.updated"]')).toBe('Ultima modifica')
    await context.close()
  })
})

describe('without JavaScript', () => {
  it('the home page shows the directory, and from there a region and a fountain', async () => {
    const { page, context } = await open('', { javaScriptEnabled: false })
    expect(await page.isVisible('.directory')).toBe(true)
    expect(await page.isVisible('noscript p')).toBe(true)
    expect(await page.isVisible('#query')).toBe(false)
    await page.click('.directory a:has-text("Old Harbour")')
    expect(await page.textContent('h1')).toBe('Old Harbour')
    await page.click('table a >> nth=0')
    expect(await page.isVisible('.facts')).toBe(true)
    await context.close()
  })
})

describe('a script that arrives late', () => {
  it.each(['fountain', 'leaderboard', 'regions', 'data', 'contributor'] as const)(
    'moves nothing on the page of %s, on a phone',
    async (kind) => {
      const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 360, height: 740 } })
      const page = await context.newPage()
      await page.route('**/*.js', (route) => route.abort())
      const places = () =>
        page.evaluate(() =>
          [...document.querySelectorAll('header, main, main *, footer')].map((element) => {
            const { x, y, height } = element.getBoundingClientRect()
            return { element: element.outerHTML.slice(0, 80), x, y, height }
          }),
        )
      await page.goto(`${host.url}${kinds[kind]}`, { waitUntil: 'networkidle' })
      expect(await page.isVisible('#theme')).toBe(false)
      const before = await places()
      await page.unroute('**/*.js')
      await page.reload({ waitUntil: 'networkidle' })
      expect(await page.isVisible('#theme')).toBe(true)
      const after = await places()
      const where = ({ x, y, height }: (typeof after)[number]) => [x, y, height].join(' ')
      expect(
        after.filter((place, at) => {
          const earlier = before[at]
          return earlier === undefined || where(place) !== where(earlier)
        }),
      ).toEqual([])
      await context.close()
    },
  )
})

it('without a network a page that was not opened says so in the visitor’s language, and leads to the map', async () => {
  const { page, context } = await open('', { locale: 'de-CH' })
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await page.reload({ waitUntil: 'networkidle' })
  await context.setOffline(true)
  await page.goto(`${host.url}waypoint/1/`)
  expect(await page.textContent('h1')).toMatch(/^(?:Not kept|Auf diesem Gerät)/u)
  await page.getByRole('heading', { name: 'Auf diesem Gerät nicht gespeichert' }).waitFor()
  await page.getByRole('link', { name: 'Dieser Brunnen auf der Karte' }).click()
  await page.waitForURL(`${host.url}de/?fountain=1`)
  await page.locator('#map').waitFor()
  await context.setOffline(false)
  await page.goto(`${host.url}waypoint/1/`)
  await expect
    .poll(() => page.evaluate(async () => (await caches.match(location.pathname)) !== undefined))
    .toBe(true)
  await context.setOffline(true)
  await page.reload()
  expect(await page.textContent('h1')).toContain('Market Square 1')
  await context.close()
})

describe('the keyboard', () => {
  it('skips to the content, and Escape closes a menu and gives the focus back', async () => {
    const { page, context } = await open('data/')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('skip')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
    await page.focus('.menu-language summary')
    await page.keyboard.press('Enter')
    expect(await page.isVisible('[data-language="de"]')).toBe(true)
    await page.keyboard.press('Escape')
    expect(await page.isVisible('[data-language="de"]')).toBe(false)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY')
    await context.close()
  })
})
