/** @module-tag browser */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../src/index.ts'
import { type Auditor, startAuditor } from './audits.ts'
import { exportSample, freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'

let host: StaticHost
let auditor: Auditor

beforeAll(async () => {
  const out = join(await freshFolder(), 'site')
  host = await hostFolder(out)
  await buildSite({ data: await exportSample(), out, url: host.url })
  auditor = await startAuditor()
})

afterAll(async () => {
  await auditor?.close()
  await host?.close()
})

describe('Lighthouse, on a phone', () => {
  // All that a first visit loads, compressed; half of it is shared by all pages and comes from the cache afterwards.
  it.each([
    ['a fountain’s page', 'waypoint/1/', { requests: 8, kilobytes: 24, blocking: 2 }],
    ['the leaderboard', 'leaderboard/', { requests: 8, kilobytes: 21, blocking: 2 }],
    ['the home page with the live map', '', { requests: 30, kilobytes: 350, blocking: 4 }],
  ])('finds nothing wrong with %s, which is small and does not shift', async (_, path, most) => {
    const { scores, files, blocking, layoutShift, short } = await auditor.audit(`${host.url}${path}`)
    expect(scores, short.join(', ')).toEqual({ accessibility: 100, 'best-practices': 100, seo: 100 })
    // The map's worker asks again for what it shares with the page, and gets it from the browser's cache.
    // Browsers with windows load the icon, too, and the headless shell does not.
    const counted = files.filter(({ url }) => url.startsWith(host.url) && !url.endsWith('/icon.svg'))
    const loaded = new Map(counted.map((file) => [file.url, file]))
    const bytes = [...loaded.values()].reduce((sum, file) => sum + file.bytes, 0)
    expect([...loaded.keys()].length, [...loaded.keys()].join(' ')).toBeLessThanOrEqual(most.requests)
    expect(bytes / 1000).toBeLessThanOrEqual(most.kilobytes)
    expect(blocking.filter((url) => !url.endsWith('.css'))).toEqual([])
    expect(blocking.length).toBeLessThanOrEqual(most.blocking)
    expect(layoutShift).toBeLessThan(0.01)
  })
})
