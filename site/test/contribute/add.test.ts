/** @module-tag browser */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '@openfountain/testing/site/account-stage'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { hostileName } from '../map/town.ts'
import { addressFits, mapReady } from '../map/visit.ts'
import {
  addButton,
  contributeSite,
  contributeStage,
  inspectAll,
  openMap,
  placing,
  sheet,
  takeIt,
  told,
  walker,
} from './walker.ts'

let site: string
let browser: Browser

beforeAll(async () => {
  site = await contributeSite()
  browser = await startChromium()
})

afterAll(() => browser?.close())

/** A corner of the town without fountains. */
const meadow = { latitude: 55.7013, longitude: 13.1987 }
const atMeadow = `?at=${meadow.latitude},${meadow.longitude},17.5`

const newest = async ({ registry }: Awaited<ReturnType<typeof contributeStage>>) =>
  (await registry.waypoints.list()).at(-1)

describe('adding a fountain', () => {
  it('takes three taps where the map is, and gives it a name', async () => {
    const made = await contributeStage(site)
    const { page, id, complaints } = await walker(browser, made, { xp: 20 })
    await openMap(page, made.origin, atMeadow)
    await page.evaluate(() =>
      document.addEventListener('openfountain:waypoint', (event) => {
        document.body.dataset['drawn'] = JSON.stringify(event instanceof CustomEvent ? event.detail : '')
      }),
    )
    await addButton(page).tap()
    await takeIt(page).tap()
    await page.getByRole('button', { name: 'Publish' }).tap()
    await sheet(page).waitFor({ state: 'detached' })
    const waypoint = await newest(made)
    expect(waypoint).toMatchObject({
      ...meadow,
      name: 'Drinking fountain, Linden Quarter',
      amenities: [],
      addedByUserId: id,
    })
    await expect
      .poll(() => told(page).textContent())
      .toBe('Drinking fountain, Linden Quarter is in the registry. Thank you!')
    const drawn = await page.evaluate(() => document.body.dataset['drawn'] ?? '')
    expect(JSON.parse(drawn)).toEqual({ id: waypoint?.id, waypoint })
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft'))),
    ).toEqual([])
    expect(complaints).toEqual([])
  })

  it('follows the cross when the map is moved, and the cross when it is dragged', async () => {
    const made = await contributeStage(site)
    const { page } = await walker(browser, made, { xp: 20, viewport: { width: 1200, height: 900 } })
    await openMap(page, made.origin, atMeadow)
    await addButton(page).click()
    const where = placing(page).locator('.contribute-coordinates')
    await expect.poll(() => where.textContent()).toBe('55.70130, 13.19870')
    const cross = page.locator('.contribute-cross')
    const before = await cross.boundingBox()
    const map = await page.locator('#map').boundingBox()
    if (!before || !map) throw new Error('There is no cross')
    await page.mouse.move(map.x + map.width - 200, map.y + 300)
    await page.mouse.down()
    await page.mouse.move(map.x + map.width - 300, map.y + 300, { steps: 5 })
    await page.mouse.up()
    await expect
      .poll(async () => Number((await where.textContent())?.split(', ')[1]))
      .toBeGreaterThan(13.1989)
    expect(await cross.boundingBox()).toEqual(before)
    const [, moved = ''] = (await where.textContent())?.split(', ') ?? []
    await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2)
    await page.mouse.down()
    await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2 - 80, { steps: 5 })
    await page.mouse.up()
    await expect
      .poll(async () => Number((await where.textContent())?.split(', ')[0]))
      .toBeGreaterThan(55.70135)
    expect((await where.textContent())?.split(', ')[1]).toBe(moved)
    expect(await cross.boundingBox()).toEqual(before)
  })

  it('begins at the position of the person, and says how exactly it is known', async () => {
    const made = await contributeStage(site)
    const { page, context } = await walker(browser, made, {
      xp: 20,
      geolocation: { ...meadow, accuracy: 12 },
    })
    await openMap(page, made.origin)
    await context.grantPermissions(['geolocation'])
    await addButton(page).tap()
    await expect
      .poll(() => placing(page).locator('.contribute-where span').first().textContent())
      .toBe('Your position is known to 12 m. Move the map to correct it.')
    const circle = await page.locator('.contribute-accuracy').boundingBox()
    expect(circle?.width).toBeGreaterThan(60)
    await takeIt(page).tap()
    await sheet(page).getByLabel('Tap', { exact: true }).check()
    await sheet(page).getByLabel('Dog bowl').check()
    await page.getByRole('button', { name: 'Publish' }).tap()
    await sheet(page).waitFor({ state: 'detached' })
    expect(await newest(made)).toMatchObject({
      ...meadow,
      amenities: ['tap', 'dog-bowl'],
      name: 'Tap, Linden Quarter',
    })
  })

  it('takes coordinates with decimal commas, and says beside the field what is no position', async () => {
    const made = await contributeStage(site)
    const { page } = await walker(browser, made, { xp: 20 })
    await openMap(page, made.origin, '')
    await addButton(page).tap()
    const field = placing(page).getByLabel('Coordinates', { exact: true })
    // A slow browser tells that the fold is open after somebody has typed into it.
    await placing(page)
      .locator('details', { hasText: 'Coordinates' })
      .evaluate(async (fold) => {
        fold.querySelector('summary')?.click()
        const entry = fold.querySelector('input')
        if (entry) entry.value = 'north of the church'
        entry?.dispatchEvent(new Event('input', { bubbles: true }))
        await new Promise((resolve) => fold.addEventListener('toggle', resolve, { once: true }))
      })
    expect(await field.inputValue()).toBe('north of the church')
    await field.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    expect(await placing(page).locator('.contribute-problem').textContent()).toContain(
      'This is not a position.',
    )
    await field.fill('55,7013; 13,1987')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => placing(page).locator('.contribute-coordinates').textContent())
      .toBe('55.70130, 13.19870')
    expect(await field.getAttribute('aria-invalid')).toBeNull()
    await takeIt(page).tap()
    await sheet(page).waitFor()
    await page.getByRole('button', { name: 'Publish' }).tap()
    await sheet(page).waitFor({ state: 'detached' })
    expect(await newest(made)).toMatchObject(meadow)
  })

  it('shows first what is there already, which can be edited instead', async () => {
    const made = await contributeStage(site)
    const { page } = await walker(browser, made, { xp: 20 })
    await openMap(page, made.origin)
    await addButton(page).tap()
    const near = placing(page).locator('.contribute-near')
    await expect.poll(() => near.locator('.contribute-near-title').textContent()).toBe('Is it this one?')
    expect(await near.locator('bdi').first().textContent()).toBe('Market Square')
    await near.getByRole('button', { name: 'Edit: Market Square' }).tap()
    await sheet(page, 'Edit Market Square').waitFor()
    expect(await placing(page).count()).toBe(0)
    await page.keyboard.press('Escape')
    await addButton(page).tap()
    await near.getByRole('button', { name: 'Open: Market Square' }).tap()
    await expect.poll(() => page.locator('#card-title').textContent()).toBe('Market Square')
    expect(await page.title()).not.toContain('owned')
  })

  it('looks again from close by when the map showed a whole town', async () => {
    const made = await contributeStage(site)
    const { page } = await walker(browser, made, { xp: 20 })
    await openMap(page, made.origin, `?at=${meadow.latitude},${meadow.longitude},11`)
    await addButton(page).tap()
    await takeIt(page).tap()
    await expect.poll(() => placing(page).locator('.contribute-where').textContent()).toContain('press again')
    await addressFits(page, (query) => query.get('at')?.endsWith(',18') === true)
    expect(await sheet(page).count()).toBe(0)
    await takeIt(page).tap()
    await sheet(page).waitFor()
  })

  it('keeps what was typed over a reload, and forgets it when asked to', async () => {
    const made = await contributeStage(site)
    const { page } = await walker(browser, made, { xp: 20 })
    await openMap(page, made.origin, atMeadow)
    await addButton(page).tap()
    await takeIt(page).tap()
    await page.getByLabel('Name', { exact: true }).fill(hostileName)
    await sheet(page).getByLabel('Well', { exact: true }).check()
    await page.locator('summary', { hasText: 'More details' }).tap()
    await page.getByLabel('Description').fill('Behind the oak')
    await page.reload()
    await mapReady(page)
    await addButton(page).tap()
    await expect
      .poll(() => sheet(page).locator('.contribute-note').textContent())
      .toBe('What you had entered is back.')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(hostileName)
    expect(await sheet(page).getByLabel('Well', { exact: true }).isChecked()).toBe(true)
    expect(await page.getByLabel('Description').inputValue()).toBe('Behind the oak')
    await page.getByRole('button', { name: 'Publish' }).tap()
    await sheet(page).waitFor({ state: 'detached' })
    expect(await newest(made)).toMatchObject({
      ...meadow,
      name: hostileName,
      amenities: ['well'],
      description: 'Behind the oak',
    })
    await expect.poll(() => told(page).textContent()).toContain(hostileName)
    expect(await page.title()).not.toContain('owned')
    await addButton(page).tap()
    await placing(page).waitFor()
  })

  it('marks what is wrong beside its field, also when the server finds it', async () => {
    const made = await contributeStage(site)
    const { page, complaints } = await walker(browser, made, { xp: 20 })
    await openMap(page, made.origin, atMeadow)
    await addButton(page).tap()
    await takeIt(page).tap()
    await page.locator('summary', { hasText: 'More details' }).tap()
    await page.getByLabel('Photo').fill('my photo')
    await page.getByLabel('From: day').selectOption('01')
    await page.getByLabel('Description').fill('Bell\u0007')
    await page.getByRole('button', { name: 'Publish' }).tap()
    const fields = page.locator('[aria-invalid=true]')
    await expect.poll(() => fields.count()).toBe(5)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('url')
    expect(await page.locator('.contribute-problem:not(:empty)').allTextContents()).toEqual([
      'Enter an address that begins with https:// or http://.',
      'Choose day and month for both, or for neither.',
    ])
    await page.getByLabel('Photo').fill('https://photos.example/1.jpg')
    await page.getByLabel('From: day').selectOption('')
    await page.getByRole('button', { name: 'Publish' }).tap()
    await expect
      .poll(() => page.locator('.contribute-problem:not(:empty)').allTextContents())
      .toEqual(['This was not accepted. Change it, or leave it out.'])
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
    await page.getByLabel('Description').fill('Bell')
    await page.getByLabel('From: day').selectOption('15')
    await page.getByLabel('From: month').selectOption('04')
    await page.getByLabel('To: month').selectOption('02')
    await page.getByLabel('To: day').selectOption('29')
    await page.getByLabel('Drinking water').selectOption('unsigned')
    await page.getByRole('button', { name: 'Publish' }).tap()
    await sheet(page).waitFor({ state: 'detached' })
    expect(await newest(made)).toMatchObject({
      description: 'Bell',
      image: 'https://photos.example/1.jpg',
      season: '04-15/02-29',
      drinkable: 'unsigned',
    })
    expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([])
  })

  it('says how many reviews a newcomer needs', async () => {
    const made = await contributeStage(site)
    const { page } = await walker(browser, made)
    await openMap(page, made.origin, atMeadow)
    await addButton(page).tap()
    await expect
      .poll(() => sheet(page, 'Not yet').locator('p').first().textContent())
      .toBe('Adding fountains needs 20 XP; you have 0. You need 4 more reviews: each earns 5 XP.')
  })

  it('leads somebody who is not signed in to sign in, and back to the same place of the map', async () => {
    const made = await contributeStage(site)
    const { page, complaints } = await visitor(browser, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    })
    await openMap(page, made.origin, atMeadow)
    await addButton(page).tap()
    await page.waitForURL('**/sign-in/')
    await page.goto(await made.invitation('Ada'))
    await page.waitForURL((url) => url.searchParams.has('at'))
    await mapReady(page)
    await sheet(page, 'Not yet').waitFor()
    await made.registry.users.grantXp('u2', 20, 'So that they may')
    expect(new URL(page.url()).searchParams.get('at')).toBe(`${meadow.latitude},${meadow.longitude},17.5`)
    expect(complaints).toEqual([])
  })
})

