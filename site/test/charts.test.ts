/** @module-tag browser */
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../src/index.ts'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { writeFixture } from '@openfountain/testing/site/made-folder'
import { freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'

let host: StaticHost
let browser: Browser

beforeAll(async () => {
  const folder = await freshFolder()
  const [data, out] = [join(folder, 'export'), join(folder, 'site')]
  await writeFixture(data, { waypoints: 12_345 })
  await buildSite({ data, out, pages: 'none' })
  host = await hostFolder(out)
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await host?.close()
})

describe.each(['', 'de/', 'es/', 'fr/', 'it/'])('the charts of /%sstatistics/', (language) => {
  it.each([360, 1440])('have whole labels of five digits at %i pixels', async (width) => {
    const context = await browser.newContext({ viewport: { width, height: 800 } })
    const page = await context.newPage()
    await page.goto(`${host.url}${language}statistics/`)
    const labels = await page.evaluate(() =>
      [...document.querySelectorAll<SVGTextElement>('svg.chart text')]
        .filter((text) => text.checkVisibility())
        .map((text) => {
          const { x, width } = text.getBBox()
          const drawing = text.ownerSVGElement?.viewBox.baseVal.width ?? 0
          return { text: text.textContent ?? '', x, end: x + width, drawing }
        }),
    )
    expect(labels.filter(({ text }) => /^1\D?\d\D?000$/u.test(text)).length).toBeGreaterThan(0)
    expect(labels.filter(({ x, end, drawing }) => x < 0 || end > drawing)).toEqual([])
    await context.close()
  })
})
