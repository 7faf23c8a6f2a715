/** @module-tag browser */
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'
import { exportTown, square } from './town.ts'
import { visit } from './visit.ts'

let host: StaticHost
let browser: Browser

beforeAll(async () => {
  const out = join(await freshFolder(), 'site')
  await buildSite({ data: await exportTown(), out, languages: ['en'] })
  host = await hostFolder(out)
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await host?.close()
})

const web = 'https://www.openstreetmap.org/directions?engine=fossgis_osrm_foot&route=%3B55.705%2C13.19'
const apple = 'https://maps.apple.com/?daddr=55.705,13.19&dirflg=w'

const devices = [
  [
    'an Android phone',
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'geo:55.705,13.19?q=55.705,13.19(Market%20Square)',
  ],
  [
    'an iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    apple,
  ],
  [
    'a Mac, as which an iPad presents itself too',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    apple,
  ],
  [
    'Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    web,
  ],
  ['Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0', web],
] as const

describe.each(devices)('on %s', (_, userAgent, expected) => {
  it('directions to a fountain open what the device has, from the card and from the page', async () => {
    const search = `?at=${square.latitude},${square.longitude},16&fountain=1`
    const { page, context } = await visit(browser, `${host.url}${search}`, { userAgent })
    const link = page.locator('#card').getByRole('link', { name: 'Directions' })
    expect(await link.getAttribute('href')).toBe(expected)
    const google = page.locator('#card').getByRole('link', { name: 'Google Maps' })
    expect(await google.getAttribute('href')).toContain('/dir/?api=1&destination=55.705,13.19')
    await page.goto(`${host.url}waypoint/1/`)
    await page.waitForFunction(
      (href) => document.querySelector('a[data-directions]')?.getAttribute('href') === href,
      expected,
    )
    await context.close()
  })
})

it('directions on a fountain’s page lead to a router on the web where there is no script', async () => {
  const { page, context } = await visit(browser, `${host.url}waypoint/1/`, { javaScriptEnabled: false })
  expect(await page.getByRole('link', { name: 'Directions' }).getAttribute('href')).toBe(web)
  await context.close()
})
