/** @module-tag browser */
import { anonymous, token, user } from '@openfountain/core'
import { says } from '@openfountain/testing/browser/page'
import { inspect } from '@openfountain/testing/site/account-stage'
import {
  builtTotal,
  hasAsked,
  listed,
  liveStage,
  liveTown,
  nearTown,
  spot,
} from '@openfountain/testing/site/live-stage'
import { square } from '@openfountain/testing/site/town'
import { clickMiddle, heading, mapReady, visit } from '@openfountain/testing/site/visit'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

const town = await liveTown()

const inView = (n: number) => `${n} fountains in view`
const card = (page: Page, name: string) => page.locator('#card h2', { hasText: name }).waitFor()
const names = (page: Page) => page.locator('#list .fountain-name').allTextContents()

async function open(address = nearTown) {
  const stage = await liveStage(town)
  return { ...stage, stage, ...(await visit(`${stage.origin}${address}`)) }
}

async function finds(page: Page, query: string, expected: readonly string[]): Promise<void> {
  await page.locator('#query').fill(query)
  await expect.poll(() => page.locator('#results .result-name').allTextContents()).toEqual(expected)
}

it('two open browsers see what is added, edited, moved, deleted, restored and merged, on the map, in the list, the search and the card', async () => {
  const { stage, registry, add, origin, page: first, complaints } = await open()
  const other = await visit(`${origin}${nearTown}`)
  const second = other.page
  const both = [first, second]
  for (const page of both) await heading(page, inView(builtTotal))
  await hasAsked(stage, 2)

  const { id } = await add({ name: 'Brand new spring' })
  for (const page of both) await heading(page, inView(builtTotal + 1))
  await listed(first, 'Brand new spring').waitFor()
  await finds(first, 'brand', ['Brand new spring'])
  await first.locator('#results [role=option]').click()
  await card(first, 'Brand new spring')

  await registry.waypoints.update(id, { name: 'Renamed spring' }, token())
  await card(first, 'Renamed spring')
  await finds(second, 'renamed', ['Renamed spring'])

  const state = second.locator('#list a.fountain', { hasText: 'Fountain 5' }).locator('.short-state')
  for (const [kind, waited] of [['broken', 'visible'] as const, ['works', 'detached'] as const]) {
    await registry.observations.create({ bubblerId: 5, kind }, anonymous, { network: '192.0.5.0/24' })
    await state.waitFor({ state: waited })
  }

  await registry.waypoints.update(2, { name: 'Second fountain', description: null }, token())
  await listed(second, 'Second fountain').waitFor()
  expect(await names(second)).not.toContain('Fountain 2')
  await listed(second, 'Second fountain').click()
  await card(second, 'Second fountain')
  expect(await second.locator('#card').getByText('Under a lime.').count()).toBe(0)
  expect(await second.locator('#card').getByText('Linden Quarter').count()).toBe(1)

  await registry.waypoints.update(3, { latitude: 10, longitude: 10 }, token())
  await listed(first, 'Fountain 3').waitFor({ state: 'detached' })
  await first.goto(`${origin}/?at=10,10,14&fountain=3`)
  await card(first, 'Fountain 3')
  await heading(first, '1 fountain in view')
  for (const page of both) {
    await page.goto(`${origin}${nearTown}`)
    await listed(page, 'Fountain 4').waitFor()
    await listed(page, 'Second fountain').waitFor()
  }

  await registry.waypoints.delete(4, token())
  for (const page of both) await listed(page, 'Fountain 4').waitFor({ state: 'detached' })
  await finds(second, 'fountain 4', [])
  await registry.waypoints.restore(4, { reason: 'It is there' }, token())
  for (const page of both) await listed(page, 'Fountain 4').waitFor()

  await listed(second, 'Fountain 6').click()
  await card(second, 'Fountain 6')
  await registry.waypoints.merge(6, { into: 5, reason: 'The same' }, token())
  await second.locator('#card').getByText('This fountain was merged into').waitFor()
  await inspect(second, 'a fountain that was merged')
  await second.locator('#card').getByRole('link').click()
  await card(second, 'Fountain 5')
  expect([...complaints, ...other.complaints]).toEqual([])
})

