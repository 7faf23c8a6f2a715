/** @module-tag browser */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { focused, says } from '@openfountain/testing/browser/page'
import { everywhere, inspect, visitor, type AccountStage } from '@openfountain/testing/site/account-stage'
import { builtSite } from '@openfountain/testing/site/sites'
import { hostileName } from '@openfountain/testing/site/town'
import { addressFits, mapReady } from '@openfountain/testing/site/visit'
import { expect, it } from 'vitest'
import {
  addButton,
  besideSquare,
  contributeStage,
  openMap,
  press,
  placing,
  problems,
  sheet,
  takeIt,
  notice,
  walker,
} from './walker.ts'

const meadow = { latitude: 55.7013, longitude: 13.1987 }
const atMeadow = `?at=${meadow.latitude},${meadow.longitude},17.5`
const desktop = { width: 1200, height: 900 }

const newest = async ({ registry }: AccountStage) => (await registry.waypoints.list()).at(-1)
type Page = Parameters<typeof placing>[0]
const where = (page: Page) => placing(page).locator('.contribute-coordinates')

async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish' }).tap()
  await sheet(page).waitFor({ state: 'detached' })
}

it('the place follows the cross when the map is moved, and the cross when it is dragged', async () => {
  const withoutMomentum = { xp: 20, viewport: desktop, at: atMeadow, reducedMotion: 'reduce' } as const
  const { page } = await walker(await contributeStage(), withoutMomentum)
  await addButton(page).dblclick()
  await says(where(page), '55.70130, 13.19870')
  expect(await placing(page).count()).toBe(1)
  const cross = page.locator('.contribute-cross')
  const amidstTheMap = { x: 956, y: 450, width: 56, height: 56 }
  await expect.poll(() => cross.boundingBox()).toEqual(amidstTheMap)
  const drag = async (x: number, y: number, right: number, down: number) => {
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + right, y + down, { steps: 5 })
    await page.mouse.up()
    await expect.poll(() => cross.boundingBox()).toEqual(amidstTheMap)
  }
  await drag(1000, 360, -100, 0)
  await says(where(page), '55.70130, 13.19908')
  await drag(984, 478, 0, -80)
  await says(where(page), '55.70147, 13.19908')
})

it('what is there already is shown first; the place begins where the map was looked at, and goes to the position of the person where they ask, with how exactly it is known', async () => {
  const made = await contributeStage()
  const geolocation = { ...meadow, accuracy: 12 }
  const { page, context } = await walker(made, { xp: 20, geolocation, at: besideSquare })
  await addButton(page).tap()
  const near = placing(page).locator('.contribute-near')
  await says(near.locator('.contribute-near-title'), 'Is it this one?')
  expect(await near.locator('bdi').first().textContent()).toBe('Market Square')
  await near.getByRole('button', { name: 'Edit: Market Square' }).tap()
  await sheet(page, 'Edit Market Square').waitFor()
  expect(await placing(page).count()).toBe(0)
  await page.keyboard.press('Escape')
  await addButton(page).tap()
  await near.getByRole('button', { name: 'Open: Market Square' }).tap()
  await says(page.locator('#card-title'), 'Market Square')
  expect(await page.title()).not.toContain('owned')
  await context.grantPermissions(['geolocation'])
  await openMap(page, made.origin)
  await addButton(page).tap()
  await says(where(page), '55.70500, 13.19000')
  await placing(page).getByRole('button', { name: 'My position' }).tap()
  const base = 'Your position is known to 12 m. Move the map to correct it.'
  await says(placing(page).locator('.contribute-where span').first(), base)
  expect((await page.locator('.contribute-accuracy').boundingBox())?.width).toBeGreaterThan(60)
  await takeIt(page).tap()
  await sheet(page).getByLabel('Tap', { exact: true }).check()
  await sheet(page).getByLabel('Dog bowl').check()
  await publish(page)
  const labelled = { name: 'Tap', nameIsMade: true }
  const added = await newest(made)
  expect(added).toMatchObject({ ...meadow, amenities: ['tap', 'dog-bowl'], ...labelled })
  await openMap(page, made.origin, `?fountain=${added?.id}`)
  await press(page, 'Edit')
  const form = sheet(page, 'Edit Tap')
  expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('')
  await form.getByLabel('Bench').check()
  await form.getByRole('button', { name: 'Save' }).tap()
  await form.waitFor({ state: 'detached' })
  expect(await newest(made)).toMatchObject({ amenities: ['tap', 'dog-bowl', 'bench'], ...labelled })
})

it('coordinates are taken, and beside the field is said what is no position; from afar somebody looks again from close by', async () => {
  const at = `?at=${meadow.latitude},${meadow.longitude},11`
  const { page } = await walker(await contributeStage(), { xp: 20, at })
  await addButton(page).tap()
  await takeIt(page).tap()
  await says(placing(page).locator('.contribute-where'), /press again/u)
  await addressFits(page, (query) => query.get('at')?.endsWith(',18') === true)
  expect(await sheet(page).count()).toBe(0)
  const field = placing(page).getByLabel('Coordinates', { exact: true })
  // A slow browser reports the open fold after the user has typed into it.
  const fold = placing(page).locator('details', { hasText: 'Coordinates' })
  await fold.evaluate(async (details) => {
    details.querySelector('summary')?.click()
    const entry = details.querySelector('input')
    if (entry) entry.value = 'north of the church'
    entry?.dispatchEvent(new Event('input', { bubbles: true }))
    await new Promise((resolve) => details.addEventListener('toggle', resolve, { once: true }))
  })
  expect(await field.inputValue()).toBe('north of the church')
  await field.press('Enter')
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  await says(placing(page).locator('.field-problem'), /This is not a position\./u)
  await field.fill('55,7013; 13,1987')
  await page.keyboard.press('Enter')
  await says(where(page), '55.70130, 13.19870')
  expect(await field.getAttribute('aria-invalid')).toBeNull()
  await takeIt(page).tap()
  await sheet(page).waitFor()
})

