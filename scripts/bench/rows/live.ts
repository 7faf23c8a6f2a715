import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { openRegistry, token } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { buildSite } from '@openfountain/site'
import type { Page } from 'playwright-core'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { served, withProcess } from '@openfountain/testing/command/shell'
import { median } from '../measurement.ts'
import { clock, figures } from '../report.ts'
import { type Bench, type Reading, type Row, Unmeasurable } from '../row.ts'

const goal = 15_000
/** Changes in a round, of which the slowest counts. */
const changes = 6
const middle = { latitude: 51.338, longitude: 12.332 }
const size = { width: 640, height: 480 }
/** The middle of the map on the screen, with a margin for the marker. */
const around = 24

/** A small town with its site, and an API token for writes. */
async function town(folder: string): Promise<{ database: string; site: string; secret: string }> {
  const [database, site] = [path.join(folder, 'town.db'), path.join(folder, 'site')]
  const registry = await openRegistry({ database, name: 'Lindenau Fountains', author: 'Lindenau' })
  try {
    for (let number = 1; number <= 12; number += 1) {
      const east = 0.002 * (1 + (number % 4))
      const place = { latitude: middle.latitude + 0.001 * number, longitude: middle.longitude + east }
      await registry.waypoints.create({ name: `Fountain ${number}`, ...place }, token())
    }
    const { folder: data } = await exportRegistry(registry, { out: path.join(folder, 'export') })
    await buildSite({ data, out: site, api: '/api', languages: ['en'] })
    return { database, site, secret: (await registry.tokens.create({ name: 'bench' })).token }
  } finally {
    await registry.close()
  }
}

/** A screenshot of the middle of the map. */
async function drawn(page: Page): Promise<string> {
  const box = await page.locator('canvas').first().boundingBox()
  if (box === null) throw new Error('The page has no map')
  const clip = {
    x: box.x + box.width / 2 - around,
    y: box.y + box.height / 2 - around,
    width: 2 * around,
    height: 2 * around,
  }
  return (await page.screenshot({ clip })).toString('base64')
}

/** The screenshot once it no longer changes. */
async function settled(page: Page): Promise<string> {
  for (let last = await drawn(page); ;) {
    await page.waitForTimeout(500)
    const now = await drawn(page)
    if (now === last) return now
    last = now
  }
}

async function measure({ rounds, folder, report }: Bench): Promise<Reading[]> {
  // The scripts of the site are bundled from the built packages.
  await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, '../../build.ts')])
  const { database, site, secret } = await town(folder)
  const { url, stop } = await served(['--db', database, '--site', site], { cwd: folder }, withProcess)
  const browser = await startChromium().catch(async (error: unknown) => {
    await stop()
    throw new Unmeasurable(error instanceof Error ? error.message : String(error))
  })
  const write = async (method: string, address: string, body?: unknown): Promise<{ id: number }> => {
    const response = await fetch(new URL(address, url), {
      method,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${address} was refused: ${await response.text()}`)
    return (await response.json()) as { id: number }
  }
  try {
    const page = await browser.newPage({ viewport: size })
    await page.goto(new URL(`/?at=${middle.latitude},${middle.longitude},17`, url).href)
    await page.waitForSelector('html.map-ready')
    /** Milliseconds from the response to a write until the other browser has drawn a change. */
    const seen = async (make: () => Promise<{ id: number }>): Promise<[number, number]> => {
      const before = await settled(page)
      // So that writes occur at any time between two requests of the page.
      await page.waitForTimeout(Math.random() * 1000)
      const { id } = await make()
      const from = performance.now()
      while ((await drawn(page)) === before) if (performance.now() > from + 60_000) break
      return [performance.now() - from, id]
    }
    const all: number[] = []
    const worst: number[] = []
    // The first round is left out: the map is still loading its files.
    for (let round = 0; round <= rounds; round++) {
      const times: number[] = []
      for (let change = 0; change < changes; change += 2) {
        const name = `New ${round}.${change}`
        const [added, id] = await seen(() => write('POST', '/api/waypoints', { name, ...middle }))
        await page.locator('#list').getByText(name, { exact: true }).waitFor()
        const [removed] = await seen(() => write('DELETE', `/api/waypoints/${id}`))
        await page.locator('#list').getByText(name, { exact: true }).waitFor({ state: 'detached' })
        times.push(added, removed)
      }
      if (round === 0) continue
      all.push(...times)
      worst.push(Math.max(...times))
      report(`  ${times.map((time) => Math.round(time)).join(', ')} ms`)
    }
    const beside = `, the slowest of ${changes}; p50 ${figures(median(all))} ms`
    return [clock('a change until it is drawn on another’s open map', goal, worst, beside)]
  } finally {
    await browser.close()
    await stop()
  }
}

/** From the response to a write until another browser that follows the log has drawn it. */
export const live: Row = { name: 'live', measure }
