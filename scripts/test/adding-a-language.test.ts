/** @module-tag browser */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { attribute, pagesOf, tagged, textOf, type BuiltPage } from '@openfountain/testing/site/built-site'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'
import { arabic, englishIn, languageFile, polish } from './made-up-language.ts'
import { scratchCopy, type ScratchCopy } from './scratch-copy.ts'

// Most tests here wait for other programs, however long those take.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 })

/** What docs/guides/adding-a-language.md says, done with Polish and Arabic in a copy of the sources. */
let copy: ScratchCopy
let folder: string
let pages: BuiltPage[]

/** Regions by their number of fountains, none of which is verified but in the region of three. */
const sizes = [1, 2, 3, 5, 11, 22, 100]

const narrowPages = [
  '',
  'waypoint/1/',
  'waypoint/2/',
  'statistics/',
  'regions/',
  'regions/r100/',
  'changes/',
  'leaderboard/',
  'contributor/noa/',
  'data/',
  'explore/',
  'about/',
  'how-it-works/',
  'embedding/',
  'embed/',
  '404.html',
]

const fill = `
import { openRegistry, token, user } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
let now = Date.parse('2026-01-05T08:00:00Z')
const registry = await openRegistry({
  database: ':memory:',
  name: 'מרשם המים',
  author: 'Lindenau Water Friends',
  clock: () => new Date((now += 3_600_000 * 9)),
  ids: () => 'noa',
})
const { id: noa } = await registry.users.create({ name: 'נועה (לונד)', xp: 500 })
const place = { latitude: 55.7, longitude: 13.1 }
for (const size of ${JSON.stringify(sizes)}) {
  for (let at = 0; at < size; at += 1) {
    const { id } = await registry.waypoints.create(
      {
        name: at % 2 === 0 ? \`Square \${size}.\${at} (old)\` : \`כיכר \${size} (\${at})\`,
        latitude: place.latitude + size / 5000 + at / 40000,
        longitude: place.longitude + Math.sin(at) / 100,
        region: \`R\${size}\`,
        amenities: at % 3 === 0 ? ['tap', 'wheelchair'] : ['bubbler'],
        description: 'Beside the path.',
      },
      user(noa),
    )
    if (size === 3) await registry.waypoints.update(id, { verified: true }, token())
  }
}
await registry.reviews.create({ bubblerId: 1, rating: 4, comment: 'מים קרים!' }, user(noa))
const { folder } = await exportRegistry(registry, { out: process.argv[2] ?? 'export' })
await registry.close()
console.log(folder)
`

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'openfountain-languages-'))
  copy = await scratchCopy()
})
afterAll(async () => {
  await copy?.remove()
  await rm(folder, { recursive: true, force: true })
})

const page = (address: string): BuiltPage => {
  const found = pages.find((one) => one.path === address)
  if (!found) throw new Error(`There is no page ${address}`)
  return found
}
const classed = (one: BuiltPage, name: string) =>
  one.elements.filter((element) => attribute(element, 'class')?.split(' ').includes(name))

