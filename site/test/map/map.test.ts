/** @module-tag browser */
import { focused, type ProfileOptions, says } from '@openfountain/testing/browser/page'
import { base, hostedSite } from '@openfountain/testing/site/sites'
import { harbour, hostileName, road, square, taps, total } from '@openfountain/testing/site/town'
import { addressFits, clickMiddle, heading, query, visit } from '@openfountain/testing/site/visit'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

const host = await hostedSite('town')

const at = ({ latitude, longitude }: { latitude: number; longitude: number }, zoom: number) =>
  `?at=${latitude},${longitude},${zoom}`
const open = (search = '', options: ProfileOptions = {}) => visit(`${host.url}${search}`, options)
const card = (page: Page) => page.locator('#card')
const isOpen = (page: Page) => card(page).getByRole('link', { name: 'Directions' }).waitFor()
const names = (page: Page) => page.locator('#list .fountain-name').allTextContents()

it('the map shows every fountain, then what matches the filters, of which its address says, requests nothing from other hosts and logs no errors', async () => {
  const { page, complaints, requests } = await open()
  expect(await heading(page, 'in view')).toBe(`${total} fountains in view`)
  const elsewhere = requests.filter((address) => !address.startsWith(host.url))
  expect(elsewhere.filter((address) => !address.startsWith('data:'))).toEqual([])
  expect(await page.locator('#attribution').textContent()).toContain('Lindenau Water Friends')
  expect(await page.locator('.maplibregl-ctrl-scale').isVisible()).toBe(true)
  await page.locator('#filters summary').click()
  await page.locator('label', { has: page.locator('input[value=tap]') }).click()
  await heading(page, `${taps} fountains in view`)
  expect(await page.locator('#filter-count').textContent()).toBe('1')
  await page.locator('label', { has: page.locator('input[name=verified]') }).click()
  const both = await heading(page, /^1?\d fountains in view$/u)
  expect(Number.parseInt(both, 10)).toBeLessThan(taps)
  await expect.poll(() => `${query(page)}`).toBe('amenity=tap&verified=1')
  await page.locator('#filter-reset').click()
  await heading(page, `${total} fountains in view`)
  await expect.poll(() => query(page).has('amenity')).toBe(false)
  await page.locator('select[name=region]').selectOption('North')
  await heading(page, `${road.length} fountains in view`)
  await expect.poll(() => query(page).get('region')).toBe('North')
  expect(await names(page)).toEqual(expect.arrayContaining(road.map(({ name }) => name)))
  await page.goto(`${host.url}?region=North`)
  await heading(page, `${road.length} fountains in view`)
  await expect.poll(() => Number(query(page).get('at')?.split(',')[2])).toBeGreaterThan(10)
  expect(complaints).toEqual([])
})

it('the map opens a cluster that is clicked, and shows the note of a marked area', async () => {
  const { page } = await open('?at=55.72,13.4,7')
  await heading(page, 'in view')
  await clickMiddle(page)
  await addressFits(page, (search) => Number(search.get('at')?.split(',')[2]) > 8)
  const area = await open(at(harbour, 14))
  await area.page.waitForLoadState('networkidle')
  await clickMiddle(area.page)
  await card(area.page).getByText(harbour.note).waitFor()
  await says(card(area.page).getByRole('heading'), harbour.name)
})

it('the map opens a card for a fountain that is clicked, and closes it with Escape', async () => {
  const { page, complaints } = await open(at(square, 16))
  await clickMiddle(page)
  await isOpen(page)
  await says(card(page).getByRole('heading'), 'Market Square')
  const text = (await card(page).textContent()) ?? ''
  const facts = ['Verified', 'Drinking fountain', 'Wheelchair accessible', 'Linden Quarter', '4 · 1 review']
  for (const part of [...facts, 'Contributed here']) expect(text).toContain(part)
  expect(text).not.toContain('onfirmed')
  const link = (name: string) => card(page).getByRole('link', { name })
  expect(await link('Open the page').getAttribute('href')).toBe(`${base}waypoint/1/`)
  expect(await link('OpenStreetMap').getAttribute('rel')).toContain('noopener')
  await expect.poll(() => query(page).get('fountain')).toBe('1')
  await page.keyboard.press('Escape')
  await card(page).waitFor({ state: 'hidden' })
  await expect.poll(() => query(page).has('fountain')).toBe(false)
  expect(complaints).toEqual([])
})

it('the map matches its address', async () => {
  const search = `${at(square, 15)}&amenity=bubbler&verified=1&region=Linden%20Quarter&fountain=1`
  const { page, complaints } = await open(search)
  await heading(page, '1 fountain in view')
  await says(page.locator('#card h2'), 'Market Square')
  expect(await page.locator('#filter-count').textContent()).toBe('3')
  expect(await page.locator('input[value=bubbler]').isChecked()).toBe(true)
  expect(await page.locator('select[name=region]').inputValue()).toBe('Linden Quarter')
  expect(new URL(page.url()).search).toBe(search)
  expect(complaints).toEqual([])
})

it.each(['?', `${at(square, 16)}&`])(
  'the map goes to the fountain that %sfountain=11 names',
  async (search) => {
    const { page, complaints } = await open(`${search}fountain=11`)
    await isOpen(page)
    await says(page.locator('#card h2'), 'Taveuni Tap')
    await addressFits(page, (found) => /^-16\.8,179\.98,16$/u.test(found.get('at') ?? ''))
    expect(query(page).get('fountain')).toBe('11')
    // The focused heading is read next; a focus ring would look like a button.
    const ring = page.locator('#card h2:focus').evaluate((title) => getComputedStyle(title).outlineStyle)
    expect(await ring).toBe('none')
    expect(complaints).toEqual([])
  },
)

