/** @module-tag browser */
import { hasAsked, liveStage, liveTown } from '@openfountain/testing/site/live-stage'
import { newProfile } from '@openfountain/testing/browser/page'
import type { Request } from 'playwright-core'
import { expect, it } from 'vitest'

// Of a first visit beside an API, on a phone, signed out. The two requests for news come after the map's first paint. What MapLibre's worker reads again comes from the browser's cache.
it.each([
  ['the home page with the map', '/', { requests: 20, kilobytes: 365 }],
  ['a fountain’s page', '/waypoint/3/', { requests: 12, kilobytes: 40 }],
])('%s that follows the log asks for few files, each once', async (_, path, most) => {
  const stage = await liveStage(await liveTown())
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
  const isNews = (address: string) => path === '/' && address.startsWith(`${stage.origin}/api/`)
  expect([...loaded.keys()].filter((address) => !isNews(address)).length, files).toBeLessThanOrEqual(
    most.requests,
  )
  expect(
    sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0) / 1000,
    files,
  ).toBeLessThanOrEqual(most.kilobytes)
  expect(again.filter((address) => !/\/worker\.[^/]*\.js/u.test(address))).toEqual([])
})
