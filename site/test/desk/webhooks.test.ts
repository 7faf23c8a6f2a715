/** @module-tag browser */
import { createServer } from 'node:http'
import { token as program } from '@openfountain/core'
import { Deliveries, Sender } from '@openfountain/telling'
import { everywhere, inspect } from '@openfountain/testing/site/account-stage'
import { listening } from '@openfountain/testing/listening'
import { builtSite } from '@openfountain/testing/site/sites'
import { expect, test } from 'vitest'
import { deskStage, problem } from './desk-stage.ts'

test('an administrator’s token adds a webhook at the desk, sees why it fails, tries again and removes it', async () => {
  const sender = new Sender({ key: () => 'k'.repeat(32), insecure: true })
  const answers = [204, 500]
  const server = createServer((_request, response) => response.writeHead(answers.pop() ?? 500).end())
  const url = `http://127.0.0.1:${await listening(server)}/`
  const { registry, mo, as } = await deskStage(await builtSite('sample with API'), { webhooks: sender })
  const deliveries = new Deliveries(registry, sender)
  const { token } = await registry.tokens.create({ name: 'City' })
  const { token: less } = await registry.tokens.create({ name: 'Program', scope: 'moderate' })
  const { page } = await as(mo, '/moderation/')
  const view = page.locator('#desk-webhooks')
  const button = (name: RegExp) => view.getByRole('button', { name })
  const field = (name: string) => view.locator(`[name=${name}]`)
  async function open(by: string): Promise<void> {
    await page.locator('[data-view=webhooks]').click()
    await field('token').fill(by)
    await field('token').press('Enter')
  }
  async function shows(facts: RegExp): Promise<void> {
    await deliveries.look()
    await deliveries.idle()
    await page.locator('#desk-reload').click()
    await expect.poll(() => view.locator('.items .faint').textContent()).toMatch(facts)
  }
  for (const [wrong, text] of Object.entries({ [less]: /administer/u, ofp_no: /does not know/u })) {
    await open(wrong)
    await expect.poll(() => problem(page).textContent()).toMatch(text)
  }
  expect(await view.locator('.items').count()).toBe(0)
  await open(token)
  await field('url').fill('http://city.example/')
  await button(/^Add/u).click()
  await expect.poll(() => problem(page).textContent()).toMatch(/https/u)
  await field('url').fill(url)
  await field('only').selectOption('maintainer')
  await field('what').fill('Lund')
  await view.locator('.chip:has([value=created])').click()
  await button(/^Add/u).click()
  const secret = await view.locator('[data-secret]').textContent()
  const [webhook] = await registry.webhooks.list(program())
  expect(webhook).toMatchObject({ url, events: ['created'], what: { maintainer: 'Lund' } })
  expect(secret).toBe(webhook && sender.secretOf(webhook))
  await inspect(page, 'webhooks with a secret', everywhere)
  const well = { name: 'Well', latitude: 1, longitude: 1, maintainer: 'Lund' }
  await registry.waypoints.create(well, program())
  await shows(/failing, 1 try .*HTTP 500.*next try/u)
  await button(/^Try again now/u).click()
  await expect.poll(() => page.locator('#desk-status').textContent()).toMatch(/^Switched on/u)
  await shows(/ on .*HTTP 204/u)
  await button(/^Switch off/u).click()
  await shows(/switched off/u)
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(token)
  await page.locator('[data-view=find]').click()
  await open(token)
  await button(/^Remove/u).click()
  expect(await page.content()).not.toContain('whsec_')
  await page.locator('#ask-yes').click()
  await view.getByText('There is no webhook.').waitFor()
  expect(await registry.webhooks.list(program())).toEqual([])
})
