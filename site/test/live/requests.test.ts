/** @module-tag browser */
import { cp, readFile, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { token } from '@openfountain/core'
import {
  builtTotal,
  hasAsked,
  listed,
  liveStage,
  liveTown,
  nearTown,
} from '@openfountain/testing/site/live-stage'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { square } from '@openfountain/testing/site/town'
import { newProfile } from '@openfountain/testing/browser/page'
import { heading, visit } from '@openfountain/testing/site/visit'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'

const town = await liveTown()

const open = ({ origin }: { readonly origin: string }) => visit(`${origin}${nearTown}`)
const isMapThere = (page: Page) => heading(page, `${builtTotal} fountains in view`)

/** Lets the page believe that it is in another tab, or in front again: headless browsers show every page. */
const setVisibility = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

const say = (response: ServerResponse, body: string): true => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  return true
}

it('a server is asked nothing by a page that is hidden or offline, and as soon as it is back', async () => {
  const stage = await liveStage(town)
  const { page, context } = await open(stage)
  // The first request, which is answered, is told to the test after the server has it.
  await page.waitForLoadState('networkidle')
  stage.interfere = () => true
  const asking = page.waitForRequest('**/api/changes*')
  await page.evaluate(() => document.dispatchEvent(new Event('openfountain:sent')))
  const asked = await asking
  await setVisibility(page, 'hidden')
  await expect.poll(() => asked.failure()?.errorText).toContain('ABORTED')
  stage.interfere = () => false
  const before = stage.log.length
  await page.clock.install()
  await page.clock.runFor(600_000)
  await stage.add({ name: 'While hidden' })
  expect(stage.log).toHaveLength(before)
  await setVisibility(page, 'visible')
  await listed(page, 'While hidden').waitFor()
  await context.setOffline(true)
  const then = stage.log.length
  await page.clock.runFor(600_000)
  expect(stage.log).toHaveLength(then)
  await stage.add({ name: 'While offline' })
  await context.setOffline(false)
  await listed(page, 'While offline').waitFor()
})

it('a server is asked every ten seconds by an open map, every minute by other pages and one that nobody touches, and at once after own acts', async () => {
  const stage = await liveStage(town)
  const context = await newProfile({ isPatient: true })
  const page = await context.newPage()
  await page.clock.install()
  const pass = async (seconds: number, requests: number) => {
    const before = stage.log.length
    await page.clock.runFor(seconds * 1000)
    await expect.poll(() => stage.log.length - before).toBe(requests)
    // The next pause begins with the response.
    await page.waitForLoadState('networkidle')
  }
  /** Does it and lets time pass until the page asks: a pause begins only when the last response has been read. */
  const asks = async (act: () => Promise<unknown>) => {
    const before = stage.log.length
    await act()
    const asked = async () => {
      await page.clock.runFor(1000)
      return stage.log.length - before
    }
    await expect.poll(asked, { timeout: 20_000 }).toBe(1)
    await page.waitForLoadState('networkidle')
  }
  const sent = () => page.evaluate(() => document.dispatchEvent(new Event('openfountain:sent')))
  await page.goto(`${stage.origin}${nearTown}`)
  await hasAsked(stage)
  await page.waitForLoadState('networkidle')
  for (const [seconds, requests] of [
    [9, 0],
    [2, 1],
    [9, 0],
    [2, 1],
  ] as const)
    await pass(seconds, requests)
  await asks(sent)
  await asks(() => page.clock.fastForward(600_000))
  await pass(50, 0)
  await asks(() => page.keyboard.press('Shift'))
  const before = stage.log.length
  await page.goto(`${stage.origin}/waypoint/3/`)
  await hasAsked(stage, before + 1)
  await page.waitForLoadState('networkidle')
  await pass(50, 0)
  await pass(11, 1)
  await asks(sent)
  expect(new Set(stage.log.slice(0, 6).map(({ status }) => status))).toEqual(new Set([200, 304]))
})

it('a server that is away, busy, or says what it should not leaves the map as it was built, and is tried again', async () => {
  const stage = await liveStage(town)
  const left = [
    'null',
    '<!doctype html><title>A proxy</title>',
    JSON.stringify({ changes: [], head: { id: 99, hash: 'x' }, origin: 7 }),
    JSON.stringify({ changes: [{ id: 13 }], head: { id: 13, hash: 'x' }, origin: 'a' }),
  ]
  stage.interfere = (_request, response) => {
    const next = left.shift()
    return next !== undefined && say(response, next)
  }
  await stage.add({ name: 'Said at last' })
  const { page, complaints } = await open(stage)
  await isMapThere(page)
  // Failures make the pauses longer; coming back asks at once.
  const come = () => page.evaluate(() => void dispatchEvent(new Event('online')))
  await expect.poll(() => come().then(() => left.length)).toBe(0)
  await come()
  await listed(page, 'Said at last').waitFor()
  expect(complaints).toEqual([])
})

