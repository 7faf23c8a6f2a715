import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import lighthouse from 'lighthouse'
import { throttling } from 'lighthouse/core/config/constants.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../src/index.ts'
import { chromiumFlags, findChromium } from './chromium.ts'
import { exportSample, freshFolder } from './sample.ts'
import { hostFolder, type StaticHost } from './static-host.ts'

let host: StaticHost
let chromium: ChildProcess
let port: number

beforeAll(async () => {
  const folder = await freshFolder()
  host = await hostFolder(join(folder, 'site'))
  await buildSite({ data: await exportSample(), out: join(folder, 'site'), url: host.url })
  const path = await findChromium()
  chromium = spawn(path, [
    ...chromiumFlags,
    '--headless',
    '--remote-debugging-port=0',
    `--user-data-dir=${join(folder, 'profile')}`,
    'about:blank',
  ])
  port = await new Promise<number>((resolve, reject) => {
    let said = ''
    chromium.stderr?.on('data', (chunk) => {
      said += String(chunk)
      const found = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/u.exec(said)?.[1]
      if (found !== undefined) resolve(Number(found))
    })
    chromium.once('exit', (code) => reject(new Error(`${path} ended with ${code}: ${said}`)))
  })
})

afterAll(async () => {
  chromium?.kill()
  await host?.close()
})

interface Scores {
  readonly performance: number
  readonly accessibility: number
  readonly 'best-practices': number
  readonly seo: number
  /** How fast the machine was, in Lighthouse's own measure. */
  readonly benchmarkIndex: number
  /** Audits that did not pass fully, for the message of a failure. */
  readonly short: readonly string[]
}

/** Lighthouse's scores out of 100 with its mobile settings and simulated throttling, on a processor so much slower. */
async function audit(path: string, cpuSlowdownMultiplier: number): Promise<Scores> {
  const result = await lighthouse(`${host.url}${path}`, {
    port,
    output: 'json',
    logLevel: 'error',
    throttling: { ...throttling.mobileSlow4G, cpuSlowdownMultiplier },
  })
  if (!result) throw new Error('Lighthouse gave no result')
  const { categories, audits, runtimeError, environment } = result.lhr
  if (runtimeError) throw new Error(runtimeError.message)
  const score = (name: string): number => Math.round((categories[name]?.score ?? 0) * 100)
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    seo: score('seo'),
    benchmarkIndex: environment.benchmarkIndex,
    short: Object.values(audits)
      .filter(
        ({ score: value, scoreDisplayMode: mode }) => value !== null && value < 1 && mode !== 'informative',
      )
      .map(({ id, displayValue }) => `${id} ${displayValue ?? ''}`.trim()),
  }
}

/** Lighthouse's measure of the phone that is meant: a quarter of an undisturbed processor of today. */
const phoneIndex = 650

/**
 * The best of up to five runs: other work on the machine makes a run slower, never faster. Where the machine itself
 * is slow at the moment, the next runs slow it down less, so that the phone stays the same.
 */
async function bestOf(path: string, wanted: number): Promise<Scores> {
  let best = await audit(path, 4)
  let slowest = best.benchmarkIndex
  for (let run = 1; run < 5 && best.performance < wanted; run += 1) {
    const again = await audit(path, Math.max(1, Math.min(4, slowest / phoneIndex)))
    slowest = Math.min(slowest, again.benchmarkIndex)
    if (again.performance > best.performance) best = again
  }
  return best
}

describe('Lighthouse, mobile with simulated throttling', () => {
  it.each([
    ['a fountain’s page', 'waypoint/1/', 98],
    ['the leaderboard', 'leaderboard/', 98],
    ['the home page with the live map', '', 80],
  ])('scores %s', async (_, path, performance) => {
    const scores = await bestOf(path, performance)
    const told = JSON.stringify(scores)
    expect(scores.performance, told).toBeGreaterThanOrEqual(performance)
    expect(scores.accessibility, told).toBe(100)
    expect(scores['best-practices'], told).toBe(100)
    expect(scores.seo, told).toBe(100)
  })
})
