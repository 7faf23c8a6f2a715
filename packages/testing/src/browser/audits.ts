import { spawn } from 'node:child_process'
import { once } from 'node:events'
import lighthouse, { type Config } from 'lighthouse'
import { throttling } from 'lighthouse/core/config/constants.js'
import { chromiumFlags, findChromium } from './chromium.ts'
import { newFolder } from '../folder.ts'

const categoryNames = ['accessibility', 'best-practices', 'seo'] as const

export async function startAuditor({ isWhole = false } = {}) {
  const path = await findChromium({ isWhole })
  const profile = `--user-data-dir=${newFolder()}`
  const flags = [...chromiumFlags, '--headless', '--remote-debugging-port=0', profile, 'about:blank']
  const chromium = spawn(path, flags, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(chromium, 'close')
  const port = await new Promise<number>((resolve, reject) => {
    let said = ''
    chromium.stderr.on('data', (chunk) => {
      said += String(chunk)
      const found = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/u.exec(said)?.[1]
      if (found !== undefined) resolve(Number(found))
    })
    chromium.once('exit', (code) => reject(new Error(`${path} ended with ${code}: ${said}`)))
  })
  return {
    audit: async (address: string) => auditOf(await look(port, address, sameEverywhere)),
    /** Lighthouse's performance score out of 100 on a simulated phone; it follows the processor. */
    performance: async (address: string) => {
      const { categories } = await look(port, address, { onlyCategories: ['performance'] })
      return scoreOf(categories['performance'])
    },
    async close() {
      chromium.kill()
      await ended
    },
  }
}

type Result = Exclude<Awaited<ReturnType<typeof lighthouse>>, undefined>['lhr']

const sameEverywhere = {
  onlyCategories: [...categoryNames],
  onlyAudits: ['network-requests', 'render-blocking-insight', 'cumulative-layout-shift'],
  // Without throttling: no result of this run depends on it.
  throttlingMethod: 'provided',
} satisfies Config['settings']

async function look(port: number, address: string, settings: Config['settings']): Promise<Result> {
  const result = await lighthouse(
    address,
    { port, output: 'json', logLevel: 'error' },
    { extends: 'lighthouse:default', settings: { throttling: throttling.mobileSlow4G, ...settings } },
  )
  if (!result) throw new Error('Lighthouse gave no result')
  const { runtimeError } = result.lhr
  if (runtimeError) throw new Error(runtimeError.message)
  return result.lhr
}

const scoreOf = (category: { readonly score: number | null } | undefined): number =>
  Math.round((category?.score ?? 0) * 100)

function auditOf({ categories, audits }: Result) {
  return {
    scores: {
      accessibility: scoreOf(categories['accessibility']),
      'best-practices': scoreOf(categories['best-practices']),
      seo: scoreOf(categories['seo']),
    },
    files: rowsOf(audits['network-requests']).map((row) => ({
      url: String(row['url']),
      kind: String(row['resourceType']),
      /** As it came over the network, headers included. */
      bytes: Number(row['transferSize']),
    })),
    blocking: rowsOf(audits['render-blocking-insight']).map((row) => String(row['url'])),
    /** Cumulative layout shift; 0 is none. */
    layoutShift: audits['cumulative-layout-shift']?.numericValue ?? NaN,
    short: Object.values(audits)
      .filter(
        ({ score, scoreDisplayMode }) => score !== null && score < 1 && scoreDisplayMode !== 'informative',
      )
      .map(({ id, displayValue }) => `${id} ${displayValue ?? ''}`.trim()),
  }
}

function rowsOf(audit: Result['audits'][string] | undefined): readonly Record<string, unknown>[] {
  const details = audit?.details
  return details?.type === 'table' ? details.items : []
}
