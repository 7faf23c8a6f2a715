/** @module-tag browser */
import { join } from 'node:path'
import { user, type Waypoint } from '@openfountain/core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Draft } from '../src/contribute/outbox/act.ts'
import type { Outcome, PageOutbox } from '../src/contribute/outbox/outbox.ts'
import { buildSite } from '../src/index.ts'
import { inspect, visitor } from '@openfountain/testing/site/account-stage'
import { startChromium } from '@openfountain/testing/browser/chromium'
import {
  contributingStage,
  phone,
  type ContributingStage,
  type Fault,
} from '@openfountain/testing/site/contributing-stage'
import { exportSample, freshFolder } from '@openfountain/testing/site/sample'

let site: string
let browser: Browser

beforeAll(async () => {
  site = join(await freshFolder(), 'site')
  await buildSite({
    data: await exportSample({ waypoints: 3 }),
    out: site,
    api: '/api',
    languages: ['en', 'de'],
  })
  browser = await startChromium()
})

afterAll(() => browser?.close())

const create = (name: string): Draft => ({
  kind: 'create',
  method: 'POST',
  path: '/waypoints',
  body: { name, latitude: 55.7, longitude: 13.19, amenities: ['tap'] },
  subject: name,
  position: { latitude: 55.7, longitude: 13.19 },
})

/** Has the page do something, as its forms do. */
const add = (page: Page, draft: Draft): Promise<Outcome> =>
  page.evaluate((given) => {
    const made: PageOutbox = Reflect.get(globalThis, Symbol.for('openfountain outbox'))
    return made.add(given)
  }, draft)

const kept = (
  page: Page,
): Promise<{ readonly key: string; readonly state: string; readonly path: string }[]> =>
  page.evaluate(async () => {
    const made: PageOutbox = Reflect.get(globalThis, Symbol.for('openfountain outbox'))
    return (await made.list()).map(({ key, state, path }) => ({ key, state, path }))
  })

const isReady = (page: Page) =>
  page.waitForFunction(() => Reflect.has(globalThis, Symbol.for('openfountain outbox')))

async function signIn(page: Page, made: ContributingStage, name = 'Ada'): Promise<void> {
  await page.goto(await made.link(name))
  await page.waitForURL('**/account/')
  await page.locator('#step-account').waitFor()
  await isReady(page)
}

const names = async (made: ContributingStage): Promise<unknown[]> =>
  (await made.entries()).map(({ action, fields }) => `${action} ${String(fields['name'])}`)

/** Waits until nobody sends. */
async function settled(page: Page): Promise<void> {
  const held = () => page.evaluate(async () => (await navigator.locks.query()).held?.length)
  await expect.poll(held, { timeout: 20_000 }).toBe(0)
}

const isActive = (page: Page) => page.evaluate(async () => void (await navigator.serviceWorker.ready))

/** Waits until the worker has what contributing needs without a network. */
async function isKeptForOffline(page: Page): Promise<void> {
  const isKept = () =>
    page.evaluate(async () => {
      const script = document.querySelector<HTMLElement>('#account-link')?.dataset['outbox'] ?? ''
      const words = performance
        .getEntriesByType('resource')
        .find(({ name }) => name.includes('/words-'))?.name
      return [await caches.match(script), await caches.match(words ?? ''), await caches.match('/')].every(
        Boolean,
      )
    })
  await expect.poll(isKept, { timeout: 20_000 }).toBe(true)
}

const hostile = '<img src=x onerror=alert(1)> "Well" \u200Fאדה'

const header = (page: Page) => page.locator('.menu-outbox > summary')