it('what is new is drawn over the tiles, can be clicked and is among the nearest; what is gone is not', async () => {
  const { registry, add, origin, page, complaints, requests } = await open()
  const { latitude, longitude } = await add({ name: 'By the gate', amenities: ['chilled'] })
  await registry.waypoints.update(7, { amenities: ['chilled'] }, token())
  await registry.waypoints.delete(9, token())
  await page.goto(`${origin}${nearTown}&amenity=chilled`)
  await heading(page, inView(2))
  await expect.poll(() => names(page)).toEqual(expect.arrayContaining(['By the gate', 'Fountain 7']))
  const feed = await page.getByRole('link', { name: 'Feed of this area' }).getAttribute('href')
  expect(await (await fetch(new URL(feed ?? '', origin))).text()).toContain('By the gate')
  await page.goto(`${origin}/?at=${latitude},${longitude},17`)
  await listed(page, 'By the gate').waitFor()
  // The list may be there before the map is drawn again.
  const isOpened = async () => {
    await page.keyboard.press('Escape')
    await clickMiddle(page)
    return page.locator('#card').isVisible()
  }
  await expect.poll(isOpened).toBe(true)
  await card(page, 'By the gate')
  expect(requests.some((address) => address.includes('.pmtiles'))).toBe(true)
  await page.keyboard.press('Escape')
  await page.locator('#near-centre').click()
  await heading(page, 'Nearest fountains')
  expect((await names(page))[0]).toBe('By the gate')
  await page.goto(`${origin}/?at=${spot(9).latitude},${spot(9).longitude},18`)
  await heading(page, 'No fountains in view')
  await expect.poll(isOpened).toBe(false)
  expect(complaints).toEqual([])
})

it('what is new is shown by its address, also when it was added after the page was opened, and keeps the focus where it is', async () => {
  const { registry, add, origin, page, complaints } = await open(`/?fountain=${builtTotal + 1}`)
  await page.locator('#card', { hasText: 'This fountain is no longer in the data.' }).waitFor()
  await add({ name: 'A moment later' })
  await card(page, 'A moment later')
  await listed(page, 'A moment later').waitFor()
  await page.goto(`${origin}${nearTown}`)
  await listed(page, 'Fountain 5').waitFor()
  await page.locator('#list a[data-id="5"]').focus()
  await add({ name: 'Another' })
  await listed(page, 'Another').waitFor()
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-id'))).toBe('5')
  await page.keyboard.press('Enter')
  await card(page, 'Fountain 5')
  await page.locator('#query').focus()
  await registry.waypoints.update(5, { name: 'Fifth' }, token())
  await card(page, 'Fifth')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('query')
  const { id } = await registry.users.create({ name: 'Ada', xp: 100 })
  await registry.reviews.create({ bubblerId: 5, rating: 4 }, user(id))
  await page.locator('#card .tags li', { hasText: '4 · 1 review' }).waitFor()
  expect(complaints).toEqual([])
})

it('what is new is text wherever it is drawn, and vanishes from open maps, lists, searches and cards when it is redacted', async () => {
  const { registry, add, page, complaints } = await open(`${nearTown}&fountain=${builtTotal + 1}`)
  const name = '<img src=x onerror="document.title=1"> \u2028\u200Fevil{name}'
  await add({ name, description: '<script>document.title=1</script>' })
  await says(page.locator('#card h2'), name)
  await expect.poll(() => names(page)).toContain(name)
  await finds(page, 'img', [name])
  expect(await page.locator('#card img, #card script, #list img, #results img').count()).toBe(0)
  expect(await page.title()).not.toBe('1')
  await registry.changes.redact(builtTotal + 1, { reason: 'A telephone number' })
  await listed(page, '(redacted)').waitFor()
  await card(page, '(redacted)')
  await finds(page, 'img', [])
  expect(await page.locator('body').textContent()).not.toMatch(/evil|document\.title/u)
  expect(complaints).toEqual([])
})

it('what is new by the visitor is drawn at once, differently as long as it is not sent', async () => {
  const tell = (given: unknown) =>
    page.evaluate((detail) => {
      document.dispatchEvent(new CustomEvent('openfountain:waypoint', { detail }))
    }, given)
  const { stage, add, origin, page, complaints } = await open()
  await hasAsked(stage)
  const key = '5b1f5f0e-3d55-4bb6-9d5e-0f6f6b8a0a11'
  const { latitude, longitude } = square
  const waypoint = { name: 'My own', latitude: latitude - 0.002, longitude, amenities: ['tap'] }
  await tell({ id: key, waypoint, isWaiting: true })
  await page.locator('.fountain-waiting', { hasText: 'Not sent yet' }).waitFor()
  await listed(page, 'My own').click()
  await page.locator('#card', { hasText: 'Not sent yet' }).waitFor()
  await inspect(page, 'a fountain that is not sent yet')
  const shown = () => new URL(page.url()).searchParams.get('fountain')
  expect(shown()).toBeNull()
  const sent = await add(waypoint)
  await tell({ id: key })
  await tell({ id: sent.id, waypoint: sent })
  await page.locator('.fountain-waiting').waitFor({ state: 'detached' })
  await expect.poll(async () => (await names(page)).filter((name) => name === 'My own')).toHaveLength(1)
  await expect.poll(shown).toBe(String(sent.id))
  await card(page, 'My own')
  await tell({ id: 2, waypoint: { ...spot(2), name: 'Edited here', amenities: [] }, isWaiting: true })
  await page.goto(`${origin}${nearTown}`)
  await mapReady(page)
  await listed(page, 'Fountain 2').waitFor()
  expect(complaints).toEqual([])
})
