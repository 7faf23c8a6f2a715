import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { availableLanguages, buildSite, type SiteProgress, type SiteReport } from '../src/index.ts'
import {
  attribute,
  filesOf,
  internalAddresses,
  pagesOf,
  tagged,
  textOf,
  type BuiltPage,
} from '@openfountain/testing/site/built-site'
import { facts } from '../src/data/facts.ts'
import { exportSample, freshFolder } from '@openfountain/testing/site/sample'

const origin = 'https://lindenau.example'
const base = '/fountains/'
const languages = await availableLanguages()
const others = languages.slice(1)

/** How the value of a fact stands on its page. */
const factsByType: Readonly<Record<string, RegExp>> = {
  season: /^<span data-season="\d\d-\d\d\/\d\d-\d\d">\w+ \d+ to \w+ \d+<\/span>$/u,
  choice: /^<span data-t="fact\.\w+\.\w+">\w[^<]+<\/span>$/u,
}

/** The same of a fact that is written in a way of its own. */
const factsByName: Readonly<Record<string, RegExp>> = {
  openingHours: /^<span data-hours="[^"]+" data-longitude="[\d.]+">\w[^<]+<\/span>$/u,
}

let data: string
let out: string
let report: SiteReport
let files: string[]
let pages: BuiltPage[]
const progress: SiteProgress[] = []

const page = (path: string): BuiltPage => {
  const found = pages.find((one) => one.path === `${base}${path}`)
  if (!found) throw new Error(`There is no page ${path}`)
  return found
}

beforeAll(async () => {
  data = await exportSample()
  out = join(await freshFolder(), 'site')
  report = await buildSite({
    data,
    out,
    url: `${origin}${base}`,
    api: 'https://api.lindenau.example/api',
    onProgress: (step) => progress.push(step),
  })
  files = await filesOf(out)
  pages = await pagesOf(out, base)
})