describe('what is done without a network', () => {
  it.each<readonly [string, readonly Fault[]]>([
    ['before the request arrives', ['before']],
    ['after the server has written', ['after']],
    ['in the middle of the response', ['within']],
    ['again and again, and the server is busy', ['before', 'after', 'busy', 'within']],
  ])('is done exactly once where the network breaks %s', async (_, faults) => {
    const made = await contributingStage(site)
    const { page } = await (await phone()).open()
    await signIn(page, made)
    made.faults.push(...faults)
    expect((await add(page, create('Well'))).state).toBe('waiting')
    // It may also be sent again by itself meanwhile.
    for (let tries = 0; tries < 20 && (await kept(page)).length > 0; tries += 1) {
      await page.reload()
      await isReady(page)
      await settled(page)
    }
    await expect.poll(() => kept(page)).toEqual([])
    expect(made.faults).toEqual([])
    expect(await names(made)).toEqual(['created Well'])
  })

  it('waits while the browser is closed, goes in order, and follows a new fountain under its id', async () => {
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
    const [{ key } = { key: '' }] = await kept(first.page)
    await add(first.page, {
      kind: 'edit',
      method: 'PATCH',
      path: `/waypoints/${key}`,
      body: { description: 'By the gate' },
      subject: hostile,
    })
    await add(first.page, {
      kind: 'review',
      method: 'POST',
      path: '/reviews',
      body: { bubblerId: key, rating: 4 },
      subject: hostile,
    })
    await expect
      .poll(() => header(first.page).getAttribute('aria-label'))
      .toBe('3 contributions are not sent yet')
    await header(first.page).click()
    expect(await first.page.locator('.outbox-row strong').allTextContents()).toEqual([
      hostile,
      hostile,
      hostile,
    ])
    expect(await first.page.locator('.outbox-state').allTextContents()).toEqual([
      'Waiting to be sent',
      'Waiting for the new fountain',
      'Waiting for the new fountain',
    ])
    await first.context.close()

    const second = await device.open()
    await second.context.setOffline(true)
    await second.page.goto(`${made.origin}/`)
    await expect.poll(() => header(second.page).textContent()).toBe('3')
    made.cut(false)
    await second.context.setOffline(false)
    await expect.poll(() => kept(second.page), { timeout: 20_000 }).toEqual([])
    await expect.poll(() => header(second.page).isVisible()).toBe(false)
    expect(made.writes).toEqual(['POST /api/waypoints', 'PATCH /api/waypoints/1', 'POST /api/reviews'])
    expect(
      (await made.entries()).map(({ action, fields }) => [action, fields['name'] ?? fields['description']]),
    ).toEqual([
      ['created', hostile],
      ['edited', 'By the gate'],
    ])
  })
})

/** Waits until a page has the words and the style of what waits. */
async function canShow(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name: file }) => file)
          .join(' '),
      ),
    )
    .toMatch(/words-.*outbox-parts|outbox-parts.*words-/u)
}

/** Somebody who is signed in, on a page without the map. */
async function contributor(
  made: ContributingStage,
  name = 'Ada',
  options: Parameters<Browser['newContext']>[0] = {},
) {
  const here = await visitor(browser, options)
  await signIn(here.page, made, name)
  await here.page.goto(`${made.origin}/about/`)
  await isReady(here.page)
  await canShow(here.page)
  return here
}

const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? null)

const rows = (page: Page) => page.locator('.outbox-panel .outbox-row')

/** A fountain of Béla's, and an edit of it that began before `change`. */
async function editOf(
  made: ContributingStage,
  page: Page,
  body: object,
): Promise<Draft & { readonly base: Waypoint }> {
  const by = user(await made.person('Béla'))
  const { id } = await made.registry.waypoints.create(
    { name: 'Well', latitude: 55.7, longitude: 13.19, description: 'Old' },
    by,
  )
  const { etag, base } = await page.evaluate(async (address) => {
    const response = await fetch(address)
    const { waypoint }: { waypoint: Waypoint } = await response.json()
    return { etag: response.headers.get('etag') ?? '', base: waypoint }
  }, `/api/waypoints/${id}`)
  return {
    kind: 'edit',
    method: 'PATCH',
    path: `/waypoints/${id}`,
    body,
    ifMatch: etag,
    base,
    subject: base.name,
  }
}

describe('a browser with Background Sync', () => {
  it('sends what waits while no page is open', async () => {
    const made = await contributingStage(site)
    const { page, context, cdp } = await contributor(made)
    await isActive(page)
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
    await cdp.send('ServiceWorker.dispatchSyncEvent', {
      origin: made.origin,
      registrationId: registrations[0] ?? '',
      tag: 'outbox',
      lastChance: false,
    })
    await expect.poll(() => names(made), { timeout: 20_000 }).toEqual(['created Well'])
    await page.goto(`${made.origin}/about/`)
    await isReady(page)
    expect(await kept(page)).toEqual([])
  })
})

