/** @module-tag browser */
import { distanceMetres } from '@openfountain/core/geodesy'
import { newPage } from '@openfountain/testing/browser/page'
import { hostedSite } from '@openfountain/testing/site/sites'
import { road, square, taps, village } from '@openfountain/testing/site/town'
import { addressFits, heading, query, visit } from '@openfountain/testing/site/visit'
import type { Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { windows } from '../overflow.ts'
import { coveredOf, placeInWindow } from './seen.ts'

const host = await hostedSite('town')

type Point = (typeof village)[number]

/** North of the village, eleven kilometres from the road and the nearest tap of the village some way off. */
const walker = { latitude: 55.76, longitude: 13.4 }
const nearestOf = (points: readonly Point[]) =>
  points.toSorted((a, b) => distanceMetres(walker, a) - distanceMetres(walker, b))[0] ?? walker

const zoomedIn = (page: Page) => addressFits(page, (search) => Number(search.get('at')?.split(',')[2]) > 8)

describe.each(windows)('Near me on %s', (_, viewport) => {
  const here = { viewport, geolocation: walker, permissions: ['geolocation'] }

  it.each([
    ['all fountains', '', nearestOf(village)],
    ['taps alone', '&amenity=tap', nearestOf(village.slice(0, taps - 1))],
    ['springs alone, far away', '&amenity=spring', road.at(-1) ?? walker],
  ])('shows the visitor and the nearest of %s', async (_kind, filter, nearest) => {
    const { page, complaints } = await visit(`${host.url}?at=20,-30,3${filter}`, here)
    await page.locator('#near-me').click()
    await heading(page, 'Nearest fountains')
    await zoomedIn(page)
    await expect.poll(() => coveredOf(page, [walker, nearest])).toEqual([])
    // No smaller than necessary: the two fill a good part of the map.
    const share = async () => {
      const [a, b] = [await placeInWindow(page, walker), await placeInWindow(page, nearest)]
      return Math.max(Math.abs(a.x - b.x) / a.width, Math.abs(a.y - b.y) / a.height)
    }
    await expect.poll(share).toBeGreaterThan(0.2)
    const isFar = /^Nothing near here: the closest is \d+(?:\.\d)? km away\.$/u
    const note = filter.includes('spring') ? [expect.stringMatching(isFar)] : []
    expect(await page.locator('#list-note:visible').allTextContents()).toEqual(note)
    expect(complaints).toEqual([])
  })

  it('leaves both beside the card that is open', async () => {
    const search = `?at=${square.latitude},${square.longitude},15&fountain=1`
    const { page } = await visit(`${host.url}${search}`, here)
    await page.locator('#card').getByRole('link', { name: 'Directions' }).waitFor()
    // On a phone the card covers the button, which the keyboard reaches.
    await page.locator('#near-me').press('Enter')
    await heading(page, 'Nearest fountains')
    await addressFits(page, (found) => Number(found.get('at')?.split(',')[1]) > 13.3)
    await expect.poll(() => coveredOf(page, [walker, nearestOf(village)])).toEqual([])
    expect(await page.locator('#card').isVisible()).toBe(true)
  })
})

it('the arrows of the nearest fountains turn with the device, unless the visitor prefers no motion', async () => {
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const geolocation = { latitude: square.latitude + 0.002, longitude: square.longitude }
    const options = { geolocation, permissions: ['geolocation'], reducedMotion }
    const { page } = await visit(`${host.url}?at=${square.latitude},${square.longitude},15`, options)
    await page.evaluate(() => {
      Object.assign(DeviceOrientationEvent, { requestPermission: () => Promise.resolve('granted') })
    })
    await page.locator('#near-me').click()
    await heading(page, 'Nearest fountains')
    /** Two frames later, since a duration of all transitions (reduced motion) keeps the turn before for one. */
    const turnOf = () =>
      page
        .locator('#list .fountain-way .icon')
        .first()
        .evaluate(async (one) => {
          for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
          return getComputedStyle(one).rotate
        })
    await expect.poll(turnOf).toBe('180deg')
    await page.evaluate(() => {
      const turn = new DeviceOrientationEvent('deviceorientationabsolute', { absolute: true, alpha: 270 })
      dispatchEvent(turn)
    })
    await expect.poll(turnOf).toBe(reducedMotion === 'reduce' ? '180deg' : '90deg')
  }
})

describe.each([
  ['the page’s script', /\/_astro\/index\./u],
  ['the map', /\/_astro\/fountain-map\./u],
])('until %s has loaded', (_, held) => {
  /** Does something with the map before its scripts, which are held back until then, are there. */
  async function early(
    search: string,
    act: (page: Page) => Promise<unknown>,
    viewport: (typeof windows)[number][1] = windows[2][1],
  ): Promise<Page> {
    const page = await newPage({ viewport, geolocation: walker, permissions: ['geolocation'] })
    const routes: Route[] = []
    let isOpen = false
    await page.route(held, (route) => (isOpen ? route.continue() : void routes.push(route)))
    await page.goto(`${host.url}${search}`, { waitUntil: 'commit' })
    await page.locator('.panel-foot').waitFor({ state: 'attached' })
    expect(await page.locator('#poster').isVisible()).toBe(true)
    await act(page)
    await expect.poll(() => routes.length).toBeGreaterThan(0)
    isOpen = true
    await Promise.all(routes.map((route) => route.continue()))
    return page
  }

  it('Near me and Near map centre, filters beside those of the address, and what is typed or submitted are kept', async () => {
    const near = await early('', (one) => one.locator('#near-me').click(), windows[0][1])
    await heading(near, 'Nearest fountains')
    await zoomedIn(near)
    const search = `?at=${walker.latitude},${walker.longitude},12`
    await heading(await early(search, (one) => one.locator('#near-centre').click()), 'Nearest fountains')

    const filters = (selector: string) => async (one: Page) => {
      await one.locator('#filters summary').click()
      await one.locator(selector).click()
    }
    const verified = '?at=55.72,13.4,11&verified=1'
    const page = await early(verified, filters('label:has(input[value=tap])'))
    await addressFits(page, (found) => found.get('amenity') === 'tap' && found.get('verified') === '1')
    expect(await page.locator('#filter-count').textContent()).toBe('2')
    await heading(page, /^(?:9|10) fountains in view$/u)
    const reset = await early(verified, filters('#filter-reset'))
    await heading(reset, '49 fountains in view')
    expect(query(reset).has('verified')).toBe(false)

    const typed = await early('', (one) => one.locator('#query').fill('market'))
    await typed.locator('#results [role=option]', { hasText: 'Market Square' }).waitFor()
    const submitted = await early('', async (one) => {
      await one.locator('#query').fill('market')
      await one.keyboard.press('Enter')
    })
    await submitted.locator('#card h2', { hasText: 'Market Square' }).waitFor()
    await addressFits(submitted, (found) => found.get('at') === '55.705,13.19,16')
    expect(query(submitted).has('q')).toBe(false)
  })
})
