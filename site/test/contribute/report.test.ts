/** @module-tag browser */
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { user } from '@openfountain/core'
import { focused, says } from '@openfountain/testing/browser/page'
import { inspect, signInOn, visitor } from '@openfountain/testing/site/account-stage'
import { contributingStage, type ContributingStage } from '@openfountain/testing/site/contributing-stage'
import { exported } from '@openfountain/testing/site/sample'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'
import { offers, sheet, notice } from './walker.ts'
import { newFolder } from '@openfountain/testing/folder'

const hostileName = '<img src=x onerror="document.title=1">'
let author: string
let review: number

const folder = newFolder()
const options = { database: join(folder, 'town.db'), clock: () => new Date('2025-12-05T08:00:00Z') }
const data = await exported(options, {}, async ({ users, waypoints, reviews }) => {
  author = (await users.create({ name: hostileName, xp: 100 })).id
  const place = { latitude: 55.7, longitude: 13.19, amenities: ['tap'] }
  const { id } = await waypoints.create({ name: 'Old Well', ...place }, user(author))
  const input = { bubblerId: id, rating: 1, comment: 'Call <b>me</b>.' }
  review = (await reviews.create(input, user(author))).id
})
await buildSite({ data, out: join(folder, 'site'), api: '/api', languages: ['en', 'de'] })

async function reportStage(openObservations = false): Promise<ContributingStage> {
  const database = join(newFolder(), 'copy.db')
  await copyFile(join(folder, 'town.db'), database)
  // Observations have the date of the browser.
  return contributingStage(join(folder, 'site'), { database, openObservations, clock: () => new Date() })
}

const onPhone = () => visitor({ viewport: { width: 390, height: 844 } })

const signIn = async (page: Page, made: ContributingStage, name = 'Ada'): Promise<void> =>
  signInOn(page, await made.link(name))

async function signedIn(made: ContributingStage) {
  const one = await onPhone()
  await signIn(one.page, made)
  await one.page.goto(`${made.origin}/waypoint/1/`)
  return one
}

async function reports({ registry, person }: ContributingStage) {
  const mo = await person('Mo')
  await registry.users.setModerator(mo, true)
  return registry.reports.list({}, user(mo))
}

const ofReview = (page: Page) => sheet(page, 'Report this review')
const reportReview = (page: Page, text = 'Call <b>me</b>.') =>
  page
    .locator('.review', { hasText: text })
    .getByRole('button', { name: 'Report this review', exact: true })
    .click()
const send = (form: ReturnType<typeof sheet>) => form.getByRole('button', { name: 'Send' }).click()
const thanks = 'Thank you. A moderator will look at it.'
const keptSignedOut = 'Kept on this device. You are no longer signed in: sign in again, and it is sent.'
const status = (page: Page) => page.locator('.status')
/** Errors of the page, without broken connections and refusals, which the test causes. */
const own = (complaints: readonly string[]) => complaints.filter((text) => !/ERR_|status of 400/u.test(text))

it('reviews on the page of a fountain are reported, those that it was built with and new ones', async () => {
  const made = await reportStage()
  const by = user(await made.person('Béla'))
  const { page, context, complaints } = await signedIn(made)
  const ofFountain = sheet(page, 'Report Old Well')
  await offers(page).getByRole('button', { name: 'Report', exact: true }).click()
  await ofFountain.getByLabel('Comment').fill('About the fountain of the same number')
  await ofFountain.getByRole('button', { name: 'Close' }).click()
  await reportReview(page)
  expect(await ofReview(page).getByLabel('Comment').inputValue()).toBe('')
  expect(await ofReview(page).getByRole('radio').count()).toBe(3)
  await inspect(page, 'reporting a review')
  await ofReview(page).getByLabel('It is private').check()
  await ofReview(page).getByLabel('Comment').fill('A <i>number</i> of mine')
  await send(ofReview(page))
  await says(notice(page), thanks)
  const { reviews } = made.registry
  const fresh = await reviews.create({ bubblerId: 1, rating: 2, comment: 'Buy pills' }, by)
  await reportReview(page, 'Buy pills')
  expect(await ofReview(page).getByLabel('Comment').inputValue()).toBe('')
  await reviews.delete(fresh.id, by)
  await ofReview(page).getByLabel('It is offensive').check()
  await send(ofReview(page))
  await says(ofReview(page).getByRole('alert'), 'This is no longer there. Reload the page.')
  // Another person signs in in another tab: the typed text is not sent in their name.
  await page.reload()
  await reportReview(page)
  await ofReview(page).getByLabel('It is private').check()
  await signIn(await context.newPage(), made, 'Béla')
  await send(ofReview(page))
  await says(notice(page), keptSignedOut)
  const [found, ...others] = await reports(made)
  expect(found).toMatchObject({ reviewId: review, reason: 'private', comment: 'A <i>number</i> of mine' })
  expect(others).toEqual([])
  expect(own(complaints)).toEqual([])
})