describe('what waits', () => {
  it('is shown with names as text, and undone by the keyboard alone', async () => {
    const made = await contributingStage(site)
    const { page, context, complaints } = await contributor(made)
    await context.setOffline(true)
    await add(page, create(hostile))
    await header(page).waitFor()
    await header(page).focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('.outbox-panel').textContent()).toContain('You are offline.')
    await inspect(page, 'waiting')
    // Beside it there is no room for the name of the site, whose letters would stand below one another.
    await page.setViewportSize({ width: 360, height: 740 })
    expect((await page.locator('.brand-name').boundingBox())?.width).toBeLessThanOrEqual(1)
    await page.keyboard.press('Tab')
    expect(await focused(page)).toContain('Undo: New fountain: ')
    await page.keyboard.press('Enter')
    await expect.poll(() => kept(page)).toEqual([])
    await expect.poll(() => header(page).isVisible()).toBe(false)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('account-link')
    await context.setOffline(false)
    expect(made.writes).toEqual([])
    expect(complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  })

  it('is kept when the session has ended, and is sent as the account that made it alone', async () => {
    const made = await contributingStage(site)
    const { page, context } = await contributor(made)
    await context.clearCookies()
    expect((await add(page, create('Well'))).state).toBe('waiting')
    await header(page).click()
    await expect
      .poll(() => page.locator('.outbox-panel').textContent())
      .toContain('You are no longer signed in.')
    await inspect(page, 'signed out')
    await signIn(page, made, 'Béla')
    await expect.poll(() => header(page).textContent()).toBe('1')
    await header(page).click()
    expect(await page.locator('.outbox-panel').textContent()).not.toContain('Well')
    expect(await page.locator('[data-others]').textContent()).toContain(
      '1 contribution of an account that is not signed in',
    )
    expect(made.writes).toEqual([])
    await signIn(page, made)
    await expect.poll(() => names(made)).toEqual(['created Well'])
    expect((await made.entries()).map(({ by }) => by)).toEqual([await made.person('Ada')])
  })

  it('is changed or dropped when it is not accepted', async () => {
    const made = await contributingStage(site)
    const { page } = await contributor(made)
    const draft = create('Well')
    const outcome = await add(page, {
      ...draft,
      body: {
        name: ' ',
        latitude: 55.7,
        longitude: 13.19,
        amenities: ['tap'],
        maintainer: 'Town',
      },
    })
    expect(outcome.state).toBe('refused')
    await header(page).click()
    await expect.poll(() => rows(page).textContent()).toContain('Change this first: name.')
    await page.getByRole('button', { name: 'Change: New fountain:' }).click()
    const form = page.getByRole('dialog', { name: 'New fountain' })
    await expect.poll(() => form.getByLabel('Name').getAttribute('aria-invalid')).toBe('true')
    expect(await form.getByLabel('Tap', { exact: true }).isChecked()).toBe(true)
    await inspect(page, 'change')
    await form.getByLabel('Name').fill('Well')
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect.poll(() => names(made)).toEqual(['created Well'])
    expect(await made.registry.waypoints.get(1)).toMatchObject({ amenities: ['tap'], maintainer: 'Town' })
    await expect.poll(() => kept(page)).toEqual([])
    await add(page, { ...draft, body: { name: ' ' } })
    await expect.poll(() => header(page).isVisible()).toBe(true)
    if (!(await rows(page).isVisible())) await header(page).click()
    await page.getByRole('button', { name: 'Drop: New fountain:' }).click()
    await page.locator('.outbox-dialog').getByRole('button', { name: 'Drop' }).click()
    await expect.poll(() => kept(page)).toEqual([])
  })

  it('is corrected in its own form, on any page, and goes once in place of what was refused', async () => {
    const made = await contributingStage(site)
    const { page, complaints } = await contributor(made)
    const edit = await editOf(made, page, { name: ' ', region: 'Lund', amenities: ['well'] })
    const { id } = edit.base
    const comment = 'x'.repeat(5000)
    await add(page, edit)
    await add(page, {
      kind: 'review',
      method: 'POST',
      path: '/reviews',
      body: { bubblerId: id, rating: 4, comment },
      subject: 'Well',
    })
    await add(page, {
      kind: 'report',
      method: 'POST',
      path: '/reports',
      body: { bubblerId: id, reason: 'gone', comment },
      subject: 'Well',
    })
    await page.goto(`${made.origin}/de/contributions/`)
    const change = (kind: string) => page.locator('#waiting').getByRole('button', { name: `Ändern: ${kind}` })
    const form = page.getByRole('dialog')
    await change('Änderung').click()
    expect(await form.getByLabel('Region').inputValue()).toBe('Lund')
    await form.getByLabel('Name').fill('Better')
    // What is typed is kept until it is sent.
    await page.reload()
    await change('Änderung').click()
    expect(await form.getByLabel('Name').inputValue()).toBe('Better')
    await form.getByRole('button', { name: 'Noch einmal senden' }).click()
    await form.waitFor({ state: 'detached' })
    expect(await made.registry.waypoints.get(id)).toMatchObject({
      name: 'Better',
      region: 'Lund',
      amenities: ['well'],
      description: 'Old',
    })
    await change('Bewertung').click()
    expect(await form.getByRole('radio', { checked: true }).getAttribute('value')).toBe('4')
    expect(await form.getByLabel('Kommentar').inputValue()).toBe(comment)
    await form.getByRole('button', { name: 'Noch einmal senden' }).click()
    await expect.poll(() => form.getByLabel('Kommentar').getAttribute('aria-invalid')).toBe('true')
    expect((await kept(page)).length).toBe(2)
    await form.getByLabel('Kommentar').fill('Cold')
    await form.getByRole('button', { name: 'Noch einmal senden' }).click()
    await form.waitFor({ state: 'detached' })
    await change('Meldung').click()
    expect(await form.getByRole('radio', { checked: true }).getAttribute('value')).toBe('gone')
    await form.getByLabel('Kommentar').fill('')
    await form.getByRole('button', { name: 'Noch einmal senden' }).click()
    await form.waitFor({ state: 'detached' })
    expect(await kept(page)).toEqual([])
    const reviews = await made.registry.reviews.list({ bubblerId: id })
    expect(reviews).toMatchObject([{ rating: 4, comment: 'Cold' }])
    const { id: mo } = await made.registry.users.create({ name: 'Mo', isModerator: true })
    expect(await made.registry.reports.list({}, user(mo))).toMatchObject([{ reason: 'gone', bubblerId: id }])
    expect((await made.entries()).map(({ action }) => action)).toEqual(['created', 'edited'])
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([])
  })

  it('goes once from two tabs', async () => {
    const made = await contributingStage(site)
    const { page, context } = await contributor(made)
    const other = await context.newPage()
    await other.goto(`${made.origin}/about/`)
    await isReady(other)
    await canShow(other)
    await context.setOffline(true)
    await Promise.all([add(page, create('One')), add(other, create('Two'))])
    await expect.poll(() => header(other).textContent()).toBe('2')
    await context.setOffline(false)
    await expect.poll(() => kept(page), { timeout: 20_000 }).toEqual([])
    expect((await names(made)).toSorted()).toEqual(['created One', 'created Two'])
    expect(made.writes).toHaveLength(2)
  })

  it('is asked about before signing out', async () => {
    const made = await contributingStage(site)
    const { page } = await contributor(made)
    await page.goto(`${made.origin}/account/`)
    await page.locator('#step-account').waitFor()
    made.faults.push(...Array.from({ length: 50 }, () => 'before' as const))
    await add(page, create('Well'))
    await page.locator('#sign-out').click()
    const question = page.locator('#ask [data-question]')
    await expect.poll(() => question.textContent()).toContain('1 contribution is not sent yet')
    await page.keyboard.press('Escape')
    await page.locator('#sign-out').click()
    await page.locator('#ask [data-yes]').click()
    await page.waitForURL('**/sign-in/')
    await signIn(page, made)
    expect(await kept(page)).toEqual([])
  })
})

