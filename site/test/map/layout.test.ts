/** @module-tag browser */
import { newPage } from '@openfountain/testing/browser/page'
import { hostedSite } from '@openfountain/testing/site/sites'
import { square } from '@openfountain/testing/site/town'
import { visit } from '@openfountain/testing/site/visit'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { overflowing, windows } from '../overflow.ts'
import { coveredOf } from './seen.ts'

const host = await hostedSite('town')

const withCard = `?at=${square.latitude},${square.longitude},16&fountain=1`

/** Parts of the page that must not overlap. The card may lie over the panel. */
const parts = '.header .panel #card .map-controls .maplibregl-ctrl-scale #attribution .toast'.split(' ')

const faultsIn = (page: Page): Promise<string[]> =>
  page.evaluate((selectors) => {
    const boxes = selectors.flatMap((part) => {
      const element = document.querySelector(part)
      return element?.checkVisibility() === true ? [{ part, at: element.getBoundingClientRect() }] : []
    })
    const [width, height] = [innerWidth + 1, innerHeight + 1]
    const isBeyond = (at: DOMRect) => at.left < -1 || at.top < -1 || at.right > width || at.bottom > height
    const overlap = (a: DOMRect, b: DOMRect) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
    return boxes.flatMap(({ part, at }, place) => [
      ...(isBeyond(at) ? [`${part} is cut by the window`] : []),
      ...boxes
        .slice(place + 1)
        .filter((other) => overlap(at, other.at) && !(part === '.panel' && other.part === '#card'))
        .map((other) => `${part} and ${other.part} overlap`),
    ])
  }, parts)

const setText = (page: Page, percent: number) =>
  page.evaluate((size) => void (document.documentElement.style.fontSize = `${size}%`), percent)

describe.each(windows)('on %s', (_, viewport) => {
  it.each([100, 200])('text of %i percent neither cuts nor covers anything', async (percent) => {
    const { page } = await visit(host.url, { viewport })
    await page.locator('#keep-offline').waitFor({ timeout: 60_000 })
    await page.addInitScript((size) => {
      // Sizes are told late, as on a slow phone.
      globalThis.ResizeObserver = new Proxy(ResizeObserver, {
        construct: (Own, [told]) => new Own((...news) => setTimeout(told, 600, ...news)),
      })
      addEventListener('DOMContentLoaded', () => (document.documentElement.style.fontSize = `${size}%`))
    }, percent)
    for (const search of ['', withCard]) {
      await page.goto(`${host.url}${search}`)
      await page.waitForSelector('html.map-ready')
      if (search !== '') await page.locator('#card').getByRole('link', { name: 'Directions' }).waitFor()
      await page.locator('#keep-offline').waitFor({ timeout: 60_000 })
      // The parts move when the card gets its size, and the map's canvas follows a moment later.
      await expect.poll(async () => [...(await faultsIn(page)), ...(await overflowing(page))]).toEqual([])
      const brand = page.locator('.brand-name')
      expect(await brand.evaluate((name) => name.scrollHeight - name.clientHeight)).toBeLessThanOrEqual(1)
    }
    await expect.poll(() => coveredOf(page, [square])).toEqual([])
    // The menu, where there is one, can be scrolled to its end.
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
  })

  it.runIf(viewport.width < 500)(
    'the list is pulled up by drag, tap and keys, and nothing collides',
    async () => {
      const { page } = await visit(host.url, { viewport })
      const handle = page.getByRole('button', { name: 'List of fountains' })
      const list = page.locator('#panel-body')
      const share = async () => ((await list.boundingBox())?.height ?? 0) / viewport.height
      const isExpanded = () => handle.getAttribute('aria-expanded')
      expect([await share(), await isExpanded()]).toEqual([0, 'false'])
      await handle.click()
      await expect.poll(share).toBeGreaterThan(0.3)
      expect([await isExpanded(), await faultsIn(page)]).toEqual(['true', []])
      await handle.press('ArrowUp')
      await expect.poll(share).toBeGreaterThan(0.6)
      await handle.press('ArrowDown')
      await handle.press('Escape')
      await expect.poll(share).toBe(0)
      const at = await handle.boundingBox()
      await page.mouse.move(viewport.width / 2, (at?.y ?? 0) + 8)
      await page.mouse.down()
      await page.mouse.move(viewport.width / 2, 300, { steps: 5 })
      await page.mouse.up()
      await expect.poll(share).toBeGreaterThan(0.3)
      expect([await share(), await isExpanded()]).toEqual([expect.closeTo(0.42, 1), 'true'])
      await page.evaluate(() => dispatchEvent(new Event('offline')))
      await page.locator('.toast', { hasText: 'You are offline' }).waitFor()
      await expect.poll(() => faultsIn(page)).toEqual([])
    },
  )

  it('“Link copied” is seen beside the card', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    const { page } = await visit(`${host.url}${withCard}`, { viewport, permissions })
    await page.locator('#card').getByRole('button', { name: 'Share' }).click()
    const toast = page.locator('.toast', { hasText: 'Link copied' })
    await toast.waitFor()
    const isSeen = await toast.evaluate((message) => {
      const [at, card] = [message, document.querySelector('#card')].map((one) => one?.getBoundingClientRect())
      if (!at || !card) return false
      const isApart = at.left >= card.right || at.bottom <= card.top || at.top >= card.bottom
      const inMiddle = document.elementFromPoint((at.left + at.right) / 2, (at.top + at.bottom) / 2)
      return isApart && inMiddle?.closest('.toast') === message
    })
    expect(isSeen).toBe(true)
  })

  it('no kind of page scrolls sideways with text of 200%', async () => {
    const page = await newPage({ viewport })
    for (const path of ['waypoint/1/', 'statistics/', 'regions/', 'data/', 'leaderboard/', 'no-such-page/']) {
      await page.goto(`${host.url}${path}`)
      await setText(page, 200)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(wide, path).toBeLessThanOrEqual(0)
    }
  })
})
