/** @module-tag browser */
import { hostedSite } from '@openfountain/testing/site/sites'
import { afterAll, expect, it } from 'vitest'
import { startAuditor } from '@openfountain/testing/browser/audits'

const host = await hostedSite('sample')
const auditor = await startAuditor()

afterAll(() => auditor.close())

// The files of a first visit, compressed; half of them are shared by all pages and come from the cache afterwards.
it.each([
  ['a fountain’s page', 'waypoint/1/', { requests: 8, kilobytes: 27, blocking: 2 }],
  ['the leaderboard', 'leaderboard/', { requests: 8, kilobytes: 23, blocking: 2 }],
  ['the home page with the live map', '', { requests: 20, kilobytes: 350, blocking: 4 }],
])(
  'Lighthouse, on a phone, finds nothing wrong with %s, which is small and does not shift',
  async (_, path, most) => {
    const { scores, files, blocking, layoutShift, short } = await auditor.audit(`${host.url}${path}`)
    expect(scores, short.join(', ')).toEqual({ accessibility: 100, 'best-practices': 100, seo: 100 })
    // The map's worker requests the chunk that it shares with the page again, and gets it from the browser's cache.
    // Browsers with windows also load the icon; the headless shell does not.
    const counted = files.filter(({ url }) => url.startsWith(host.url) && !url.endsWith('/icon.svg'))
    const loaded = new Map(counted.map(({ url, bytes }) => [url, bytes]))
    expect(loaded.size, [...loaded.keys()].join(' ')).toBeLessThanOrEqual(most.requests)
    const bytes = [...loaded.values()].reduce((sum, each) => sum + each, 0)
    expect(bytes / 1000, JSON.stringify([...loaded])).toBeLessThanOrEqual(most.kilobytes)
    expect(blocking.filter((url) => !url.endsWith('.css'))).toEqual([])
    expect(blocking.length).toBeLessThanOrEqual(most.blocking)
    expect(layoutShift).toBeLessThan(0.01)
  },
)
