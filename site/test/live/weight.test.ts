/** @module-tag browser */
import { join } from 'node:path'
import { openRegistry } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { newProfile } from '@openfountain/testing/browser/page'
import { tickingClock } from '@openfountain/testing/registry'
import { hasAsked, liveStage, type LiveStage, liveTown } from '@openfountain/testing/site/live-stage'
import type { Page, Request } from 'playwright-core'
import { expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'
import { newFolder } from '@openfountain/testing/folder'

/** Opens a page as a first visit on a phone, signed out, and returns it once it has loaded no more than `most`, each file once. */
async function visit(
  stage: LiveStage,
  path: string,
  most: { readonly requests: number; readonly kilobytes: number },
): Promise<Page> {
  const context = await newProfile({ isPatient: true, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const loaded = new Map<string, Request>()
  const again: string[] = []
  context.on('requestfinished', (request) => {
    // The service worker fills its cache after the page has loaded.
    if (request.serviceWorker()) return
    const address = `${request.url()} ${request.headers()['range'] ?? ''}`
    if (loaded.has(address)) again.push(address)
    else loaded.set(address, request)
  })
  await page.goto(`${stage.origin}${path}`)
  await hasAsked(stage)
  await page.waitForLoadState('networkidle')
  const sizes = await Promise.all(Array.from(loaded.values(), (request) => request.sizes()))
  const files = [...loaded.keys()].join('\n')
  // The two requests for news come after the map's first paint.
  const isNews = (address: string) => path === '/' && address.startsWith(`${stage.origin}/api/`)
  expect([...loaded.keys()].filter((address) => !isNews(address)).length, files).toBeLessThanOrEqual(
    most.requests,
  )
  expect(
    sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0) / 1000,
    files,
  ).toBeLessThanOrEqual(most.kilobytes)
  // MapLibre's worker is read again from the browser's cache.
  expect(again.filter((address) => !/\/worker\.[^/]*\.js/u.test(address))).toEqual([])
  return page
}

it.each([
  ['the home page with the map', '/', { requests: 20, kilobytes: 365 }],
  ['a fountain’s page', '/waypoint/3/', { requests: 12, kilobytes: 40 }],
])('%s that follows the log asks for few files, each once', async (_, path, most) => {
  await visit(await liveStage(await liveTown()), path, most)
})

it('the first view of many fountains split by licence asks for as few, as discs of whole cells that come apart when the map moves', async () => {
  const folder = newFolder()
  const database = join(folder, 'cities.db')
  const registry = await openRegistry({ database, clock: tickingClock('2026-01-05T08:00:01Z') })
  const places = [
    ['Vienna', 'CC-BY-4.0', 48.2, 16.4],
    ['Zürich', 'CC0-1.0', 47.4, 8.5],
    ['Paris', 'ODbL-1.0', 48.9, 2.3],
  ] as const
  for (const [name, license, south, west] of places) {
    const run = await registry.imports.start({ source: { name, license } })
    const rows = Array.from({ length: 700 }, (_, at) => ({
      row: at + 1,
      ref: `${at}`,
      input: { name: `${name} ${at}`, latitude: south + (at % 25) / 200, longitude: west + at / 5000 },
    }))
    await run.apply(rows)
    await run.finish({ counts: {}, missing: 'keep' })
  }
  const { folder: data } = await exportRegistry(registry, {
    out: join(folder, 'export'),
    splitByLicense: true,
  })
  await registry.close()
  const site = join(folder, 'site')
  await buildSite({ data, out: site, api: '/api', languages: ['en', 'de'], pages: 20 })
  const stage = await liveStage({ database, site })
  const page = await visit(stage, '/', { requests: 20, kilobytes: 365 })
  await page.locator('#list-heading').getByText('2,100 fountains in view').waitFor()
  const asked = page.waitForRequest(/map\/cells\/\d+-\d+-\d+\.json/u)
  await page.locator('#controls').getByRole('button', { name: 'Zoom in' }).click()
  await asked
})
