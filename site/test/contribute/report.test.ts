/** @module-tag browser */
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openRegistry, user } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'
import { inspect, visitor } from '@openfountain/testing/site/account-stage'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { contributingStage, type ContributingStage } from '@openfountain/testing/site/contributing-stage'
import { freshFolder } from '@openfountain/testing/site/sample'
import { sheet, told } from './walker.ts'

const hostileName = '<img src=x onerror="document.title=1">'
let folder: string
let author: string
let review: number
let browser: Browser

/** A registry in which somebody with a hostile name has reviewed a fountain, and its site with an API and without. */
beforeAll(async () => {
  folder = await freshFolder()
  const registry = await openRegistry({
    database: join(folder, 'town.db'),
    clock: () => new Date('2025-12-05T08:00:00Z'),
  })
  author = (await registry.users.create({ name: hostileName, xp: 100 })).id
  const place = { latitude: 55.7, longitude: 13.19, amenities: ['tap'] }
  const { id } = await registry.waypoints.create({ name: 'Old Well', ...place }, user(author))
  const input = { bubblerId: id, rating: 1, comment: 'Call <b>me</b>.' }
  review = (await registry.reviews.create(input, user(author))).id
  const { folder: data } = await exportRegistry(registry, { out: join(folder, 'export') })
  await registry.close()
  await buildSite({ data, out: join(folder, 'site'), api: '/api', languages: ['en', 'de'] })
  await buildSite({ data, out: join(folder, 'static'), languages: ['en'] })
  browser = await startChromium()
})

afterAll(() => browser?.close())

async function reportStage(openObservations = false): Promise<ContributingStage> {
  const database = join(await freshFolder(), 'copy.db')
  await copyFile(join(folder, 'town.db'), database)
  // What people saw has the day of their browser.
  return contributingStage(join(folder, 'site'), { database, openObservations, clock: () => new Date() })
}

async function signedIn(made: ContributingStage) {
  const one = await visitor(browser, { viewport: { width: 390, height: 844 } })
  await one.page.goto(await made.link('Ada'))
  await one.page.waitForURL('**/account/')
  await one.page.locator('#step-account').waitFor()
  return one
}

/** The open reports, as moderators read them. */
async function reports({ registry, person }: ContributingStage) {
  const mo = await person('Mo')
  await registry.users.setModerator(mo, true)
  return registry.reports.list({}, user(mo))
}

const reviewed = (page: Page, text: string) => page.locator('.review', { hasText: text })
const offered = { name: 'Report this review', exact: true }

it('reviews on the page of a fountain are reported, those that it was built with and new ones', async () => {
  const made = await reportStage()
  const { id: visitorId } = await made.registry.users.create({ name: 'Béla', xp: 100 })
  const { page, complaints } = await signedIn(made)
  await page.goto(`${made.origin}/waypoint/1/`)
  const ofFountain = sheet(page, 'Report Old Well')
  await page.locator('.card-more').getByRole('button', { name: 'Report', exact: true }).click()
  await ofFountain.getByLabel('Comment').fill('About the fountain of the same number')
  await ofFountain.getByRole('button', { name: 'Close' }).click()
  await reviewed(page, 'Call <b>me</b>.').getByRole('button', offered).click()
  const open = sheet(page, 'Report this review')
  expect(await open.getByLabel('Comment').inputValue()).toBe('')
  expect(await open.getByRole('radio').count()).toBe(3)
  await inspect(page, 'reporting a review')
  await open.getByLabel('It is private').check()
  await open.getByLabel('Comment').fill('A <i>number</i> of mine')
  await open.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => told(page).textContent()).toBe('Thank you. A moderator will look at it.')
  const fresh = await made.registry.reviews.create(
    { bubblerId: 1, rating: 2, comment: 'Buy pills' },
    user(visitorId),
  )
  await reviewed(page, 'Buy pills').getByRole('button', offered).click()
  expect(await open.getByLabel('Comment').inputValue()).toBe('')
  await made.registry.reviews.delete(fresh.id, user(visitorId))
  await open.getByLabel('It is offensive').check()
  await open.getByRole('button', { name: 'Send' }).click()
  await expect
    .poll(() => open.getByRole('alert').textContent())
    .toBe('This is no longer there. Reload the page.')
  expect(await reports(made)).toMatchObject([
    { reviewId: review, reason: 'private', comment: 'A <i>number</i> of mine' },
  ])
  expect(complaints.filter((text) => !text.includes('400'))).toEqual([])
})

