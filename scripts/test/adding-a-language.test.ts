/** @module-tag browser */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { attribute, pagesOf, tagged, textOf, type BuiltPage } from '@openfountain/testing/site/built-site'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'
import { arabic, englishIn, languageFile, polish } from './made-up-language.ts'
import { scratchCopy, type ScratchCopy } from './scratch-copy.ts'

vi.setConfig({ hookTimeout: 300_000 })

/** What docs/guides/adding-a-language.md says, done with Polish and Arabic in a copy of the sources. */
let copy: ScratchCopy
let pages: BuiltPage[]

/** Regions by their number of fountains, none of which is verified but in the region of three. */
const sizes = [1, 2, 3, 5, 11, 22, 100]

const fill = `
import { openRegistry, token, user } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
let now = Date.parse('2026-01-05T08:00:00Z')
const clock = () => new Date((now += 3_600_000 * 9))
const settings = { name: 'מרשם המים', author: 'Lindenau Water Friends' }
const registry = await openRegistry({ database: ':memory:', ...settings, clock })
await registry.users.create({ id: 'noa', name: 'נועה (לונד)', xp: 500 })
for (const size of ${JSON.stringify(sizes)})
  for (let at = 0; at < size; at += 1) {
    const input = {
      name: at % 2 === 0 ? \`Square \${size}.\${at} (old)\` : \`כיכר \${size} (\${at})\`,
      latitude: 55.7 + size / 5000 + at / 40000,
      longitude: 13.1 + Math.sin(at) / 100,
      region: \`R\${size}\`,
      amenities: at % 3 === 0 ? ['tap', 'wheelchair'] : ['bubbler'],
      description: 'Beside the path.',
    }
    const { id } = await registry.waypoints.create(input, user('noa'))
    if (size === 3) await registry.waypoints.update(id, { verified: true }, token())
  }
await registry.reviews.create({ bubblerId: 1, rating: 4, comment: 'מים קרים!' }, user('noa'))
await exportRegistry(registry, { out: 'export' })
await registry.close()
console.log('true')
`

beforeAll(async () => {
  copy = await scratchCopy()
})

const page = (address: string): BuiltPage => {
  const found = pages.find((one) => one.path === address)
  if (!found) throw new Error(`There is no page ${address}`)
  return found
}
const textsWith = (address: string, name: string): string[] =>
  page(address)
    .elements.filter((element) => attribute(element, 'class')?.split(' ').includes(name))
    .map(textOf)

/** The texts of a page that are not by people: what it shows, and what it tells screen readers and search engines. */
function textsOf(one: BuiltPage): string[] {
  const skipped = new Set(['script', 'style', 'code', 'pre', 'bdi'])
  const attributes = ['aria-label', 'title', 'placeholder', 'alt', 'content', 'data-label']
  return one.elements
    .filter(({ tagName }) => !skipped.has(tagName))
    .flatMap((element) => [
      ...attributes.map((name) => attribute(element, name) ?? ''),
      ...element.childNodes.map((child) => ('value' in child ? child.value : '')),
    ])
    .map((text) => text.trim())
}

describe('a language', () => {
  test('is one file, checked by the types and by the tests of the languages', async () => {
    const files = ['site/src/languages/pl.ts', 'site/src/languages/ar.ts']
    for (const [index, language] of [polish, arabic].entries())
      expect(await copy.follow(() => copy.add(files[index] ?? '', languageFile(language)))).toEqual([
        files[index],
      ])
    expect(await copy.types(...files)).toMatchObject({ code: 0 })
    const tests = ['--project', 'site', 'site/test/languages.test.ts', '--reporter=verbose']
    const said = await copy.program('node_modules/vitest/vitest.mjs', 'run', ...tests)
    expect(said).toMatch(/in pl every string/u)
    expect(said).toMatch(/in ar every string/u)
  })

  test('is built with the others, without further settings', async () => {
    await copy.script(fill)
    const build = 'site build --data export --out public --languages ar,pl,en'
    expect(await copy.command(build)).toContain('pages')
    pages = await pagesOf(`${copy.folder}/public`)
    expect(pages.length).toBeGreaterThan(150)
  })

  test('counts as it does', () => {
    const counts = (prefix: string) => textsWith(`${prefix}regions/`, 'region-count').toSorted()
    const inArabic = ['سبيل واحد', 'سبيلان', '3 سبل', '5 سبل', '11 سبيلًا', '22 سبيلًا', '100 سبيل']
    expect(counts('/')).toEqual(inArabic.toSorted())
    const one = ['1 źródełko']
    const few = [2, 3, 22].map((count) => `${count} źródełka`)
    const many = [5, 11, 100].map((count) => `${count} źródełek`)
    expect(counts('/pl/')).toEqual([...one, ...few, ...many].toSorted())
    const verified = textsWith('/regions/', 'region-verified')
    expect(new Set(verified)).toEqual(new Set(['لا شيء موثق', '3 موثقة']))
  })

  test('has its direction on every page and in the manifest, and leaves no English on its pages', async () => {
    const isEnglish = englishIn()
    for (const one of pages) {
      const [root] = tagged(one, 'html')
      const [, tag = 'ar'] = /^\/(pl|en)\//u.exec(one.path) ?? []
      expect(root && [attribute(root, 'lang'), attribute(root, 'dir')], one.path).toEqual([
        tag,
        tag === 'ar' ? 'rtl' : 'ltr',
      ])
      const texts = textsOf(one).filter(isEnglish)
      if (tag !== 'en') expect(texts, one.path).toEqual([])
      else expect(texts.length, one.path).toBeGreaterThan(one.path.endsWith('/embed/') ? 1 : 10)
    }
    const manifest: unknown = JSON.parse(await copy.read('public/manifest.webmanifest'))
    expect(manifest).toMatchObject({ lang: 'ar', dir: 'rtl' })
  })

  test('keeps names in another direction apart from the sentence', async () => {
    const [heading] = tagged(page('/waypoint/1/'), 'h1')
    expect(heading?.childNodes.map(({ nodeName }) => nodeName)).toContain('bdi')
    const feed = await copy.read('public/pl/changes.atom')
    expect(feed).toContain('\u2068כיכר')
    expect(feed).not.toContain('\u2068Square')
    expect(await copy.read('public/changes.atom')).toContain('\u2068Square')
  })
})

