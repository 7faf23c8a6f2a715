/** @module-tag browser */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { filesOf } from '@openfountain/testing/site/built-site'
import { freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'
import { exportTown, square, total } from './town.ts'
import { clickMiddle, heading, visit } from './visit.ts'

let host: StaticHost
let out: string
let browser: Browser

const style = {
  version: 8,
  projection: { type: 'globe' },
  sources: {
    fields: {
      type: 'geojson',
      attribution: '© Field Survey',
      data: {
        type: 'Polygon',
        coordinates: [
          [
            [13, 55.6],
            [13.4, 55.6],
            [13.4, 55.8],
            [13, 55.8],
            [13, 55.6],
          ],
        ],
      },
    },
  },
  layers: [
    { id: 'ground', type: 'background', paint: { 'background-color': '#c0ffee' } },
    { id: 'fields', type: 'fill', source: 'fields', paint: { 'fill-color': '#88aa66' } },
  ],
}

beforeAll(async () => {
  out = join(await freshFolder(), 'site')
  await buildSite({ data: await exportTown(), out, style: '/style.json', languages: ['en'] })
  await writeFile(join(out, 'style.json'), JSON.stringify(style))
  host = await hostFolder(out)
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await host?.close()
})

it('the operator’s style takes the place of the bundled base map, which is then not there', async () => {
  const { page, context, complaints, requests } = await visit(browser, host.url)
  await heading(page, `${total} fountains in view`)
  await page.locator('.maplibregl-ctrl-attrib', { hasText: '© Field Survey' }).waitFor()
  expect(requests.some((address) => address.includes('map/base/'))).toBe(false)
  expect((await filesOf(out)).filter((file) => file.startsWith('map/base/'))).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})

it('fountains are chosen on it as on the bundled one', async () => {
  const { page, context, complaints } = await visit(
    browser,
    `${host.url}?at=${square.latitude},${square.longitude},16`,
  )
  await clickMiddle(page)
  await page.locator('#card').getByRole('link', { name: 'Directions' }).waitFor()
  expect(await page.locator('#card h2').textContent()).toBe('Market Square')
  expect(complaints).toEqual([])
  await context.close()
})
