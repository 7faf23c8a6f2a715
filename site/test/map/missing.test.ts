/** @module-tag browser */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { openRegistry } from '@openfountain/core'
import { createApp, nodeListener } from '@openfountain/server'
import { newPage } from '@openfountain/testing/browser/page'
import { portOf } from '@openfountain/testing/listening'
import { exportOf } from '@openfountain/testing/site/sites'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'
import { mapReady } from '@openfountain/testing/site/visit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { siteFolder } from '../../../packages/cli/src/commands/serve.ts'
import { buildSite } from '../../src/index.ts'
import { newFolder } from '@openfountain/testing/folder'

/** The sample has 48 fountains, one deleted; only the three changed last have a page. */
const [beyond, deleted, never] = [5, 3, 4711]

type Hosted = Pick<StaticHost, 'url' | 'close'>

async function build(base: string): Promise<string> {
  const out = join(newFolder(), 'site')
  await buildSite({ data: await exportOf('sample'), out, base, pages: 3 })
  return out
}

async function serve(folder: string, { base }: { readonly base: string }): Promise<Hosted> {
  const registry = await openRegistry({ database: ':memory:' })
  const app = createApp(registry, { site: await siteFolder(folder, base) })
  const server = createServer(nodeListener(app))
  const close = async () => {
    server.close().closeAllConnections()
    await registry.close()
  }
  return { url: `http://127.0.0.1:${await portOf(server)}${base}`, close }
}

const languages = [
  ['en-GB', '', 'There is no page at this address'],
  ['de-CH', 'de/', 'Unter dieser Adresse gibt es keine Seite'],
] as const

describe.each([
  ['a plain web host below /water/', hostFolder, '/water/'],
  ['the server', serve, '/'],
  ['the server below /water/', serve, '/water/'],
] as const)('on %s', (_, start, base) => {
  let host: Hosted

  beforeAll(async () => {
    host = await start(await build(base), { base })
  })

  afterAll(() => host?.close())

  it.each(languages)(
    'a fountain without a page is found on the map, and one that is deleted or never was is missing, in %s',
    async (locale, prefix, text) => {
      const page = await newPage({ locale })
      const answer = await page.goto(`${host.url}waypoint/${beyond}/`)
      expect(answer?.status()).toBe(404)
      await page.waitForURL((url) => url.pathname === `${base}${prefix}`, { waitUntil: 'commit' })
      expect(new URL(page.url()).searchParams.get('fountain')).toBe(String(beyond))
      if (prefix === '') {
        await mapReady(page)
        await page.locator('#card h2', { hasText: 'Rose Garden 1' }).waitFor()
      }
      for (const path of [`waypoint/${deleted}/`, `waypoint/${never}/`, 'waypoint/ten/', 'no-such-page/']) {
        await page.goto(`${host.url}${path}`)
        await page.locator('.missing.is-sure', { hasText: text }).waitFor()
        expect(await page.locator('.looking').isVisible()).toBe(false)
        expect(page.url()).toBe(`${host.url}${path}`)
      }
    },
  )

  it('without a script the missing page and lists say that not every fountain has a page, to which they do not lead', async () => {
    const page = await newPage({ javaScriptEnabled: false })
    await page.goto(`${host.url}waypoint/${beyond}/`)
    const said = await page.locator('.missing').textContent()
    expect(said).toContain('Only the most recently changed fountains')
    await page.goto(`${host.url}regions/old-harbour/`)
    const list = page.locator('main')
    expect(await list.textContent()).toContain('Only the most recently changed fountains have a page')
    for (const link of await list.locator('a:is([href*="/waypoint/"], [href*="/contributor/"])').all()) {
      const { href } = new URL((await link.getAttribute('href')) ?? '', page.url())
      expect((await page.request.get(href)).status(), href).toBe(200)
    }
  })
})
