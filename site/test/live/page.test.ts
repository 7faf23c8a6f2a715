/** @module-tag browser */
import { globSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { token, user } from '@openfountain/core'
import { says } from '@openfountain/testing/browser/page'
import { textIn } from '@openfountain/testing/folder'
import { inspect, visitor } from '@openfountain/testing/site/account-stage'
import { builtTotal, liveStage, liveTown } from '@openfountain/testing/site/live-stage'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

const town = await liveTown()

const heading = (page: Page) => page.locator('h1 bdi')

async function open(path: string, locale = 'en-GB') {
  const stage = await liveStage(town)
  const made = await visitor({ locale })
  await made.page.goto(`${stage.origin}${path}`)
  return { ...stage, ...made, stage }
}

it('the page of a fountain shows what happened since it was built, and what happens while it is open', async () => {
  const { registry, page, complaints } = await open('/waypoint/1/')
  const change = (input: object) => registry.waypoints.update(1, input, token())
  const maintainer = page.locator('dt[data-t="fact.maintainer"] + dd')
  const properties = { inspectedBy: ['Ada', 'Béla'], inventoryNumber: '<i>7</i>', height: 0.7 }
  await change({ name: 'Renamed <b>one</b>', maintainer: 'The town', properties })
  await page.reload()
  await says(heading(page), 'Renamed <b>one</b>')
  expect(await page.title()).toBe('Renamed <b>one</b>, Linden Quarter · Lindenau Fountains')
  expect(await maintainer.textContent()).toBe('The town')
  await says(page.locator('.waypoint-head .status'), 'Not known whether it works')
  const custom = page.locator('[data-property]')
  const fields = ['Number in the inventory<i>7</i>', 'inspectedByAda, Béla']
  expect(await custom.allTextContents()).toEqual(['Height of the spout0.7', ...fields])
  const place = { latitude: 10.5, longitude: 20.25 }
  const description = 'By the <i>gate</i>.'
  await change({ properties: { height: null }, description, amenities: ['tap', 'odd'], ...place })
  await page.locator('p.lead', { hasText: description }).waitFor()
  expect(await custom.allTextContents()).toEqual(fields)
  expect(await page.locator('ul.amenities li').allTextContents()).toEqual(['Tap', 'odd'])
  expect(await page.locator('[data-copy-source]').textContent()).toBe('10.5, 20.25')
  expect(await page.locator('a[data-query^="?at="]').getAttribute('href')).toBe(
    '/?at=10.5,20.25,16&fountain=1',
  )
  await change({ verified: true })
  await page.locator('.tag-verified').waitFor()
  await change({ description: null, maintainer: null })
  await page.locator('p.lead').waitFor({ state: 'detached' })
  expect(await maintainer.count()).toBe(0)
  await inspect(page, 'a fountain that changed')
  expect(complaints).toEqual([])
})

it('news that arrives while the language of a page is switched is in the new language', async () => {
  const stage = await liveStage(town)
  await stage.registry.waypoints.update(1, { description: 'By the gate.' }, token())
  const { page, complaints } = await visitor({ locale: 'de-CH' })
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>()
  await page.route('**/languages/de.json', async (route) => {
    await isAsked
    await route.continue()
  })
  await page.route('**/languages/en.json', async (route) => {
    asked()
    await page.waitForFunction(() => document.documentElement.lang === 'de')
    await route.continue()
  })
  await page.goto(`${stage.origin}/waypoint/1/`)
  await page.locator('p.lead', { hasText: 'By the gate.' }).waitFor()
  await says(page.locator('.waypoint-head .status'), 'Nicht bekannt, ob er funktioniert')
  expect(complaints).toEqual([])
})

it('the page of a fountain shows new reviews, and no longer those that are gone or redacted', async () => {
  const { registry, page, complaints } = await open('/waypoint/2/')
  const by = user((await registry.users.create({ name: 'Ada', xp: 100 })).id)
  const stars = page.locator('.review .star-full')
  const review = { bubblerId: 2, rating: 4, comment: 'Cold <script>alert(1)</script>' }
  const made = await registry.reviews.create(review, by)
  await page.reload()
  await page.locator('.review', { hasText: review.comment }).waitFor()
  expect(await page.locator('.review .stars').getAttribute('aria-label')).toBe('4 of 5 stars')
  expect(await stars.count()).toBe(4)
  await registry.changes.redact((await registry.changes.head()).id, { reason: 'Private' })
  await expect.poll(() => page.locator('.review .text-user').count()).toBe(0)
  expect(await page.locator('body').textContent()).not.toContain('Cold')
  await inspect(page, 'a fountain with a new review')
  await registry.reviews.update(made.id, { rating: 2, comment: 'Warm <b>now</b>' }, by)
  await page.locator('.review', { hasText: 'Warm <b>now</b>' }).waitFor()
  expect(await stars.count()).toBe(2)
  await registry.reviews.delete(made.id, token())
  await page.getByText('No reviews yet.').waitFor()
  expect(complaints).toEqual([])
})

it('the page of a fountain says in the language of the visitor that it is gone, leads to the one that it was merged into, and is back when it is restored', async () => {
  const { registry, origin, page, complaints } = await open('/waypoint/3/', 'de-CH')
  const end = page.locator('.live-end')
  await registry.waypoints.delete(3, token())
  await says(end, /Dieser Brunnen wurde entfernt/u)
  expect(await page.locator('.waypoint-body').isVisible()).toBe(false)
  await inspect(page, 'a fountain that is gone')
  await registry.waypoints.restore(3, { reason: 'It is there' }, token())
  await page.locator('.waypoint-body').waitFor()
  await says(page.locator('.waypoint-head .status'), 'Nicht bekannt, ob er funktioniert')
  expect(await end.count()).toBe(0)
  await registry.waypoints.merge(3, { into: 4, reason: 'The same' }, token())
  await end.getByRole('link', { name: '#4' }).click()
  await says(heading(page), 'Fountain 4')
  await page.goto(`${origin}/waypoint/3/`)
  await page.waitForURL('**/waypoint/4/')
  // The page may request a fountain that was removed just before.
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
})

it('the page of a fountain stays as it was built while the server says what it should not, or nothing', async () => {
  const { stage, page, complaints } = await open('/about/')
  stage.interfere = (request, response) => {
    if (request.url?.startsWith('/api/logs') !== true) return false
    const logs = [{ id: 99, bubblerId: 7, action: 'deleted', timestamp: 'soon', changes: {} }]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ logs }))
    return true
  }
  await page.goto(`${stage.origin}/waypoint/6/`)
  await expect.poll(() => stage.log.length).toBeGreaterThanOrEqual(2)
  await says(heading(page), 'Fountain 6')
  expect(await page.locator('.waypoint-body').isVisible()).toBe(true)
  expect(complaints).toEqual([])
})