describe('a language', () => {
  test('is one file', async () => {
    for (const language of [polish, arabic]) {
      const file = `site/src/languages/${language.tag}.ts`
      expect(await copy.follow(() => copy.add(file, languageFile(language)))).toEqual([file])
    }
  })

  test('is checked by the types and by the tests of the languages', async () => {
    expect(await copy.types('site/src/languages/pl.ts', 'site/src/languages/ar.ts')).toMatchObject({
      code: 0,
    })
    const said = await copy.program(
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      'site',
      'site/test/languages.test.ts',
      '--reporter=verbose',
    )
    expect(said).toMatch(/in pl every string/u)
    expect(said).toMatch(/in ar every string/u)
  })

  test('is built with the others, without further settings', async () => {
    await copy.add(
      'scripts/fill.ts',
      fill.replace("process.argv[2] ?? 'export'", JSON.stringify(path.join(folder, 'export'))),
    )
    const data = (await copy.program('scripts/fill.ts')).trim()
    const help = await copy.program(
      'packages/cli/src/main.ts',
      'site',
      'build',
      '--data',
      data,
      '--out',
      path.join(folder, 'site'),
      '--languages',
      'ar,pl,en',
    )
    expect(help).toContain('pages')
    pages = await pagesOf(path.join(folder, 'site'))
    expect(pages.length).toBeGreaterThan(150)
  })

  test('counts as it does', () => {
    const counts = (prefix: string) => classed(page(`${prefix}regions/`), 'region-count').map(textOf)
    expect(counts('/').toSorted()).toEqual(
      ['سبيل واحد', 'سبيلان', '3 سبل', '5 سبل', '11 سبيلًا', '22 سبيلًا', '100 سبيل'].toSorted(),
    )
    expect(counts('/pl/').toSorted()).toEqual(
      [
        '1 źródełko',
        '2 źródełka',
        '3 źródełka',
        '5 źródełek',
        '11 źródełek',
        '22 źródełka',
        '100 źródełek',
      ].toSorted(),
    )
    const verified = classed(page('/regions/'), 'region-verified').map(textOf)
    expect(new Set(verified)).toEqual(new Set(['لا شيء موثق', '3 موثقة']))
  })

  test('has its direction on every page, and in the manifest', async () => {
    for (const one of pages) {
      const [root] = tagged(one, 'html')
      const [, tag] = /^\/(pl|en)\//u.exec(one.path) ?? []
      expect(root && [attribute(root, 'lang'), attribute(root, 'dir')], one.path).toEqual(
        tag === undefined ? ['ar', 'rtl'] : [tag, 'ltr'],
      )
    }
    const manifest: unknown = JSON.parse(
      await readFile(path.join(folder, 'site/manifest.webmanifest'), 'utf8'),
    )
    expect(manifest).toMatchObject({ lang: 'ar', dir: 'rtl' })
  })

  test('leaves no English on its pages', () => {
    const isEnglish = englishIn()
    const left = new Map(pages.map((one) => [one.path, textsOf(one).filter(isEnglish)]))
    for (const [address, texts] of left) {
      if (address.startsWith('/en/'))
        expect(texts.length, address).toBeGreaterThan(address.endsWith('/embed/') ? 1 : 10)
      else expect(texts, address).toEqual([])
    }
  })

  test('keeps names in another direction apart from the sentence', async () => {
    const [heading] = tagged(page('/waypoint/1/'), 'h1')
    expect(heading?.childNodes.map(({ nodeName }) => nodeName)).toContain('bdi')
    const feed = await readFile(path.join(folder, 'site/pl/changes.atom'), 'utf8')
    expect(feed).toContain('\u2068כיכר')
    expect(feed).not.toContain('\u2068Square')
    expect(await readFile(path.join(folder, 'site/changes.atom'), 'utf8')).toContain('\u2068Square')
  })
})

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

describe('a page from right to left', () => {
  let host: StaticHost
  let browser: Browser

  beforeAll(async () => {
    host = await hostFolder(path.join(folder, 'site'))
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await host?.close()
  })

  test('does not scroll sideways on a phone of 360 pixels', async () => {
    const phone = await browser.newPage({ viewport: { width: 360, height: 740 }, locale: 'ar' })
    for (const address of narrowPages) {
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
    const desk = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'ar' })
    await desk.goto(`${host.url}?at=55.7,13.1,13&fountain=1`, { waitUntil: 'load' })
    await desk.locator('#card .card-facts').waitFor()
    const middle = async (selector: string) => {
      const box = await desk.locator(selector).boundingBox()
      return box ? box.x + box.width / 2 : Number.NaN
    }
    const places = [await middle('.map-controls'), await middle('#card'), await middle('#panel')]
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    const covered = await desk
      .locator('.stage')
      .evaluate((stage) => getComputedStyle(stage).getPropertyValue('--covered-start'))
    expect(Number.parseFloat(covered)).toBeGreaterThan(300)
    await desk.close()
  })

  test('draws each letter of the map as it is', async () => {
    const desk = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'ar' })
    // A canvas from right to left would draw a bracket mirrored, which MapLibre has mirrored before.
    await desk.addInitScript(() => {
      const { prototype } = OffscreenCanvasRenderingContext2D
      const draw = prototype.fillText
      prototype.fillText = function fillText(...given) {
        document.documentElement.dataset['drawn'] =
          `${document.documentElement.dataset['drawn'] ?? ''}${this.direction} `
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
    const polish = await browser.newPage({ locale: 'pl' })
    await polish.goto(`${host.url}waypoint/1/`, { waitUntil: 'load' })
    await polish.waitForFunction(() => document.documentElement.lang === 'pl')
    expect(await polish.getAttribute('html', 'dir')).toBe('ltr')
    expect(await polish.locator('.plan-map').getAttribute('aria-label')).toBe(
      'żMap żof Square 1.0 (old) żand żthe żfountains żaround żit',
    )
    expect(await polish.locator('.plan-rings text').first().textContent()).toMatch(/^\d+ żk?m$/u)
    await polish.close()
  })
})
