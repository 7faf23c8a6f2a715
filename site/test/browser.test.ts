/** @module-tag browser */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { importFile } from '@openfountain/exchange'
import { countryOf } from '@openfountain/exchange/places'
import { expectAccessibleInBoth } from '@openfountain/testing/browser/axe'
import { newPage, newProfile, type ProfileOptions } from '@openfountain/testing/browser/page'
import { visitor } from '@openfountain/testing/site/account-stage'
import { writeFixture } from '@openfountain/testing/site/made-folder'
import { exported } from '@openfountain/testing/site/sample'
import { base, hostedSite } from '@openfountain/testing/site/sites'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { mapReady } from '@openfountain/testing/site/visit'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { availableLanguages, buildSite } from '../src/index.ts'
import { newFolder } from '@openfountain/testing/folder'

const packages = join(import.meta.dirname, '../../packages')
const host = await hostedSite('sample')
const languages = await availableLanguages()

const kinds = [
  './ offline/ no-such-page/',
  'embed/ about/ embedding/',
  'explore/ data/ how-it-works/',
  'waypoint/1/ contributor/person-1/ contributors/',
  'regions/ regions/old-harbour/ leaderboard/',
  'changes/ statistics/ de/statistics/',
]

async function open(path: string, options: ProfileOptions = {}) {
  const context = await newProfile(options)
  const page = await context.newPage()
  await page.goto(`${host.url}${path}`, { waitUntil: 'networkidle' })
  return { page, context }
}

const isIn = (page: Page, tag: string) =>
  page.waitForFunction((wanted) => document.documentElement.lang === wanted, tag)

async function choose(page: Page, tag: string): Promise<void> {
  await page.click('.menu-language summary')
  await page.click(`[data-language="${tag}"]`)
}

/** Expects that pages are accessible, complain of nothing, ask no other host, and fit the width. */
async function inspect(
  url: string,
  width: number,
  paths: string,
  options: ProfileOptions = {},
): Promise<void> {
  const { page, complaints } = await visitor({ viewport: { width, height: 800 }, ...options })
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  for (const path of paths.split(' ')) {
    const hasMap = ['./', 'de/', 'embed/'].includes(path)
    await page.goto(`${url}${path}`, { waitUntil: hasMap ? 'networkidle' : 'load' })
    if (hasMap) await mapReady(page)
    await expectAccessibleInBoth(page, path)
    // Chromium reports a 404 of the page itself as an error.
    expect(complaints.filter((text) => !text.includes('status of 404'))).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, path).toBeLessThanOrEqual(0)
  }
  const isOwn = (address: string) => address.startsWith(url) || /^(?:data|blob):/u.test(address)
  expect(requests.filter((address) => !isOwn(address))).toEqual([])
}

it.each(kinds.flatMap((paths) => [360, 1440].map((width) => [width, paths] as const)))(
  'axe finds nothing wrong at %i pixels with %s in light and in dark colours, nothing is complained of, and no other host is asked',
  (width, paths) => inspect(host.url, width, paths),
)

it('axe finds nothing wrong with the fountains of Zürich in German, on a phone and on a desktop', async () => {
  const file = join(newFolder(), 'brunnen.geojson')
  await writeFile(file, gunzipSync(await readFile(join(packages, 'testing/data/zurich.geojson.gz'))))
  const data = await exported({ places: countryOf }, {}, (registry) =>
    importFile(registry, { file, map: join(packages, 'exchange/maps/zurich.json'), source: {} }),
  )
  const out = join(data, '../site')
  await buildSite({ data, out, pages: 20, languages: ['en', 'de'] })
  const { url } = await hostFolder(out)
  const paths =
    'de/ waypoint/1274/ de/regions/ de/regions/ch/ de/regions/zurich/ de/explore/ de/statistics/ de/plates/?id=1'
  for (const width of [390, 1440]) await inspect(url, width, paths, { locale: 'de-CH' })
})

