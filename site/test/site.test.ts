import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { availableLanguages, buildSite, type SiteProgress } from '../src/index.ts'
import {
  attribute,
  filesOf,
  internalAddresses,
  pageAt,
  pagesOf,
  tagged,
  textOf,
  type BuiltPage,
} from '@openfountain/testing/site/built-site'
import { facts } from '../src/data/facts.ts'
import { jsonIn, textIn, newFolder } from '@openfountain/testing/folder'
import { exportOf } from '@openfountain/testing/site/sites'
import { parseXml } from './xml.ts'

const origin = 'https://lindenau.example'
const base = '/fountains/'
const languages = await availableLanguages()
const others = languages.slice(1)

/** The text of a fact on its page, by type or name. */
const factsInTheirWay: Readonly<Record<string, RegExp>> = {
  season: /^<span data-season="\d\d-\d\d\/\d\d-\d\d">\w+ \d+ to \w+ \d+<\/span>$/u,
  choice: /^<span data-t="fact\.\w+\.\w+">\w[^<]+<\/span>$/u,
  openingHours: /^<span data-hours="[^"]+" data-longitude="[\d.]+">\w[^<]+<\/span>$/u,
}

const progress: SiteProgress[] = []

const page = (path: string) => pageAt(pages, `${base}${path}`)
const text = (path: string): string => textIn(out, path)
const json = (path: string) => jsonIn(out, path)
const attributesOf = (of: BuiltPage, tag: string, name: string) =>
  tagged(of, tag).flatMap((one) => attribute(one, name) ?? [])

const data = await exportOf('sample')
const out = join(newFolder(), 'site')
const options = { url: `${origin}${base}`, api: 'https://api.lindenau.example/api' }
const report = await buildSite({ data, out, ...options, onProgress: (step) => progress.push(step) })
const files = await filesOf(out)
const pages = await pagesOf(out, base)