it('what was typed is kept over a reload, and forgotten when it is sent', async () => {
  const made = await contributeStage()
  const { page } = await walker(made, { xp: 20, at: atMeadow })
  await addButton(page).tap()
  await takeIt(page).tap()
  await page.getByLabel('Name', { exact: true }).fill(hostileName)
  await sheet(page).getByLabel('Well', { exact: true }).check()
  await page.locator('summary', { hasText: 'More details' }).tap()
  await page.getByLabel('Description').fill('Behind the oak')
  await page.reload()
  await mapReady(page)
  await addButton(page).tap()
  await says(sheet(page).locator('.notice').first(), 'What you had entered is back.')
  await publish(page)
  const typed = { name: hostileName, amenities: ['well'], description: 'Behind the oak' }
  expect(await newest(made)).toMatchObject({ ...meadow, ...typed })
  await expect.poll(() => notice(page).textContent()).toContain(hostileName)
  expect(await page.title()).not.toContain('owned')
  await addButton(page).tap()
  await placing(page).waitFor()
})

it('what is wrong is marked beside its field, also when the server finds it', async () => {
  const made = await contributeStage()
  const { page, complaints } = await walker(made, { xp: 20, at: atMeadow })
  await addButton(page).tap()
  await takeIt(page).tap()
  await page.locator('summary', { hasText: 'More details' }).tap()
  await page.getByLabel('Picture elsewhere').fill('my photo')
  await page.getByLabel('From: day').selectOption('01')
  await page.getByLabel('Description').fill('Bell\u0007')
  await page.getByRole('button', { name: 'Publish' }).tap()
  await expect.poll(() => page.locator('[aria-invalid=true]').count()).toBe(5)
  expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('url')
  expect(await problems(sheet(page)).allTextContents()).toEqual([
    'Enter an address that begins with https:// or http://.',
    'Choose day and month for both, or for neither.',
  ])
  await page.getByLabel('Picture elsewhere').fill('https://photos.example/1.jpg')
  await page.getByLabel('From: day').selectOption('')
  await page.getByRole('button', { name: 'Publish' }).tap()
  await says(problems(sheet(page)), 'This was not accepted. Change it, or leave it out.')
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
  await page.getByLabel('Description').fill('Bell')
  await publish(page)
  expect(await newest(made)).toMatchObject({ description: 'Bell' })
  expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([])
})

it('somebody who is not signed in loads little code until they tap, signs in, and is back at the same place', async () => {
  const made = await contributeStage()
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
  const { page, context, complaints } = await visitor(phone)
  const requests: string[] = []
  context.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await openMap(page, made.origin, atMeadow)
  await page.waitForLoadState('networkidle')
  const isOfForms = (path: string) => /\/contribute\//u.test(path)
  expect(requests.filter(isOfForms)).toEqual([])
  const words = expect.arrayContaining(['de.json', 'en.json'])
  expect(await readdir(join(await builtSite('town with API'), 'languages/contribute'))).toEqual(words)
  await addButton(page).tap()
  await sheet(page, 'Add a fountain').getByRole('link', { name: 'Sign in' }).tap()
  await page.waitForURL('**/sign-in/')
  expect(requests.filter(isOfForms).length).toBeGreaterThan(1)
  await page.goto(await made.invitation('Ada'))
  await page.waitForURL((url) => url.searchParams.has('at'))
  await mapReady(page)
  const missing = 'Adding fountains needs 20 XP; you have 0. You need 4 more reviews: each earns 5 XP.'
  await says(sheet(page, 'Not yet').locator('p').first(), missing)
  expect(new URL(page.url()).searchParams.get('at')).toBe(`${meadow.latitude},${meadow.longitude},17.5`)
  expect(complaints).toEqual([])
})

it('without a mouse somebody adds a fountain by the keyboard, with everything named', async () => {
  const made = await contributeStage()
  const { page } = await walker(made, { xp: 20, viewport: desktop, at: atMeadow })
  await addButton(page).press('Enter')
  await expect.poll(() => focused(page)).toBe('Where is the fountain?')
  await inspect(page, 'placing', everywhere)
  await placing(page).locator('summary', { hasText: 'Nudge' }).press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+ArrowUp')
  await page.keyboard.press('ArrowUp')
  await says(where(page), '55.70140, 13.19870')
  await takeIt(page).press('Enter')
  await expect.poll(() => focused(page)).toBe('New fountain')
  await inspect(page, 'form', everywhere)
  expect(await sheet(page).ariaSnapshot()).toMatch(
    /^- dialog "New fountain":[^]*group "What is it\?":[^]*checkbox "Drinking fountain"[^]*group "What does it offer\?":[^]*checkbox "Tested water"[^]*textbox "Name":[^]*button "Publish"[^]*button "Change the place"$/u,
  )
  await sheet(page).getByLabel('Spring', { exact: true }).press('Space')
  await page.getByLabel('Name', { exact: true }).focus()
  await page.keyboard.type('Spring below the mill')
  await page.keyboard.press('Enter')
  await sheet(page).waitFor({ state: 'detached' })
  const typed = { name: 'Spring below the mill', amenities: ['spring'], latitude: 55.701399 }
  expect(await newest(made)).toMatchObject(typed)
  expect(await focused(page)).toBe('Add a fountain')
})
