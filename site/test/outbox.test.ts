import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Draft } from '../src/contribute/outbox/act.ts'
import type { Outcome, PageOutbox } from '../src/contribute/outbox/outbox.ts'
import { buildSite } from '../src/index.ts'
import { startChromium } from './chromium.ts'
import { contributingStage, phone, type ContributingStage, type Fault } from './contributing-stage.ts'
import { exportSample, freshFolder } from './sample.ts'

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

const hostile = '<img src=x onerror=alert(1)> "Well" \u202Eאדה'

const header = (page: Page) => page.locator('.menu-outbox > summary')

describe('what is done without a network', () => {
  it.each<readonly [string, readonly Fault[]]>([
    ['before the request arrives', ['before']],
    ['and the server is busy', ['busy']],
  ])('is done exactly once where the network breaks %s', async (_, faults) => {
    const made = await contributingStage(site)
    const { page } = await (await phone()).open()
    await signIn(page, made)
    made.faults.push(...faults)
    expect((await add(page, create('Well'))).state).toBe('waiting')
    for (const _fault of faults) {
      expect(await kept(page)).toHaveLength(1)
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
      'Waits to be sent',
      'Waits for the new fountain',
      'Waits for the new fountain',
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