it('colours follow the system until the visitor chooses, and then stay chosen on every page, before the first paint', async () => {
  const { page } = await open('data/', { colorScheme: 'dark' })
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const theme = () => page.evaluate(() => document.documentElement.dataset['theme'])
  const dark = await paper()
  await page.click('#theme')
  const light = await paper()
  expect(light).not.toBe(dark)
  await page.route('**/*.js', (route) => route.abort())
  await page.goto(`${host.url}about/`)
  expect([await paper(), await theme()]).toEqual([light, 'light'])
  await page.unroute('**/*.js')
  await page.reload()
  await page.click('#theme')
  await page.click('#theme')
  expect([await paper(), await theme()]).toEqual([dark, undefined])
})

it.each(languages.slice(1))(
  'languages switch to %s on any page and come with it to a fountain’s page',
  async (tag) => {
    const { page } = await open('statistics/')
    await choose(page, tag)
    await page.waitForURL(`${host.url}${tag}/statistics/`)
    expect(await page.getAttribute('html', 'lang')).toBe(tag)
    expect(await page.textContent('h1')).not.toBe('Statistics')
    await page.goto(`${host.url}waypoint/1/`)
    await isIn(page, tag)
    expect(await page.textContent('h1')).toContain('Market Square 1')
    expect(await page.textContent('[data-t="waypoint.facts"]')).not.toBe('Facts')
    expect(await page.getAttribute('nav a[data-page="data/"]', 'href')).toBe(`${base}${tag}/data/`)
    const map = await page.getAttribute('a[data-query]', 'href')
    expect(map).toMatch(new RegExp(`^${base}${tag}/\\?at=.*fountain=1$`, 'u'))
    await choose(page, 'en')
    await isIn(page, 'en')
    expect(await page.textContent('[data-t="waypoint.updated"]')).toBe('Last changed')
  },
)

it('languages are offered where an address has none and the browser prefers another, until one is chosen or the offer is closed', async () => {
  const { page } = await open('statistics/?q=1', { locale: 'de-CH' })
  const offer = page.locator('.language-offer')
  expect(await offer.getAttribute('lang')).toBe('de')
  await offer.getByRole('link', { name: 'Diese Seite auf Deutsch' }).click()
  await page.waitForURL(`${host.url}de/statistics/?q=1`)
  expect(await offer.count()).toBe(0)
  await page.goto(`${host.url}statistics/`)
  await choose(page, 'en')
  await page.waitForLoadState()
  expect(await offer.count()).toBe(0)
  const french = await open('data/', { locale: 'fr-FR' })
  await french.page.getByRole('button', { name: 'Fermer' }).click()
  await french.page.goto(`${host.url}statistics/`)
  expect(await french.page.locator('.language-offer').count()).toBe(0)
  const english = await open('', { locale: 'en-GB' })
  expect(await english.page.locator('.language-offer').count()).toBe(0)
})

it('the map opens in the language of the browser, where its address leads, until another is chosen', async () => {
  const { page } = await open('?at=55.7,13.2,12&fountain=2#add', { locale: 'de-CH' })
  const isKept = ({ pathname, searchParams }: URL) =>
    pathname === `${base}de/` && searchParams.get('fountain') === '2'
  await page.waitForURL(isKept, { waitUntil: 'commit' })
  await page.waitForLoadState('networkidle')
  expect(await page.locator('.language-offer').count()).toBe(0)
  await choose(page, 'en')
  await page.waitForURL((url) => url.pathname === base)
  await page.reload()
  expect(await page.getAttribute('html', 'lang')).toBe('en')
  const still = await open('', { locale: 'de-CH', javaScriptEnabled: false })
  expect(await still.page.getAttribute('html', 'lang')).toBe('en')
})

