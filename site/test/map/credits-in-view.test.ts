/** @module-tag browser */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openRegistry } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'
import { creditedIn, type CreditFile } from '../../src/map/data/credits.ts'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { liveStage, type BuiltTown } from '@openfountain/testing/site/live-stage'
import { freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'
import { visit } from './visit.ts'
import { afterwards } from '@openfountain/testing/afterwards'

const streetMap = '© OpenStreetMap contributors, ODbL-1.0'
const club = 'Club; of the north, CC0-1.0'
const publisher = 'Lindenau, ODbL-1.0'

/** A town of each source, 28 km apart, and the sea between. */
const towns = { streetMap: [55.7, 13], club: [55.9, 13.3], sea: [55.8, 13.15] } as const
const at = (town: keyof typeof towns) => `?at=${towns[town].join(',')},14`

/** What two sources list, to which nobody has contributed anything, and its site. */
async function build(hasApi: boolean, sources = ['OSM Lindenau', 'Club; of the north']): Promise<BuiltTown> {
  const folder = await freshFolder()
  const database = join(folder, 'towns.db')
  const registry = await openRegistry({
    database,
    name: 'Lindenau Fountains',
    author: 'Lindenau',
    license: 'ODbL-1.0',
    clock: () => new Date('2026-01-05T08:00:00Z'),
  })
  for (const name of sources) {
    const isOfStreets = name.startsWith('OSM')
    const [latitude, longitude] = isOfStreets ? towns.streetMap : towns.club
    const run = await registry.imports.start({
      source: { name, license: isOfStreets ? 'ODbL-1.0' : 'CC0-1.0' },
    })
    await run.apply(
      [1, 2, 3].map((row) => ({
        row,
        ref: String(row),
        input: {
          name: `${name} ${row}`,
          latitude: latitude + row / 1000 + 0.0004,
          longitude,
          amenities: ['tap'],
        },
      })),
    )
    await run.finish({ counts: {}, missing: 'keep' })
  }
  const { folder: data } = await exportRegistry(registry, { out: join(folder, 'export') })
  await registry.close()
  const site = join(folder, 'site')
  await buildSite({ data, out: site, ...(hasApi && { api: '/api' }), languages: ['en'] })
  return { database, site }
}

/** Whom the line on the map names for the data. */
const named = async (page: Page): Promise<string> =>
  (await page.locator('#attribution').innerText())
    .replaceAll(/\s+/gu, ' ')
    .replace(/^.*Data: /u, '')
    .replace(/ · .*$/u, '')
    .trim()

async function names(page: Page, expected: string): Promise<void> {
  await expect.poll(() => named(page), { timeout: 30_000 }).toBe(expected)
}

let browser: Browser
let built: BuiltTown
let host: StaticHost

beforeAll(async () => {
  built = await build(false)
  host = await hostFolder(built.site)
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await host?.close()
})

describe('the line of credits on the map', () => {
  it.each(['', 'embed/'])('names those whose fountains are in view, on /%s', async (path) => {
    const { page, context, complaints } = await visit(browser, `${host.url}${path}${at('club')}`)
    await names(page, club)
    await page.goto(`${host.url}${path}${at('streetMap')}`)
    await names(page, streetMap)
    await page.goto(`${host.url}${path}`)
    await names(page, `${streetMap}; ${club}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('follows the visitor, and stays as it was where nothing is', async () => {
    const { page, context } = await visit(browser, `${host.url}${at('club')}`)
    await names(page, club)
    await page.locator('#query').fill('OSM Lindenau 2')
    await page.locator('#results .result-name').first().click()
    await names(page, streetMap)
    await page.locator('#map canvas').click()
    await page.keyboard.press('Escape')
    for (let step = 0; step < 12; step += 1) await page.keyboard.press('ArrowRight')
    await page.locator('#list-heading', { hasText: /no fountains/iu }).waitFor()
    await names(page, streetMap)
    expect(await page.locator('#attribution').getAttribute('aria-live')).toBeNull()
    await context.close()
  })

  it('names all where the file cannot be read, and where there are no scripts', async () => {
    for (const options of [{ javaScriptEnabled: false }, {}]) {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      await page.route('**/map/credits.json*', (route) => route.abort())
      const failed = page.waitForEvent('requestfailed')
      await page.goto(`${host.url}${at('club')}`)
      if (!('javaScriptEnabled' in options)) await failed
      else failed.catch(() => undefined)
      expect(await named(page)).toBe(`${streetMap}; ${club}`)
      await context.close()
    }
  })

  it('names the publisher as soon as something contributed is in view', async () => {
    const stage = await liveStage(await build(true))
    const { page, context } = await visit(browser, `${stage.origin}/${at('sea')}`)
    afterwards(() => context.close())
    await names(page, `${streetMap}; ${club}`)
    const [latitude, longitude] = towns.sea
    await stage.add({ latitude, longitude })
    await names(page, publisher)
  })
})

describe('map/credits.json', () => {
  const fileOf = async ({ site }: BuiltTown) =>
    JSON.parse(await readFile(join(site, 'map/credits.json'), 'utf8')) as CreditFile

  it('has boxes around what is credited to each, rounded outwards', async () => {
    expect(await fileOf(built)).toEqual([[[13, 55.701, 13, 55.704]], [[13.3, 55.901, 13.3, 55.904]]])
  })

  it('is not there where one party is to be named always', async () => {
    const { site } = await build(false, ['OSM Lindenau'])
    await expect(stat(join(site, 'map/credits.json'))).rejects.toThrow('ENOENT')
    expect(await readFile(join(site, 'index.html'), 'utf8')).not.toContain('"credits":')
  })

  it('says less than all about what is newer than it', () => {
    const file: CreditFile = [[[13, 55, 14, 56]], [[20, 55, 21, 56]]]
    const around = (west: number) => [west, 55.2, west + 0.1, 55.3] as const
    const newer = [{ latitude: 55.25, longitude: 30.05 }]
    expect([...creditedIn(around(13.5), file, { own: 2, newer })]).toEqual([0])
    expect([...creditedIn(around(30), file, { own: 2, newer })]).toEqual([2])
    expect([...creditedIn(around(40), file, { own: 2, newer })]).toEqual([])
    const ofSource = newer.map((fountain) => ({ ...fountain, source: 'Any' }))
    expect([...creditedIn(around(30), file, { own: 2, newer: ofSource })]).toEqual([0, 1])
  })
})
