import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openRegistry, user } from '@openfountain/core'
import { mirrorRegistry } from '@openfountain/exchange'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { temporaryFolder } from '@openfountain/testing/registry'
import { newPage, newProfile, says } from '@openfountain/testing/browser/page'
import {
  complaintsOf,
  contributingStage,
  phone,
  type ContributingStage,
} from '@openfountain/testing/site/contributing-stage'
import { signIn, signInOn } from '@openfountain/testing/site/account-stage'
import { addButton, placing, sheet, takeIt, notice } from './contribute/walker.ts'
import { said, title } from './desk/desk-stage.ts'
import { buildTown, listed, spot } from '@openfountain/testing/site/live-stage'
import { hostileName } from '@openfountain/testing/site/town'
import { mapReady } from '@openfountain/testing/site/visit'
import { afterwards } from '@openfountain/testing/afterwards'

const vandalName = 'Vandal <img src=x onerror="document.title=1">'
const town = await buildTown()
const viewport = { width: 1200, height: 900 }
const place = spot(1)
const at = `/?at=${place.latitude},${place.longitude},17.5`
const card = (page: Page, name: string) => page.locator('#card h2', { hasText: name })

async function improve(page: Page, name: string, action: string): Promise<void> {
  // On a phone the open card covers the list.
  if (!(await page.locator('#card').isVisible())) {
    if ((await page.locator('#sheet').getAttribute('aria-expanded')) === 'false')
      await page.locator('#sheet').tap()
    await listed(page, name).click()
  }
  await card(page, name).waitFor()
  await page.locator('#card').getByRole('button', { name: action, exact: true }).click()
}

