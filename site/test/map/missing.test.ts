/** @module-tag browser */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { exportSample, freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { mapReady } from './visit.ts'

/** The sample has 48 fountains of which one is deleted; the pages leaves a page to the three changed last. */
const pages = 3
const beyond = 5
const deleted = 3
const never = 4711

const bases = ['/', '/water/'] as const
const sites = new Map<string, string>()
let browser: Browser

beforeAll(async () => {
  const data = await exportSample()
  for (const base of bases) {
    const out = join(await freshFolder(), 'site')
    await buildSite({ data, out, base, pages })
    sites.set(base, out)
  }
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
})

interface Hosted {
  /** Ends with a slash. */
  readonly url: string
  close(): Promise<void>
}

const hosts = {
  'a plain web host': (base: string): Promise<Hosted> => hostFolder(sites.get(base) ?? '', { base }),
  'openfountain serve': serve,
} as const

/** Starts the command with the site on a free port. */
async function serve(base: string): Promise<Hosted> {
  const main = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url))
  const site = ['--site', sites.get(base) ?? '', '--site-base', base]
  const child = spawn(
    process.execPath,
    ['--conditions=openfountain-source', main, 'serve', '--port', '0', '--json', '--no-log', ...site],
    { cwd: await freshFolder(), stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`openfountain serve ended with ${code}`)))
  })
  const { url } = JSON.parse(line) as { url: string }
  return {
    url: `${url}${base}`,
    async close() {
      child.kill()
      await ended
    },
  }
}

const languages = [
  ['en-GB', '', 'There is no page at this address'],
  ['de-CH', 'de/', 'Unter dieser Adresse gibt es keine Seite'],
  ['es-ES', 'es/', 'No hay nada en esta dirección'],
  ['fr-FR', 'fr/', 'Il n’y a pas de page à cette adresse'],
  ['it-IT', 'it/', 'A questo indirizzo non c’è nulla'],
] as const

describe.each(Object.keys(hosts) as (keyof typeof hosts)[])('on %s', (name) => {
  describe.each(bases)('below %s', (base) => {
    let host: Hosted

    beforeAll(async () => {
      host = await hosts[name](base)
    })

    afterAll(async () => {
      await host?.close()
    })

    it.each(languages)('a fountain without a page is found on the map, in %s', async (locale, prefix) => {
      const context = await browser.newContext({ locale })
      const page = await context.newPage()
      const answer = await page.goto(`${host.url}waypoint/${beyond}/`)
      expect(answer?.status()).toBe(404)
      await page.waitForURL((url) => url.pathname === `${base}${prefix}`, { waitUntil: 'commit' })
      expect(new URL(page.url()).searchParams.get('fountain')).toBe(String(beyond))
      // One map is enough: the other languages differ in the address alone.
      if (prefix === '') {
        await mapReady(page)
        await page.locator('#card h2', { hasText: 'Rose Garden 1' }).waitFor()
        await page.locator('#card').getByRole('link', { name: 'Directions' }).waitFor()
      }
      await context.close()
    })

    it.each(languages)('one that is deleted or never was is missing, in %s', async (locale, _, text) => {
      const context = await browser.newContext({ locale })
      const page = await context.newPage()
      for (const path of [`waypoint/${deleted}/`, `waypoint/${never}/`, 'waypoint/ten/', 'no-such-page/']) {
        await page.goto(`${host.url}${path}`)
        await page.locator('.missing.is-sure', { hasText: text }).waitFor()
        expect(await page.locator('.looking').isVisible()).toBe(false)
        expect(page.url()).toBe(`${host.url}${path}`)
      }
      await context.close()
    })
  })
})

it('without a script the missing page says that not every fountain has a page', async () => {
  const host = await hostFolder(sites.get('/') ?? '')
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${host.url}waypoint/${beyond}/`)
  expect(await page.locator('.missing').textContent()).toContain('Only the most recently changed fountains')
  await context.close()
  await host.close()
})
