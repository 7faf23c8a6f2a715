/** @module-tag browser */
import type { Page } from 'playwright-core'
import { afterAll, expect, test, vi } from 'vitest'
import { attribute, pageAt, pagesOf, tagged, textOf } from '@openfountain/testing/site/built-site'
import type { BuiltPage } from '@openfountain/testing/site/built-site'
import { newPage, type ProfileOptions } from '@openfountain/testing/browser/page'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'
import { arabic, englishIn } from './made-up-language.ts'
import { scratchCopy } from './scratch-copy.ts'

vi.setConfig({ hookTimeout: 300_000 })

/** Adds Arabic to a copy of the sources, by the steps of docs/guides/adding-a-language.md. */
let pages: BuiltPage[]
let host: StaticHost

/** Regions by their number of fountains; only the region of three has verified ones. */
const sizes = [1, 2, 3, 11, 100]

const fill = `
import { openRegistry, token, user } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
const registry = await openRegistry({ database: ':memory:', name: 'מרשם המים', author: 'Lindenau' })
await registry.users.create({ id: 'noa', name: 'נועה (לונד)', xp: 500 })
for (const size of ${JSON.stringify(sizes)})
  for (let at = 0; at < size; at += 1) {
    const name = at % 2 === 0 ? \`Square \${size}.\${at} (old)\` : \`כיכר \${size} (\${at})\`
    const place = { latitude: 55.7 + size / 5000 + at / 40000, longitude: 13.1 + Math.sin(at) / 100 }
    const more = { region: \`R\${size}\`, amenities: ['tap'], description: 'Beside the path.' }
    const { id } = await registry.waypoints.create({ name, ...place, ...more }, user('noa'))
    if (size === 3) await registry.waypoints.update(id, { verified: true }, token())
  }
await registry.reviews.create({ bubblerId: 1, rating: 4, comment: 'מים קרים!' }, user('noa'))
await exportRegistry(registry, { out: 'export' })
await registry.close()
console.log('true')
`

const copy = await scratchCopy()
afterAll(() => host?.close())

const page = (address: string) => pageAt(pages, address)
const textsWith = (address: string, name: string): string[] =>
  page(address)
    .elements.filter((element) => attribute(element, 'class')?.split(' ').includes(name))
    .map(textOf)

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

const opened = async (address: string, options: ProfileOptions = {}): Promise<Page> => {
  const desk = await newPage({ viewport: { width: 1280, height: 800 }, locale: 'ar', ...options })
  await desk.goto(`${host.url}${address}`, { waitUntil: 'load' })
  return desk
}

test('a language is one file, checked by the tests of the languages', async () => {
  const file = 'site/src/languages/ar.json'
  expect(await copy.follow(() => copy.add(file, arabic))).toEqual([file])
  const tests = ['--project', 'site', 'site/test/languages.test.ts', '--reporter=verbose']
  const said = await copy.program('node_modules/vitest/vitest.mjs', 'run', ...tests)
  expect(said).toMatch(/in ar every string/u)
})

test('a language is built with the others, without further settings', async () => {
  await copy.script(fill)
  await copy.command('site build --data export --out public --languages ar,en')
  pages = await pagesOf(`${copy.folder}/public`)
  expect(pages.length).toBeGreaterThan(100)
  host = await hostFolder(`${copy.folder}/public`)
})

test('a language counts as it does', () => {
  const counts = textsWith('/regions/', 'small').toSorted()
  const inArabic = ['سبيل واحد', 'سبيلان', '3 سبل', '11 سبيلًا', '100 سبيل']
  expect(counts).toEqual(inArabic.toSorted())
  const verified = ['لا شيء موثق', '3 موثقة']
  expect(textsWith('/regions/', 'faint')).toEqual(expect.arrayContaining(verified))
})

test('a language has its direction on every page and in the manifest, and leaves no English on its pages', async () => {
  const isEnglish = englishIn()
  for (const one of pages) {
    const [root] = tagged(one, 'html')
    const expected = one.path.startsWith('/en/') ? ['en', 'ltr'] : ['ar', 'rtl']
    expect(root && [attribute(root, 'lang'), attribute(root, 'dir')], one.path).toEqual(expected)
    const texts = textsOf(one).filter(isEnglish)
    if (expected[0] === 'ar') expect(texts, one.path).toEqual([])
    else expect(texts.length, one.path).toBeGreaterThan(one.path.endsWith('/embed/') ? 1 : 10)
  }
  const manifest: unknown = JSON.parse(await copy.read('public/manifest.webmanifest'))
  expect(manifest).toMatchObject({ lang: 'ar', dir: 'rtl' })
})

test('names in another direction stand apart from the sentence', async () => {
  const [heading] = tagged(page('/waypoint/1/'), 'h1')
  expect(heading?.childNodes.map(({ nodeName }) => nodeName)).toContain('bdi')
  expect(await copy.read('public/changes.atom')).toContain('\u2068Square')
  const feed = await copy.read('public/en/changes.atom')
  expect(feed).toContain('\u2068כיכר')
  expect(feed).not.toContain('\u2068Square')
})

test('a page from right to left does not scroll sideways on a phone of 360 pixels', async () => {
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
})

test('a page from right to left has the list and the card on the right, and the buttons of the map on the left', async () => {
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
})

test('the map draws each letter as it is', async () => {
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
})

test('a page that exists in one language only turns with the language of its reader', async () => {
  const inEnglish = await opened('waypoint/1/', { locale: 'en' })
  await inEnglish.waitForFunction(() => document.documentElement.lang === 'en')
  expect(await inEnglish.getAttribute('html', 'dir')).toBe('ltr')
  const label = 'Map of Square 1.0 (old) and the fountains around it'
  expect(await inEnglish.locator('.plan-map').getAttribute('aria-label')).toBe(label)
})