describe('somebody else’s change', () => {
  it('is merged by field where both changed other fields, and asked about where it is the same one', async () => {
    const made = await contributingStage(site)
    const { page } = await contributor(made)
    const by = user(await made.person('Béla'))
    const first = await editOf(made, page, { region: 'Lund' })
    await made.registry.waypoints.update(first.base.id, { description: 'New' }, by)
    expect((await add(page, first)).state).toBe('done')
    expect(await made.registry.waypoints.get(first.base.id)).toMatchObject({
      region: 'Lund',
      description: 'New',
    })

    const second = await editOf(made, page, {
      name: hostile,
      description: 'By the gate',
      latitude: 55.71,
      longitude: 13.2,
    })
    const { id } = second.base
    await made.registry.waypoints.update(
      id,
      { name: 'Theirs', description: 'Under the tree', latitude: 55.72 },
      by,
    )
    expect((await add(page, second)).state).toBe('conflict')
    const dialog = page.locator('.outbox-dialog')
    await dialog.locator('fieldset').first().waitFor()
    expect(await dialog.locator('legend').allTextContents()).toEqual(['name', 'description', 'Position'])
    expect(await dialog.locator('bdi').allTextContents()).toEqual([
      'Well',
      hostile,
      'Theirs',
      'By the gate',
      'Under the tree',
      '55.71000, 13.20000',
      '55.72000, 13.19000',
    ])
    await inspect(page, 'conflict')
    await dialog.getByRole('radio', { name: 'Theirs' }).check()
    await made.registry.waypoints.update(id, { description: 'Once more' }, by)
    await dialog.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => dialog.locator('.outbox-problem').textContent()).toContain('changed once more')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => kept(page)).toEqual([])
    expect(await made.registry.waypoints.get(id)).toMatchObject({
      description: 'By the gate',
      latitude: 55.71,
      longitude: 13.2,
    })
  })

  it('that removed the fountain lets it be added anew, or the edit go to the one it was merged into', async () => {
    const made = await contributingStage(site)
    const { page } = await contributor(made)
    const { id: mo } = await made.registry.users.create({ name: 'Mo', isModerator: true })
    const gone = await editOf(made, page, { description: 'By the gate' })
    await made.registry.waypoints.delete(gone.base.id, user(mo))
    expect((await add(page, gone)).state).toBe('conflict')
    const dialog = page.locator('.outbox-dialog')
    await dialog.getByRole('button', { name: 'Add it as a new fountain' }).waitFor()
    await inspect(page, 'gone')
    await dialog.getByRole('button', { name: 'Add it as a new fountain' }).click()
    await expect.poll(() => kept(page)).toEqual([])
    const { id: added } = (await made.registry.waypoints.list({})).at(-1) ?? { id: 0 }
    expect(await made.registry.waypoints.get(added)).toMatchObject({
      name: 'Well',
      description: 'By the gate',
    })

    const merged = await editOf(made, page, { description: 'At the corner' })
    await made.registry.waypoints.merge(merged.base.id, { into: added, reason: 'The same' }, user(mo))
    expect((await add(page, merged)).state).toBe('conflict')
    await dialog.getByRole('button', { name: 'Go on with that one' }).click()
    await dialog.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => kept(page)).toEqual([])
    expect(await made.registry.waypoints.get(added)).toMatchObject({ description: 'At the corner' })
  })
})