it('what a walker adds, edits and reviews is seen by others at once, survives without a network, and a vandal undoes none of it', async () => {
  const database = join(await temporaryFolder(), 'town.db')
  await copyFile(town.database, database)
  let now = Date.parse('2026-01-06T08:00:00Z')
  const made = await contributingStage(town.site, { database, clock: () => new Date((now += 1000)) })
  const { registry, origin } = made

  // Another visitor has the map open, signed out.
  const other = await newPage({ viewport })
  const complaints = complaintsOf(other)
  // From above, where all fountains of the town are in view.
  await other.goto(`${origin}/?at=${place.latitude},${place.longitude},14`)
  await mapReady(other)
  await listed(other, 'Fountain 1').waitFor()

  // Signed in by a link, beside an existing fountain.
  const device = await phone()
  const first = await device.open()
  await signInOn(first.page, await made.link('Ada'))
  await first.page.goto(`${origin}${at}`)
  await mapReady(first.page)
  await addButton(first.page).tap()
  await says(placing(first.page).locator('.contribute-near bdi').first(), 'Fountain 1')
  await takeIt(first.page).tap()
  await sheet(first.page).getByLabel('Tap', { exact: true }).check()
  await first.page.getByRole('button', { name: 'Publish' }).tap()
  await sheet(first.page).waitFor({ state: 'detached' })
  const { id, name } = (await registry.waypoints.list()).at(-1) ?? {}
  if (id === undefined || name === undefined) throw new Error('Nothing was added')
  expect(name).toBe('Tap')
  await listed(other, name).waitFor()

  await first.page.goto(`${origin}${at}`)
  await mapReady(first.page)
  await improve(first.page, name, 'Edit')
  await sheet(first.page, `Edit ${name}`).getByLabel('Name', { exact: true }).fill('Tap of the mill')
  await first.page.getByRole('button', { name: 'Save', exact: true }).tap()
  await says(notice(first.page), /^Saved\. Thank you!/u)
  await listed(other, 'Tap of the mill').waitFor()
  await improve(first.page, 'Tap of the mill', 'Review')
  await first.page.getByRole('radio', { name: '5 of 5 stars' }).check({ force: true })
  await first.page.getByRole('button', { name: 'Publish' }).tap()
  await expect.poll(async () => (await registry.reviews.list({ bubblerId: id })).length).toBe(1)

  // Without a network, and with the browser closed.
  await first.context.setOffline(true)
  made.cut(true)
  await improve(first.page, 'Tap of the mill', 'Edit')
  await sheet(first.page, /^Edit/u).getByLabel('Name', { exact: true }).fill('Tap behind the mill')
  await first.page.getByRole('button', { name: 'Save', exact: true }).tap()
  await says(notice(first.page), /Kept on this device\./u)
  await first.context.close()
  const { id: brook } = await registry.users.create({ name: 'Brook', xp: 100 })
  await registry.waypoints.update(id, { name: 'Mill tap', description: 'By the wheel' }, user(brook))

  const second = await device.open()
  made.cut(false)
  await second.page.goto(`${origin}${at}`)
  await second.page.locator('.menu-outbox > summary').click()
  await second.page.getByText('Somebody else changed this meanwhile').waitFor()
  await second.page.getByRole('button', { name: 'Decide' }).first().click()
  // It is read from the server first.
  const choices = second.page.locator('dialog .choices bdi')
  await expect.poll(() => choices.allTextContents()).toEqual(['Tap behind the mill', 'Mill tap'])
  await second.page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await expect.poll(async () => (await registry.waypoints.get(id)).name).toBe('Tap behind the mill')
  expect((await registry.waypoints.get(id)).description).toBe('By the wheel')
  await listed(other, 'Tap behind the mill').waitFor()
  const { logs } = await registry.changes.list({ bubblerId: id })
  expect(logs.map(({ action }) => action)).toEqual(['edited', 'edited', 'edited', 'created'])

  // A vandal's evening, and a moderator's minute.
  const { id: vandal } = await registry.users.create({ name: vandalName, xp: 100 })
  const fountains = [2, 3, 4, 5]
  const before = await Promise.all(fountains.map((one) => registry.waypoints.get(one)))
  const evening = await signedIn(made, vandal)
  for (let index = 0; index < 60; index += 1) {
    const path = `${origin}/api/waypoints/${fountains[index % fountains.length]}`
    const data = { name: `${hostileName} ${index}` }
    expect((await evening.context().request.patch(path, { data, headers: { origin } })).status()).toBe(200)
  }
  await listed(other, `${hostileName} 57`).waitFor()
  expect(await other.title()).not.toContain('owned')
  expect((await registry.users.profile(vandal)).xp).toBeGreaterThan(100)

  const { id: mo } = await registry.users.create({ name: 'Mo', isModerator: true })
  const desk = await signedIn(made, mo)
  await desk.goto(`${origin}/moderation/#bursts`)
  await says(title(desk), vandalName)
  await desk.keyboard.press('r')
  const dialog = desk.locator('.desk-dialog[open]')
  await dialog.getByRole('button', { name: 'Check first' }).click()
  await dialog.getByText('60 changes would be undone.').waitFor()
  await dialog.getByLabel('Reason').fill('Vandalism')
  await dialog.getByRole('button', { name: 'Undo for good' }).click()
  await says(said(desk), '60 changes were undone.')
  const after = await Promise.all(fountains.map((one) => registry.waypoints.get(one)))
  expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name))
  expect((await registry.users.profile(vandal)).xp).toBe(100)
  await listed(other, 'Fountain 3').waitFor()
  expect(await desk.title()).not.toContain('owned')
  const all = [...complaints, ...first.complaints, ...second.complaints]
  expect(all.filter((text) => !isAboutNetwork(text))).toEqual([])

  expect(await registry.changes.verify()).toMatchObject({ ok: true })
  const copy = await openRegistry({ database: ':memory:', clock: () => new Date(now) })
  afterwards(() => copy.close())
  const { head } = await mirrorRegistry(origin, copy)
  expect(head).toEqual(await registry.changes.head())
  expect(await copy.waypoints.list()).toEqual(await registry.waypoints.list())
  // Its browsers draw their maps on the processor.
}, 90_000)

/** A browser's messages about cut connections, and about the conflicting edit. */
const isAboutNetwork = (text: string): boolean => /ERR_|status of 412/u.test(text)

async function signedIn(made: ContributingStage, id: string): Promise<Page> {
  const context = await newProfile({ viewport })
  await signIn(made, context, id)
  return context.newPage()
}
