/** @module-tag browser */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { newPage } from '@openfountain/testing/browser/page'
import { attribute, pageAt, pagesOf, tagged, textOf } from '@openfountain/testing/site/built-site'
import { liveStage, type BuiltTown } from '@openfountain/testing/site/live-stage'
import { exported } from '@openfountain/testing/site/sample'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { visit } from '@openfountain/testing/site/visit'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'
import { creditedIn, type CreditFile } from '../../src/map/data/credits.ts'
import { newFolder } from '@openfountain/testing/folder'

const openStreetMap = '© OpenStreetMap contributors'
const hostile = '<img src=x onerror=alert(1)>; & friends'
const [streetMap, club] = [`${openStreetMap}, ODbL-1.0`, `${hostile}, CC0-1.0`]
const credit = `${streetMap}; ${club}`

const towns = { streetMap: [55.7, 13], club: [55.9, 13.3], sea: [55.8, 13.15] } as const
const at = (town: keyof typeof towns) => `?at=${towns[town].join(',')},14`
const amenities = ['tap', 'wheelchair', 'bench', 'chilled', 'dog-bowl', 'bottle-filler']
const sources = [
  { name: 'OSM Lindenau', license: 'ODbL-1.0' },
  { name: 'Club', license: 'CC0-1.0', attribution: hostile, url: 'https://club.example/' },
] as const

async function build(
  from: readonly (typeof sources)[number][] = sources,
  options: Partial<Parameters<typeof buildSite>[0]> = { languages: ['en'] },
): Promise<BuiltTown> {
  const folder = newFolder()
  const [database, site] = [join(folder, 'towns.db'), join(folder, 'site')]
  const data = await exported({ database, author: 'Lindenau' }, {}, async (registry) => {
    for (const source of from) {
      const [latitude, longitude] = source.name === 'Club' ? towns.club : towns.streetMap
      const run = await registry.imports.start({ source })
      const rows = [1, 2, 3].map((row) => {
        const place = { latitude: latitude + row / 1000 + 0.0004, longitude }
        return { row, ref: String(row), input: { name: `${source.name} ${row}`, ...place, amenities } }
      })
      await run.apply(rows)
      await run.finish({ counts: {}, missing: 'keep' })
    }
  })
  await buildSite({ data, out: site, ...options })
  return { database, site }
}

const out = (await build(sources, { url: 'https://lindenau.example/' })).site
const pages = await pagesOf(out)
const url = (await hostFolder(out)).url

const plain = (text: string): string => text.replaceAll(/\s+/gu, ' ')
const languages = ['', 'de/', 'es/', 'fr/', 'it/']

const places = { '': 2, 'embed/': 1, 'about/': 2, 'data/': 2, 'embedding/': 2, 'regions/': 1 }

it.each(languages)(
  'map, frame, footer, About, Data and embedding under /%s name the sources in their own words',
  (language) => {
    for (const [path, count] of Object.entries(places)) {
      const { elements } = pageAt(pages, `/${language}${path}`)
      const found = elements.filter(
        (one) =>
          /footer-inner|panel-foot/u.test(attribute(one, 'class') ?? '') ||
          attribute(one, 'id') === 'attribution' ||
          one.tagName === 'blockquote',
      )
      expect(found, path).toHaveLength(count)
      for (const element of found) expect(plain(textOf(element)), path).toContain(credit)
    }
  },
)

it('every page has the credits, with names that lead to where the source wants them to lead, and stay text', () => {
  expect(pages.length).toBeGreaterThan(60)
  const without = pages.filter(({ elements }) => !elements.some((one) => plain(textOf(one)).includes(credit)))
  expect(without.map(({ path }) => path)).toEqual([])
  for (const path of ['', 'embed/', 'about/', 'data/', 'waypoint/1/']) {
    const built = pageAt(pages, `/${path}`)
    const links = tagged(built, 'a').filter((link) => textOf(link) === openStreetMap)
    expect(links.length, path).toBeGreaterThan(0)
    for (const link of links) expect(attribute(link, 'href')).toBe('https://www.openstreetmap.org/copyright')
    expect(tagged(built, 'img').filter((image) => attribute(image, 'src') === 'x')).toEqual([])
  }
  const cells = tagged(pageAt(pages, '/about/'), 'th').map(textOf)
  expect(cells.some((text) => text.includes('OSM Lindenau') && text.includes(openStreetMap))).toBe(true)
})

it('oEmbed, the feeds and the descriptions for search engines name the sources', async () => {
  const read = (file: string) => readFile(join(out, file), 'utf8')
  expect(JSON.parse(await read('oembed.json'))).toMatchObject({ author_name: credit })
  for (const language of languages) {
    expect(await read(`${language}changes.atom`)).toContain(`<rights>${streetMap}; &lt;img`)
    expect(JSON.parse(await read(`${language}changes.json`))).toMatchObject({ _rights: { text: credit } })
  }
  const scripts = tagged(pageAt(pages, '/data/'), 'script')
  const described = scripts.find((script) => attribute(script, 'type') === 'application/ld+json')
  const isBasedOn = [{ creditText: openStreetMap }, { creditText: hostile }]
  expect(JSON.parse(described ? textOf(described) : '{}')).toMatchObject({ creditText: credit, isBasedOn })
})

