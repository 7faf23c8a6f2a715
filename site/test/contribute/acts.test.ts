/** @module-tag browser */
import { token, user } from '@openfountain/core'
import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { availableLanguages, loadLanguages } from '../../src/build/languages.ts'
import { fill } from '../../src/messages.ts'
import { visitor } from '@openfountain/testing/site/account-stage'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { hostileName, square } from '../map/town.ts'
import { mapReady } from '../map/visit.ts'
import { overflowing } from '../overflow.ts'
import {
  addButton,
  contributeSite,
  contributeStage,
  inspectAll,
  inspectOnPhone,
  openMap,
  sheet,
  told,
  walker,
} from './walker.ts'

const tags = await availableLanguages()

let site: string
let browser: Browser

beforeAll(async () => {
  site = await contributeSite(tags)
  browser = await startChromium()
})

afterAll(() => browser?.close())

const atSquare = `?at=${square.latitude},${square.longitude},18&fountain=1`
const offers = (page: Page) => page.locator('.card-more')
const press = (page: Page, name: string) => offers(page).getByRole('button', { name, exact: true }).click()

/** The writes that a page sends to the API. */
function writesOf(page: Page): Request[] {
  const writes: Request[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/api/')) writes.push(request)
  })
  return writes
}

describe('the card of a fountain', () => {
  it('lets somebody edit it, and sends what changed under the tag of what they saw', async () => {
    const made = await contributeStage(site)
    const { page, complaints } = await walker(browser, made, { xp: 10 })
    await openMap(page, made.origin, atSquare)
    const writes = writesOf(page)
    // With its label it would lie over the fountain.
    expect((await addButton(page).boundingBox())?.width).toBeLessThan(60)
    await press(page, 'Edit')
    const form = sheet(page, 'Edit Market Square')
    await form.waitFor()
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await press(page, 'Edit')
    await form.waitFor()
    expect(await form.getByLabel('Bubbler', { exact: true }).isChecked()).toBe(true)
    expect(await form.getByLabel('Region').inputValue()).toBe('Linden Quarter')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => form.getByRole('alert').textContent()).toBe('You have not changed anything.')
    await form.getByLabel('Name', { exact: true }).fill('')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => form.locator('.contribute-problem:not(:empty)').textContent())
      .toBe('Enter a name.')
    await form.getByLabel('Name', { exact: true }).fill(hostileName)
    await form.getByLabel('Region').fill('')
    await form.getByLabel('Bench').check()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    await expect.poll(() => told(page).textContent()).toBe('Saved. Thank you!')
    const [write] = writes
    expect(write?.method()).toBe('PATCH')
    expect(write?.postDataJSON()).toEqual({
      name: hostileName,
      region: null,
      amenities: ['bubbler', 'wheelchair', 'bench'],
    })
    expect(await write?.headerValue('if-match')).toMatch(/^"/u)
    expect(await made.registry.waypoints.get(1)).toMatchObject({ name: hostileName })
    await expect.poll(() => page.locator('#card-title').textContent()).toBe(hostileName)
    expect(await page.title()).not.toContain('owned')
    expect(complaints).toEqual([])
  })

  it('lets somebody move it by metres, and tells how far', async () => {
    const made = await contributeStage(site)
    const { page } = await walker(browser, made, { xp: 10 })
    await openMap(page, made.origin, atSquare)
    const writes = writesOf(page)
    await press(page, 'Move')
    const panel = page.getByRole('dialog', { name: 'Move Market Square' })
    await expect
      .poll(() => panel.locator('.contribute-where span').first().textContent())
      .toBe('Not moved yet.')
    for (let step = 0; step < 3; step += 1)
      await panel.getByRole('button', { name: 'One metre to the east' }).click()
    await expect
      .poll(() => panel.locator('.contribute-where span').first().textContent())
      .toBe('Moved 3 m to the east.')
    await panel.getByRole('button', { name: 'Move it here' }).click()
    await expect.poll(() => told(page).textContent()).toBe('Saved. Thank you!')
    expect(writes.map((write) => write.postDataJSON() as unknown)).toEqual([
      { longitude: expect.closeTo(13.190048, 5) },
    ])
  })

  it('takes a review and a report, and keeps what was typed', async () => {
    const made = await contributeStage(site)
    const { page, id } = await walker(browser, made)
    await openMap(page, made.origin, atSquare)
    await expect
      .poll(() => offers(page).locator('.contribute-missing').allTextContents())
      .toEqual(['Editing fountains needs 10 XP; you have 0. You need 2 more reviews: each earns 5 XP.'])
    await press(page, 'Review')
    const review = sheet(page, 'Review Market Square')
    await review.getByLabel('Comment').fill('<b>Cold</b> and clear.')
    await review.getByRole('button', { name: 'Publish' }).click()
    await expect
      .poll(() => review.locator('.contribute-problem:not(:empty)').textContent())
      .toBe('Choose one to five stars.')
    await page.reload()
    await mapReady(page)
    await press(page, 'Review')
    expect(await review.getByLabel('Comment').inputValue()).toBe('<b>Cold</b> and clear.')
    await review.getByLabel('4 of 5 stars').check()
    await inspectAll(page, 'review')
    await review.getByRole('button', { name: 'Publish' }).click()
    await expect.poll(() => told(page).textContent()).toBe('Thank you! Your review earns 5 XP.')
    expect(await made.registry.reviews.list({ bubblerId: 1 })).toMatchObject([
      { userId: id, rating: 4, comment: '<b>Cold</b> and clear.' },
    ])
    const writes = writesOf(page)
    await press(page, 'Report')
    const report = sheet(page, 'Report Market Square')
    await report.getByRole('button', { name: 'Send' }).click()
    await expect
      .poll(() => report.locator('.contribute-problem:not(:empty)').textContent())
      .toBe('Choose what is the matter.')
    await report.getByLabel('It is not there any more').check()
    await report.getByLabel('Comment').fill('Only a stump is left.')
    await report.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => told(page).textContent()).toBe('Thank you. A moderator will look at it.')
    expect(writes.map((write) => write.postDataJSON() as unknown)).toEqual([
      { bubblerId: 1, reason: 'gone', comment: 'Only a stump is left.' },
    ])
    expect((await writes[0]?.response())?.status()).toBe(201)
  })

  it('lets somebody change their review instead of writing another', async () => {
    const made = await contributeStage(site)
    const { page, id, complaints } = await walker(browser, made)
    const mine = { bubblerId: 1, rating: 2, comment: 'Warm.' }
    const { id: first } = await made.registry.reviews.create(mine, user(id))
    await openMap(page, made.origin, atSquare)
    const form = sheet(page, 'Review Market Square')
    const box = form.getByLabel(/^Change my review of .+ instead$/u)
    await press(page, 'Review')
    await form.getByLabel('5 of 5 stars').check()
    await form.getByRole('button', { name: 'Publish' }).click()
    await expect.poll(() => told(page).textContent()).toBe('Thank you! Your review earns 5 XP.')
    // The newest is offered.
    const [, second] = await made.registry.reviews.list({ bubblerId: 1 })
    await made.registry.reviews.delete(second?.id ?? 0, user(id))
    await press(page, 'Review')
    await box.check()
    expect(await form.getByLabel('2 of 5 stars').isChecked()).toBe(true)
    expect(await form.getByLabel('Comment').inputValue()).toBe('Warm.')
    await inspectOnPhone(page, 'a review that is changed')
    await form.getByLabel('Comment').fill('Colder')
    await page.reload()
    await mapReady(page)
    await press(page, 'Review')
    await expect.poll(() => box.isChecked()).toBe(true)
    expect(await form.getByLabel('Comment').inputValue()).toBe('Colder')
    await form.getByLabel('Comment').fill('')
    await form.getByLabel('4 of 5 stars').check()
    const writes = writesOf(page)
    await form.getByRole('button', { name: 'Publish' }).click()
    await expect.poll(() => told(page).textContent()).toBe('Saved. Thank you!')
    expect(writes.map((write) => write.method())).toEqual(['PATCH'])
    const [review, ...others] = await made.registry.reviews.list({ bubblerId: 1 })
    expect(others).toEqual([])
    expect(review).toMatchObject({ id: first, rating: 4 })
    expect(review?.comment).toBeUndefined()
    expect(complaints).toEqual([])
  })

  it('changes it without a question where a fountain takes one review of each person', async () => {
    const made = await contributeStage(site)
    const { page, id } = await walker(browser, made)
    await made.registry.reviews.create({ bubblerId: 1, rating: 2 }, user(id))
    await page.route('**/contribute/en.json*', async (route) => {
      const response = await route.fetch()
      const words: { rules: object } = await response.json()
      const rules = { ...words.rules, reviews: { onePerWaypoint: true } }
      await route.fulfill({ response, json: { ...words, rules } })
    })
    await openMap(page, made.origin, atSquare)
    await press(page, 'Review')
    const form = sheet(page, 'Review Market Square')
    await expect.poll(() => form.getByLabel('2 of 5 stars').isChecked()).toBe(true)
    expect(await form.getByRole('checkbox').count()).toBe(0)
    await form.getByLabel('3 of 5 stars').check()
    await form.getByRole('button', { name: 'Publish' }).click()
    await expect.poll(() => told(page).textContent()).toBe('Saved. Thank you!')
    expect(await made.registry.reviews.list({ bubblerId: 1 })).toMatchObject([{ rating: 3 }])
  })

  it('lets moderators delete it, once asked', async () => {
    const made = await contributeStage(site)
    const { page, id } = await walker(browser, made, { xp: 10 })
    await made.registry.users.setModerator(id, true)
    await openMap(page, made.origin, atSquare)
    await press(page, 'Delete')
    const question = page.getByRole('dialog', { name: /^Delete Market Square\?/u })
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => told(page).textContent()).toBe('Market Square is deleted.')
    await expect(made.registry.waypoints.get(1)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('offers nothing to somebody who is blocked, and says why and until when', async () => {
    const made = await contributeStage(site)
    const { page, id } = await walker(browser, made, { xp: 10 })
    await made.registry.users.block(id, { reason: '<i>Jokes</i>', until: '2100-01-02T00:00:00Z' }, token())
    await page.goto(`${made.origin}/waypoint/1/`)
    await expect
      .poll(() => offers(page).textContent())
      .toBe('You are blocked until January 2, 2100: <i>Jokes</i>')
    expect(await offers(page).getByRole('button').count()).toBe(0)
  })

  it('tells somebody who is blocked why, and loses nothing of what they typed', async () => {
    const made = await contributeStage(site)
    const { page, id } = await walker(browser, made, { xp: 10 })
    await openMap(page, made.origin, atSquare)
    await press(page, 'Edit')
    const form = sheet(page, 'Edit Market Square')
    await form.getByLabel('Description').fill('By the oak')
    await made.registry.users.block(id, { reason: 'Too many <i>jokes</i>' }, token())
    await form.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => form.getByRole('alert').textContent())
      .toBe('You are blocked: Too many <i>jokes</i>')
    expect(await form.getByLabel('Description').inputValue()).toBe('By the oak')
  })
})

