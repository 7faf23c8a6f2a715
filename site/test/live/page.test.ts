/** @module-tag browser */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { token, user } from '@openfountain/core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inspect, visitor, type Visitor } from '@openfountain/testing/site/account-stage'
import { filesOf } from '@openfountain/testing/site/built-site'
import { startChromium } from '@openfountain/testing/browser/chromium'
import {
  buildTown,
  builtTotal,
  liveStage,
  type BuiltTown,
  type LiveStage,
} from '@openfountain/testing/site/live-stage'

let town: BuiltTown
let browser: Browser

beforeAll(async () => {
  town = await buildTown({ languages: ['en', 'de', 'es', 'fr', 'it'] })
  browser = await startChromium()
})

afterAll(() => browser?.close())

const heading = (page: Page) => page.locator('h1 bdi')

async function open({ origin }: LiveStage, path: string, locale = 'en-GB'): Promise<Visitor> {
  const made = await visitor(browser, { locale })
  await made.page.goto(`${origin}${path}`)
  return made
}

describe('the page of a fountain', () => {
  it('shows what happened since it was built, and what happens while it is open', async () => {
    const stage = await liveStage(town)
    const { registry } = stage
    await registry.waypoints.update(
      1,
      {
        name: 'Renamed <b>one</b>',
        maintainer: 'The town',
        properties: { inspectedBy: ['Ada', 'Béla'], inventoryNumber: '<i>7</i>', height: 0.7 },
      },
      token(),
    )
    const { page, complaints } = await open(stage, '/waypoint/1/')
    await expect.poll(() => heading(page).textContent()).toBe('Renamed <b>one</b>')
    expect(await page.title()).toBe('Renamed <b>one</b> · Lindenau Fountains')
    expect(await page.locator('dt[data-t="fact.maintainer"] + dd').textContent()).toBe('The town')
    // Nothing is known of whether it gives water, and nothing is said of that.
    expect(await page.locator('.waypoint-head > .status').isVisible()).toBe(false)
    const custom = page.locator('[data-property]')
    expect(await custom.allTextContents()).toEqual([
      'Height of the spout0.7',
      'Number in the inventory<i>7</i>',
      'inspectedByAda, Béla',
    ])
    await registry.waypoints.update(
      1,
      {
        properties: { height: null },
        description: 'By the <i>gate</i>.',
        amenities: ['tap', 'odd'],
        latitude: 10.5,
        longitude: 20.25,
      },
      token(),
    )
    await page.locator('p.lead', { hasText: 'By the <i>gate</i>.' }).waitFor()
    expect(await custom.allTextContents()).toEqual([
      'Number in the inventory<i>7</i>',
      'inspectedByAda, Béla',
    ])
    expect(await page.locator('ul.amenities li').allTextContents()).toEqual(['Tap', 'odd'])
    expect(await page.locator('[data-copy-source]').textContent()).toBe('10.5, 20.25')
    expect(await page.locator('a[data-query]').getAttribute('href')).toBe('/?at=10.5,20.25,16&fountain=1')
    await registry.waypoints.update(1, { verified: true }, token())
    await page.locator('.tag-verified').waitFor()
    await registry.waypoints.update(1, { description: null, maintainer: null }, token())
    await page.locator('p.lead').waitFor({ state: 'detached' })
    expect(await page.locator('dt[data-t="fact.maintainer"]').count()).toBe(0)
    await inspect(page, 'a fountain that changed')
    expect(complaints).toEqual([])
  })

  it('shows new reviews, and no longer those that are gone or redacted', async () => {
    const stage = await liveStage(town)
    const { registry } = stage
    const ada = await registry.users.create({ name: 'Ada', xp: 100 })
    const review = { bubblerId: 2, rating: 4, comment: 'Cold <script>alert(1)</script>' }
    const made = await registry.reviews.create(review, user(ada.id))
    const { page, complaints } = await open(stage, '/waypoint/2/')
    await page.locator('.review', { hasText: review.comment }).waitFor()
    expect(await page.locator('.review .stars').getAttribute('aria-label')).toBe('4 of 5 stars')
    expect(await page.locator('.review .star-full').count()).toBe(4)
    const { id } = await registry.changes.head()
    await registry.changes.redact(id, { reason: 'Private' })
    await expect.poll(() => page.locator('.review .text-user').count()).toBe(0)
    expect(await page.locator('body').textContent()).not.toContain('Cold')
    await inspect(page, 'a fountain with a new review')
    await registry.reviews.update(made.id, { rating: 2, comment: 'Warm <b>now</b>' }, user(ada.id))
    await page.locator('.review', { hasText: 'Warm <b>now</b>' }).waitFor()
    expect(await page.locator('.review .star-full').count()).toBe(2)
    await registry.reviews.delete(made.id, token())
    await page.getByText('No reviews yet.').waitFor()
    expect(complaints).toEqual([])
  })

  it('says that it is gone, leads to the one that it was merged into, and is back when it is restored', async () => {
    const stage = await liveStage(town)
    const { registry, origin } = stage
    const { page, complaints } = await open(stage, '/waypoint/3/')
    await heading(page).waitFor()
    await registry.waypoints.delete(3, token())
    await page.locator('.live-end', { hasText: 'This fountain was removed' }).waitFor()
    expect(await page.locator('.waypoint-body').isVisible()).toBe(false)
    await inspect(page, 'a fountain that is gone')
    await registry.waypoints.restore(3, { reason: 'It is there' }, token())
    await page.locator('.waypoint-body').waitFor()
    expect(await page.locator('.waypoint-head > .status').isVisible()).toBe(false)
    expect(await page.locator('.live-end').count()).toBe(0)
    await registry.waypoints.merge(3, { into: 4, reason: 'The same' }, token())
    await page.locator('.live-end').getByRole('link', { name: '#4' }).click()
    await expect.poll(() => heading(page).textContent()).toBe('Fountain 4')
    await page.goto(`${origin}/waypoint/3/`)
    await page.waitForURL('**/waypoint/4/')
    expect(complaints).toEqual([])
  })

  it.each([
    ['de-CH', 'Dieser Brunnen wurde entfernt', 'Wasserhahn'],
    ['es-ES', 'Esta fuente se eliminó', 'Grifo'],
    ['fr-FR', 'Cette fontaine a été supprimée', 'Robinet'],
    ['it-IT', 'Questa fontana è stata rimossa', 'Rubinetto'],
  ])('is in the language of the visitor: %s', async (locale, gone, tap) => {
    const stage = await liveStage(town)
    await stage.registry.waypoints.update(5, { amenities: ['tap'] }, token())
    const { page, complaints } = await open(stage, '/waypoint/5/', locale)
    await page.locator('ul.amenities', { hasText: tap }).waitFor()
    await stage.registry.waypoints.delete(5, token())
    await page.locator('.live-end', { hasText: gone }).waitFor()
    expect(complaints).toEqual([])
  })

  it('stays as it was built while the server says what it should not, or nothing', async () => {
    const stage = await liveStage(town)
    stage.interfere = (request, response) => {
      if (request.url?.startsWith('/api/logs') !== true) return false
      const logs = [{ id: 99, bubblerId: 7, action: 'deleted', timestamp: 'soon', changes: {} }]
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ logs }))
      return true
    }
    const { page, complaints } = await open(stage, '/waypoint/6/')
    await expect.poll(() => stage.log.length).toBeGreaterThanOrEqual(2)
    expect(await heading(page).textContent()).toBe('Fountain 6')
    expect(await page.locator('.waypoint-body').isVisible()).toBe(true)
    expect(complaints).toEqual([])
  })
})

