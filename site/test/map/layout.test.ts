/** @module-tag browser */
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'
import { exportTown, square } from './town.ts'
import { visit } from './visit.ts'

let host: StaticHost
let browser: Browser

beforeAll(async () => {
  const out = join(await freshFolder(), 'site')
  await buildSite({ data: await exportTown(), out, languages: ['en'] })
  host = await hostFolder(out)
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await host?.close()
})

const windows = [
  ['a phone', { width: 390, height: 844 }],
  ['a phone on its side', { width: 844, height: 390 }],
  ['a desktop', { width: 1200, height: 800 }],
] as const

const withCard = `?at=${square.latitude},${square.longitude},16&fountain=1`

/** Parts of the page that stand beside each other. The card may lie over the panel alone. */
const parts = ['.header', '.panel', '#card', '.map-controls', '.maplibregl-ctrl-scale', '#attribution']

interface Box {
  readonly part: string
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

async function boxesOf(page: Page): Promise<readonly Box[]> {
  return page.evaluate(
    (selectors) =>
      selectors.flatMap((part) => {
        const element = document.querySelector(part)
        if (!element || !element.checkVisibility()) return []
        const { left, top, right, bottom } = element.getBoundingClientRect()
        return [{ part, left, top, right, bottom }]
      }),
    parts,
  )
}

const overlap = (a: Box, b: Box): boolean =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1

/** What lies over something else, or beyond the window. */
function faultsIn(boxes: readonly Box[], { width, height }: { width: number; height: number }): string[] {
  const beyond = boxes
    .filter(
      ({ left, top, right, bottom }) => left < -1 || top < -1 || right > width + 1 || bottom > height + 1,
    )
    .map(({ part }) => `${part} is cut by the window`)
  const covered = boxes.flatMap((one, place) =>
    boxes
      .slice(place + 1)
      .filter((other) => overlap(one, other) && !(one.part === '.panel' && other.part === '#card'))
      .map((other) => `${one.part} and ${other.part} overlap`),
  )
  return [...beyond, ...covered]
}

/** What cuts its content off, or would have to be scrolled sideways. */
async function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        '.header, .header *, .stage *, .panel, .panel *, #card, #card *',
      ),
    ]
      .filter(
        (element) =>
          element.checkVisibility() && !element.matches('svg *, .visually-hidden, input, #map, #map *'),
      )
      .filter((element) => getComputedStyle(element).overflowX !== 'visible')
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map((element) => `${element.className}: ${element.textContent?.trim().slice(0, 30)}`),
  )
}

describe.each(windows)('on %s', (_, viewport) => {
  it.each([100, 200])('text of %i percent neither cuts nor covers anything', async (percent) => {
    const { page, context } = await visit(browser, host.url, { viewport })
    await page.locator('#keep-offline').waitFor({ timeout: 60_000 })
    for (const search of ['', withCard]) {
      await page.goto(`${host.url}${search}`)
      await page.waitForSelector('html.map-ready')
      await page.evaluate((size) => {
        document.documentElement.style.fontSize = `${size}%`
      }, percent)
      if (search !== '') await page.locator('#card').getByRole('link', { name: 'Directions' }).waitFor()
      await page.locator('#keep-offline').waitFor({ timeout: 60_000 })
      // The parts move when the card gets its size.
      await expect.poll(async () => faultsIn(await boxesOf(page), viewport)).toEqual([])
      expect(await cutTexts(page)).toEqual([])
      const brand = page.locator('.brand-name')
      expect(await brand.evaluate((name) => name.scrollHeight - name.clientHeight)).toBeLessThanOrEqual(1)
    }
    // The fountain whose card is open is seen.
    const map = await page.locator('#map').boundingBox()
    const middle = { x: (map?.x ?? 0) + (map?.width ?? 0) / 2, y: (map?.y ?? 0) + (map?.height ?? 0) / 2 }
    expect(await page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.tagName, middle)).toBe('CANVAS')
    // The menu, where there is one, can be reached to its end.
    for (const menu of await page.locator('details.menu').all()) {
      if (!(await menu.isVisible())) continue
      await menu.locator('summary').click()
      const isOfPages = (await menu.getAttribute('class'))?.includes('menu-pages') === true
      const last = (isOfPages ? page.locator('.nav') : menu).locator('a').last()
      await last.scrollIntoViewIfNeeded()
      const box = await last.boundingBox()
      expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height)
      expect(box?.x ?? -1).toBeGreaterThanOrEqual(0)
      await page.keyboard.press('Escape')
    }
    await context.close()
  })

  it('“Link copied” is seen beside the card', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    const { page, context } = await visit(browser, `${host.url}${withCard}`, { viewport, permissions })
    await page.locator('#card').getByRole('button', { name: 'Share' }).click()
    const toast = page.locator('.toast', { hasText: 'Link copied' })
    await toast.waitFor()
    const boxOf = (selector: string) => page.locator(selector).boundingBox()
    const [message, card] = [await boxOf('.toast'), await boxOf('#card')]
    if (!message || !card) throw new Error('The message or the card is not there')
    const middle = { x: message.x + message.width / 2, y: message.y + message.height / 2 }
    expect(
      await page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest('.toast') !== null, middle),
    ).toBe(true)
    const isApart =
      message.x >= card.x + card.width ||
      message.y + message.height <= card.y ||
      message.y >= card.y + card.height
    expect(isApart, JSON.stringify({ message, card })).toBe(true)
    await context.close()
  })
})

describe.each(['waypoint/1/', 'statistics/', 'regions/', 'data/', 'leaderboard/', 'no-such-page/'])(
  '/%s',
  (path) => {
    it('does not scroll sideways with text of 200% on a phone, upright or on its side', async () => {
      for (const [, viewport] of windows) {
        const context = await browser.newContext({ viewport })
        const page = await context.newPage()
        await page.goto(`${host.url}${path}`)
        await page.evaluate(() => {
          document.documentElement.style.fontSize = '200%'
        })
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect(wide).toBeLessThanOrEqual(0)
        await context.close()
      }
    })
  },
)
