/** @module-tag browser */
import { user, type Waypoint } from '@openfountain/core'
import { focused, says } from '@openfountain/testing/browser/page'
import { inspect, signInOn, visitor } from '@openfountain/testing/site/account-stage'
import {
  contributingStage,
  phone,
  type ContributingStage,
  type Fault,
} from '@openfountain/testing/site/contributing-stage'
import { builtSite } from '@openfountain/testing/site/sites'
import { heading, mapReady } from '@openfountain/testing/site/visit'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Draft } from '../src/contribute/outbox/submission.ts'
import type { Outcome, PageOutbox } from '../src/contribute/outbox/outbox.ts'
import { addButton, notice, placing, sheet, takeIt } from './contribute/walker.ts'

const site = await builtSite('sample with API')

const position = { latitude: 55.7, longitude: 13.19 }
const create = (name: string): Draft => {
  const body = { name, ...position, amenities: ['tap'] }
  return { kind: 'create', method: 'POST', path: '/waypoints', body, subject: name, position }
}

const review = (body: object, subject = 'Well'): Draft =>
  ({ kind: 'review', method: 'POST', path: '/reviews', body, subject }) as const

const add = (page: Page, draft: Draft): Promise<Outcome> =>
  page.evaluate((given) => {
    const made: PageOutbox = Reflect.get(globalThis, Symbol.for('openfountain outbox'))
    return made.add(given)
  }, draft)

const kept = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const made: PageOutbox = Reflect.get(globalThis, Symbol.for('openfountain outbox'))
    return (await made.list()).map(({ key }) => key)
  })
async function nothingWaits(page: Page): Promise<void> {
  await expect.poll(() => kept(page)).toEqual([])
}

const isReady = (page: Page) =>
  page.waitForFunction(() => Reflect.has(globalThis, Symbol.for('openfountain outbox')))

async function signIn(page: Page, made: ContributingStage, name = 'Ada'): Promise<void> {
  await signInOn(page, await made.link(name))
  await isReady(page)
}

const names = async (made: ContributingStage): Promise<unknown[]> =>
  (await made.entries()).map(({ action, fields }) => `${action} ${String(fields['name'])}`)

async function settled(page: Page): Promise<void> {
  const held = () => page.evaluate(async () => (await navigator.locks.query()).held?.length)
  await expect.poll(held).toBe(0)
}

async function isKeptForOffline(page: Page): Promise<void> {
  const isKept = () =>
    page.evaluate(async () => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
      const [script = '', words = ''] = ['/contribute/begin.', '/languages/contribute/'].map((part) =>
        loaded.find((name) => name.includes(part)),
      )
      const found = await Promise.all([script, words, '/'].map((address) => caches.match(address)))
      return found.every(Boolean)
    })
  await expect.poll(isKept).toBe(true)
}

async function canShow(page: Page): Promise<void> {
  const all = () => page.evaluate(() => JSON.stringify(performance.getEntriesByType('resource')))
  await expect.poll(all).toMatch(/languages\/contribute/u)
}

async function contributor(made: ContributingStage) {
  const here = await visitor()
  await signIn(here.page, made)
  await here.page.goto(`${made.origin}/about/`)
  await isReady(here.page)
  await canShow(here.page)
  return here
}

const hostile = '<img src=x onerror=alert(1)> "Well" \u200Fאדה'
const header = (page: Page) => page.locator('.menu-outbox > summary')
const panel = (page: Page) => page.locator('.outbox-panel')

async function editOf(made: ContributingStage, page: Page, body: object) {
  const by = user(await made.person('Béla'))
  const well = { name: 'Well', ...position, description: 'Old' }
  const { id } = await made.registry.waypoints.create(well, by)
  const path = `/waypoints/${id}`
  const { ifMatch, base } = await page.evaluate(async (address) => {
    const response = await fetch(address)
    const { waypoint }: { waypoint: Waypoint } = await response.json()
    return { ifMatch: response.headers.get('etag') ?? '', base: waypoint }
  }, `/api${path}`)
  return { kind: 'edit', method: 'PATCH', path, body, ifMatch, base, subject: base.name } as const
}

it.each<readonly [string, readonly Fault[]]>([
  ['before the request arrives', ['before']],
  ['after the server has written', ['after']],
  ['in the middle of the response', ['within']],
  ['again and again, and the server is busy', ['before', 'after', 'busy', 'within']],
])('what is done without a network is done exactly once where the network breaks %s', async (_, faults) => {
  const made = await contributingStage(site)
  const { page } = await visitor()
  await signIn(page, made)
  made.faults.push(...faults)
  expect((await add(page, create('Well'))).state).toBe('waiting')
  // The outbox may also retry by itself meanwhile.
  for (let tries = 0; tries < 20 && (await kept(page)).length > 0; tries += 1) {
    await page.reload()
    await isReady(page)
    await settled(page)
  }
  await nothingWaits(page)
  expect(made.faults).toEqual([])
  expect(await names(made)).toEqual(['created Well'])
})

