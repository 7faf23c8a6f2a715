/** @module-tag browser */
import { token, user } from '@openfountain/core'
import { says } from '@openfountain/testing/browser/page'
import { everywhere, inspect } from '@openfountain/testing/site/account-stage'
import { hostileName } from '@openfountain/testing/site/town'
import { expect, it } from 'vitest'
import { availableLanguages, loadLanguages } from '../../src/build/languages.ts'
import { fill } from '../../src/messages.ts'
import { overflowing } from '../overflow.ts'
import { atSquare, contributeStage, offers, press, problems, sheet, notice, walker } from './walker.ts'

it('the card of a fountain lets somebody edit it, and sends what changed under the tag of what they saw', async () => {
  const made = await contributeStage()
  const { page, complaints, writes } = await walker(made, { xp: 10, at: atSquare })
  await press(page, 'Edit')
  const form = sheet(page, 'Edit Market Square')
  const save = form.getByRole('button', { name: 'Save' })
  await form.waitFor()
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await press(page, 'Edit')
  expect(await form.getByLabel('Drinking fountain', { exact: true }).isChecked()).toBe(true)
  expect(await form.getByLabel('Region').inputValue()).toBe('Linden Quarter')
  await save.click()
  await says(form.getByRole('alert'), 'You have not changed anything.')
  await form.getByLabel('Name', { exact: true }).fill('')
  await save.click()
  await says(problems(form), 'Enter a name.')
  await form.getByLabel('Name', { exact: true }).fill(hostileName)
  await form.getByLabel('Region').fill('')
  await form.getByLabel('Bench').check()
  await save.click()
  await says(notice(page), /^Saved\. Thank you!/u)
  const [write] = writes
  expect(write?.method()).toBe('PATCH')
  const amenities = ['bubbler', 'wheelchair', 'bench']
  expect(write?.postDataJSON()).toEqual({ name: hostileName, region: null, amenities })
  expect(await write?.headerValue('if-match')).toMatch(/^"/u)
  expect(await made.registry.waypoints.get(1)).toMatchObject({ name: hostileName })
  await says(page.locator('#card-title'), hostileName)
  expect(await page.title()).not.toContain('owned')
  expect(complaints).toEqual([])
})

it('the card of a fountain lets somebody move it by metres, and tells how far', async () => {
  const { page, writes } = await walker(await contributeStage(), { xp: 10, at: atSquare })
  await press(page, 'Move')
  const panel = page.getByRole('dialog', { name: 'Move Market Square' })
  const where = panel.locator('.contribute-where span').first()
  await says(where, 'Not moved yet.')
  for (let step = 0; step < 3; step += 1)
    await panel.getByRole('button', { name: 'One metre to the east' }).click()
  await says(where, 'Moved 3 m to the east.')
  await panel.getByRole('button', { name: 'Move it here' }).click()
  await says(notice(page), /^Saved\. Thank you!/u)
  const sent = { longitude: expect.closeTo(13.190048, 5) }
  expect(writes.map((write) => write.postDataJSON() as unknown)).toEqual([sent])
})

it('the card of a fountain takes a review, says how many are missing for the rest, and lets somebody change it instead of writing another', async () => {
  const made = await contributeStage()
  const { reviews } = made.registry
  const { page, id, complaints, writes } = await walker(made, { at: atSquare })
  const missing = 'Editing fountains needs 10 XP; you have 0. You need 2 more reviews: each earns 5 XP.'
  await says(offers(page).locator('p').last(), missing)
  await press(page, 'Review')
  const written = sheet(page, 'Review Market Square')
  await written.getByLabel('Comment').fill('<b>Warm</b>.')
  await written.getByRole('button', { name: 'Publish' }).click()
  await says(problems(written), 'Choose one to five stars.')
  await written.getByLabel('2 of 5 stars').check()
  await inspect(page, 'review', everywhere)
  await written.getByRole('button', { name: 'Publish' }).click()
  await says(notice(page), 'Thank you for your review! +5 XP: you have 5, level 1.')
  const [{ id: first } = { id: 0 }] = await reviews.list({ bubblerId: 1 })
  const { id: second } = await reviews.create({ bubblerId: 1, rating: 5 }, user(id))
  await page.goto(`${made.origin}/waypoint/1/`)
  const form = sheet(page, 'Review Market Square')
  const box = form.getByLabel(/^Change my review of .+ instead$/u)
  await press(page, 'Review')
  await box.check()
  await expect.poll(() => form.getByLabel('5 of 5 stars').isChecked()).toBe(true)
  await reviews.delete(second, user(id))
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('draft')) localStorage.removeItem(key)
  })
  await page.goto(`${made.origin}/${atSquare}`)
  await press(page, 'Review')
  await box.check()
  await expect.poll(() => form.getByLabel('2 of 5 stars').isChecked()).toBe(true)
  expect(await form.getByLabel('Comment').inputValue()).toBe('<b>Warm</b>.')
  await inspect(page, 'a review that is changed')
  await form.getByLabel('Comment').fill('')
  await form.getByLabel('4 of 5 stars').check()
  await form.getByRole('button', { name: 'Publish' }).click()
  await says(notice(page), /^Saved\. Thank you!/u)
  expect(writes.map((write) => write.method())).toEqual(['POST', 'PATCH'])
  const [review, ...others] = await reviews.list({ bubblerId: 1 })
  expect(others).toEqual([])
  expect(review).toMatchObject({ id: first, rating: 4 })
  expect(review?.comment).toBeUndefined()
  expect(complaints).toEqual([])
})