describe('a built site', () => {
  it('is reported with its progress', () => {
    expect(report).toMatchObject({ out, waypoints: 47, waypointPages: 47, languages })
    expect(report.pages).toBe(pages.length)
    const steps = new Set(progress.map(({ step }) => step))
    expect([...steps].toSorted().join(' ')).toBe('contributors files pages reviews search waypoints')
  })

  it('shows every fact of a fountain, each in the way of its type', () => {
    const { html } = page('waypoint/2/')
    for (const { name, type } of facts) {
      const [, shown = ''] =
        new RegExp(`data-t="fact\\.${name}"[^>]*>[^<]*</dt>\\s*<dd>\\s*(.*?)\\s*</dd>`, 'su').exec(html) ?? []
      expect(shown, name).toMatch(
        factsInTheirWay[name] ?? factsInTheirWay[type] ?? /^<bdi lang>[^<]+<\/bdi>$/u,
      )
    }
  })

  it('shows the custom fields of a fountain with their titles, as text', () => {
    const field = /<div data-property="(\w+)">\s*<dt><bdi>(.*?)<\/bdi><\/dt>\s*<dd><bdi lang>(.*?)<\/bdi>/gsu
    const rows = page('waypoint/2/').html.matchAll(field)
    expect(Array.from(rows, ([, ...row]) => row)).toEqual([
      ['height', 'Height of the spout', '0.85'],
      ['isHeated', 'isHeated', '✓'],
      ['inspectedBy', 'inspectedBy', '&lt;b>Ada&lt;/b>, Béla'],
    ])
    expect(page('waypoint/4/').html).not.toContain('data-property')
  })

  it('says first that the water of a fountain is not for drinking, to people and to search engines', () => {
    const { html, elements } = page('waypoint/2/')
    expect(html).toMatch(/class="status[^]{0,900}?class="unwelcome">[^]{0,200}?>Not for drinking</u)
    const meta = elements.find((element) => attribute(element, 'name') === 'description')
    expect(meta && attribute(meta, 'content')).toMatch(/^Not for drinking · /u)
    expect(html).not.toContain('Q1630622')
  })

  it('tells search engines that a fountain is for drinking where its kind says so', () => {
    const kinds = [1, 6].map((id) => page(`waypoint/${id}/`).html.includes('Q1630622'))
    expect(kinds).toEqual([false, true])
  })

  it('has every kind of page in every language, and those of fountains and contributors once', () => {
    const below = (prefix: string) =>
      pages.flatMap(({ path }) =>
        path.startsWith(`${base}${prefix}`) ? [path.slice(base.length + prefix.length)] : [],
      )
    const kinds = below('de/').toSorted()
    expect(kinds).toEqual(expect.arrayContaining(['', 'regions/elsewhere/', 'statistics/', 'embed/']))
    expect(below('')).toEqual(expect.arrayContaining(kinds))
    for (const tag of others) {
      expect(below(`${tag}/`).toSorted()).toEqual(kinds)
      for (const kind of kinds) expect(attributesOf(page(`${tag}/${kind}`), 'html', 'lang')).toEqual([tag])
    }
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
    for (const one of pages.filter(({ path }) => !path.endsWith('/embed/'))) {
      expect(tagged(one, 'title').map(textOf).join(), one.path).toContain('Lindenau Fountains')
      const described = tagged(one, 'meta').filter((meta) => attribute(meta, 'name') === 'description')
      const contents = described.map((meta) => attribute(meta, 'content'))
      expect(contents, one.path).toEqual([expect.stringMatching(/^.{21,}$/u)])
      expect([tagged(one, 'h1').length, tagged(one, 'main').length], one.path).toEqual([1, 1])
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

  it('copies the export beside the pages without changing a byte, and lists its files with their checksums', async () => {
    const { html } = page('data/')
    const lines = textIn(data, 'SHA256SUMS').trim().split('\n')
    expect(lines.length).toBeGreaterThan(20)
    for (const line of lines) {
      const [sum = '', name = ''] = line.split(/ [ *]/u)
      const copy = await readFile(join(out, 'data', name))
      expect(createHash('sha256').update(copy).digest('hex'), name).toBe(sum)
      expect(html).toContain(`href="${base}data/${name}"`)
      expect(html).toContain(sum)
    }
    expect(html).not.toContain('Another file of the export')
  })

  it('carries the policy as a meta element before anything that it governs', () => {
    for (const { path, elements } of pages) {
      const head = elements.filter(({ tagName }) => ['meta', 'script', 'link', 'style'].includes(tagName))
      const at = head.findIndex((element) => attribute(element, 'http-equiv') === 'Content-Security-Policy')
      const policy = (head[at] && attribute(head[at], 'content')) ?? ''
      expect(new Set(head.slice(0, at).map(({ tagName }) => tagName)), path).toEqual(new Set(['meta']))
      expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'/u)
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("connect-src 'self' https://api.lindenau.example")
      expect(policy).not.toContain('frame-ancestors')
      expect(report.contentSecurityPolicy).toContain(policy)
      expect(report.contentSecurityPolicy).toContain("frame-ancestors 'self'")
    }
  })

  it('has no inline script but those whose hash the policy names, no inline style, no event attribute', () => {
    for (const one of pages) {
      for (const script of tagged(one, 'script')) {
        if (attribute(script, 'src') !== undefined) continue
        if (/^application\/(?:ld\+)?json$/u.test(attribute(script, 'type') ?? '')) continue
        const hash = createHash('sha256').update(textOf(script)).digest('base64')
        expect(report.contentSecurityPolicy, one.path).toContain(`'sha256-${hash}'`)
      }
      expect(tagged(one, 'style'), one.path).toEqual([])
      const names = one.elements.flatMap(({ attrs }) => attrs.map(({ name }) => name)).join(' ')
      expect(names, one.path).not.toMatch(/(?:^| )(?:style|on\S*)(?: |$)/u)
    }
  })

  it('loads nothing from another host, and no photo, to which it links', () => {
    const addresses = new Set(['src', 'href', 'srcset', 'poster', 'data', 'action'])
    for (const { path, elements } of pages)
      for (const { tagName, attrs } of elements.filter((one) => !['a', 'meta'].includes(one.tagName)))
        for (const { value } of attrs.filter(({ name }) => addresses.has(name)))
          expect(new URL(value, `${origin}${path}`).origin, `${path} <${tagName}>`).toBe(origin)
    expect(page('waypoint/1/').html).toContain('https://photos.example/fountain.jpg')
    expect(tagged(page('waypoint/1/'), 'img')).toEqual([])
  })

  it('shows pictures of permitted hosts', async () => {
    const shown = join(newFolder(), 'site')
    await buildSite({ data, out: shown, languages: ['en'], imageHosts: ['photos.example'] })
    const fountain = pageAt(await pagesOf(shown, '/'), '/waypoint/1/')
    expect(attributesOf(fountain, 'img', 'src')).toEqual(['https://photos.example/fountain.jpg'])
    expect(fountain.html).toContain("img-src 'self' data: blob: https://photos.example;")
  })

  it('has a fountain’s page without what other files have', () => {
    const { html } = page('waypoint/20/')
    // With all parts that an API adds, the data to render it again, and breadcrumbs for search engines.
    expect(html.length).toBeLessThan(19_900)
    expect(html).not.toContain('<path')
  })
})

it('what programs read describes fountains for search engines', () => {
  const scripts = tagged(page('waypoint/1/'), 'script')
  const script = scripts.find((one) => attribute(one, 'type') === 'application/ld+json')
  expect(JSON.parse(script ? textOf(script) : '')).toMatchObject({
    '@type': 'Place',
    name: 'Market Square 1',
    url: `${origin}${base}waypoint/1/`,
    geo: { '@type': 'GeoCoordinates', latitude: 55.705 },
    aggregateRating: { ratingValue: 3, reviewCount: 1 },
  })
  const tags = ['title', 'description', 'url', 'image', 'type'].map((name) => `og:${name}`)
  const properties = attributesOf(page('waypoint/1/'), 'meta', 'property')
  expect(properties).toEqual(expect.arrayContaining(tags))
})

it('what programs read is an Atom feed in each language with stable ids', () => {
  const [english = [], german] = ['', 'de/'].map((folder) => {
    const { name, children } = parseXml(text(`${folder}changes.atom`))
    const names = children.map((child) => child.name)
    expect([name, ...names]).toEqual(expect.arrayContaining(['feed', 'id', 'title', 'updated', 'author']))
    const entries = children.filter((child) => child.name === 'entry')
    const parts = new Set(entries.map((entry) => entry.children.map((child) => child.name).join(' ')))
    expect([...parts]).toEqual(['id title updated author link summary'])
    return [children, ...entries.map((entry) => entry.children)].map(
      (members) => members.find((child) => child.name === 'id')?.text ?? '',
    )
  })
  expect(german).toEqual(english)
  expect(new Set(english).size).toBe(51)
  for (const id of english) expect(id).toMatch(/^urn:uuid:[0-9a-f-]{36}$/u)
  expect(text('de/changes.atom')).toContain('Letzte Änderungen')
})

it('what programs read is a JSON Feed', () => {
  const { items, ...feed } = json('changes.json')
  expect(feed).toMatchObject({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'Lindenau Fountains: Recent changes',
    feed_url: `${origin}${base}changes.json`,
    home_page_url: `${origin}${base}changes/`,
  })
  expect([items.length, items[0].title]).toEqual([50, 'Deleted: Lower Bridge 1'])
})

it('what programs read is a sitemap that names every page that search engines may show, and no other', () => {
  const index = parseXml(text('sitemap.xml'))
  expect(index.children.map(({ children }) => children[0]?.text)).toEqual(
    languages.map((tag) => `${origin}${base}sitemap-${tag}.xml`),
  )
  const addresses = languages.flatMap((tag) => {
    const found = parseXml(text(`sitemap-${tag}.xml`)).children.map(
      (url) => url.children.find(({ name }) => name === 'loc')?.text.slice(origin.length) ?? '',
    )
    const inLanguage = found.filter(
      (address) => attributesOf(page(address.slice(base.length)), 'html', 'lang')[0] === tag,
    )
    expect(inLanguage).toEqual(found)
    return found
  })
  const wanted = pages.filter(({ html }) => !html.includes('content="noindex"')).map(({ path }) => path)
  expect(addresses.toSorted()).toEqual(wanted.toSorted())
  expect(text('robots.txt')).toContain(`Sitemap: ${origin}${base}sitemap.xml`)
})

it('what programs read is a manifest whose icons are there, and an oEmbed document', () => {
  const manifest = json('manifest.webmanifest')
  expect(manifest).toMatchObject({ name: 'Lindenau Fountains', start_url: base, scope: base })
  expect(manifest.icons.length).toBeGreaterThan(0)
  for (const { src } of manifest.icons) expect(files).toContain(src.slice(base.length))
  const oembed = json('oembed.json')
  expect(oembed).toMatchObject({ version: '1.0', type: 'rich', provider_url: `${origin}${base}` })
  expect(oembed.html).toContain(`<iframe src="${origin}${base}embed/"`)
})

it('what programs read are the labels of every language for pages that exist once', () => {
  const once = [page('waypoint/1/'), page('contributor/person-1/'), page('404.html')]
  const used = once.flatMap(({ elements }) =>
    elements.flatMap((one) => ['data-t', 'data-t-label'].flatMap((name) => attribute(one, name) ?? [])),
  )
  expect(used.length).toBeGreaterThan(10)
  for (const tag of languages) {
    const { prefix, strings } = json(`languages/${tag}.json`)
    expect(prefix).toBe(tag === 'en' ? '' : `${tag}/`)
    for (const key of used) expect(strings[key], key).toBeTypeOf('string')
  }
})
