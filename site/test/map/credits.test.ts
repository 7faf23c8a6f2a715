/** @module-tag browser */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openRegistry } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'
import { attribute, pagesOf, tagged, textOf, type BuiltPage } from '@openfountain/testing/site/built-site'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'
import { visit } from './visit.ts'

const openStreetMap = '© OpenStreetMap contributors'
const hostile = '<img src=x onerror=alert(1)> & friends'
const credit = `${openStreetMap}, ODbL-1.0; ${hostile}, CC0-1.0`

let out: string
let host: StaticHost
let browser: Browser
let pages: readonly BuiltPage[]

/** A site of two imports, to which nobody contributed anything. */
beforeAll(async () => {
  const registry = await openRegistry({
    database: ':memory:',
    name: 'Lindenau Fountains',
    author: 'Lindenau Water Friends',
    license: 'ODbL-1.0',
    clock: () => new Date('2026-01-05T08:00:00Z'),
  })
  for (const [source, count] of [
    [{ name: 'OSM Lindenau', license: 'ODbL-1.0' }, 9],
    [{ name: 'Club', license: 'CC0-1.0', attribution: hostile, url: 'https://club.example/' }, 2],
  ] as const) {
    const run = await registry.imports.start({ source })
    await run.apply(
      Array.from({ length: count }, (_, index) => ({
        row: index + 1,
        ref: String(index),
        input: {
          name: `${source.name} ${index}`,
          latitude: 55.7 + index / 100,
          longitude: 13 + count / 100,
          amenities: ['tap', 'wheelchair', 'bench', 'chilled', 'dog-bowl', 'bottle-filler'],
        },
      })),
    )
    await run.finish({ counts: {}, missing: 'keep' })
  }
  const data = join(await freshFolder(), 'export')
  await exportRegistry(registry, { out: data })
  await registry.close()
  out = join(await freshFolder(), 'site')
  await buildSite({ data, out, url: 'https://lindenau.example/' })
  pages = await pagesOf(out)
  host = await hostFolder(out)
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await host?.close()
})

const page = (path: string): BuiltPage => {
  const found = pages.find((one) => one.path === `/${path}`)
  if (!found) throw new Error(`There is no page ${path}`)
  return found
}

/** The texts of a page's elements that name somebody for the data, spaces made one. */
function creditsIn(built: BuiltPage): string[] {
  const footers = built.elements.filter((element) =>
    /footer-inner|panel-foot/u.test(attribute(element, 'class') ?? ''),
  )
  const lines = built.elements.filter((element) => attribute(element, 'id') === 'attribution')
  return [...footers, ...lines, ...tagged(built, 'blockquote')].map((element) =>
    textOf(element).replaceAll(/\s+/gu, ' '),
  )
}

it.each(['', 'de/', 'es/', 'fr/', 'it/'])(
  'map, frame, footer, About, Data and embedding under /%s name the sources in their own words',
  (language) => {
    for (const [path, places] of [
      ['', 2],
      ['embed/', 1],
      ['about/', 2],
      ['data/', 2],
      ['embedding/', 2],
      ['regions/', 1],
    ] as const) {
      const found = creditsIn(page(`${language}${path}`))
      expect(found, path).toHaveLength(places)
      for (const text of found) expect(text, path).toContain(credit)
    }
  },
)

it('every page has the credits, but those that have no data', () => {
  const paths = pages.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining(['/waypoint/1/', '/changes/', '/statistics/', '/leaderboard/']),
  )
  const without = pages.filter(
    ({ elements }) => !elements.some((each) => textOf(each).replaceAll(/\s+/gu, ' ').includes(credit)),
  )
  expect(without.map(({ path }) => path)).toEqual([])
})