describe('the page of a fountain', () => {
  it('offers the same, with moving on the map', async () => {
    const made = await contributeStage(site)
    const { page, complaints } = await walker(browser, made, { xp: 10 })
    await page.goto(`${made.origin}/waypoint/1/`)
    await offers(page).getByRole('button', { name: 'Edit', exact: true }).waitFor()
    await inspectAll(page, 'page')
    await press(page, 'Edit')
    const form = sheet(page, 'Edit Market Square')
    await form.getByLabel('Coordinates').waitFor()
    await inspectOnPhone(page, 'editing')
    await form.getByLabel('Coordinates').fill('55,7051 13,1902')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    expect(await made.registry.waypoints.get(1)).toMatchObject({ latitude: 55.7051, longitude: 13.1902 })
    await press(page, 'Move')
    await page.waitForURL((url) => url.searchParams.get('fountain') === '1')
    await page.getByRole('dialog', { name: 'Move Market Square' }).waitFor()
    await inspectOnPhone(page, 'moving')
    expect(complaints).toEqual([])
  })

  it('leads who is not signed in to sign in, in their language', async () => {
    const made = await contributeStage(site)
    const { page } = await visitor(browser, { locale: 'de-DE' })
    await page.goto(`${made.origin}/waypoint/1/`)
    await page.getByRole('button', { name: 'Bearbeiten, bewerten oder melden' }).click()
    await page.getByRole('link', { name: /^Melde dich an/u }).click()
    await page.waitForURL('**/de/sign-in/')
    await page.goto((await made.invitation('Ada')).replace('/sign-in/', '/de/sign-in/'))
    await page.waitForURL('**/waypoint/1/#choose')
    await offers(page).getByRole('button', { name: 'Bewerten' }).waitFor()
  })
})