it('a person is reported on their page, also by somebody who signs in first', async () => {
  const made = await reportStage()
  const { page, complaints } = await visitor(browser, { viewport: { width: 390, height: 844 } })
  await page.goto(`${made.origin}/contributor/${author}/`)
  await inspect(page, 'a contributor')
  await page.getByRole('button', { name: 'Report this person' }).click()
  await page.waitForURL('**/sign-in/')
  await page.goto(await made.link('Ada'))
  await page.waitForURL(`**/contributor/${author}/#report`)
  const open = sheet(page, `Report ${hostileName}`)
  await open.getByLabel('Something is wrong').check()
  await inspect(page, 'reporting a person')
  await open.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => told(page).textContent()).toBe('Thank you. A moderator will look at it.')
  expect(await reports(made)).toMatchObject([{ userId: author, reason: 'wrong' }])
  expect(complaints).toEqual([])
})

it('somebody whose session has ended is told to sign in again, and what they did is kept', async () => {
  const made = await reportStage()
  const { page, context } = await signedIn(made)
  await page.goto(`${made.origin}/contributor/${author}/`)
  await page.getByRole('button', { name: 'Report this person' }).click()
  const open = sheet(page, `Report ${hostileName}`)
  await open.getByLabel('It is offensive').check()
  await context.clearCookies()
  await open.getByRole('button', { name: 'Send' }).click()
  await expect
    .poll(() => told(page).textContent())
    .toBe('Kept on this device. You are no longer signed in: sign in again, and it is sent.')
  expect(await reports(made)).toEqual([])
  await page.goto(await made.link('Ada'))
  await expect.poll(async () => (await reports(made)).length).toBe(1)
})

it('what somebody typed is not sent as another account that signed in meanwhile in another tab', async () => {
  const made = await reportStage()
  const { page, context } = await signedIn(made)
  await page.goto(`${made.origin}/waypoint/1/`)
  await reviewed(page, 'Call <b>me</b>.').getByRole('button', offered).click()
  const open = sheet(page, 'Report this review')
  await open.getByLabel('It is private').check()
  const other = await context.newPage()
  await other.goto(await made.link('Béla'))
  await other.locator('#step-account').waitFor()
  await open.getByRole('button', { name: 'Send' }).click()
  await expect
    .poll(() => told(page).textContent())
    .toBe('Kept on this device. You are no longer signed in: sign in again, and it is sent.')
  expect(await reports(made)).toEqual([])
  // The same page, now used by the other.
  await reviewed(page, 'Call <b>me</b>.').getByRole('button', offered).click()
  expect(await open.getByRole('radio', { checked: true }).count()).toBe(0)
  await open.getByLabel('It is offensive').check()
  await open.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => told(page).textContent()).toBe('Thank you. A moderator will look at it.')
  expect(await reports(made)).toMatchObject([{ reason: 'offensive', by: { name: 'Béla' } }])
  await other.goto(await made.link('Ada'))
  await expect.poll(async () => (await reports(made)).length).toBe(2)
  const mine = (await reports(made)).find(({ reason }) => reason === 'private')
  expect(mine).toMatchObject({ by: { name: 'Ada' } })
})

it('people who are not signed in report where the server lets them, which is asked with the tap', async () => {
  const made = await reportStage(true)
  const { page, context, complaints } = await visitor(browser, { viewport: { width: 390, height: 844 } })
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth') || request.url().includes('/forms-')) asked.push(request.url())
  })
  await page.goto(`${made.origin}/waypoint/1/`)
  const improve = page.getByRole('button', { name: 'Edit, review or report' })
  await improve.waitFor()
  expect(asked).toEqual([])
  await improve.focus()
  await page.keyboard.press('Enter')
  const offers = page.locator('.card-more')
  await offers.getByRole('link', { name: 'Sign in to edit, review or report this fountain.' }).waitFor()
  expect(await offers.getByRole('button').allTextContents()).toEqual(['Report'])
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Report')
  await page.keyboard.press('Enter')
  const open = sheet(page, 'Report Old Well')
  expect(await open.textContent()).toContain('It is sent without a name')
  await open.getByLabel('It is not there any more').check()
  await open.getByLabel('Comment').fill('Only a <b>pipe</b> is left')
  await inspect(page, 'reporting without an account')
  made.faults.push('before')
  await open.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => open.getByRole('alert').textContent()).toContain('connection')
  await open.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => told(page).textContent()).toBe('Thank you. A moderator will look at it.')
  // Somebody signs in meanwhile, in another tab: the report is still nobody's.
  await reviewed(page, 'Call <b>me</b>.').getByRole('button', offered).click()
  await sheet(page, 'Report this review').getByLabel('It is private').check()
  const other = await context.newPage()
  await other.goto(await made.link('Ada'))
  await other.locator('#step-account').waitFor()
  await sheet(page, 'Report this review').getByRole('button', { name: 'Send' }).click()
  await expect.poll(async () => (await reports(made)).length).toBe(2)
  const found = await reports(made)
  expect(found.map(({ reason }) => reason).toSorted()).toEqual(['gone', 'private'])
  for (const one of found) expect(one).not.toHaveProperty('by')
  expect(complaints.filter((text) => !text.includes('ERR_'))).toEqual([])
})