it('the list beside the map orders by distance from the visitor, asked for and never before', async () => {
  const geolocation = { latitude: square.latitude + 0.0019, longitude: square.longitude }
  const { page } = await open(at(square, 14), { geolocation, permissions: ['geolocation'] })
  await heading(page, 'in view')
  await page.locator('#near-me').click()
  await heading(page, 'Nearest fountains')
  const nearest = ['North Road 1', 'North Road 2', 'Market Square', 'North Road 3']
  expect((await names(page)).slice(0, 4)).toEqual(nearest)
  const ways = await page.locator('#list .fountain-way').allTextContents()
  const walks = ['1 min on foot10 m', '3 min on foot190 m', '4 min on foot210 m']
  expect(ways.slice(0, 3)).toEqual(walks.map((way, at) => `${way}to the ${at === 1 ? 'north' : 'south'}`))
})

it('the list beside the map says so when the visitor does not share their location, and orders by distance from the middle of the map, that match the filters', async () => {
  const { page } = await open(`${at(square, 13)}&amenity=tap`)
  await page.locator('#near-me').click()
  await says(page.locator('#status'), /may not use your location/u)
  await page.locator('#near-centre').click()
  await heading(page, 'Nearest fountains')
  const distances = await page.locator('#list .fountain-distance').allTextContents()
  expect(distances).toHaveLength(taps)
  expect(distances.at(-1)).toMatch(/^1\d,\d{3} km$/u)
  const nearer = distances.slice(0, -1).map(Number.parseFloat)
  expect(nearer).toEqual(nearer.toSorted((a, b) => a - b))
})

it('the list beside the map leads from the keyboard alone to the page of a fountain', async () => {
  const { page } = await open(at(square, 16))
  await heading(page, /fountains? in view/u)
  const tabTo = async (isThere: () => Promise<boolean>) => {
    for (let press = 0; press < 60 && !(await isThere()); press += 1) await page.keyboard.press('Tab')
    expect(await isThere()).toBe(true)
    await page.keyboard.press('Enter')
  }
  await tabTo(() => page.evaluate(() => document.activeElement?.className === 'fountain'))
  await card(page).getByRole('link', { name: 'Open the page' }).waitFor()
  await tabTo(async () => (await focused(page)).includes('Open the page'))
  await page.waitForURL(`**${base}waypoint/*/`)
  expect(await page.locator('h1').textContent()).toContain('Market Square')
})

it('the search finds a fountain and goes there, and a region without its accent, says so when nothing is found, and takes names as text', async () => {
  const { page, complaints } = await open()
  const first = page.locator('#results [role=option]').first()
  await page.locator('#query').fill('market')
  await first.waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await isOpen(page)
  await addressFits(page, (search) => search.get('at') === '55.705,13.19,16')
  await page.locator('#query').fill('zzzz')
  await page.locator('#results', { hasText: 'Nothing found for “zzzz”.' }).waitFor()
  await page.locator('#query').fill('akerb')
  await says(first, /Åkerby/u)
  await first.click()
  await heading(page, `${total - road.length - 3} fountains in view`)
  const title = await page.title()
  await page.goto(`${host.url}?at=55.695,13.21,17`)
  await page.locator('#list .fountain-name', { hasText: '<img' }).waitFor()
  expect(await names(page)).toContain(hostileName)
  await page.locator('#list a.fountain').first().click()
  await says(page.locator('#card h2'), hostileName)
  await says(card(page), /<b>South<\/b>/u)
  await page.locator('#query').fill('img src')
  await page.locator('#results', { hasText: hostileName }).waitFor()
  expect(await page.locator('#card img, #list img, #results img').count()).toBe(0)
  expect(await page.title()).toBe(title)
  expect(complaints).toEqual([])
})

const web = 'https://www.openstreetmap.org/directions?engine=fossgis_osrm_foot&route=%3B55.705%2C13.19'
const apple = 'https://maps.apple.com/?daddr=55.705,13.19&dirflg=w'
const geo = 'geo:55.705,13.19?q=55.705,13.19(Market%20Square)'

it.each([
  ['an Android phone', 'Linux; Android 15; Pixel 9', geo],
  ['an iPhone', 'iPhone; CPU iPhone OS 18_5 like Mac OS X', apple],
  ['a Mac, as which an iPad presents itself too', 'Macintosh; Intel Mac OS X 10_15_7', apple],
  ['Windows', 'Windows NT 10.0; Win64; x64', web],
  ['Linux', 'X11; Linux x86_64; rv:142.0', web],
])(
  'on %s directions open what the device has, from the card and from the page',
  async (_, system, expected) => {
    const userAgent = `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko)`
    const search = `${at(square, 16)}&fountain=1`
    const { page } = await open(search, { userAgent })
    const link = (name: string) => card(page).getByRole('link', { name }).getAttribute('href')
    expect(await link('Directions')).toBe(expected)
    expect(await link('Google Maps')).toContain('/dir/?api=1&destination=55.705,13.19')
    await page.goto(`${host.url}waypoint/1/`)
    await expect.poll(() => page.locator('a[data-directions]').getAttribute('href')).toBe(expected)
    const still = await open('waypoint/1/', { userAgent, javaScriptEnabled: false })
    expect(await still.page.locator('a[data-directions]').getAttribute('href')).toBe(web)
  },
)