it('what is done without a network waits while the browser is closed, goes in order, and follows a new fountain under its id', async () => {
  const made = await contributingStage(site)
  const device = await phone()
  const first = await device.open()
  await signIn(first.page, made)
  await first.page.goto(`${made.origin}/`)
  await isReady(first.page)
  await isKeptForOffline(first.page)
  await first.context.setOffline(true)
  made.cut(true)
  expect((await add(first.page, create(hostile))).state).toBe('waiting')
  const [key = ''] = await kept(first.page)
  const body = { description: 'By the gate' }
  const path = `/waypoints/${key}`
  await add(first.page, { kind: 'edit', method: 'PATCH', path, body, subject: hostile })
  await add(first.page, review({ bubblerId: key, rating: 4 }, hostile))
  const label = () => header(first.page).getAttribute('aria-label')
  await expect.poll(label).toBe('3 contributions are not sent yet')
  await header(first.page).click()
  const subjects = first.page.locator('.outbox-row strong')
  expect(await subjects.allTextContents()).toEqual([hostile, hostile, hostile])
  const after = 'Waiting for the new fountain'
  const states = first.page.locator('.outbox-state')
  expect(await states.allTextContents()).toEqual(['Waiting to be sent', after, after])
  await first.context.close()

  const second = await device.open()
  await second.context.setOffline(true)
  await second.page.goto(`${made.origin}/`)
  await says(header(second.page), '3')
  made.cut(false)
  await second.context.setOffline(false)
  await nothingWaits(second.page)
  await expect.poll(() => header(second.page).isVisible()).toBe(false)
  expect(made.writes).toEqual(['POST /api/waypoints', 'PATCH /api/waypoints/1', 'POST /api/reviews'])
  const created = { action: 'created', fields: { name: hostile } }
  expect(await made.entries()).toMatchObject([created, { action: 'edited', fields: body }])
})