it('the card of a fountain changes it without a question where a fountain takes one review of each person', async () => {
  const made = await contributeStage()
  const { page, id } = await walker(made, { serviceWorkers: 'block' })
  await made.registry.reviews.create({ bubblerId: 1, rating: 2 }, user(id))
  await page.route('**/languages/contribute/en.json', async (route) => {
    const response = await route.fetch()
    const words: { rules: object } = await response.json()
    const rules = { ...words.rules, reviews: { onePerWaypoint: true } }
    await route.fulfill({ response, json: { ...words, rules } })
  })
  await page.goto(`${made.origin}/waypoint/1/`)
  await press(page, 'Review')
  const form = sheet(page, 'Review Market Square')
  await expect.poll(() => form.getByLabel('2 of 5 stars').isChecked()).toBe(true)
  expect(await form.getByRole('checkbox').count()).toBe(0)
})

it('the card of a fountain offers nothing to somebody who is blocked, says why and until when, and keeps what they typed', async () => {
  const made = await contributeStage()
  const { page, id } = await walker(made, { xp: 10, at: atSquare })
  await press(page, 'Edit')
  const form = sheet(page, 'Edit Market Square')
  await form.getByLabel('Description').fill('By the oak')
  await made.registry.users.block(id, { reason: '<i>Jokes</i>', until: '2100-01-02T00:00:00Z' }, token())
  await form.getByRole('button', { name: 'Save' }).click()
  await says(form.getByRole('alert'), 'You are blocked until January 2, 2100: <i>Jokes</i>')
  expect(await form.getByLabel('Description').inputValue()).toBe('By the oak')
  await page.goto(`${made.origin}/waypoint/1/`)
  await says(offers(page), 'You are blocked until January 2, 2100: <i>Jokes</i>')
  expect(await offers(page).getByRole('button').count()).toBe(0)
})

it('the page of a fountain offers the same, with moving on the map', async () => {
  const made = await contributeStage()
  const { page, complaints } = await walker(made, { xp: 10 })
  await page.goto(`${made.origin}/waypoint/1/`)
  await offers(page).getByRole('button', { name: 'Edit', exact: true }).waitFor()
  await inspect(page, 'page', everywhere)
  await press(page, 'Edit')
  const form = sheet(page, 'Edit Market Square')
  await form.getByLabel('Coordinates').waitFor()
  await inspect(page, 'editing')
  await form.getByLabel('Coordinates').fill('55,7051 13,1902')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  expect(await made.registry.waypoints.get(1)).toMatchObject({ latitude: 55.7051, longitude: 13.1902 })
  await press(page, 'Move')
  await page.waitForURL((url) => url.searchParams.get('fountain') === '1')
  await page.getByRole('dialog', { name: 'Move Market Square' }).waitFor()
  await inspect(page, 'moving')
  expect(complaints).toEqual([])
})

it('the page of a fountain asks somebody at once whose edit meets that of another, and sends what they choose', async () => {
  const made = await contributeStage()
  const { waypoints } = made.registry
  const { page, complaints } = await walker(made, { xp: 10 })
  await page.goto(`${made.origin}/waypoint/1/`)
  await press(page, 'Edit')
  const form = sheet(page, 'Edit Market Square')
  await form.getByLabel('Region').fill('Mine')
  await form.getByLabel('Name', { exact: true }).fill(hostileName)
  await waypoints.update(1, { region: 'Theirs', name: 'Their square' }, token())
  await form.getByRole('button', { name: 'Save' }).click()
  const choice = page.getByRole('dialog', { name: 'Market Square', exact: true })
  await choice.getByRole('group', { name: 'Region' }).getByLabel('Theirs').check()
  await inspect(page, 'a conflict')
  await choice.getByRole('button', { name: 'Send' }).click()
  await choice.waitFor({ state: 'detached' })
  await expect.poll(() => waypoints.get(1)).toMatchObject({ name: hostileName, region: 'Theirs' })
  expect(await page.title()).not.toBe('owned')
  expect(complaints.filter((text) => !text.includes('status of 412'))).toEqual([])
})

it('on a phone forms, contributions and the desk have room for their words in every language', async () => {
  const made = await contributeStage()
  const { page, complaints, id } = await walker(made, { xp: 10, viewport: { width: 360, height: 740 } })
  await made.registry.users.setModerator(id, true)
  for (const { tag, messages } of await loadLanguages(await availableLanguages())) {
    const { contribute, desk } = messages
    const fits = async (what: string) => expect(await overflowing(page), `${what}, ${tag}`).toEqual([])
    await page.evaluate((language) => localStorage.setItem('language', language), tag)
    await page.goto(`${made.origin}/waypoint/1/`)
    for (const [action, title] of [
      ['edit', contribute.editTitle],
      ['review', contribute.reviewTitle],
      ['report', contribute.reportTitle],
      ['remove', contribute.removeAsk],
    ] as const) {
      await press(page, contribute.action[action])
      const form = sheet(page, fill(title, { name: 'Market Square' }))
      await form.waitFor()
      for (const fold of await form.locator('details:not([open]) > summary').all()) await fold.click()
      await fits(action)
      await page.keyboard.press('Escape')
      await form.waitFor({ state: 'detached' })
    }
    const base = tag === 'en' ? made.origin : `${made.origin}/${tag}`
    await page.goto(`${base}/contributions/`)
    await page.locator('#level').waitFor()
    await fits('contributions')
    await page.goto(`${base}/moderation/#unapproved`)
    await page.locator('#desk-detail').getByRole('button', { name: desk.mergeWith }).click()
    await page.locator('.desk-dialog[open]').waitFor()
    await fits('desk')
    await page.goto('about:blank')
    await page.goto(`${base}/moderation/acts/`)
    await fits('acts')
  }
  expect(complaints).toEqual([])
})
