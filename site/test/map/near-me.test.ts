/** @module-tag browser */
import { join } from 'node:path'
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'
import { distanceMetres } from '@openfountain/core/geodesy'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'
import { exportTown, road, square, taps } from './town.ts'
import { addressFits, heading, mapReady, query, visit } from './visit.ts'

const base = '/water/'
let host: StaticHost
let browser: Browser

beforeAll(async () => {
  const out = join(await freshFolder(), 'site')
  await buildSite({ data: await exportTown(), out, base, languages: ['en'] })
  host = await hostFolder(out, { base })
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await host?.close()
})

interface Point {
  readonly latitude: number
  readonly longitude: number
}

const tileSize = 512

/** Where a place is in the window, by the address of the map that is at rest. */
async function placeInWindow(page: Page, { latitude, longitude }: Point): Promise<{ x: number; y: number }> {
  const box = await page.locator('#map').boundingBox()
  const [north = NaN, east = NaN, zoom = NaN] = (query(page).get('at') ?? '').split(',').map(Number)
  if (!box) throw new Error('The page has no map')
  const scale = tileSize * 2 ** zoom
  const y = (degrees: number) =>
    (0.5 - Math.log(Math.tan(Math.PI / 4 + (degrees * Math.PI) / 360)) / (2 * Math.PI)) * scale
  return {
    x: box.x + box.width / 2 + ((longitude - east) / 360) * scale,
    y: box.y + box.height / 2 + y(latitude) - y(north),
  }
}

/** What lies uppermost at a place of the window; the map itself is a canvas. */
async function uppermost(page: Page, point: { x: number; y: number }): Promise<string | undefined> {
  return page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.tagName, point)
}

const windows = {
  'a phone': { width: 390, height: 844 },
  'a phone on its side': { width: 844, height: 390 },
  'a desktop': { width: 1200, height: 800 },
} as const

/** North of the village, eleven kilometres from the road and the nearest tap of the village some way off. */
const walker = { latitude: 55.76, longitude: 13.4 }
/** Its nearest fountain and its nearest tap, from the town's own places. */
const villagePumps = Array.from({ length: 49 }, (_, place) => ({
  name: `Village Pump ${place + 1}`,
  latitude: 55.72 + Math.sin(place * 7) * 0.01,
  longitude: 13.4 + Math.cos(place * 5) * 0.015,
}))
const nearestOf = (points: typeof villagePumps) =>
  points.toSorted((a, b) => distanceMetres(walker, a) - distanceMetres(walker, b))[0] ?? walker

/** Those of the places that something lies over, or that are outside of the map. */
async function coveredOf(page: Page, places: readonly (typeof walker)[]): Promise<(typeof walker)[]> {
  const covered: (typeof walker)[] = []
  for (const place of places)
    if ((await uppermost(page, await placeInWindow(page, place))) !== 'CANVAS') covered.push(place)
  return covered
}

describe.each(Object.entries(windows))('Near me on %s', (_, viewport) => {
  const here = {
    viewport,
    geolocation: walker,
    permissions: ['geolocation'],
  }

  it.each([
    ['all fountains', '', nearestOf(villagePumps)],
    ['taps alone', '&amenity=tap', nearestOf(villagePumps.slice(0, taps - 1))],
    ['springs alone, far away', '&amenity=spring', road.at(-1) ?? walker],
  ])('shows the visitor and the nearest of %s', async (_kind, filter, nearest) => {
    const { page, context, complaints } = await visit(browser, `${host.url}?at=20,-30,3${filter}`, here)
    await page.locator('#near-me').click()
    await heading(page, 'Nearest fountains')
    await addressFits(page, (search) => Number(search.get('at')?.split(',')[2]) > 8)
    await expect.poll(() => coveredOf(page, [walker, nearest])).toEqual([])
    // Not smaller than it has to be: the two take a good part of the map.
    const share = async () => {
      const [a, b] = [await placeInWindow(page, walker), await placeInWindow(page, nearest)]
      const box = await page.locator('#map').boundingBox()
      return Math.max(Math.abs(a.x - b.x) / (box?.width ?? 1), Math.abs(a.y - b.y) / (box?.height ?? 1))
    }
    await expect.poll(share).toBeGreaterThan(0.3)
    // Nobody walks eleven kilometres for water.
    const note = filter.includes('spring')
      ? [/^Nothing near here: the closest is \d+(?:\.\d)? km away\.$/u]
      : []
    expect(await page.locator('#list-note:visible').allTextContents()).toEqual(
      note.map((text) => expect.stringMatching(text)),
    )
    expect(complaints).toEqual([])
    await context.close()
  })

  it('leaves both beside the card that is open', async () => {
    const { page, context } = await visit(
      browser,
      `${host.url}?at=${square.latitude},${square.longitude},15&fountain=1`,
      here,
    )
    await page.locator('#card').getByRole('link', { name: 'Directions' }).waitFor()
    // On a phone the card lies over the button, which the keyboard reaches.
    await page.locator('#near-me').focus()
    await page.keyboard.press('Enter')
    await heading(page, 'Nearest fountains')
    await addressFits(page, (search) => Number(search.get('at')?.split(',')[1]) > 13.3)
    await expect.poll(() => coveredOf(page, [walker, nearestOf(villagePumps)])).toEqual([])
    expect(await page.locator('#card').isVisible()).toBe(true)
    await context.close()
  })
})

