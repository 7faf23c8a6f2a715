/** @module-tag browser */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { addButton, contributeSite, contributeStage, openMap, sheet, takeIt, told, walker } from './walker.ts'

let site: string
let browser: Browser

beforeAll(async () => {
  site = await contributeSite(['en'])
  browser = await startChromium()
})

afterAll(() => browser?.close())

describe('the form without a network', () => {
  it('keeps a fountain, which waits in the header, and is sent once there is one', async () => {
    const made = await contributeStage(site)
    const { page, context, complaints } = await walker(browser, made, { xp: 20 })
    const before = (await made.registry.waypoints.list()).length
    await openMap(page, made.origin, '?at=55.7013,13.1987,17.5')
    await expect
      .poll(() =>
        page.evaluate(() =>
          performance.getEntriesByType('resource').some(({ name }) => name.includes('/words-')),
        ),
      )
      .toBe(true)
    await addButton(page).tap()
    await takeIt(page).tap()
    await sheet(page).waitFor()
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Publish' }).tap()
    await sheet(page).waitFor({ state: 'detached' })
    await expect
      .poll(() => told(page).textContent())
      .toContain('It is sent as soon as there is a connection.')
    const menu = page.locator('.menu-outbox > summary')
    await expect.poll(() => menu.getAttribute('aria-label')).toBe('1 contribution is not sent yet')
    await menu.tap()
    expect((await made.registry.waypoints.list()).length).toBe(before)
    await context.setOffline(false)
    await expect
      .poll(async () => (await made.registry.waypoints.list()).length, { timeout: 30_000 })
      .toBe(before + 1)
    await expect.poll(() => menu.isVisible()).toBe(false)
    expect(complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  })
})
