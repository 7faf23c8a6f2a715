/** @module-tag browser */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { newPage } from '@openfountain/testing/browser/page'
import { freshFolder } from '@openfountain/testing/site/sample'
import { exportOf } from '@openfountain/testing/site/sites'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { mapReady } from '@openfountain/testing/site/visit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'

/** The sample has 48 fountains, one deleted; only the three changed last have a page. */
const [beyond, deleted, never] = [5, 3, 4711]

interface Hosted {
  /** Ends with a slash. */
  readonly url: string
  close(): Promise<void>
}

async function build(base: string): Promise<string> {
  const out = join(await freshFolder(), 'site')
  await buildSite({ data: await exportOf('sample'), out, base, pages: 3 })
  return out
}

/** Starts the command with a site on a free port. */
async function serve(folder: string, { base }: { readonly base: string }): Promise<Hosted> {
  const main = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url))
  const command = ['serve', '--port', '0', '--json', '--no-log', '--site', folder, '--site-base', base]
  const child = spawn(process.execPath, ['--conditions=openfountain-source', main, ...command], {
    cwd: await freshFolder(),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`openfountain serve ended with ${code}`)))
  })
  const { url } = JSON.parse(line) as { url: string }
  const close = () => (child.kill(), ended)
  return { url: `${url}${base}`, close }
}

const languages = [
  ['en-GB', '', 'There is no page at this address'],
  ['de-CH', 'de/', 'Unter dieser Adresse gibt es keine Seite'],
] as const

describe.each([
  ['a plain web host below /water/', hostFolder, '/water/'],
  ['openfountain serve', serve, '/'],
  ['openfountain serve below /water/', serve, '/water/'],
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
      // One map is enough: the other languages differ in the address alone.
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

  it('without a script the missing page says that not every fountain has a page', async () => {
    const page = await newPage({ javaScriptEnabled: false })
    await page.goto(`${host.url}waypoint/${beyond}/`)
    const said = await page.locator('.missing').textContent()
    expect(said).toContain('Only the most recently changed fountains')
  })
})
