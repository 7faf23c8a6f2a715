import { user } from '@openfountain/core'
import type { AppOptions } from '@openfountain/server'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { accountStage, signIn, visitor } from '@openfountain/testing/site/account-stage'

/** Texts as a hostile contributor chooses them: markup, a formula, text that turns its surroundings. */
export const hostile = '<img src=x onerror=alert(1)><b>"=1+1"</b> \u200Fאדה'

/** @param site the folder of a site that was built with `api: '/api'` */
export async function deskStage(site: string, ofApp: AppOptions = {}) {
  const made = await accountStage(site, async () => ({}), {}, ofApp)
  const { registry, origin, clock } = made
  const { id: ada } = await registry.users.create({ name: `Ada ${hostile}`, xp: 1000 })
  const { id: vandal } = await registry.users.create({ name: `Vandal ${hostile}`, xp: 1000 })
  const { id: mo } = await registry.users.create({ name: 'Mo', isModerator: true })
  let northernmost = 47
  return {
    ...made,
    ada,
    vandal,
    mo,
    by: (id: string) => user(id),
    async fountain(name: string, more = {}) {
      northernmost += 0.1
      const place = { latitude: northernmost, longitude: 8 }
      clock.advance({ minutes: 1 })
      return (await registry.waypoints.create({ name, ...place, ...more }, user(ada))).id
    },
    async as(id: string, path: string) {
      const found = await visitor()
      await signIn(made, found.context, id)
      await found.page.goto(`${origin}${path}`)
      return found
    },
  }
}

export const said = (page: Page) => page.locator('#desk-status')
export const problem = (page: Page) => page.locator('.problem:not(:empty):visible')
export const rows = (page: Page) => page.locator('.desk-row strong')
export const title = (page: Page) => page.locator('#desk-detail h2')

/** Nothing that people wrote has become an element. */
export async function expectTextAlone(page: Page): Promise<void> {
  expect(await page.locator('main :is(img, b, i, script[src="x"], iframe, object)').count()).toBe(0)
}