describe('a page from right to left', () => {
  let host: StaticHost
  let browser: Browser

  beforeAll(async () => {
    host = await hostFolder(`${copy.folder}/public`)
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await host?.close()
  })

  const opened = async (address: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const desk = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'ar', ...options })
    await desk.goto(`${host.url}${address}`, { waitUntil: 'load' })
    return desk
  }

  test('does not scroll sideways on a phone of 360 pixels', async () => {
    const people = ['waypoint/1/', 'waypoint/2/', 'regions/r100/', 'contributor/noa/', 'embed/', '404.html']
    const others = 'statistics regions changes leaderboard data explore about how-it-works embedding'
    const phone = await opened('', { viewport: { width: 360, height: 740 } })
    for (const address of ['', ...people, ...others.split(' ').map((name) => `${name}/`)]) {
      await phone.goto(`${host.url}${address}`, { waitUntil: 'load' })
      const beyond = await phone.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement
        scrollTo(-1000, 0)
        return [scrollWidth - clientWidth, scrollX]
      })
      expect(beyond, address).toEqual([0, 0])
    }
    await phone.close()
  })

  test('has the list and the card on the right, and the buttons of the map on the left', async () => {
    const desk = await opened('?at=55.7,13.1,13&fountain=1')
    await desk.locator('#card .card-facts').waitFor()
    const places: number[] = []
    for (const selector of ['.map-controls', '#card', '#panel']) {
      const box = await desk.locator(selector).boundingBox()
      places.push(box ? box.x + box.width / 2 : Number.NaN)
    }
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    const covered = await desk
      .locator('.stage')
      .evaluate((stage) => getComputedStyle(stage).getPropertyValue('--covered-start'))
    expect(Number.parseFloat(covered)).toBeGreaterThan(300)
    await desk.close()
  })

  test('draws each letter of the map as it is', async () => {
    const desk = await opened('about/')
    // A canvas from right to left would draw a bracket mirrored, which MapLibre has mirrored before.
    await desk.addInitScript(() => {
      const { prototype } = OffscreenCanvasRenderingContext2D
      const draw = prototype.fillText
      prototype.fillText = function fillText(...given) {
        const { dataset } = document.documentElement
        dataset['drawn'] = `${dataset['drawn'] ?? ''}${this.direction} `
        draw.apply(this, given)
      }
    })
    await desk.goto(`${host.url}?at=55.7002,13.1,17`, { waitUntil: 'load' })
    await desk.waitForFunction(() => (document.documentElement.dataset['drawn'] ?? '').length > 20)
    const drawn = await desk.evaluate(() => document.documentElement.dataset['drawn'] ?? '')
    expect([...new Set(drawn.trim().split(' '))]).toEqual(['ltr'])
    await desk.close()
  })

  test('turns with its language, where a page exists in one language only', async () => {
    const inPolish = await opened('waypoint/1/', { locale: 'pl' })
    await inPolish.waitForFunction(() => document.documentElement.lang === 'pl')
    expect(await inPolish.getAttribute('html', 'dir')).toBe('ltr')
    expect(await inPolish.locator('.plan-map').getAttribute('aria-label')).toBe(
      'żMap żof Square 1.0 (old) żand żthe żfountains żaround żit',
    )
    expect(await inPolish.locator('.plan-rings text').first().textContent()).toMatch(/^\d+ żk?m$/u)
    await inPolish.close()
  })
})
