import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { buildSite } from '@openfountain/site'
import { startAuditor } from '@openfountain/testing/browser/audits'
import { exportSample } from '@openfountain/testing/site/sample'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { spreadOf } from '../measurement.ts'
import { figures } from '../report.ts'
import { type Bench, type Reading, type Row, Unmeasurable } from '../row.ts'

const pages = [
  { title: 'a fountain’s page', path: 'waypoint/1/', goal: 98 },
  { title: 'the leaderboard', path: 'leaderboard/', goal: 98 },
  { title: 'the home page with the map', path: '', goal: 80 },
] as const

async function measure({ rounds, folder }: Bench): Promise<Reading[]> {
  // The scripts of the site are bundled from the built packages.
  await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, '../../build.ts')])
  const out = path.join(folder, 'site')
  const host = await hostFolder(out)
  try {
    await buildSite({ data: await exportSample(), out, url: host.url })
    const auditor = await startAuditor({ isWhole: true }).catch((error: unknown) => {
      throw new Unmeasurable(error instanceof Error ? error.message : String(error))
    })
    try {
      const scores: number[][] = pages.map(() => [])
      // The first round warms the browser up and is left out.
      for (let round = 0; round <= rounds; round++) {
        for (const [index, page] of pages.entries()) {
          const score = await auditor.performance(`${host.url}${page.path}`)
          if (round > 0) scores[index]?.push(score)
        }
      }
      return pages.map(({ title, goal }, index) => {
        const value = spreadOf(scores[index] ?? [])
        return {
          id: `first view: ${title}`,
          title: `first view: ${title}`,
          against: 'Lighthouse’s scale, a simulated phone',
          goal: { atLeast: goal, unit: 'points' },
          value,
          subject: `${figures(value.median)} of 100`,
          yardstick: '',
        }
      })
    } finally {
      await auditor.close()
    }
  } finally {
    await host.close()
  }
}

/**
 * Lighthouse's performance score of pages of a small site. It follows the processor, which Lighthouse slows down by
 * four whatever it is, so that it is a benchmark and not a test.
 */
export const firstView: Row = { name: 'first-view', measure }