describe('on a phone', () => {
  it('forms, contributions and the desk have room for their words in every language', async () => {
    const made = await contributeStage(site)
    const options = { xp: 10, viewport: { width: 360, height: 740 } }
    const { page, complaints, id } = await walker(browser, made, options)
    await made.registry.users.setModerator(id, true)
    for (const { tag, messages } of await loadLanguages(tags)) {
      const { contribute, desk } = messages
      await page.evaluate((language) => localStorage.setItem('language', language), tag)
      await page.goto(`${made.origin}/waypoint/1/`)
      const titles = {
        edit: contribute.editTitle,
        review: contribute.reviewTitle,
        report: contribute.reportTitle,
        remove: contribute.removeAsk,
      }
      for (const [deed, title] of Object.entries(titles) as [keyof typeof titles, string][]) {
        await press(page, contribute.deed[deed])
        const form = sheet(page, fill(title, { name: 'Market Square' }))
        await form.waitFor()
        for (const fold of await form.locator('details:not([open]) > summary').all()) await fold.click()
        expect(await overflowing(page), `${deed}, ${tag}`).toEqual([])
        await page.keyboard.press('Escape')
        await form.waitFor({ state: 'detached' })
      }
      const base = tag === 'en' ? made.origin : `${made.origin}/${tag}`
      await page.goto(`${base}/contributions/`)
      await page.locator('#level').waitFor()
      expect(await overflowing(page), `contributions, ${tag}`).toEqual([])
      await page.goto(`${base}/moderation/#unapproved`)
      await page.locator('#desk-detail h2').waitFor()
      await page.locator('#desk-detail').getByRole('button', { name: desk.mergeWith }).click()
      await page.locator('.desk-dialog[open]').waitFor()
      expect(await overflowing(page), `desk, ${tag}`).toEqual([])
      await page.goto('about:blank')
      await page.goto(`${base}/moderation/acts/`)
      expect(await overflowing(page), `acts, ${tag}`).toEqual([])
    }
    expect(complaints).toEqual([])
  })
})