/** Whether a browser shows the whole attribution line on top; one of its corners is round. */
const isInView = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const line = document.querySelector('#attribution')
    const { left, right, top, bottom } = line?.getBoundingClientRect() ?? new DOMRect()
    const corners = [left + 4, right - 4].flatMap((x) => [top + 4, bottom - 4].map((y) => [x, y] as const))
    const shown = corners.map(([x, y]) => document.elementFromPoint(x, y))
    return bottom > top && shown.every((element) => line?.contains(element) === true)
  })

it.each([
  ['', 320, 568],
  ['embed/', 320, 320],
  ['embed/', 1280, 800],
])('an open card on /%s at %i × %i leaves the credits in view', async (path, width, height) => {
  const { page } = await visit(`${url}${path}?fountain=1`, { viewport: { width, height } })
  await page.locator('#card').getByRole('link', { name: 'Directions' }).waitFor()
  await page.waitForFunction(() => !document.getAnimations().some((each) => each.playState === 'running'))
  await expect.poll(() => isInView(page)).toBe(true)
  await page.keyboard.press('Escape')
  await page.locator('#card').waitFor({ state: 'hidden' })
  await expect.poll(() => isInView(page)).toBe(true)
})

it('the printed map has the credits, and the printed page of a fountain too', async () => {
  const { page } = await visit(`${url}?fountain=1`, { viewport: { width: 390, height: 844 } })
  await page.locator('#card').getByRole('link', { name: 'Directions' }).waitFor()
  await page.emulateMedia({ media: 'print' })
  const bottomOf = async (selector: string) => {
    const { y, height } = (await page.locator(selector).boundingBox()) ?? { y: NaN, height: NaN }
    return y + height
  }
  const apart = async () => (await bottomOf('#attribution')) - (await bottomOf('.stage'))
  await expect.poll(apart).toBeCloseTo(0, 0)
  await page.goto(`${url}waypoint/1/`)
  expect(await page.locator('.footer').innerText()).toContain(openStreetMap)
  expect(await page.locator('.footer-links').isVisible()).toBe(false)
})

const named = async (page: Page) =>
  /Data: (.*?) ?(?:· .*)?$/u.exec(plain(await page.locator('#attribution').innerText()).trim())?.[1]
const names = async (page: Page, expected: string) => {
  await expect.poll(() => named(page)).toBe(expected)
}

it('the line of credits on the map names those whose fountains are in view, and stays as it was where nothing is', async () => {
  const { page, complaints } = await visit(`${url}embed/${at('club')}`)
  await names(page, club)
  await page.goto(`${url}embed/`)
  await names(page, credit)
  await page.goto(`${url}${at('club')}`)
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
  expect(complaints).toEqual([])
})

it.each([true, false])(
  'the line of credits on the map names all where the file cannot be read (scripts: %s)',
  async (javaScriptEnabled) => {
    const page = await newPage({ javaScriptEnabled })
    await page.route('**/map/credits.json*', (route) => route.abort())
    const failed = javaScriptEnabled ? page.waitForEvent('requestfailed') : undefined
    await page.goto(`${url}${at('club')}`)
    await failed
    expect(await named(page)).toBe(credit)
  },
)

it('the line of credits on the map names the publisher as soon as something contributed is in view', async () => {
  const stage = await liveStage(await build(sources, { api: '/api', languages: ['en'] }))
  const { page } = await visit(`${stage.origin}/${at('sea')}`)
  await names(page, credit)
  const [latitude, longitude] = towns.sea
  await stage.add({ latitude, longitude })
  await names(page, 'Lindenau, ODbL-1.0')
})

it('the line of credits on the map has boxes around what is credited to each, rounded outwards, but where one party is to be named always', async () => {
  const boxes: unknown = JSON.parse(await readFile(join(out, 'map/credits.json'), 'utf8'))
  expect(boxes).toEqual([[[13, 55.701, 13, 55.704]], [[13.3, 55.901, 13.3, 55.904]]])
  const { site } = await build(sources.slice(0, 1), { languages: ['en'], pages: 'none' })
  await expect(stat(join(site, 'map/credits.json'))).rejects.toThrow('ENOENT')
  expect(await readFile(join(site, 'index.html'), 'utf8')).not.toContain('"credits":')
})

it('the line of credits on the map says less than all about what is newer than it', () => {
  const file: CreditFile = [[[13, 55, 14, 56]], [[20, 55, 21, 56]]]
  const newer = [{ latitude: 55.25, longitude: 30.05 }]
  const credited = (west: number, more: typeof newer = newer) =>
    Array.from(creditedIn([west, 55.2, west + 0.1, 55.3], file, { own: 2, newer: more }))
  expect([credited(13.5), credited(30), credited(40)]).toEqual([[0], [2], []])
  const ofSource = newer.map((fountain) => ({ ...fountain, source: 'Any' }))
  expect(credited(30, ofSource)).toEqual([0, 1])
})