it('the page of changes shows what happened since it was built on top, in its language, with names as they are now', async () => {
  const { registry, add, page, complaints } = await open('/de/changes/', 'de')
  const ada = await registry.users.create({ name: 'Ada <b>', xp: 200 })
  const before = await add({ name: 'New <i>one</i>' })
  const rows = page.locator('.entry')
  const what = rows.first().locator('.entry-what')
  await rows.filter({ hasText: 'New <i>one</i>' }).waitFor()
  await registry.waypoints.update(4, { name: 'Renamed <b>', description: 'Cold.' }, user(ada.id))
  await says(what, 'Bearbeitet: Beschreibung, Name')
  expect(await rows.first().locator('.entry-meta bdi').textContent()).toBe('Ada <b>')
  const built = page.locator('.entry[data-waypoint="4"] .entry-name')
  expect(await built.allTextContents()).toEqual(['Renamed <b>', 'Renamed <b>'])
  await registry.waypoints.delete(before.id, token())
  await says(what, 'Gelöscht')
  await registry.waypoints.merge(5, { into: 6, reason: 'The same' }, token())
  await says(what, 'Zusammengeführt mit Fountain 6')
  expect(await what.locator('a').getAttribute('href')).toBe('/waypoint/6/')
  expect(await rows.count()).toBe(builtTotal + 4)
  await inspect(page, 'changes since the site was built')
  expect(complaints).toEqual([])
})