describe('the page of changes', () => {
  it('shows what happened since it was built on top, in its language, with names as they are now', async () => {
    const stage = await liveStage(town)
    const { registry } = stage
    const ada = await registry.users.create({ name: 'Ada <b>', xp: 200 })
    const before = await stage.add({ name: 'New <i>one</i>' })
    const { page, complaints } = await open(stage, '/de/changes/', 'de')
    const rows = page.locator('.entry')
    const built = page.locator('.entry[data-waypoint="4"]')
    await rows.filter({ hasText: 'New <i>one</i>' }).waitFor()
    await registry.waypoints.update(4, { name: 'Renamed <b>', description: 'Cold.' }, user(ada.id))
    await expect.poll(() => rows.first().locator('.entry-name').textContent()).toBe('Renamed <b>')
    expect(await rows.first().locator('.entry-what').textContent()).toBe('Bearbeitet: Beschreibung, Name')
    expect(await rows.first().locator('.entry-meta bdi').textContent()).toBe('Ada <b>')
    expect(await built.locator('.entry-name').allTextContents()).toEqual(['Renamed <b>', 'Renamed <b>'])
    await registry.waypoints.delete(before.id, token())
    await expect.poll(() => rows.first().locator('.entry-what').textContent()).toBe('Gelöscht')
    await registry.waypoints.merge(5, { into: 6, reason: 'The same' }, token())
    await expect
      .poll(() => rows.first().locator('.entry-what').textContent())
      .toBe('Zusammengeführt mit Fountain 6')
    expect(await rows.first().locator('.entry-what a').getAttribute('href')).toBe('/waypoint/6/')
    expect(await rows.count()).toBe(builtTotal + 4)
    await inspect(page, 'changes since the site was built')
    expect(complaints).toEqual([])
  })
})

