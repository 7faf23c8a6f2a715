/** @module-tag browser */
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'
import { exportTown, harbour, hostileName, road, square, taps, total } from './town.ts'
import { addressFits, clickMiddle, heading, query, visit } from './visit.ts'

const base = '/water/'
let host: StaticHost
let browser: Browser

beforeAll(async () => {
  const out = join(await freshFolder(), 'site')
  await buildSite({ data: await exportTown(), out, base, title: 'Lindenau' })
  host = await hostFolder(out, { base })
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await host?.close()
})

const at = ({ latitude, longitude }: { latitude: number; longitude: number }, zoom: number) =>
  `?at=${latitude},${longitude},${zoom}`

const open = (search = '', options: Parameters<Browser['newContext']>[0] = {}) =>
  visit(browser, `${host.url}${search}`, options)

describe('the map', () => {
  it('shows every fountain, requests nothing from other hosts and logs no errors', async () => {
    const { page, context, complaints, requests } = await open()
    expect(await heading(page, 'in view')).toBe(`${total} fountains in view`)
    expect(
      requests.filter((address) => !address.startsWith(host.url) && !address.startsWith('data:')),
    ).toEqual([])
    expect(complaints).toEqual([])
    expect(await page.locator('#attribution').textContent()).toContain('Lindenau Water Friends')
    expect(await page.locator('.maplibregl-ctrl-scale').isVisible()).toBe(true)
    expect(query(page).size).toBe(0)
    await context.close()
  })

  it('opens a cluster that is clicked', async () => {
    const { page, context } = await open('?at=55.72,13.4,7')
    await heading(page, 'in view')
    await clickMiddle(page)
    await addressFits(page, (search) => Number(search.get('at')?.split(',')[2]) > 8)
    await context.close()
  })

  it('opens a card for a fountain that is clicked, and closes it with Escape', async () => {
    const { page, context, complaints } = await open(at(square, 16))
    await clickMiddle(page)
    const card = page.locator('#card')
    await card.getByRole('link', { name: 'Directions' }).waitFor()
    expect(await card.getByRole('heading').textContent()).toBe('Market Square')
    const text = (await card.textContent()) ?? ''
    for (const part of [
      'Verified',
      'Bubbler',
      'Wheelchair accessible',
      'Linden Quarter',
      '4 · 1 review',
      'Contributed here',
    ]) {
      expect(text).toContain(part)
    }
    // That it was changed is no confirmation.
    expect(text).not.toContain('onfirmed')
    expect(await card.getByRole('link', { name: 'Open the page' }).getAttribute('href')).toBe(
      `${base}waypoint/1/`,
    )
    expect(await card.getByRole('link', { name: 'OpenStreetMap' }).getAttribute('rel')).toContain('noopener')
    await expect.poll(() => query(page).get('fountain')).toBe('1')
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'hidden' })
    await expect.poll(() => query(page).has('fountain')).toBe(false)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('counts and shows only what matches the filters, and says so in its address', async () => {
    const { page, context, complaints } = await open()
    await heading(page, `${total} fountains`)
    await page.locator('#filters summary').click()
    await page.locator('label', { has: page.locator('input[value=tap]') }).click()
    await heading(page, `${taps} fountains in view`)
    expect(await page.locator('#filter-count').textContent()).toBe('1')
    await page.locator('label', { has: page.locator('input[name=verified]') }).click()
    const both = await heading(page, /^1?\d fountains in view$/u)
    expect(Number.parseInt(both, 10)).toBeLessThan(taps)
    await expect.poll(() => query(page).getAll('amenity')).toEqual(['tap'])
    await expect.poll(() => query(page).get('verified')).toBe('1')
    await page.locator('#filter-reset').click()
    await heading(page, `${total} fountains in view`)
    await expect.poll(() => query(page).has('amenity')).toBe(false)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('goes to the region that is chosen and shows it alone', async () => {
    const { page, context } = await open()
    await page.locator('#filters summary').click()
    await page.locator('select[name=region]').selectOption('North')
    await heading(page, `${road.length} fountains in view`)
    await expect.poll(() => query(page).get('region')).toBe('North')
    expect(await page.locator('#list .fountain-name').allTextContents()).toEqual(
      expect.arrayContaining(road.map(({ name }) => name)),
    )
    await context.close()
  })

  it('shows the whole of a region that its address names', async () => {
    const { page, context } = await open('?region=North')
    await heading(page, `${road.length} fountains in view`)
    await expect.poll(() => Number(query(page).get('at')?.split(',')[2])).toBeGreaterThan(10)
    await context.close()
  })

  it('matches its address', async () => {
    const search = `${at(square, 15)}&amenity=bubbler&verified=1&region=Linden%20Quarter&fountain=1`
    const { page, context, complaints } = await open(search)
    await heading(page, '1 fountain in view')
    expect(await page.locator('#card h2').textContent()).toBe('Market Square')
    expect(await page.locator('#filter-count').textContent()).toBe('3')
    expect(await page.locator('input[value=bubbler]').isChecked()).toBe(true)
    expect(await page.locator('select[name=region]').inputValue()).toBe('Linden Quarter')
    expect(new URL(page.url()).search).toBe(search)
    expect(complaints).toEqual([])
    await context.close()
  })

  it.each(['?', `${at(square, 16)}&`])('goes to the fountain that %sfountain=11 names', async (search) => {
    const { page, context, complaints } = await open(`${search}fountain=11`)
    await page.locator('#card').getByRole('link', { name: 'Directions' }).waitFor()
    expect(await page.locator('#card h2').textContent()).toBe('Taveuni Tap')
    await addressFits(page, (found) => /^-16\.8,179\.98,16$/u.test(found.get('at') ?? ''))
    expect(query(page).get('fountain')).toBe('11')
    // What is opened is read next; a ring round it would ask to be pressed.
    const ring = await page
      .locator('#card h2:focus')
      .evaluate((title) => getComputedStyle(title).outlineStyle)
    expect(ring).toBe('none')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('shows the note of a marked area', async () => {
    const { page, context } = await open(at(harbour, 14))
    await page.waitForLoadState('networkidle')
    await clickMiddle(page)
    const card = page.locator('#card')
    await card.getByText(harbour.note).waitFor()
    expect(await card.getByRole('heading').textContent()).toBe(harbour.name)
    await context.close()
  })

  it('turns dark and light with the page, keeping what it shows', async () => {
    const { page, context, complaints } = await open(`${at(square, 14)}&amenity=spring`, {
      colorScheme: 'dark',
    })
    await heading(page, /fountains in view/u)
    const before = await page.locator('#list-heading').textContent()
    const picture = async () => (await page.locator('#map').screenshot()).toString('base64')
    for (const theme of ['light', 'dark']) {
      const former = await picture()
      await page.evaluate((value) => document.documentElement.setAttribute('data-theme', value), theme)
      await expect.poll(picture).not.toBe(former)
      expect(await page.locator('#list-heading').textContent()).toBe(before)
    }
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('the list beside the map', () => {
  it('orders by distance from the visitor, asked for and never before', async () => {
    const { page, context } = await open(at(square, 14), {
      geolocation: { latitude: square.latitude + 0.0019, longitude: square.longitude },
      permissions: ['geolocation'],
    })
    await heading(page, 'in view')
    expect(await page.locator('#list-note').textContent()).toContain('from the middle of the map')
    await page.locator('#near-me').click()
    await heading(page, 'Nearest fountains')
    const names = await page.locator('#list .fountain-name').allTextContents()
    expect(names.slice(0, 4)).toEqual(['North Road 1', 'North Road 2', 'Market Square', 'North Road 3'])
    const ways = await page.locator('#list .fountain-way').allTextContents()
    expect(ways.slice(0, 3)).toEqual(['10 mto the south', '190 mto the north', '210 mto the south'])
    await context.close()
  })

  it('says so when the visitor does not share their location', async () => {
    const { page, context } = await open()
    await page.locator('#near-me').click()
    await page.locator('#status', { hasText: 'may not use your location' }).waitFor()
    await context.close()
  })

  it('orders by distance from the middle of the map, that match the filters', async () => {
    const { page, context } = await open(`${at(square, 13)}&amenity=tap`)
    await page.locator('#near-centre').click()
    await heading(page, 'Nearest fountains')
    const distances = await page.locator('#list .fountain-distance').allTextContents()
    expect(distances).toHaveLength(taps)
    expect(distances.at(-1)).toMatch(/^1\d,\d{3} km$/u)
    expect(distances.slice(0, -1).map(Number.parseFloat)).toEqual(
      distances
        .slice(0, -1)
        .map(Number.parseFloat)
        .toSorted((a, b) => a - b),
    )
    await context.close()
  })

  it('leads from the keyboard alone to the page of a fountain', async () => {
    const { page, context } = await open(at(square, 16))
    await heading(page, /fountains? in view/u)
    const focused = () => page.evaluate(() => document.activeElement?.className ?? '')
    for (let press = 0; press < 60 && (await focused()) !== 'fountain'; press += 1)
      await page.keyboard.press('Tab')
    expect(await focused()).toBe('fountain')
    await page.keyboard.press('Enter')
    await page.locator('#card').getByRole('link', { name: 'Open the page' }).waitFor()
    const text = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    for (let press = 0; press < 10 && !(await text()).includes('Open the page'); press += 1) {
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${base}waypoint/*/`)
    expect(await page.locator('h1').textContent()).toContain('Market Square')
    await context.close()
  })
})

describe('the search', () => {
  it('finds a fountain and goes there', async () => {
    const { page, context, complaints } = await open()
    await page.locator('#query').fill('market')
    await page.locator('#results [role=option]').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.locator('#card').getByRole('link', { name: 'Directions' }).waitFor()
    await addressFits(page, (search) => search.get('at') === '55.705,13.19,16')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('finds a region without its accent and shows all of it', async () => {
    const { page, context } = await open()
    await page.locator('#query').fill('akerb')
    const first = page.locator('#results [role=option]').first()
    await first.waitFor()
    expect(await first.textContent()).toContain('Åkerby')
    await first.click()
    await heading(page, `${total - road.length - 3} fountains in view`)
    await context.close()
  })

  it('says so when nothing is found', async () => {
    const { page, context } = await open()
    await page.locator('#query').fill('zzzz')
    await page.locator('#results', { hasText: 'Nothing found for “zzzz”.' }).waitFor()
    await context.close()
  })
})

it('takes names as text in list, card and search', async () => {
  const { page, context, complaints } = await open('?at=55.695,13.21,17')
  const title = await page.title()
  await page.locator('#list .fountain-name', { hasText: '<img' }).waitFor()
  expect(await page.locator('#list .fountain-name').allTextContents()).toContain(hostileName)
  await page.locator('#list a.fountain').first().click()
  await page.locator('#card').getByRole('link', { name: 'Directions' }).waitFor()
  expect(await page.locator('#card h2').textContent()).toBe(hostileName)
  expect(await page.locator('#card').textContent()).toContain('<b>South</b>')
  await page.locator('#query').fill('img src')
  await page.locator('#results [role=option]').first().waitFor()
  expect(await page.locator('#results').textContent()).toContain(hostileName)
  expect(await page.locator('#card img, #list img, #results img').count()).toBe(0)
  expect(await page.title()).toBe(title)
  expect(complaints).toEqual([])
  await context.close()
})