it('names lead to where the source wants them to lead, and stay text', () => {
  for (const path of ['', 'embed/', 'about/', 'data/', 'waypoint/1/']) {
    const built = page(path)
    const links = tagged(built, 'a').filter((link) => textOf(link) === openStreetMap)
    expect(links.length, path).toBeGreaterThan(0)
    for (const link of links) expect(attribute(link, 'href')).toBe('https://www.openstreetmap.org/copyright')
    expect(tagged(built, 'img').filter((image) => attribute(image, 'src') === 'x')).toEqual([])
  }
})

it('About has the attribution of each source', () => {
  const cells = tagged(page('about/'), 'th').map(textOf)
  expect(cells.some((text) => text.includes('OSM Lindenau') && text.includes(openStreetMap))).toBe(true)
})

it('oEmbed, the feeds and the descriptions for search engines name the sources', async () => {
  const read = (file: string) => readFile(join(out, file), 'utf8')
  expect(JSON.parse(await read('oembed.json'))).toMatchObject({ author_name: credit })
  for (const language of ['', 'de/', 'es/', 'fr/', 'it/']) {
    expect(await read(`${language}changes.atom`)).toContain(`<rights>${openStreetMap}, ODbL-1.0; &lt;img`)
    expect(JSON.parse(await read(`${language}changes.json`))).toMatchObject({ _rights: { text: credit } })
  }
  const described = tagged(page('data/'), 'script').find(
    (script) => attribute(script, 'type') === 'application/ld+json',
  )
  expect(JSON.parse(described ? textOf(described) : '{}')).toMatchObject({
    creditText: credit,
    isBasedOn: [{ creditText: openStreetMap }, { creditText: hostile }],
  })
})

/** Whether a browser shows the whole line of credits, in front of everything else; one of its corners is round. */
const isInView = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const line = document.querySelector('#attribution')
    const { left, right, top, bottom } = line?.getBoundingClientRect() ?? new DOMRect()
    const corners = [left + 4, right - 4].flatMap((x) => [top + 4, bottom - 4].map((y) => [x, y] as const))
    const shown = corners.map(([x, y]) => document.elementFromPoint(x, y))
    return bottom > top && shown.every((element) => line?.contains(element) === true)
  })

it.each([
  ['', { width: 390, height: 844 }],
  ['', { width: 320, height: 568 }],
  ['', { width: 844, height: 390 }],
  ['', { width: 1280, height: 800 }],
  ['embed/', { width: 390, height: 844 }],
  ['embed/', { width: 320, height: 320 }],
  ['embed/', { width: 1280, height: 800 }],
] as const)('an open card on /%s at %o leaves the credits in view', async (path, viewport) => {
  const { page, context } = await visit(browser, `${host.url}${path}?fountain=1`, { viewport })
  await page.locator('#card').getByRole('link', { name: 'Directions' }).waitFor()
  await page.waitForFunction(() => !document.getAnimations().some((each) => each.playState === 'running'))
  await expect.poll(() => isInView(page)).toBe(true)
  await page.keyboard.press('Escape')
  await page.locator('#card').waitFor({ state: 'hidden' })
  await expect.poll(() => isInView(page)).toBe(true)
  await context.close()
})

it('the printed map has the credits, and the printed page of a fountain too', async () => {
  const { page, context } = await visit(browser, `${host.url}?fountain=1`, {
    viewport: { width: 390, height: 844 },
  })
  await page.locator('#card').getByRole('link', { name: 'Directions' }).waitFor()
  await page.emulateMedia({ media: 'print' })
  const [line, stage] = await Promise.all(
    ['#attribution', '.stage'].map((selector) => page.locator(selector).boundingBox()),
  )
  expect((line?.y ?? 0) + (line?.height ?? 0)).toBeCloseTo((stage?.y ?? 1) + (stage?.height ?? 1), 0)
  await page.goto(`${host.url}waypoint/1/`)
  expect(await page.locator('.footer').innerText()).toContain(openStreetMap)
  expect(await page.locator('.footer-links').isVisible()).toBe(false)
  await context.close()
})