describe('the page of one’s own contributions', () => {
  it('has what waits first, then the level, then what was done and how it is now', async () => {
    const made = await contributingStage(site)
    const { page, complaints } = await contributor(made)
    const ada = user(await made.person('Ada'))
    const { id: mo } = await made.registry.users.create({ name: 'Mo', isModerator: true })
    const well = await made.registry.waypoints.create(
      { name: hostile, latitude: 55.7, longitude: 13.19 },
      ada,
    )
    const tap = await made.registry.waypoints.create(
      { name: 'Trinkbrunnen at 55.8000, 13.1900', latitude: 55.8, longitude: 13.19 },
      ada,
    )
    await made.registry.waypoints.update(well.id, { verified: true }, user(mo))
    await made.registry.waypoints.update(tap.id, { description: 'Cold' }, ada)
    await made.registry.waypoints.delete(tap.id, user(mo))
    await made.registry.reviews.create({ bubblerId: well.id, rating: 5 }, ada)
    await page.goto(`${made.origin}/contributions/`)
    await page.locator('#sent').waitFor()
    expect(await page.locator('#level-title').textContent()).toBe('Level 2')
    expect(await page.locator('#level-xp').textContent()).toBe('240 XP · 10 XP more for level 3')
    expect(
      (await page.locator('#sent-list .outbox-text > :first-child').allTextContents()).toSorted(),
    ).toEqual([hostile, hostile, 'Drinking fountain', 'Drinking fountain'])
    expect((await page.locator('#sent-list .outbox-badge').allTextContents()).toSorted()).toEqual([
      'No longer there',
      'No longer there',
      'Verified',
      'Verified',
    ])
    made.cut(true)
    await add(page, create('Waits'))
    await page.locator('#waiting .outbox-row').waitFor()
    await inspect(page, 'contributions')
    expect(complaints.filter((text) => !text.includes('ERR_'))).toEqual([])
  })
})