it('the page of a region shows its fountains as they are now: new, edited, moved into it and away, gone and back', async () => {
  const { registry, add, page, complaints } = await open('/regions/linden-quarter/')
  const { waypoints } = registry
  const region = 'Linden Quarter'
  const names = () => page.locator('tbody tr .row-name').allTextContents()
  const counts = page.locator('#region-counts')
  const built = await names()
  const far = await add({ name: 'Far away', region: 'Elsewhere', verified: true })
  await says(counts, `${builtTotal} fountains, 0 verified`)
  await add({ name: 'Fountain 3 <b>', region, amenities: ['well'] })
  await expect.poll(names).toEqual([...built.slice(0, 3), 'Fountain 3 <b>', ...built.slice(3)])
  await waypoints.delete(1, token())
  await waypoints.update(2, { name: 'Renamed', amenities: ['well', 'chilled'] }, token())
  await waypoints.update(2, { verified: true }, token())
  await waypoints.update(4, { region: 'Elsewhere' }, token())
  await waypoints.update(far.id, { region }, token())
  const now = ['Far away', 'Fountain 3', 'Fountain 3 <b>', ...built.slice(4), 'Renamed']
  await expect.poll(names).toEqual(now)
  await says(counts, `${builtTotal} fountains, 2 verified`)
  const icons = page.locator('tr', { hasText: 'Renamed' }).getByRole('img')
  const labels = await icons.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel))
  expect(labels).toEqual(['Verified', 'Well', 'Chilled water'])
  await waypoints.restore(1, { reason: 'It is there' }, token())
  await expect.poll(names).toEqual(['Far away', 'Fountain 1', ...now.slice(1)])
  await inspect(page, 'a region that changed')
  expect(complaints).toEqual([])
})

it('an address without a page leads to what is newer than the site, or left of what was merged; what is gone or never was is missing', async () => {
  const { registry, add, origin, page, complaints } = await open('/about/')
  const [merged, gone, fresh] = [await add(), await add(), await add({ name: 'Brand new' })]
  await registry.waypoints.merge(merged.id, { into: 8, reason: 'The same' }, token())
  await registry.waypoints.delete(gone.id, token())
  await page.goto(`${origin}/waypoint/${merged.id}/`)
  await page.waitForURL('**/waypoint/8/')
  const before = complaints.length
  for (const id of [gone.id, 4711]) {
    await page.goto(`${origin}/waypoint/${id}/`)
    await page.locator('.missing.is-sure').waitFor()
  }
  // The browser itself reports the two pages that are not found.
  expect(complaints.length - before).toBe(2)
  await page.goto(`${origin}/waypoint/${fresh.id}/`)
  await page.waitForURL((url) => url.searchParams.get('fountain') === String(fresh.id))
  await page.locator('#card h2', { hasText: 'Brand new' }).waitFor({ timeout: 60_000 })
})

it('the page of changes and those of regions load less than 4 kB more for it, in one file', () => {
  const text = (file: string) => textIn(town.site, file)
  const bytes = (content: string) => gzipSync(content, { level: 9 }).length
  const scripts = globSync('_astro/pages.*.js', { cwd: town.site })
  expect(scripts).toHaveLength(1)
  for (const page of ['changes/index.html', 'regions/linden-quarter/index.html']) {
    const html = text(page)
    const attributes = / data-(?:live-list|live-head|waypoint|region|page-of|whole)="[^"]*"/gu
    const own = bytes(html) - bytes(html.replaceAll(attributes, ''))
    const sum = scripts.reduce((total, file) => total + bytes(text(file)), own)
    expect(sum, page).toBeLessThan(4096)
  }
})