it('a few seconds of the map are enough to add, to confirm and to see one’s contributions without a network, and nobody asks for the id of what is not sent', async () => {
  const made = await contributingStage(site)
  const { page, context } = await visitor({ viewport: { width: 390, height: 844 }, hasTouch: true })
  await signIn(page, made)
  await page.goto(`${made.origin}/`)
  await mapReady(page)
  const isKept = () =>
    page.evaluate(async () => {
      const keys = await Promise.all(
        (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
      )
      const kept = keys.flat().map(({ url }) => new URL(url).pathname)
      const parts = ['/contributions/', '/_astro/contribute/', '/languages/contribute/en']
      const hasParts = parts.every((part) => kept.some((path) => path.startsWith(part)))
      return hasParts && kept.some((path) => path.endsWith('.more.json'))
    })
  await expect.poll(isKept, { timeout: 60_000 }).toBe(true)
  await heading(page, /in view$/u)
  await context.setOffline(true)
  made.cut(true)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.reload()
  await mapReady(page)
  await heading(page, /in view$/u)
  await page.locator('#sheet').tap()
  await page.locator('#list a.fountain').first().tap()
  await page.locator('#card').getByRole('button', { name: 'It works' }).tap()
  await says(notice(page), /^Kept on this device\./u)
  await page.keyboard.press('Escape')
  await addButton(page).tap()
  await placing(page).locator('summary', { hasText: 'Coordinates' }).tap()
  await placing(page).getByLabel('Coordinates', { exact: true }).fill('55.7, 13.19')
  await placing(page).getByRole('button', { name: 'Go there' }).tap()
  await takeIt(page).tap()
  await sheet(page).getByLabel('Tap', { exact: true }).check()
  await sheet(page).getByLabel('Name', { exact: true }).fill('Mill tap')
  await page.getByRole('button', { name: 'Publish' }).tap()
  await sheet(page).waitFor({ state: 'detached' })
  await page.goto(`${made.origin}/?at=55.7,13.19,18`)
  await mapReady(page)
  await page.locator('#list .fountain-waiting', { hasText: 'Mill tap' }).waitFor({ state: 'attached' })
  await page.locator('#sheet').tap()
  await page.locator('#list .fountain-waiting').tap()
  await says(page.locator('#card-title'), 'Mill tap')
  await page.goto(`${made.origin}/contributions/`)
  await expect.poll(() => page.locator('#waiting .outbox-row').count()).toBe(2)
  await says(page.locator('#contributions .problem'), /^The server cannot be reached\./u)
  expect(asked.filter((url) => /waypoint.*[/=]-\d/u.test(url))).toEqual([])
})

it('what is done without a network is sent by a browser with Background Sync while no page is open', async () => {
  const made = await contributingStage(site)
  const { page, context, cdp } = await contributor(made)
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  const registrations: string[] = []
  cdp.on('ServiceWorker.workerRegistrationUpdated', (event) => {
    for (const { registrationId, scopeURL } of event.registrations)
      if (scopeURL.startsWith(made.origin)) registrations.push(registrationId)
  })
  await cdp.send('ServiceWorker.enable')
  await context.setOffline(true)
  await add(page, create('Well'))
  await page.goto('about:blank')
  await context.setOffline(false)
  await expect.poll(() => registrations.length).toBeGreaterThan(0)
  expect(made.writes).toEqual([])
  const registrationId = registrations[0] ?? ''
  const event = { origin: made.origin, registrationId, tag: 'outbox', lastChance: false }
  await cdp.send('ServiceWorker.dispatchSyncEvent', event)
  await expect.poll(() => names(made)).toEqual(['created Well'])
  await page.goto(`${made.origin}/about/`)
  await isReady(page)
  expect(await kept(page)).toEqual([])
})

it('what waits is shown with names as text, and undone by the keyboard alone', async () => {
  const made = await contributingStage(site)
  const { page, context, complaints } = await contributor(made)
  await context.setOffline(true)
  await add(page, create(hostile))
  await header(page).press('Enter')
  await says(panel(page), /You are offline\./u)
  await inspect(page, 'waiting')
  // There is no room for the name of the site, whose letters would break into a column.
  await page.setViewportSize({ width: 360, height: 740 })
  expect((await page.locator('.brand-name').boundingBox())?.width).toBeLessThanOrEqual(1)
  await page.keyboard.press('Tab')
  expect(await focused(page)).toContain('Undo: New fountain: ')
  await page.keyboard.press('Enter')
  await nothingWaits(page)
  await expect.poll(() => header(page).isVisible()).toBe(false)
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('account-link')
  await context.setOffline(false)
  expect(made.writes).toEqual([])
  expect(complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
})

it('what waits is asked about before signing out, is kept when the session has ended, and is sent as the account that made it alone', async () => {
  const made = await contributingStage(site)
  const { page, context } = await contributor(made)
  await page.goto(`${made.origin}/account/`)
  await page.locator('#step-account').waitFor()
  made.faults.push(...Array.from({ length: 50 }, () => 'before' as const))
  await add(page, create('Dropped'))
  await page.locator('#sign-out').click()
  await says(page.locator('#ask h2'), /1 contribution is not sent yet/u)
  await page.keyboard.press('Escape')
  await page.locator('#sign-out').click()
  await page.locator('#ask-yes').click()
  await page.waitForURL('**/sign-in/')
  made.faults.length = 0
  await signIn(page, made)
  await nothingWaits(page)
  await context.clearCookies()
  expect((await add(page, create('Well'))).state).toBe('waiting')
  await header(page).click()
  await says(panel(page), /You are no longer signed in\./u)
  await inspect(page, 'signed out')
  await signIn(page, made, 'Béla')
  await says(header(page), '1')
  await header(page).click()
  expect(await panel(page).textContent()).not.toContain('Well')
  await says(page.locator('[data-others]'), /1 contribution of an account that is not signed in/u)
  expect(made.writes).toEqual([])
  await signIn(page, made)
  await expect.poll(() => names(made)).toEqual(['created Well'])
  expect((await made.entries()).map(({ by }) => by)).toEqual([await made.person('Ada')])
})

it('what waits is corrected in its own form, on any page, and goes once in place of what was refused, or is dropped', async () => {
  const made = await contributingStage(site)
  const { page, complaints } = await contributor(made)
  const edit = await editOf(made, page, { name: ' ', region: 'Lund', amenities: ['well'] })
  const { id } = edit.base
  const comment = 'x'.repeat(5000)
  await add(page, edit)
  const nameless = { ...create('Well'), body: { name: ' ', ...position } }
  expect((await add(page, nameless)).state).toBe('refused')
  await add(page, review({ bubblerId: id, rating: 4, comment }))
  await page.goto(`${made.origin}/de/contributions/`)
  const change = (kind: string) => page.locator('#waiting').getByRole('button', { name: `Ändern: ${kind}` })
  const form = page.getByRole('dialog')
  const send = () => form.getByRole('button', { name: 'Noch einmal senden' }).click()
  await change('Änderung').click()
  expect(await form.getByLabel('Region').inputValue()).toBe('Lund')
  await form.getByLabel('Name').fill('Better')
  await page.reload()
  await change('Änderung').click()
  expect(await form.getByLabel('Name').inputValue()).toBe('Better')
  await send()
  await form.waitFor({ state: 'detached' })
  const better = { name: 'Better', region: 'Lund', amenities: ['well'], description: 'Old' }
  expect(await made.registry.waypoints.get(id)).toMatchObject(better)
  await page.locator('#waiting').getByRole('button', { name: 'Verwerfen: Neuer Brunnen' }).click()
  await page.locator('#ask-yes').click()
  await change('Bewertung').click()
  expect(await form.getByRole('radio', { checked: true }).getAttribute('value')).toBe('4')
  expect(await form.getByLabel('Kommentar').inputValue()).toBe(comment)
  await send()
  await expect.poll(() => form.getByLabel('Kommentar').getAttribute('aria-invalid')).toBe('true')
  await form.getByLabel('Kommentar').fill('Cold')
  await send()
  await form.waitFor({ state: 'detached' })
  expect(await kept(page)).toEqual([])
  const reviews = await made.registry.reviews.list({ bubblerId: id })
  expect(reviews).toMatchObject([{ rating: 4, comment: 'Cold' }])
  expect((await made.entries()).map(({ action }) => action)).toEqual(['created', 'edited'])
  expect(complaints.filter((text) => !text.includes('400'))).toEqual([])
})

it('what waits goes once from two tabs', async () => {
  const made = await contributingStage(site)
  const { page, context } = await contributor(made)
  const other = await context.newPage()
  await other.goto(`${made.origin}/about/`)
  await isReady(other)
  await canShow(other)
  await context.setOffline(true)
  await Promise.all([add(page, create('One')), add(other, create('Two'))])
  await says(header(other), '2')
  await context.setOffline(false)
  await nothingWaits(page)
  expect((await names(made)).toSorted()).toEqual(['created One', 'created Two'])
  expect(made.writes).toHaveLength(2)
})

it('the page of one’s own contributions has what waits first, then the level, then what was done and how it is now', async () => {
  const made = await contributingStage(site)
  const { observations, waypoints, users, reviews } = made.registry
  const { page, complaints } = await contributor(made)
  const ada = user(await made.person('Ada'))
  const { id: mo } = await users.create({ name: 'Mo', isModerator: true })
  const well = await waypoints.create({ name: hostile, ...position }, ada)
  const unnamed = { name: '', nameIsMade: true, latitude: 55.8, longitude: 13.19 }
  const tap = await waypoints.create(unnamed, ada)
  await waypoints.update(well.id, { verified: true }, user(mo))
  await waypoints.update(tap.id, { description: 'Cold' }, ada)
  await waypoints.delete(tap.id, user(mo), { reason: '<b>None</b> there' })
  await reviews.create({ bubblerId: well.id, rating: 5 }, ada)
  await observations.create({ bubblerId: well.id, kind: 'works' }, ada)
  await page.goto(`${made.origin}/contributions/`)
  await page.locator('#sent').waitFor()
  await says(page.locator('#sent-list li').last(), /It works/u)
  expect(await page.locator('#level-title').textContent()).toBe('Level 2')
  expect(await page.locator('#level-xp').textContent()).toBe('240 XP · 10 XP more for level 3')
  const sent = async (part: string) => (await page.locator(`#sent-list ${part}`).allTextContents()).toSorted()
  const [name, badge] = ['Water point', 'No longer there']
  expect(await sent('bdi')).toEqual([hostile, hostile, hostile, name, name])
  expect(await sent('.badge')).toEqual([badge, badge, 'Verified', 'Verified', 'Verified'])
  await says(page.locator('#removed .item-title'), name)
  await says(page.locator('#removed .item'), /Reason: .?<b>None<\/b> there/u)
  await page.goto(`${made.origin}/account/`)
  await says(page.locator('#removed .item'), /Reason: .?<b>None<\/b> there/u)
  await page.goto(`${made.origin}/contributions/`)
  await page.locator('#removed .item').waitFor()
  made.cut(true)
  await add(page, create('Waits'))
  await page.locator('#waiting .outbox-row').waitFor()
  await inspect(page, 'contributions')
  expect(complaints.filter((text) => !text.includes('ERR_'))).toEqual([])
})