it('a server that failed once is asked again by a page that was hidden meanwhile', async () => {
  const stage = await liveStage(town)
  let asked = 0
  stage.interfere = ({ url }, response) => {
    if (asked > 0 || url?.startsWith('/api/changes') !== true) return false
    asked += 1
    response.destroy()
    return true
  }
  await stage.add({ name: 'After the failure' })
  const { page } = await open(stage)
  await expect.poll(() => asked).toBe(1)
  await setVisibility(page, 'hidden')
  await setVisibility(page, 'visible')
  await listed(page, 'After the failure').waitFor()
})

it('a server that is behind the site, or has another log, is not believed', async () => {
  const stage = await liveStage(town)
  let head = { id: builtTotal - 3, hash: 'a'.repeat(64) }
  stage.interfere = ({ url }, response) =>
    url?.startsWith('/api/changes') === true &&
    say(response, JSON.stringify({ changes: [], head, origin: 'aa' }))
  const { page, complaints } = await open(stage)
  await hasAsked(stage)
  await isMapThere(page)
  head = { id: builtTotal, hash: 'b'.repeat(64) }
  await page.reload()
  await hasAsked(stage, 2)
  await isMapThere(page)
  expect(complaints).toEqual([])
})

it('a server that is too far ahead is followed from now on, and the page says of when it is', async () => {
  const stage = await liveStage(town)
  const rest = { at: '2026-02-01T00:00:00.000Z', by: 'api', subject: 'waypoint', awards: [], links: {} }
  const entry = (id: number) => {
    const fields = { name: `Far ${id}`, ...square }
    return { id, subjectId: id, action: 'created', fields, ...rest }
  }
  stage.interfere = (request, response) => {
    const after = Number(new URL(request.url ?? '', 'http://host').searchParams.get('after'))
    if (request.url?.startsWith('/api/changes') !== true) return false
    const id = after === builtTotal ? 500_000 : 500_001
    const changes = after === builtTotal ? [entry(13)] : after < id ? [entry(id)] : []
    return say(response, JSON.stringify({ changes, head: { id, hash: 'c'.repeat(64) }, origin: 'aa' }))
  }
  const { page, complaints } = await open(stage)
  const said = /The map has the data as of .*2026\. Too much has changed/u
  await page.locator('.toast', { hasText: said }).waitFor()
  await listed(page, 'Far 500001').waitFor()
  expect(await listed(page, 'Far 13').count()).toBe(0)
  expect(stage.log.slice(0, 2).map(({ after }) => after)).toEqual([builtTotal, 500_000])
  expect(complaints).toEqual([])
})

it('without a network a saved part of the map is as it was last known, and no answer of the API is kept as a page', async () => {
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
      const changes = /live-changes/u.exec(addresses.join(' '))?.[0] ?? ''
      const found = await caches.match(changes, { ignoreSearch: true })
      return { addresses, text: (await found?.text()) ?? '' }
    })
  await expect.poll(async () => (await kept()).text).toContain('Known last')
  expect((await kept()).addresses.filter((path) => path.startsWith('/api'))).toEqual([])
  await context.setOffline(true)
  await page.goto(`${stage.origin}${nearTown}`)
  await listed(page, 'Known before').waitFor({ timeout: 60_000 })
  await listed(page, 'Known last').waitFor()
  expect(await listed(page, 'Fountain 3').count()).toBe(0)
  expect(complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
})

it('an API on another origin is followed without credentials and without requests before requests', async () => {
  const stage = await liveStage(town)
  const methods: string[] = []
  stage.interfere = ({ method, headers }) => {
    methods.push(`${method} ${headers.origin} ${headers.cookie}`)
    return false
  }
  const origin = await otherHost(`${stage.origin}/api`)
  const { page, complaints } = await open({ origin })
  await hasAsked(stage)
  await stage.add({ name: 'From afar' })
  await listed(page, 'From afar').waitFor()
  await expect.poll(() => stage.log.at(-1)?.status).toBe(304)
  expect([...new Set(methods)]).toEqual([`GET ${origin} undefined`])
  expect(complaints).toEqual([])
})

async function otherHost(api: string): Promise<string> {
  const out = join(newFolder(), 'site')
  await cp(town.site, out, { recursive: true })
  const page = join(out, 'index.html')
  const there = (await readFile(page, 'utf8'))
    .replaceAll('"api":"/api"', `"api":${JSON.stringify(api)}`)
    .replace("connect-src 'self'", `connect-src 'self' ${new URL(api).origin}`)
  await writeFile(page, there)
  return (await hostFolder(out)).url.slice(0, -1)
}