it('the card of the map lets them report as well', async () => {
  const made = await reportStage(true)
  const { page } = await visitor(browser, { viewport: { width: 390, height: 844 } })
  await page.goto(`${made.origin}/?at=55.7,13.19,17&fountain=1`)
  await page
    .locator('#card')
    .getByRole('button', { name: 'Edit, review or report' })
    .click({ timeout: 60_000 })
  await page.locator('#card').getByRole('button', { name: 'Report', exact: true }).click()
  await sheet(page, 'Report Old Well').getByLabel('It is not there any more').check()
  await sheet(page, 'Report Old Well').getByRole('button', { name: 'Send' }).click()
  await expect.poll(async () => (await reports(made)).length).toBe(1)
})

/** What the page says of whether the fountain gives water. */
const status = (page: Page) => page.locator('.status')

it('one tap says that a fountain works, is shown at once, and is done once though its response is lost', async () => {
  const made = await reportStage()
  const { page, complaints } = await signedIn(made)
  const seen = () => made.registry.observations.list({ bubblerId: 1 })
  await page.goto(`${made.origin}/waypoint/1/`)
  made.faults.push('after')
  await page.getByRole('button', { name: 'It works', exact: true }).click()
  await expect.poll(() => status(page).textContent()).toContain('Works: confirmed today by 1 person')
  await expect.poll(async () => (await seen()).length).toBe(1)
  // It is sent again, under the same key.
  await expect
    .poll(() => made.writes.filter((write) => write.endsWith('/observations')).length, { timeout: 30_000 })
    .toBe(2)
  await expect.poll(() => page.locator('.menu-outbox > summary').isVisible()).toBe(false)
  expect(await seen()).toMatchObject([{ kind: 'works', near: false }])
  await page.getByRole('button', { name: 'It does not work' }).click()
  const open = sheet(page, 'What is wrong with Old Well?')
  await open.getByRole('button', { name: 'Send' }).click()
  await open.getByLabel('No water').check()
  await open.getByLabel('Comment').fill('Only <b>drops</b>')
  await inspect(page, 'saying what was seen')
  await open.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => told(page).textContent()).toBe('Thank you. The fountain shows it now.')
  await expect.poll(() => status(page).textContent()).toContain('A problem was reported today')
  expect((await seen()).map(({ kind, comment }) => [kind, comment])).toEqual([
    ['works', undefined],
    ['dry', 'Only <b>drops</b>'],
  ])
  // Somebody else, who does not contribute, sees it on the page that was built before.
  const other = await visitor(browser, { viewport: { width: 390, height: 844 } })
  // What writes the words comes late, after what the server says.
  const said = other.page.waitForResponse(/\/api\/reviews/u)
  await other.page.route(/\/_astro\/status\.[^/]*\.js$/u, async (route) => {
    await said
    await route.continue()
  })
  await other.page.goto(`${made.origin}/waypoint/1/`)
  await expect.poll(() => status(other.page).textContent()).toContain('A problem was reported today')
  expect(complaints.filter((text) => !text.includes('ERR_'))).toEqual([])
})

it('people who are not signed in say so where the server lets them, and what they said waits for a connection', async () => {
  const made = await reportStage(true)
  const { page, complaints } = await visitor(browser, { viewport: { width: 390, height: 844 } })
  await page.goto(`${made.origin}/waypoint/1/`)
  const problem = page.getByRole('button', { name: 'It does not work' })
  await problem.click()
  const open = sheet(page, 'What is wrong with Old Well?')
  await open.getByLabel('Out of order').check()
  expect(await open.getByLabel('Comment').count()).toBe(0)
  made.cut(true)
  await open.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => told(page).textContent(), { timeout: 20_000 }).toContain('Kept on this device.')
  await expect.poll(() => status(page).textContent()).toContain('A problem was reported today')
  made.cut(false)
  await page.reload()
  await expect
    .poll(async () => (await made.registry.observations.status(1)).state, { timeout: 20_000 })
    .toBe('reported')
  await expect.poll(() => status(page).textContent()).toContain('A problem was reported today')
  expect(await made.registry.observations.list({ bubblerId: 1 })).toEqual([])
  expect(complaints.filter((text) => !text.includes('ERR_'))).toEqual([])
})

it('the rules of a site say how people contribute there', async () => {
  const rules = (built: string) => readFile(join(folder, built, 'how-it-works/index.html'), 'utf8')
  expect(await rules('site')).toContain('Whoever is signed in contributes on the map')
  expect(await rules('static')).not.toContain('on the map and on the pages')
  expect(await rules('static')).toContain('Contributions are made through the API')
})

it('a site without an API offers neither', async () => {
  const pages = ['waypoint/1', `contributor/${author}`]
  for (const path of pages) {
    const file = join(path, 'index.html')
    expect(await readFile(join(folder, 'site', file), 'utf8')).toContain('data-contribute="report"')
    expect(await readFile(join(folder, 'static', file), 'utf8')).not.toContain('data-contribute')
  }
})