describe('the page of a region', () => {
  it('shows its fountains as they are now: new, edited, moved into it and away, gone and back', async () => {
    const stage = await liveStage(town)
    const { registry } = stage
    const region = 'Linden Quarter'
    const far = await stage.add({ name: 'Far away', region: 'Elsewhere', verified: true })
    const { page, complaints } = await open(stage, '/regions/linden-quarter/')
    const names = () => page.locator('tbody tr .row-name').allTextContents()
    const counts = () => page.locator('#region-counts').textContent()
    const built = await names()
    expect(await counts()).toBe(`${builtTotal} fountains, 0 verified`)
    await stage.add({ name: 'Fountain 3 <b>', region, amenities: ['well'] })
    await expect.poll(names).toEqual([...built.slice(0, 3), 'Fountain 3 <b>', ...built.slice(3)])
    await registry.waypoints.delete(1, token())
    await registry.waypoints.update(2, { name: 'Renamed', amenities: ['well', 'chilled'] }, token())
    await registry.waypoints.update(2, { verified: true }, token())
    await registry.waypoints.update(4, { region: 'Elsewhere' }, token())
    await registry.waypoints.update(far.id, { region }, token())
    const now = ['Far away', 'Renamed', 'Fountain 3', 'Fountain 3 <b>', ...built.slice(4)]
    await expect.poll(names).toEqual(now)
    expect(await counts()).toBe(`${builtTotal} fountains, 2 verified`)
    const renamed = page.locator('tr', { hasText: 'Renamed' })
    expect(
      await renamed.getByRole('img').evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel)),
    ).toEqual(['Verified', 'Well', 'Chilled water'])
    await registry.waypoints.restore(1, { reason: 'It is there' }, token())
    await expect.poll(names).toEqual(['Far away', 'Fountain 1', ...now.slice(1)])
    await inspect(page, 'a region that changed')
    expect(complaints).toEqual([])
  })
})

describe('an address without a page', () => {
  it('of a fountain that is newer than the site leads to it on the map', async () => {
    const stage = await liveStage(town)
    await stage.add({ name: 'Brand new' })
    const { page } = await open(stage, `/waypoint/${builtTotal + 1}/`)
    await page.waitForURL((url) => url.searchParams.get('fountain') === String(builtTotal + 1))
    await page.locator('#card h2', { hasText: 'Brand new' }).waitFor({ timeout: 60_000 })
  })

  it('of one that was merged leads to the one that is left; one that is gone or never was is missing', async () => {
    const stage = await liveStage(town)
    const { registry, origin } = stage
    const merged = await stage.add()
    const gone = await stage.add()
    await registry.waypoints.merge(merged.id, { into: 8, reason: 'The same' }, token())
    await registry.waypoints.delete(gone.id, token())
    const { page, complaints } = await open(stage, `/waypoint/${merged.id}/`)
    await page.waitForURL('**/waypoint/8/')
    const before = complaints.length
    for (const id of [gone.id, 4711]) {
      await page.goto(`${origin}/waypoint/${id}/`)
      await page.locator('.missing.is-sure').waitFor()
    }
    // The browser itself reports the two pages that are not found.
    expect(complaints.length - before).toBe(2)
  })
})

it('a site without an API has nothing of it', async () => {
  const { site } = await buildTown({ languages: ['en'] }, undefined, false)
  expect((await filesOf(site)).filter((file) => file.includes('live'))).toEqual([])
  const lists = ['changes/index.html', 'regions/linden-quarter/index.html']
  for (const page of ['index.html', '404.html', 'waypoint/1/index.html', ...lists])
    expect(await readFile(join(site, page), 'utf8')).not.toMatch(
      /data-live|data-review|data-waypoint|data-page-of|"live"|js\/live/u,
    )
})

it('the page of changes and those of regions load less than 3 kB more for it', async () => {
  const text = (file: string) => readFile(join(town.site, file), 'utf8')
  const bytes = (content: string) => gzipSync(content, { level: 9 }).length
  for (const page of ['changes/index.html', 'regions/linden-quarter/index.html']) {
    const html = await text(page)
    const first = /src="\/(map\/js\/live-lists-\w+\.js)"/u.exec(html)?.[1]
    const scripts = new Map<string, string>()
    const add = async (file: string): Promise<void> => {
      if (scripts.has(file)) return
      const content = await text(file)
      scripts.set(file, content)
      for (const [, other] of content.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/gu))
        await add(`map/js/${other}`)
    }
    await add(first ?? '')
    const attributes = / data-(?:live-list|live-head|waypoint|region|page-of|whole)="[^"]*"/gu
    const own = bytes(html) - bytes(html.replaceAll(attributes, ''))
    const sum = [...scripts.values()].reduce((total, content) => total + bytes(content), own)
    expect(scripts.size).toBeGreaterThan(2)
    expect(sum, page).toBeLessThan(3072)
  }
})
