/** @module-tag browser */
import { appendFile, cp } from 'node:fs/promises'
import { join } from 'node:path'
import { textIn, newFolder } from '@openfountain/testing/folder'
import { base, builtSite, hostedSite } from '@openfountain/testing/site/sites'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { square, taps, total } from '@openfountain/testing/site/town'
import { heading, mapReady, query, visit } from '@openfountain/testing/site/visit'
import { expect, it } from 'vitest'
import { availableLanguages, loadLanguages } from '../../src/build/languages.ts'

const languages = await loadLanguages(await availableLanguages())
const out = await builtSite('town')
const { url } = await hostedSite('town')

const near = `?at=${square.latitude},${square.longitude},16`

it('on a host without range requests the map shows the same, from small files', async () => {
  const host = await hostFolder(out, { base, ranges: false })
  const { page, complaints, requests } = await visit(host.url)
  await heading(page, `${total} fountains in view`)
  await page.goto(`${host.url}${near}`)
  await mapReady(page)
  await heading(page, /^\d+ fountains? in view$/u)
  expect(await page.locator('#list .fountain-name').first().textContent()).toBe('Market Square')
  const isWhole = (address: string) => address.includes('.geojson') && !address.includes('areas')
  expect(requests.filter(isWhole)).toEqual([])
  expect(complaints).toEqual([])
})

it('a map without streets says so in each language, with the word of the button', () => {
  for (const { tag, messages } of languages) {
    const { streets, waypoint } = messages
    for (const file of ['index.html', 'embed/index.html'])
      expect(textIn(out, join(tag === 'en' ? '' : tag, file))).toContain(streets.none)
    expect(streets.none).toContain(waypoint.directions)
  }
})

it.each(['', 'embed/'])(
  'a map without streets says at street level where directions lead, and not from afar: /%s',
  async (path) => {
    const { page } = await visit(`${url}${path}${near}`)
    const note = page.locator('#attribution .no-streets', { hasText: 'no streets: Directions opens' })
    await note.waitFor()
    for (let step = 0; step < 3; step += 1) await page.locator('.map-controls button').nth(1).click()
    await note.waitFor({ state: 'hidden' })
  },
)

it('a frame says in the language of the page how to zoom, and shows the place and the amenity of its address', async () => {
  const { page, complaints } = await visit(`${url}de/embed/?at=55.72,13.4,13&amenity=tap`)
  const hint = page.locator('.maplibregl-cooperative-gesture-screen')
  await hint.waitFor({ state: 'attached' })
  const words = 'Strg + Scrollen zoomt die KarteDie Karte mit zwei Fingern verschieben'
  expect((await hint.textContent())?.trim()).toBe(words)
  const address = () => page.locator('#open-large').getAttribute('href')
  await expect.poll(address).toContain('at=')
  const large = new URL((await address()) ?? '', url)
  expect(large.pathname).toBe(`${base}de/`)
  expect(large.search).toBe('?at=55.72,13.4,13&amenity=tap')
  await page.goto(large.href)
  await mapReady(page)
  await heading(page, `${taps - 1} Brunnen`)
  expect(complaints).toEqual([])
})

it('without a network the map goes on while it is open, works after one visit, and says how old its data is', async () => {
  const host = await hostFolder(out, { base })
  const { page, context } = await visit(`${host.url}${near}`)
  await page.locator('#keep-offline').click({ timeout: 60_000 })
  await page.locator('#status', { hasText: 'Saved for offline use.' }).waitFor({ timeout: 60_000 })
  const before = await heading(page, /^\d+ fountains? in view$/u)
  await context.setOffline(true)
  await page.locator('.toast', { hasText: 'You are offline' }).waitFor()
  expect(await heading(page, /^\d+ fountains? in view$/u)).toBe(before)
  await context.setOffline(false)
  await page.locator('.toast').waitFor({ state: 'hidden' })
  await host.close()
  await context.setOffline(true)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${host.url}${near}&fountain=1`)
  await mapReady(page)
  await heading(page, /^\d+ fountains? in view$/u)
  expect(await page.locator('#card h2').textContent()).toBe('Market Square')
  expect(await page.locator('.toast').textContent()).toMatch(/^You are offline\. Data as of .*2026\.$/u)
  expect(complaints).toEqual([])
})

it('a new version waits until the visitor accepts it', async () => {
  const own = join(newFolder(), 'site')
  await cp(out, own, { recursive: true })
  const host = await hostFolder(own, { base })
  const { page } = await visit(host.url)
  await page.locator('#keep-offline').waitFor({ timeout: 60_000 })
  await appendFile(join(own, 'sw.js'), '\n// newer')
  await page.reload()
  await mapReady(page)
  // The page may have loaded by the time that the click returns.
  const loaded = page.waitForEvent('load', { timeout: 60_000 })
  await page.getByRole('button', { name: 'Reload' }).click({ timeout: 60_000 })
  await loaded
  await mapReady(page)
  expect(await page.getByRole('button', { name: 'Reload' }).count()).toBe(0)
  expect(query(page).size).toBe(0)
})
