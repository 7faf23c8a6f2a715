/** @module-tag browser */
import { anonymous, token, user } from '@openfountain/core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inspect } from '@openfountain/testing/site/account-stage'
import { startChromium } from '@openfountain/testing/browser/chromium'
import {
  buildTown,
  builtTotal,
  liveStage,
  spot,
  type BuiltTown,
  type LiveStage,
} from '@openfountain/testing/site/live-stage'
import { square } from '../map/town.ts'
import { clickMiddle, heading, mapReady, visit, type Visit } from '../map/visit.ts'
import { afterwards } from '@openfountain/testing/afterwards'

let town: BuiltTown
let browser: Browser

beforeAll(async () => {
  town = await buildTown()
  browser = await startChromium()
})

afterAll(() => browser?.close())

const near = `?at=${square.latitude + 0.0035},${square.longitude},14`
const inView = (n: number) => `${n} fountains in view`

async function open({ origin }: LiveStage, address = `/${near}`): Promise<Visit> {
  const made = await visit(browser, `${origin}${address}`)
  afterwards(() => made.context.close())
  return made
}

/** Waits until the page has asked for the log once. */
async function asked({ log }: LiveStage, times = 1): Promise<void> {
  await expect.poll(() => log.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(times)
}

const names = (page: Page) => page.locator('#list .fountain-name').allTextContents()
const listed = (page: Page, name: string) =>
  page.locator('#list .fountain-name').getByText(name, { exact: true })

/** Searches, and waits until exactly these are found: also what changes while the results are open. */
async function finds(page: Page, query: string, expected: readonly string[]): Promise<void> {
  await page.locator('#query').fill(query)
  const results = page.locator('#results .result-name')
  await expect.poll(() => results.allTextContents(), { timeout: 10_000 }).toEqual(expected)
}

describe('what passers-by saw', () => {
  it('is on the map, in the list and on the page of whoever looks, before and while they look', async () => {
    const stage = await liveStage(town)
    const see = (bubblerId: number, kind: 'broken' | 'works') =>
      stage.registry.observations.create({ bubblerId, kind }, anonymous, {
        network: `192.0.${bubblerId}.0/24`,
      })
    await see(3, 'broken')
    const { page, complaints } = await open(stage)
    const about = (id: number) =>
      page
        .locator('#list a.fountain')
        .filter({ has: page.getByText(`Fountain ${id}`, { exact: true }) })
        .locator('.state')
    await about(3).waitFor()
    expect(await about(3).textContent()).toBe('Problem reported')
    expect(await about(5).count()).toBe(0)
    const other = await page.context().newPage()
    await other.goto(`${stage.origin}/waypoint/5/`)
    await other.locator('.status').waitFor({ state: 'attached' })
    await see(5, 'broken')
    await about(5).waitFor()
    await expect.poll(() => other.locator('.status').textContent(), { timeout: 20_000 }).toContain('problem')
    // It is taken back, and nothing is known any more.
    await see(5, 'works')
    await about(5).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })
})

describe('two open browsers', () => {
  it('see what is added, edited, moved, deleted, restored and merged, on the map, in the list, the search and the card', async () => {
    const stage = await liveStage(town)
    const { registry, add } = stage
    const first = await open(stage)
    const second = await open(stage)
    const pages = [first.page, second.page]
    for (const page of pages) await heading(page, inView(builtTotal))
    await asked(stage, 2)

    const { id } = await add({ name: 'Brand new spring' })
    for (const page of pages) await heading(page, inView(builtTotal + 1))
    await listed(first.page, 'Brand new spring').waitFor()
    await finds(first.page, 'brand', ['Brand new spring'])
    await first.page.locator('#results [role=option]').click()
    await first.page.locator('#card h2', { hasText: 'Brand new spring' }).waitFor()

    await registry.waypoints.update(id, { name: 'Renamed spring', amenities: ['tap'] }, token())
    await first.page.locator('#card h2', { hasText: 'Renamed spring' }).waitFor()
    await first.page.locator('#card').getByText('Tap', { exact: true }).waitFor()
    await finds(second.page, 'renamed', ['Renamed spring'])

    // Of what the site was built with, the rest is in its files.
    await registry.waypoints.update(2, { name: 'Second fountain', description: null }, token())
    await listed(second.page, 'Second fountain').waitFor()
    expect(await names(second.page)).not.toContain('Fountain 2')
    await listed(second.page, 'Second fountain').click()
    await second.page.locator('#card h2', { hasText: 'Second fountain' }).waitFor()
    expect(await second.page.locator('#card').getByText('Under a lime.').count()).toBe(0)
    expect(await second.page.locator('#card').getByText('Linden Quarter').count()).toBe(1)

    await registry.waypoints.update(3, { latitude: 10, longitude: 10 }, token())
    await listed(first.page, 'Fountain 3').waitFor({ state: 'detached' })
    await first.page.goto(`${stage.origin}/?at=10,10,14&fountain=3`)
    await first.page.locator('#card h2', { hasText: 'Fountain 3' }).waitFor()
    await heading(first.page, '1 fountain in view')
    for (const page of pages) {
      await page.goto(`${stage.origin}/${near}`)
      await listed(page, 'Fountain 4').waitFor()
      await listed(page, 'Second fountain').waitFor()
    }

    await registry.waypoints.delete(4, token())
    for (const page of pages) await listed(page, 'Fountain 4').waitFor({ state: 'detached' })
    await finds(second.page, 'fountain 4', [])
    await registry.waypoints.restore(4, { reason: 'It is there' }, token())
    for (const page of pages) await listed(page, 'Fountain 4').waitFor()

    await listed(second.page, 'Fountain 6').click()
    await second.page.locator('#card h2', { hasText: 'Fountain 6' }).waitFor()
    await registry.waypoints.merge(6, { into: 5, reason: 'The same' }, token())
    await second.page.locator('#card').getByText('This fountain was merged into').waitFor()
    await inspect(second.page, 'a fountain that was merged')
    await second.page.locator('#card').getByRole('link').click()
    await second.page.locator('#card h2', { hasText: 'Fountain 5' }).waitFor()
    expect(first.complaints).toEqual([])
    expect(second.complaints).toEqual([])
  })
})

describe('what is new', () => {
  it('is drawn over the tiles and can be clicked, what is gone is not', async () => {
    const stage = await liveStage(town)
    const { registry, add } = stage
    const { latitude, longitude } = await add({ name: 'By the gate' })
    const gone = spot(9)
    await registry.waypoints.delete(9, token())
    const { page, complaints, requests } = await open(stage, `/?at=${latitude},${longitude},17`)
    await listed(page, 'By the gate').waitFor()
    // The list may be there before the map is drawn again.
    const title = page.locator('#card h2', { hasText: 'By the gate' })
    await expect
      .poll(async () => {
        await clickMiddle(page)
        return title.count()
      })
      .toBe(1)
    expect(requests.some((address) => address.includes('.pmtiles'))).toBe(true)
    await page.goto(`${stage.origin}/?at=${gone.latitude},${gone.longitude},18`)
    await heading(page, 'No fountains in view')
    await expect
      .poll(async () => {
        await page.keyboard.press('Escape')
        await clickMiddle(page)
        return page.locator('#card').isVisible()
      })
      .toBe(false)
    expect(complaints).toEqual([])
  })

  it('matches filters, and is among the nearest', async () => {
    const stage = await liveStage(town)
    const { latitude, longitude } = await stage.add({ name: 'Cold one', amenities: ['chilled'] })
    await stage.registry.waypoints.update(7, { amenities: ['chilled'] }, token())
    const { page, complaints } = await open(stage, `/${near}&amenity=chilled`)
    await heading(page, inView(2))
    await expect.poll(() => names(page)).toEqual(expect.arrayContaining(['Cold one', 'Fountain 7']))
    await page.goto(`${stage.origin}/?at=${latitude},${longitude},16`)
    await listed(page, 'Cold one').waitFor()
    await page.locator('#near-centre').click()
    await heading(page, 'Nearest fountains')
    expect((await names(page))[0]).toBe('Cold one')
    expect(complaints).toEqual([])
  })

  it('is shown by its address, also when it was added after the page was opened', async () => {
    const stage = await liveStage(town)
    const { page, complaints } = await open(stage, `/?fountain=${builtTotal + 1}`)
    await page.locator('#card', { hasText: 'This fountain is no longer in the data.' }).waitFor()
    await stage.add({ name: 'A moment later' })
    await page.locator('#card h2', { hasText: 'A moment later' }).waitFor()
    await listed(page, 'A moment later').waitFor()
    expect(complaints).toEqual([])
  })

  it('keeps the focus where it is', async () => {
    const stage = await liveStage(town)
    const { page } = await open(stage)
    await asked(stage)
    await listed(page, 'Fountain 5').waitFor()
    await page.locator('#list a[data-id="5"]').focus()
    const { id } = await stage.add({ name: 'Another' })
    await listed(page, 'Another').waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-id'))).toBe('5')
    await page.locator('#list a[data-id="5"]').click()
    await page.locator('#card h2', { hasText: 'Fountain 5' }).waitFor()
    await page.locator('#query').focus()
    await stage.registry.waypoints.update(5, { name: 'Fifth' }, token())
    await page.locator('#card h2', { hasText: 'Fifth' }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('query')
    expect(id).toBe(builtTotal + 1)
  })
})

it('new reviews count on the card, also while it is open', async () => {
  const stage = await liveStage(town)
  const { registry } = stage
  const [ada, ben] = [
    await registry.users.create({ name: 'Ada', xp: 100 }),
    await registry.users.create({ name: 'Ben', xp: 100 }),
  ]
  const { page, complaints } = await open(stage, `/${near}&fountain=8`)
  await page.locator('#card h2', { hasText: 'Fountain 8' }).waitFor()
  await asked(stage)
  await registry.reviews.create({ bubblerId: 8, rating: 4 }, user(ada.id))
  await page.locator('#card .tag', { hasText: '4 · 1 review' }).waitFor()
  await registry.reviews.create({ bubblerId: 8, rating: 5 }, user(ben.id))
  await page.locator('#card .tag', { hasText: '4.5 · 2 reviews' }).waitFor()
  expect(complaints).toEqual([])
})

describe('redacted text', () => {
  it('vanishes from open maps, lists, searches and cards', async () => {
    const stage = await liveStage(town)
    const { registry } = stage
    const { id } = await stage.add({ name: 'Telephone 079 555 01 02', description: 'Ask for Jo.' })
    const { page, complaints } = await open(stage, `/${near}&fountain=${id}`)
    await page.locator('#card', { hasText: 'Ask for Jo.' }).waitFor()
    await listed(page, 'Telephone 079 555 01 02').waitFor()
    await registry.changes.redact(builtTotal + 1, { reason: 'A telephone number' })
    await listed(page, '(redacted)').waitFor()
    await page.locator('#card h2', { hasText: '(redacted)' }).waitFor()
    await finds(page, 'telephone', [])
    expect(await page.locator('body').textContent()).not.toMatch(/Ask for Jo|079 555/u)
    expect(complaints).toEqual([])
  })
})

describe('what people write', () => {
  it('is text wherever it is drawn', async () => {
    const stage = await liveStage(town)
    const hostile = '<img src=x onerror="document.title=1"> \u2028\u200Fevil\u0000{name}'
    await stage.add({ name: hostile.replace('\u0000', ''), description: '<script>document.title=1</script>' })
    const { page, complaints } = await open(stage, `/${near}&fountain=${builtTotal + 1}`)
    const name = hostile.replace('\u0000', '')
    await expect.poll(() => page.locator('#card h2').textContent()).toBe(name)
    await expect.poll(() => names(page)).toContain(name)
    await finds(page, 'img', [name])
    expect(await page.locator('#card img, #card script, #list img, #results img').count()).toBe(0)
    expect(await page.title()).not.toBe('1')
    expect(complaints).toEqual([])
  })
})

describe('what the visitor does on this page', () => {
  const tell = (page: Page, detail: unknown) =>
    page.evaluate((given) => {
      document.dispatchEvent(new CustomEvent('openfountain:waypoint', { detail: given }))
    }, detail)

  it('is drawn at once, differently as long as it is not sent', async () => {
    const stage = await liveStage(town)
    const { page, complaints } = await open(stage)
    await asked(stage)
    const key = '5b1f5f0e-3d55-4bb6-9d5e-0f6f6b8a0a11'
    const { latitude, longitude } = square
    const waypoint = { name: 'My own', latitude: latitude - 0.002, longitude, amenities: ['tap'] }
    await tell(page, { id: key, waypoint, isWaiting: true })
    await listed(page, 'My own').waitFor()
    await page.locator('.fountain-waiting', { hasText: 'Not sent yet' }).waitFor()
    await listed(page, 'My own').click()
    await page.locator('#card', { hasText: 'Not sent yet' }).waitFor()
    await inspect(page, 'a fountain that is not sent yet')
    expect(new URL(page.url()).searchParams.has('fountain')).toBe(false)
    const sent = await stage.add(waypoint)
    await tell(page, { id: key })
    await tell(page, { id: sent.id, waypoint: sent })
    await page.locator('.fountain-waiting').waitFor({ state: 'detached' })
    await expect.poll(async () => (await names(page)).filter((name) => name === 'My own')).toHaveLength(1)
    await expect.poll(() => new URL(page.url()).searchParams.get('fountain')).toBe(String(sent.id))
    expect(await page.locator('#card h2').textContent()).toBe('My own')
    await tell(page, { id: 2, waypoint: { ...spot(2), name: 'Edited here', amenities: [] }, isWaiting: true })
    await page.goto(`${stage.origin}/${near}`)
    await mapReady(page)
    await listed(page, 'Fountain 2').waitFor()
    expect(complaints).toEqual([])
  })

  it('is ignored where it makes no sense', async () => {
    const stage = await liveStage(town)
    const { page, complaints } = await open(stage)
    await asked(stage)
    for (const detail of [
      null,
      7,
      {},
      { id: 0 },
      { id: 'x'.repeat(65), waypoint: {} },
      { id: 1, waypoint: 'no' },
    ])
      await tell(page, detail)
    await stage.add({ name: 'Still working' })
    await listed(page, 'Still working').waitFor()
    await listed(page, 'Fountain 1').waitFor()
    expect(complaints).toEqual([])
  })
})
