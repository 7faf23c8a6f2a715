/** @module-tag browser */
import { user } from '@openfountain/core'
import { says } from '@openfountain/testing/browser/page'
import { inspect, visitor } from '@openfountain/testing/site/account-stage'
import { contributingStage } from '@openfountain/testing/site/contributing-stage'
import { builtSite } from '@openfountain/testing/site/sites'
import { road, square } from '@openfountain/testing/site/town'
import { mapReady } from '@openfountain/testing/site/visit'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { besideSquare, notice, openMap } from './walker.ts'

const task = (page: Page) => page.locator('.first-task')
const next = (page: Page) => task(page).locator('.text-button')

async function firstDay() {
  // Observations have the date of the browser.
  const made = await contributingStage(await builtSite('town with API'), { clock: () => new Date() })
  const author = user(await made.person('Brook'))
  for (const input of [{ name: 'Market Square', ...square }, ...road])
    await made.registry.waypoints.create(input, author)
  return made
}

async function newcomer({ invitation, origin }: Awaited<ReturnType<typeof firstDay>>, language = '') {
  const made = await visitor({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const { page } = made
  page.setDefaultTimeout(60_000)
  const link = await invitation('Ada')
  await page.goto(link.replace('/sign-in/', `/${language}sign-in/`))
  await page.waitForURL(`${origin}/${language}`)
  await mapReady(page)
  return made
}

const seeNext = async (page: Page): Promise<void> => {
  await next(page).tap()
  await page.locator('#card').getByRole('button', { name: 'It works' }).tap()
}

it('a newcomer lands on the map with three fountains to see, whose progress is kept, also without a network, and which is gone when it is done', async () => {
  const made = await firstDay()
  const { page, context, complaints } = await newcomer(made)
  await says(task(page), /Your first three fountains\s*0 of 3/u)
  await inspect(page, 'first task')
  await openMap(page, made.origin, besideSquare)
  await says(next(page), /^Market Square/u)
  await seeNext(page)
  await says(notice(page), /^Thank you\. The fountain shows it now\./u)
  await says(task(page), /1 of 3/u)
  await openMap(page, made.origin, besideSquare)
  await says(task(page), /1 of 3/u)
  expect(await page.locator('.first-task progress').getAttribute('value')).toBe('1')
  made.cut(true)
  await context.setOffline(true)
  await seeNext(page)
  await says(notice(page), /^Kept on this device/u)
  await says(task(page), /2 of 3/u)
  await context.setOffline(false)
  made.cut(false)
  await page.getByRole('button', { name: 'Close' }).tap()
  await seeNext(page)
  await says(notice(page), /These were your first three!/u)
  await task(page).waitFor({ state: 'detached' })
  const seen = () => Promise.all([1, 2, 3].map((bubblerId) => made.registry.observations.list({ bubblerId })))
  await expect.poll(async () => (await seen()).map(({ length }) => length)).toEqual([1, 1, 1])
  await page.goto(`${made.origin}/`)
  await mapReady(page)
  expect(await task(page).count()).toBe(0)
  expect(complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED|ERR_EMPTY_RESPONSE/u.test(text))).toEqual([])
})

it('the first task begins at the visitor where they are known, and can be put off', async () => {
  const made = await firstDay()
  const { page, context } = await newcomer(made, 'de/')
  const [, , , fourth = square] = road
  await context.setGeolocation({ ...fourth, accuracy: 5 })
  await context.grantPermissions(['geolocation'])
  await page.locator('#near-me').tap()
  await says(next(page), /^North Road 4 · \d+ m$/u)
  await task(page).getByRole('button', { name: 'Nicht jetzt' }).tap()
  await task(page).waitFor({ state: 'detached' })
  await page.reload()
  await mapReady(page)
  expect(await task(page).count()).toBe(0)
})

it('somebody who has contributed goes where they came from, and a newcomer to the fountain they came from', async () => {
  const made = await firstDay()
  const id = 1
  for (const [link, where] of [
    [await made.link('Brook'), `/waypoint/${id}/#choose`],
    [await made.invitation('Ada'), `/?fountain=${id}#choose`],
  ] as const) {
    const { page } = await visitor()
    await page.goto(`${made.origin}/waypoint/${id}/`)
    await page.getByRole('button', { name: 'Edit, review or report' }).click()
    await page.getByRole('link', { name: /^Sign in to edit/u }).click()
    await page.waitForURL('**/sign-in/')
    await page.goto(link)
    await page.waitForURL((url) => `${url.pathname}${url.search}${url.hash}` === where)
  }
})
