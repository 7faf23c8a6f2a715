/** @module-tag browser */
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { token } from '@openfountain/core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChromium } from '@openfountain/testing/browser/chromium'
import {
  buildTown,
  builtTotal,
  liveStage,
  type BuiltTown,
  type LiveStage,
} from '@openfountain/testing/site/live-stage'
import { square } from '../map/town.ts'
import { heading, visit, type Visit } from '../map/visit.ts'
import { freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { afterwards } from '@openfountain/testing/afterwards'

const many = 1000
let town: BuiltTown
let busyTown: BuiltTown
let browser: Browser

beforeAll(async () => {
  town = await buildTown()
  busyTown = await buildTown({ languages: ['en'] }, async (registry) => {
    for (let step = 0; step < many; step += 1) {
      const latitude = square.latitude - 0.004 + (step % 40) * 1e-4
      const longitude = square.longitude + Math.floor(step / 40) * 1e-4
      await registry.waypoints.create({ name: `Added ${step}`, latitude, longitude }, token())
    }
    await registry.waypoints.delete(1, token())
  })
  browser = await startChromium()
})

afterAll(() => browser?.close())

const near = `/?at=${square.latitude + 0.0035},${square.longitude},14`

async function open({ origin }: LiveStage, address = near): Promise<Visit> {
  const made = await visit(browser, `${origin}${address}`)
  afterwards(() => made.context.close())
  return made
}

async function asked({ log }: LiveStage, times = 1): Promise<void> {
  await expect.poll(() => log.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(times)
}

const listed = (page: Page, name: string) =>
  page.locator('#list .fountain-name').getByText(name, { exact: true })

/** Lets the page believe that it is in another tab, or in front again: headless browsers show every page. */
async function setVisible(page: Page, isVisible: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    isVisible ? 'visible' : 'hidden',
  )
}

describe('requests', () => {
  it('come with a condition after the first, and nothing new is a 304', async () => {
    const stage = await liveStage(town)
    const { complaints } = await open(stage)
    await asked(stage, 4)
    const [first, ...others] = stage.log
    expect(first).toMatchObject({ after: builtTotal, status: 200 })
    for (const other of others) {
      expect(other).toMatchObject({ after: builtTotal, status: 304 })
      expect(other.ifNoneMatch).toBeDefined()
    }
    await stage.add()
    await expect.poll(() => stage.log.at(-1)?.after).toBe(builtTotal + 1)
    expect(complaints).toEqual([])
  })

  it('are not made by a page that is hidden or offline, and are made as soon as it is back', async () => {
    const stage = await liveStage(town)
    const { page, context } = await open(stage)
    await asked(stage)
    await setVisible(page, false)
    await page.waitForLoadState('networkidle')
    const before = stage.log.length
    await page.clock.install()
    await page.clock.runFor(600_000)
    await stage.add({ name: 'While hidden' })
    expect(stage.log).toHaveLength(before)
    await setVisible(page, true)
    await listed(page, 'While hidden').waitFor()
    await context.setOffline(true)
    const then = stage.log.length
    await page.clock.runFor(600_000)
    expect(stage.log).toHaveLength(then)
    await stage.add({ name: 'While offline' })
    await context.setOffline(false)
    await listed(page, 'While offline').waitFor()
  })

  it('of a thousand changes are few, and the map shows them all', async () => {
    const stage = await liveStage(busyTown)
    const { page, complaints, requests } = await open(stage)
    await heading(page, `${(many + builtTotal - 1).toLocaleString('en')} fountains in view`)
    expect(stage.log.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(3)
    expect(requests.filter((address) => /api\/(?!changes|auth)/u.test(address))).toEqual([])
    await page.locator('#query').fill('added 999')
    await page.locator('#results [role=option]', { hasText: 'Added 999' }).click()
    await page.locator('#card h2', { hasText: 'Added 999' }).waitFor()
    expect(complaints).toEqual([])
  })
})

describe('a server', () => {
  const isMapThere = async (page: Page) => heading(page, `${builtTotal} fountains in view`)

  it('that is away, busy, or says what it should not leaves the map as it was built, and is tried again', async () => {
    const stage = await liveStage(town)
    const answers: readonly (readonly [number, string, Record<string, string>?])[] = [
      [200, 'null'],
      [200, '<!doctype html><title>A proxy</title>'],
      [200, JSON.stringify({ changes: [], head: { id: 99, hash: 'x' }, origin: 7 })],
      [200, JSON.stringify({ changes: [{ id: 13 }], head: { id: 13, hash: 'x' }, origin: 'a' })],
    ]
    let left = [...answers]
    stage.interfere = (_request, response) => {
      const [next, ...others] = left
      if (!next) return false
      left = others
      response.writeHead(next[0], { 'content-type': 'application/json' }).end(next[1])
      return true
    }
    await stage.add({ name: 'Said at last' })
    const { page, complaints } = await open(stage)
    await isMapThere(page)
    // Failures make the pauses longer; coming back asks at once.
    await expect
      .poll(
        async () => {
          await page.evaluate(() => dispatchEvent(new Event('online')))
          return left.length
        },
        { timeout: 30_000 },
      )
      .toBe(0)
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await listed(page, 'Said at last').waitFor()
    expect(complaints).toEqual([])
  })

  it('that is behind the site, or has another log, is not believed', async () => {
    const stage = await liveStage(town)
    let answer = {
      changes: [] as unknown[],
      head: { id: builtTotal - 3, hash: 'a'.repeat(64) },
      origin: 'aa',
    }
    stage.interfere = (request, response) => {
      if (request.url?.startsWith('/api/changes') !== true) return false
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      return true
    }
    const { page, complaints } = await open(stage)
    await asked(stage)
    await isMapThere(page)
    answer = { ...answer, head: { id: builtTotal, hash: 'b'.repeat(64) } }
    await page.reload()
    await asked(stage, 2)
    await isMapThere(page)
    expect(complaints).toEqual([])
  })

  it('that is too far ahead is followed from now on, and the page says of when it is', async () => {
    const stage = await liveStage(town)
    const entry = (id: number) => ({
      id,
      at: '2026-02-01T00:00:00.000Z',
      by: 'api',
      subject: 'waypoint',
      subjectId: id,
      action: 'created',
      fields: { name: `Far ${id}`, latitude: square.latitude, longitude: square.longitude },
      awards: [],
      links: {},
    })
    stage.interfere = (request, response) => {
      const after = Number(new URL(request.url ?? '', 'http://host').searchParams.get('after'))
      if (request.url?.startsWith('/api/changes') !== true) return false
      const id = after === builtTotal ? 500_000 : 500_001
      const changes = after === builtTotal ? [entry(13)] : after < id ? [entry(id)] : []
      const body = { changes, head: { id, hash: 'c'.repeat(64) }, origin: 'aa' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      return true
    }
    const { page, complaints } = await open(stage)
    await page
      .locator('.toast', { hasText: /The map has the data as of .*2026\. Too much has changed/u })
      .waitFor()
    await listed(page, 'Far 500001').waitFor()
    expect(await listed(page, 'Far 13').count()).toBe(0)
    expect(stage.log.slice(0, 2).map(({ after }) => after)).toEqual([builtTotal, 500_000])
    expect(complaints).toEqual([])
  })
})

describe('without a network', () => {
  it('a saved part of the map is as it was last known, and no answer of the API is kept as a page', async () => {
    const stage = await liveStage(town)
    const { page, context, complaints } = await open(stage)
    await stage.registry.waypoints.update(2, { name: 'Known before' }, token())
    await stage.registry.waypoints.delete(3, token())
    await listed(page, 'Known before').waitFor()
    await page.locator('#keep-offline').click({ timeout: 60_000 })
    await page.locator('#status', { hasText: 'Saved for offline use.' }).waitFor({ timeout: 60_000 })
    await stage.add({ name: 'Known last' })
    await listed(page, 'Known last').waitFor()
    const kept = () =>
      page.evaluate(async () => {
        const names = await caches.keys()
        const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
        const addresses = requests.flat().map(({ url }) => new URL(url).pathname)
        const found = await caches.match(/live-changes/u.exec(addresses.join(' '))?.[0] ?? '', {
          ignoreSearch: true,
        })
        return { addresses, text: (await found?.text()) ?? '' }
      })
    await expect.poll(async () => (await kept()).text).toContain('Known last')
    expect((await kept()).addresses.filter((path) => path.startsWith('/api'))).toEqual([])
    await context.setOffline(true)
    await page.goto(`${stage.origin}${near}`)
    await listed(page, 'Known before').waitFor({ timeout: 60_000 })
    await listed(page, 'Known last').waitFor()
    expect(await listed(page, 'Fountain 3').count()).toBe(0)
    expect(complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  })
})

describe('an API on another origin', () => {
  it('is followed without credentials and without requests before requests', async () => {
    const stage = await liveStage(town)
    const methods: string[] = []
    stage.interfere = ({ method, headers }) => {
      methods.push(`${method} ${headers.origin} ${headers.cookie}`)
      return false
    }
    const site = await otherHost(town.site, `${stage.origin}/api`)
    const { page, complaints } = await open({ ...stage, origin: site })
    await asked(stage)
    await stage.add({ name: 'From afar' })
    await listed(page, 'From afar').waitFor()
    await expect.poll(() => stage.log.at(-1)?.status).toBe(304)
    expect([...new Set(methods)]).toEqual([`GET ${site} undefined`])
    expect(complaints).toEqual([])
  })
})

/** Hosts the site on another port, with the address of the API in its pages. */
async function otherHost(site: string, api: string): Promise<string> {
  const out = join(await freshFolder(), 'site')
  await cp(site, out, { recursive: true })
  const page = join(out, 'index.html')
  const text = await readFile(page, 'utf8')
  const there = text
    .replaceAll('"api":"/api"', `"api":${JSON.stringify(api)}`)
    .replace("connect-src 'self'", `connect-src 'self' ${new URL(api).origin}`)
  await writeFile(page, there)
  const host = await hostFolder(out)
  afterwards(() => host.close())
  return host.url.slice(0, -1)
}