describe('before the scripts are there', () => {
  const phone = {
    locale: 'en-GB',
    viewport: windows['a phone'],
    geolocation: walker,
    permissions: ['geolocation'],
  }

  /** Opens the map with the scripts whose address fits held back until `release` is called. */
  async function early(
    search: string,
    held: RegExp,
  ): Promise<{ page: Page; release: () => Promise<void>; close: () => Promise<void> }> {
    const context = await browser.newContext(phone)
    const page = await context.newPage()
    const routes: Route[] = []
    let open = false
    await page.route(held, async (route) => {
      if (open) await route.continue()
      else routes.push(route)
    })
    await page.goto(`${host.url}${search}`, { waitUntil: 'commit' })
    await page.locator('#near-me').waitFor()
    await page.locator('.panel-foot').waitFor({ state: 'attached' })
    return {
      page,
      async release() {
        open = true
        await Promise.all(routes.map((route) => route.continue()))
      },
      close: () => context.close(),
    }
  }

  const scripts = [
    ['the page’s script', /\/map\/js\/home-/u],
    ['the map', /\/map\/js\/part-/u],
  ] as const

  it.each(scripts)('Near me is kept until %s has loaded', async (_, held) => {
    const { page, release, close } = await early('', held)
    await page.locator('#near-me').click()
    await page.waitForTimeout(300)
    await release()
    await mapReady(page)
    await heading(page, 'Nearest fountains')
    await addressFits(page, (search) => Number(search.get('at')?.split(',')[2]) > 8)
    await close()
  })

  it.each(scripts)('Near map centre is kept until %s has loaded', async (_, held) => {
    const { page, release, close } = await early(`?at=${walker.latitude},${walker.longitude},12`, held)
    await page.locator('#near-centre').click()
    await page.waitForTimeout(300)
    await release()
    await heading(page, 'Nearest fountains')
    await close()
  })

  it.each(scripts)('filters are kept beside those of the address until %s has loaded', async (_, held) => {
    const { page, release, close } = await early('?at=55.72,13.4,11&verified=1', held)
    await page.locator('#filters summary').click()
    await page.locator('label', { has: page.locator('input[value=tap]') }).click()
    await page.waitForTimeout(300)
    await release()
    await addressFits(page, (search) => search.get('amenity') === 'tap' && search.get('verified') === '1')
    expect(await page.locator('#filter-count').textContent()).toBe('2')
    await heading(page, /^(?:9|10) fountains in view$/u)
    await close()
  })

  it('filters that are reset stay so', async () => {
    const { page, release, close } = await early('?at=55.72,13.4,11&verified=1', scripts[0][1])
    await page.locator('#filters summary').click()
    await page.locator('#filter-reset').click()
    await release()
    await heading(page, '49 fountains in view')
    expect(query(page).has('verified')).toBe(false)
    await close()
  })

  it('what is typed is searched for, and a submitted search goes to the result', async () => {
    const typed = await early('', scripts[0][1])
    await typed.page.locator('#query').fill('market')
    await typed.release()
    await typed.page.locator('#results [role=option]', { hasText: 'Market Square' }).waitFor()
    await typed.close()
    for (const [, held] of scripts) {
      const sent = await early('', held)
      await sent.page.locator('#query').fill('market')
      await sent.page.keyboard.press('Enter')
      await sent.page.waitForTimeout(300)
      await sent.release()
      await sent.page.locator('#card h2', { hasText: 'Market Square' }).waitFor()
      await addressFits(sent.page, (search) => search.get('at') === '55.705,13.19,16')
      expect(query(sent.page).has('q')).toBe(false)
      await sent.close()
    }
  })
})
