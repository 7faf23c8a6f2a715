/** @module-tag browser */
import { builtSite } from '@openfountain/testing/site/sites'
import { expect, test } from 'vitest'
import { deskStage } from './desk-stage.ts'

test('a moderator frames fountains on the map, verifies them once they are counted, and undoes it', async () => {
  const stage = await deskStage(await builtSite('sample with API'))
  const { registry, mo, as } = stage
  await stage.fountain('One')
  await stage.fountain('Two')
  const { page } = await as(mo, '/moderation/')
  await page.locator('#desk-work').waitFor()
  await page.goto(`${stage.origin}/?at=47.15,7.5,8`)
  await page.locator('#many').click()
  await page.locator('#many-box button[type=submit]').click()
  const dialog = page.locator('dialog.many')
  await dialog.locator('select[name=act]').selectOption('verify')
  await dialog.locator('button[type=submit]').first().click()
  await expect.poll(() => page.locator('#many-would').textContent()).toMatch(/would change/u)
  await dialog.locator('button[name=all]').click()
  const toast = page.locator('.toast:visible')
  await expect.poll(() => toast.textContent()).toMatch(/changed/u)
  const verified = async () => (await registry.waypoints.list({ verified: true })).length
  expect(await verified()).toBeGreaterThan(0)
  await toast.locator('button').click()
  await expect.poll(verified).toBe(0)
})

test('a moderator changes the fountains that Explore shows, without one that was left out', async () => {
  const stage = await deskStage(await builtSite('sample with API'))
  const { registry, mo, as } = stage
  await stage.fountain('One')
  const second = await stage.fountain('Two')
  const { page } = await as(mo, '/moderation/')
  await page.locator('#desk-work').waitFor()
  await page.goto(`${stage.origin}/explore/`)
  await page.locator('#many').click()
  const dialog = page.locator('dialog.many')
  const chosen = dialog.locator('#many-chosen')
  const count = async () => Number.parseInt((await chosen.textContent()) ?? '', 10)
  const all = await count()
  expect(all).toBeGreaterThan(1)
  await dialog.locator('summary').click()
  await dialog.locator('.many-list input').first().uncheck()
  expect(await count()).toBe(all - 1)
  await dialog.locator('select[name=act]').selectOption('verify')
  await dialog.locator('button[type=submit]').first().click()
  await expect.poll(() => page.locator('#many-would').textContent()).toMatch(/would change/u)
  const verified = async () => (await registry.waypoints.list({ verified: true })).map(({ id }) => id)
  expect(await verified()).toEqual([])
  await dialog.locator('button[name=all]').click()
  await expect.poll(verified).toEqual([second])
})