describe('a visitor who is not signed in', () => {
  it('loads little code for it until they tap', async () => {
    const made = await contributeStage(site)
    const { page, context } = await visitor(browser)
    const requests: string[] = []
    context.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await openMap(page, made.origin)
    await page.waitForLoadState('networkidle')
    const loaded = requests.filter((path) => path.startsWith('/contribute/'))
    expect([...new Set(loaded)]).toEqual([expect.stringMatching(/^\/contribute\/start-\w+\.js$/u)])
    const { size } = await stat(join(site, loaded[0] ?? ''))
    expect(size).toBeLessThan(2000)
    expect((await readdir(join(site, 'contribute'))).toSorted()).toEqual(
      expect.arrayContaining(['de.json', 'en.json']),
    )
    await openMap(page, made.origin, '?fountain=1')
    await page.getByRole('button', { name: 'Edit, review or report' }).click()
    await page.waitForURL('**/sign-in/')
  })
})

describe('without a mouse', () => {
  it('somebody adds a fountain by the keyboard, with everything named', async () => {
    const made = await contributeStage(site)
    const { page } = await walker(browser, made, { xp: 20, viewport: { width: 1200, height: 900 } })
    await openMap(page, made.origin, atMeadow)
    await addButton(page).focus()
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Where is the fountain?')
    await inspectAll(page, 'placing')
    await placing(page).locator('summary', { hasText: 'Nudge' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expect
      .poll(() => placing(page).locator('.contribute-coordinates').textContent())
      .toBe('55.70140, 13.19870')
    await takeIt(page).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('New fountain')
    await inspectAll(page, 'form')
    expect(await sheet(page).ariaSnapshot()).toMatchInlineSnapshot(`
      "- dialog "New fountain":
        - banner:
          - heading "New fountain" [level=2]
          - button "Close"
        - group "What is it?":
          - text: What is it?
          - checkbox "Bubbler"
          - text: Bubbler
          - checkbox "Bottle filler"
          - text: Bottle filler
          - checkbox "Tap"
          - text: Tap
          - checkbox "Spring"
          - text: Spring
          - checkbox "Well"
          - text: Well
          - checkbox "Hand pump"
          - text: Hand pump
          - checkbox "Running fountain"
          - text: Running fountain
          - checkbox "Wallace fountain"
          - text: Wallace fountain
        - group "What does it offer?":
          - text: What does it offer?
          - checkbox "Sparkling water"
          - text: Sparkling water
          - checkbox "Chilled water"
          - text: Chilled water
          - checkbox "Filtered water"
          - text: Filtered water
          - checkbox "Wheelchair accessible"
          - text: Wheelchair accessible
          - checkbox "Dog bowl"
          - text: Dog bowl
          - checkbox "Low spout for children"
          - text: Low spout for children
          - checkbox "Seasonal"
          - text: Seasonal
          - checkbox "Open all year"
          - text: Open all year
          - checkbox "Open day and night"
          - text: Open day and night
          - checkbox "Indoors"
          - text: Indoors
          - checkbox "Under a roof"
          - text: Under a roof
          - checkbox "Free of charge"
          - text: Free of charge
          - checkbox "Fee"
          - text: Fee
          - checkbox "Lit at night"
          - text: Lit at night
          - checkbox "Bench"
          - text: Bench
          - checkbox "Tested water"
          - text: Tested water
        - text: Name
        - textbox "Name":
          - /placeholder: Drinking fountain, Linden Quarter
        - paragraph: "Optional: without a name of its own it is called “Drinking fountain, Linden Quarter”."
        - group: More details
        - button "Publish"
        - button "Change the place""
    `)
    await sheet(page).getByLabel('Spring', { exact: true }).focus()
    await page.keyboard.press('Space')
    await page.getByLabel('Name', { exact: true }).focus()
    await page.keyboard.type('Spring below the mill')
    await page.keyboard.press('Enter')
    await sheet(page).waitFor({ state: 'detached' })
    expect(await newest(made)).toMatchObject({
      name: 'Spring below the mill',
      amenities: ['spring'],
      latitude: 55.701399,
    })
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Add a fountain')
  })
})
