/** @module-tag browser */
import { token } from '@openfountain/core'
import { Sender } from '@openfountain/telling'
import { accountStage, inspect, signIn, visitor } from '@openfountain/testing/site/account-stage'
import { builtSite } from '@openfountain/testing/site/sites'
import { expect, it } from 'vitest'

const site = await builtSite('town with API')
const webhooks = new Sender({ key: () => 'k'.repeat(32) })
const staged = () => accountStage(site, async () => ({}), {}, { webhooks })

/** Permission and a push service in the page: a browser without a window has neither. */
function serveHere(): void {
  Object.defineProperty(Notification, 'permission', { value: 'granted' })
  Object.defineProperty(Notification, 'requestPermission', { value: async () => 'granted' })
  const device = {
    endpoint: 'https://fcm.googleapis.com/fcm/send/test',
    keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
  }
  const has = (is?: string) => (
    is !== undefined && sessionStorage.setItem('on', is),
    sessionStorage.getItem('on')
  )
  const found = { ...device, toJSON: () => device, unsubscribe: async () => has('no') === 'no' }
  Object.defineProperty(PushManager.prototype, 'subscribe', { value: async () => (has('yes'), found) })
  Object.defineProperty(PushManager.prototype, 'getSubscription', {
    value: async () => (has() === 'yes' ? found : null),
  })
}

it('a person turns push on and off, follows by it, and the worker shows what comes', async () => {
  const made = await staged()
  const { registry, origin } = made
  const { id: ada } = await registry.users.create({ name: 'Ada' })
  const { id } = await registry.waypoints.create({ name: 'Well', latitude: 55.7, longitude: 13.2 }, token())
  const { page, context, complaints } = await visitor()
  await context.addInitScript(serveHere)
  await signIn(made, context, ada)
  await page.goto(`${origin}/following/?fountain=${id}`)
  const follows = async () => (await registry.follows.list(ada)).map(({ by }) => by)
  await page.getByLabel('On my devices').check()
  await page.getByRole('radio').first().check()
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByText('is shown here').waitFor()
  expect(await follows()).toEqual([['web'], ['web', 'push']])
  await inspect(page, 'push is on')
  const [worker] = context.serviceWorkers()
  const sent = { title: 'Edited: Well', body: 'a program', tag: 'msg_1', fountain: id }
  const shown = await worker?.evaluate((data) => {
    const { registration } = self as unknown as { registration: object }
    const got = new Promise((resolve) => {
      const value = async (title: string, { data: url }: { data: string }) => resolve([title, url])
      Object.defineProperty(registration, 'showNotification', { value })
    })
    self.dispatchEvent(Object.assign(new Event('push'), { data: { json: () => data }, waitUntil() {} }))
    return got
  }, sent)
  expect(shown).toEqual(['Edited: Well', `/?fountain=${id}`])
  await page.locator('#push').click()
  await page.getByText('is shown here').waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

it('a circle is drawn and moved on the map without a mouse, followed, and opened again', async () => {
  const made = await staged()
  const { registry, origin } = made
  const { id: ada } = await registry.users.create({ name: 'Ada' })
  const { page, context, complaints } = await visitor()
  await signIn(made, context, ada)
  await page.goto(`${origin}/?at=55.7,13.2,13`)
  const radius = page.getByLabel('Area to follow')
  await radius.selectOption('A circle with a radius of 500 m')
  await page.locator('#map canvas').focus()
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(/,13\.2\d/u)
  await page.getByRole('button', { name: 'Move the circle' }).press('Enter')
  const follow = page.getByRole('link', { name: 'Follow this area' })
  await expect.poll(() => follow.getAttribute('href')).toMatch(/near=55\.\d+%2C13\.2\d+&radius=500$/u)
  await inspect(page, 'a circle on the map')
  await follow.press('Enter')
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByText('You follow this now').waitFor()
  const [, { what } = { what: undefined }] = await registry.follows.list(ada)
  expect(what?.radius).toBe(500)
  await page.getByRole('button', { name: /^Map:/u }).click()
  await expect.poll(() => radius.inputValue()).toBe('500')
  const [latitude, longitude] = [what?.near?.latitude, what?.near?.longitude]
  expect(await follow.getAttribute('href')).toContain(`near=${latitude}%2C${longitude}&`)
  await page.goto(`${origin}/following/?near=here&radius=500`)
  await page.getByRole('button', { name: /^Map:/u }).waitFor()
  expect(await page.locator('main').textContent()).not.toContain('NaN')
  expect(complaints).toEqual([])
})