describe('a built site', () => {
  it('reports what was built, and its progress', () => {
    expect(report).toMatchObject({ out, waypoints: 47, waypointPages: 47, languages })
    expect(report.pages).toBe(pages.length)
    expect(pages.length).toBeGreaterThan(47 + languages.length)
    expect(new Set(progress.map(({ step }) => step))).toEqual(
      new Set(['waypoints', 'reviews', 'contributors', 'pages', 'search', 'files']),
    )
  })

  it('shows every fact of a fountain, each in the way of its type', () => {
    const { html } = page('waypoint/2/')
    for (const { name, type } of facts) {
      const [, shown = ''] =
        new RegExp(`data-t="fact\\.${name}"[^>]*>[^<]*</dt>\\s*<dd>\\s*(.*?)\\s*</dd>`, 'su').exec(html) ?? []
      expect([name, shown]).toEqual([
        name,
        expect.stringMatching(factsByName[name] ?? factsByType[type] ?? /^<bdi>[^<]+<\/bdi>$/u),
      ])
    }
  })

  it('shows the custom fields of a fountain with their titles, as text', () => {
    const { html } = page('waypoint/2/')
    const rows = html.matchAll(
      /<div data-property="(\w+)">\s*<dt><bdi>(.*?)<\/bdi><\/dt>\s*<dd><bdi>(.*?)<\/bdi>/gsu,
    )
    expect(Array.from(rows, ([, ...row]) => row)).toEqual([
      ['height', 'Height of the spout', '0.85'],
      ['isHeated', 'isHeated', '✓'],
      ['inspectedBy', 'inspectedBy', '&lt;b&gt;Ada&lt;/b&gt;, Béla'],
    ])
    expect(page('waypoint/4/').html).not.toContain('data-property')
  })

  it('says first that the water of a fountain is not for drinking, to people and to search engines', () => {
    const { html, elements } = page('waypoint/2/')
    expect(html).toMatch(/<ul class="tags">\s*<li><span class="tag tag-warm">.{0,2000}?>Not for drinking</su)
    const meta = elements.filter((element) => attribute(element, 'name') === 'description')
    expect(meta.map((element) => attribute(element, 'content'))).toEqual([
      expect.stringMatching(/^Not for drinking · /u),
    ])
    expect(html).not.toContain('Q1630622')
    expect(page('waypoint/1/').html).toContain('Q1630622')
  })

  it('has every kind of page in every language', () => {
    for (const prefix of ['', ...others.map((tag) => `${tag}/`)]) {
      for (const path of [
        '',
        'regions/',
        'regions/old-harbour/',
        'regions/elsewhere/',
        'leaderboard/',
        'contributors/',
        'changes/',
        'statistics/',
        'how-it-works/',
        'data/',
        'explore/',
        'about/',
        'embed/',
        'embedding/',
      ]) {
        expect(tagged(page(`${prefix}${path}`), 'html').map((html) => attribute(html, 'lang'))).toEqual([
          prefix === '' ? 'en' : prefix.slice(0, 2),
        ])
      }
    }
  })

  it('has a page for each fountain and contributor once, and none for a deleted fountain', () => {
    const ids = files.flatMap((file) => /^waypoint\/(\d+)\/index\.html$/u.exec(file)?.[1] ?? [])
    expect(ids).toHaveLength(47)
    expect(ids).not.toContain('3')
    expect(files.filter((file) => /^contributor\/[^/]+\/index\.html$/u.test(file))).toHaveLength(4)
  })

  it('has no link, script, style or picture of its own that leads nowhere', () => {
    const paths = new Set([...files.map((file) => `${base}${file}`), ...pages.map(({ path }) => path)])
    const broken = pages.flatMap((one) =>
      internalAddresses(one, origin).flatMap((address) => {
        const url = new URL(address, `${origin}${one.path}`)
        const target = decodeURIComponent(url.pathname)
        if (!paths.has(target)) return [`${one.path} → ${address}`]
        const at = url.hash === '' ? undefined : pages.find(({ path }) => path === target)
        const found = at?.elements.some((element) => attribute(element, 'id') === url.hash.slice(1)) ?? true
        return found ? [] : [`${one.path} → ${address}`]
      }),
    )
    expect(broken).toEqual([])
  })

  it('gives every page a title, a description, one first heading and a main part', () => {
    for (const one of pages) {
      if (one.path.endsWith('/embed/')) continue
      const [title] = tagged(one, 'title')
      expect(title && textOf(title), one.path).toContain('Lindenau Fountains')
      const described = tagged(one, 'meta').filter((meta) => attribute(meta, 'name') === 'description')
      expect(described, one.path).toHaveLength(1)
      expect(described[0] && attribute(described[0], 'content'), one.path).toMatch(/^.{21,}$/u)
      expect(tagged(one, 'h1'), one.path).toHaveLength(1)
      expect(tagged(one, 'main'), one.path).toHaveLength(1)
    }
  })

  it('names the other languages of each page, and itself as canonical', () => {
    const links = tagged(page('de/statistics/'), 'link')
    const alternates = links.filter((link) => attribute(link, 'hreflang') !== undefined)
    expect(alternates.map((link) => [attribute(link, 'hreflang'), attribute(link, 'href')])).toEqual([
      ['en', `${origin}${base}statistics/`],
      ...others.map((tag) => [tag, `${origin}${base}${tag}/statistics/`]),
      ['x-default', `${origin}${base}statistics/`],
    ])
    const canonical = links.filter((link) => attribute(link, 'rel') === 'canonical')
    expect(canonical.map((link) => attribute(link, 'href'))).toEqual([`${origin}${base}de/statistics/`])
  })

  it('shows the directory on the home page without JavaScript', () => {
    const home = page('')
    const links = tagged(home, 'a').map((link) => attribute(link, 'href'))
    for (const region of ['linden-quarter', 'old-harbour', 'mill-hill', 'elsewhere']) {
      expect(links).toContain(`${base}regions/${region}/`)
    }
    expect(tagged(home, 'noscript').map(textOf).join('')).toContain('The map needs JavaScript')
  })

  it('copies the export beside the pages without changing a byte', async () => {
    const sums = await readFile(join(data, 'SHA256SUMS'), 'utf8')
    const lines = sums.trim().split('\n')
    expect(lines.length).toBeGreaterThan(20)
    for (const line of lines) {
      const [sum, name] = line.split(/ [ *]/u)
      const copy = await readFile(join(out, 'data', name ?? ''))
      expect(createHash('sha256').update(copy).digest('hex'), name).toBe(sum)
    }
  })

  it('lists every file of the export on the data page with its size and checksum', async () => {
    const html = page('data/').html
    const sums = await readFile(join(data, 'SHA256SUMS'), 'utf8')
    for (const line of sums.trim().split('\n')) {
      const [sum = '', name = ''] = line.split(/ [ *]/u)
      expect(html).toContain(`href="${base}data/${name}"`)
      expect(html).toContain(sum)
    }
    expect(html).not.toContain('Another file of the export')
  })

  it('renders the rules from the numbers of the registry', () => {
    const words = textOf(
      tagged(page('how-it-works/'), 'main')[0] ?? { nodeName: '#text', value: '', parentNode: null },
    )
    for (const part of ['+50', '+10', '+5', '+25', '4 reviews', '20 XP', '1,200 XP'])
      expect(words).toContain(part)
  })

  it('carries the policy as a meta element before anything that it governs', () => {
    for (const one of pages) {
      const head = one.elements.filter(({ tagName }) => ['meta', 'script', 'link', 'style'].includes(tagName))
      const at = head.findIndex((element) => attribute(element, 'http-equiv') === 'Content-Security-Policy')
      expect(at, one.path).toBeGreaterThanOrEqual(0)
      expect(
        head.slice(0, at).every(({ tagName }) => tagName === 'meta'),
        one.path,
      ).toBe(true)
      const policy = head
        .slice(at, at + 1)
        .map((element) => attribute(element, 'content'))
        .join('')
      expect(policy).not.toContain('unsafe-inline')
      expect(policy).not.toContain("'unsafe-eval'")
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("connect-src 'self' https://api.lindenau.example")
      expect(report.contentSecurityPolicy).toContain(policy)
    }
  })

  it('has no inline script but those whose hash the policy names, no inline style, no event attribute', () => {
    for (const one of pages) {
      for (const script of tagged(one, 'script')) {
        if (attribute(script, 'src') !== undefined) continue
        const type = attribute(script, 'type') ?? ''
        if (type === 'application/ld+json' || type === 'application/json') {
          expect(() => JSON.parse(textOf(script)), one.path).not.toThrow()
          continue
        }
        const hash = createHash('sha256').update(textOf(script)).digest('base64')
        expect(report.contentSecurityPolicy, one.path).toContain(`'sha256-${hash}'`)
      }
      expect(tagged(one, 'style'), one.path).toEqual([])
      const attributes = one.elements.flatMap(({ attrs }) => attrs.map(({ name }) => name))
      expect(
        attributes.filter((name) => name === 'style' || name.startsWith('on')),
        one.path,
      ).toEqual([])
    }
  })

  it('loads nothing from another host', () => {
    for (const one of pages) {
      for (const { tagName, attrs } of one.elements) {
        if (tagName === 'a' || tagName === 'meta') continue
        for (const { name, value } of attrs) {
          if (!['src', 'href', 'srcset', 'poster', 'data', 'action'].includes(name)) continue
          const url = new URL(value, `${origin}${one.path}`)
          expect(url.origin, `${one.path} <${tagName} ${name}>`).toBe(origin)
        }
      }
    }
  })

  it('describes fountains for search engines', () => {
    const script = tagged(page('waypoint/1/'), 'script').find(
      (one) => attribute(one, 'type') === 'application/ld+json',
    )
    expect(JSON.parse(script ? textOf(script) : '')).toMatchObject({
      '@type': 'Place',
      name: 'Market Square 1',
      url: `${origin}${base}waypoint/1/`,
      geo: { '@type': 'GeoCoordinates', latitude: 55.705 },
      aggregateRating: { ratingValue: 3, reviewCount: 1 },
    })
    const graph = tagged(page('waypoint/1/'), 'meta').map((meta) => attribute(meta, 'property'))
    expect(graph).toEqual(
      expect.arrayContaining(['og:title', 'og:description', 'og:url', 'og:image', 'og:type']),
    )
  })

  it('has a fountain’s page without what other files have, or what it says already', async () => {
    const { html, elements } = page('waypoint/20/')
    // With everything that an API brings, the way to it for search engines, and whether the fountains around it give water.
    expect(html.length).toBeLessThan(17_200)
    const links = elements.filter((one) => attribute(one, 'href') === `${base}how-it-works/`)
    expect(links).toHaveLength(1)
    expect(html).not.toContain('<path')
    const land = /href="([^"]+\.svg)#land-\d+_\d+"/u.exec(html)?.[1] ?? ''
    expect(await readFile(join(out, land.slice(base.length)), 'utf8')).toContain('<symbol id="land-3_14"')
  })

  it('shows a fountain with its facts, reviews, history and neighbours', () => {
    const words = tagged(page('waypoint/1/'), 'main').map(textOf).join('')
    for (const part of [
      'Market Square 1',
      'Verified',
      'By the gate.',
      'Tap',
      'Wheelchair accessible',
      'Lindenau Waterworks',
      'photos.example',
      'Cold and clear.',
      'Created',
      'Edited: description',
      'Nearby',
      'ODbL-1.0',
      'Contributed here',
    ]) {
      expect(words).toContain(part)
    }
  })

  it('links a photo but never loads it', () => {
    const { elements, html } = page('waypoint/1/')
    expect(html).toContain('https://photos.example/fountain.jpg')
    expect(elements.filter(({ tagName }) => tagName === 'img')).toEqual([])
  })
})