it('a page in another language is shown once its labels are in the visitor’s, so that nothing shifts', async () => {
  const context = await newProfile({ locale: 'de-CH', viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const hidden: (string | undefined)[] = []
  const visibility = () =>
    page.evaluate(() => {
      const main = document.querySelector('main')
      return main ? getComputedStyle(main).visibility : undefined
    })
  await page.route('**/languages/**', async (route) => {
    hidden.push(await visibility())
    await route.continue()
  })
  await page.addInitScript(() => {
    const shifts: number[] = ((window as { shifts?: number[] }).shifts = [])
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as { value?: number }).value ?? NaN)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(`${host.url}waypoint/1/`)
  await isIn(page, 'de')
  await page.waitForFunction(() => !document.documentElement.classList.contains('waits'))
  expect(hidden).toEqual(['hidden'])
  expect(await visibility()).toBe('visible')
  const shifts = await page.evaluate(() => (window as { shifts?: number[] }).shifts)
  expect(shifts?.reduce((sum, one) => sum + one, 0)).toBeLessThan(0.01)
  await context.close()
})

it('without JavaScript the home page shows the directory, and from there a region and a fountain', async () => {
  const { page } = await open('', { javaScriptEnabled: false })
  expect(await page.isVisible('noscript p')).toBe(true)
  expect(await page.isVisible('#query')).toBe(false)
  await page.click('.directory a:has-text("Old Harbour")')
  expect(await page.textContent('h1')).toBe('Old Harbour')
  await page.click('table a >> nth=0')
  expect(await page.isVisible('.facts')).toBe(true)
})

it.each(['waypoint/1/', 'leaderboard/', 'regions/', 'data/', 'contributor/person-1/'])(
  'a script that arrives late moves nothing on /%s, on a phone',
  async (path) => {
    const page = await newPage({ viewport: { width: 360, height: 740 } })
    await page.route('**/*.js', (route) => route.abort())
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('header, main, main *, footer')].map((element) => {
          const { x, y, height } = element.getBoundingClientRect()
          return `${element.tagName} ${element.className} ${x} ${y} ${height}`
        }),
      )
    await page.goto(`${host.url}${path}`, { waitUntil: 'networkidle' })
    expect(await page.isVisible('#theme')).toBe(false)
    const before = await places()
    await page.unroute('**/*.js')
    await page.reload({ waitUntil: 'networkidle' })
    expect(await page.isVisible('#theme')).toBe(true)
    expect(await places()).toEqual(before)
  },
)

it('without a network a page that was not opened says so in the visitor’s language, and leads to the map', async () => {
  const { page, context } = await open('de/', { locale: 'de-CH' })
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.reload({ waitUntil: 'networkidle' })
  await context.setOffline(true)
  await page.goto(`${host.url}waypoint/1/`)
  await page.getByRole('heading', { name: 'Auf diesem Gerät nicht gespeichert' }).waitFor()
  await page.getByRole('link', { name: 'Dieser Brunnen auf der Karte' }).click()
  await page.waitForURL(`${host.url}de/?fountain=1`, { waitUntil: 'commit' })
  await page.locator('#map').waitFor()
  await context.setOffline(false)
  await page.goto(`${host.url}waypoint/1/`)
  const isKept = () => page.evaluate(async () => (await caches.match(location.pathname)) !== undefined)
  await expect.poll(isKept).toBe(true)
  await context.setOffline(true)
  await page.reload()
  expect(await page.textContent('h1')).toContain('Market Square 1')
})

it('the keyboard skips to the content, and Escape closes a menu and gives the focus back', async () => {
  const { page } = await open('data/')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('skip')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
  await page.press('.menu-language summary', 'Enter')
  expect(await page.isVisible('[data-language="de"]')).toBe(true)
  await page.keyboard.press('Escape')
  expect(await page.isVisible('[data-language="de"]')).toBe(false)
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY')
})

it('the charts of statistics have whole labels of five digits in every language, on a phone and on a desktop', async () => {
  const folder = newFolder()
  const [data, out] = [join(folder, 'export'), join(folder, 'site')]
  await writeFixture(data, { waypoints: 12_345 })
  await buildSite({ data, out, pages: 'none' })
  const { url } = await hostFolder(out)
  const page = await newPage()
  for (const [place, tag] of languages.entries()) {
    await page.goto(`${url}${place === 0 ? '' : `${tag}/`}statistics/`)
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      const labels = await page.locator('svg.chart text:visible').evaluateAll((all) =>
        all.map((text) => {
          if (!(text instanceof SVGTextElement)) return { text: '', isWhole: false }
          const { x, width: wide } = text.getBBox()
          const drawing = text.ownerSVGElement?.viewBox.baseVal.width ?? 0
          return { text: text.textContent, isWhole: x >= 0 && x + wide <= drawing }
        }),
      )
      expect(labels.filter(({ text }) => /^1\D?\d\D?000$/u.test(text)).length).toBeGreaterThan(0)
      expect(labels.filter(({ isWhole }) => !isWhole)).toEqual([])
    }
  }
})