it('a person is reported on their page, also by somebody who signs in first', async () => {
  const made = await reportStage()
  const { page, complaints } = await onPhone()
  await page.goto(`${made.origin}/contributor/${author}/`)
  await inspect(page, 'a contributor')
  await page.getByRole('button', { name: 'Report this person' }).click()
  await sheet(page, 'Report').getByRole('link', { name: 'Sign in' }).click()
  await page.waitForURL('**/sign-in/')
  await page.goto(await made.link('Ada'))
  await page.waitForURL(`**/contributor/${author}/#report`)
  const open = sheet(page, `Report ${hostileName}`)
  await open.getByLabel('Something is wrong').check()
  await inspect(page, 'reporting a person')
  await send(open)
  await says(notice(page), thanks)
  expect(await reports(made)).toMatchObject([{ userId: author, reason: 'wrong' }])
  expect(complaints).toEqual([])
})

it('people who are not signed in report and say what they saw where the server lets them, which is asked with the tap and waits for a connection', async () => {
  const made = await reportStage(true)
  const { page, complaints } = await onPhone()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth') || request.url().includes('/contribute/'))
      asked.push(request.url())
  })
  await page.goto(`${made.origin}/waypoint/1/`)
  const improve = page.getByRole('button', { name: 'Edit, review or report' })
  await improve.waitFor()
  expect(asked).toEqual([])
  await improve.press('Enter')
  await offers(page).getByRole('link', { name: 'Sign in to edit, review or report this fountain.' }).waitFor()
  expect(await offers(page).getByRole('button').allTextContents()).toEqual(['Report'])
  expect(await focused(page)).toBe('Report')
  await page.keyboard.press('Enter')
  const open = sheet(page, 'Report Old Well')
  await says(open, /It is sent without a name/u)
  await open.getByLabel('It is not there any more').check()
  await open.getByLabel('Comment').fill('Only a <b>pipe</b> is left')
  await inspect(page, 'reporting without an account')
  made.faults.push('before')
  await send(open)
  await says(open.getByRole('alert'), /connection/u)
  await send(open)
  await says(notice(page), thanks)
  await page.getByRole('button', { name: 'It does not work' }).click()
  const seen = sheet(page, 'What is wrong with Old Well?')
  await seen.getByLabel('Out of order').check()
  expect(await seen.getByLabel('Comment').count()).toBe(0)
  made.cut(true)
  await send(seen)
  await says(notice(page), /Kept on this device\./u)
  await says(status(page), /A problem was reported today/u)
  made.cut(false)
  await page.reload()
  const { observations } = made.registry
  await expect.poll(async () => (await observations.status(1)).state).toBe('reported')
  await says(status(page), /A problem was reported today/u)
  expect(await observations.list({ bubblerId: 1 })).toEqual([])
  const [found, ...others] = await reports(made)
  expect(found).toMatchObject({ reason: 'gone', comment: 'Only a <b>pipe</b> is left' })
  expect([others, Object.hasOwn(found ?? {}, 'by')]).toEqual([[], false])
  expect(own(complaints)).toEqual([])
})

it('one tap says that a fountain works, is shown at once, and is done once though its response is lost', async () => {
  const made = await reportStage()
  const { page, complaints } = await signedIn(made)
  const seen = () => made.registry.observations.list({ bubblerId: 1 })
  made.faults.push('after')
  await page.getByRole('button', { name: 'It works', exact: true }).click()
  await says(status(page), /Works: confirmed today by 1 person/u)
  await expect.poll(async () => (await seen()).length).toBe(1)
  const sent = () => made.writes.filter((write) => write.endsWith('/observations')).length
  await expect.poll(sent, { timeout: 30_000 }).toBe(2)
  await expect.poll(() => page.locator('.menu-outbox > summary').isVisible()).toBe(false)
  expect(await seen()).toMatchObject([{ kind: 'works', near: false }])
  await page.getByRole('button', { name: 'It does not work' }).click()
  const open = sheet(page, 'What is wrong with Old Well?')
  await send(open)
  await open.getByLabel('No water').check()
  await open.getByLabel('Comment').fill('Only <b>drops</b>')
  await inspect(page, 'saying what was seen')
  await send(open)
  await says(
    notice(page),
    'Thank you. The fountain shows it now. About 2 XP tonight, for what you saw today.',
  )
  await says(status(page), /A problem was reported today/u)
  expect(await seen()).toMatchObject([{ kind: 'works' }, { kind: 'dry', comment: 'Only <b>drops</b>' }])
  // Another visitor, who does not contribute, sees it on the page that was built before.
  const other = await onPhone()
  // The status script loads late, after the server's response.
  const said = other.page.waitForResponse(/\/api\/reviews/u)
  await other.page.route(/\/_astro\/status\.[^/]*\.js$/u, async (route) => {
    await said
    await route.continue()
  })
  await other.page.goto(`${made.origin}/waypoint/1/`)
  await says(status(other.page), /A problem was reported today/u)
  expect(own(complaints)).toEqual([])
})
