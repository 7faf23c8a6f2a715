import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../src/index.ts'
import { attribute, filesOf, pagesOf, type BuiltPage } from '@openfountain/testing/site/built-site'
import { exportSample, freshFolder } from '@openfountain/testing/site/sample'
import { parseXml } from './xml.ts'

const origin = 'https://lindenau.example'
const base = '/fountains/'
const languages = ['en', 'de']

let out: string
let files: string[]
let pages: BuiltPage[]

const page = (path: string): BuiltPage => {
  const found = pages.find((one) => one.path === `${base}${path}`)
  if (!found) throw new Error(`There is no page ${path}`)
  return found
}
const text = (path: string): Promise<string> => readFile(join(out, path), 'utf8')

beforeAll(async () => {
  out = join(await freshFolder(), 'site')
  await buildSite({ data: await exportSample(), out, url: `${origin}${base}`, languages })
  files = await filesOf(out)
  pages = await pagesOf(out, base)
})

describe('what programs read', () => {
  it('is an Atom feed in each language with stable ids', async () => {
    const [english, german] = await Promise.all([text('changes.atom'), text('de/changes.atom')])
    const ids = (feed: string) => [...feed.matchAll(/<id>(.*?)<\/id>/gu)].map(([, id]) => id)
    for (const feed of [english, german]) {
      const root = parseXml(feed)
      expect(root.name).toBe('feed')
      for (const name of ['id', 'title', 'updated', 'author']) {
        expect(root.children.filter((child) => child.name === name)).toHaveLength(1)
      }
      const entries = root.children.filter(({ name }) => name === 'entry')
      expect(entries).toHaveLength(50)
      for (const entry of entries) {
        expect(entry.children.map(({ name }) => name)).toEqual([
          'id',
          'title',
          'updated',
          'author',
          'link',
          'summary',
        ])
      }
    }
    expect(ids(german)).toEqual(ids(english))
    expect(new Set(ids(english)).size).toBe(51)
    expect(ids(english).every((id) => /^urn:uuid:[0-9a-f-]{36}$/u.test(id ?? ''))).toBe(true)
    expect(german).toContain('Letzte Änderungen')
  })

  it('is a JSON Feed', async () => {
    const feed = JSON.parse(await text('changes.json'))
    expect(feed).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Lindenau Fountains: Recent changes',
      feed_url: `${origin}${base}changes.json`,
      home_page_url: `${origin}${base}changes/`,
    })
    expect(feed.items).toHaveLength(50)
    expect(feed.items[0].title).toBe('Deleted: Lower Bridge 1')
  })

  it('is a sitemap that names every page that search engines may show', async () => {
    const index = parseXml(await text('sitemap.xml'))
    const maps = index.children.map((child) => child.children[0]?.text ?? '')
    expect(maps).toEqual([`${origin}${base}sitemap-1.xml`])
    const addresses = parseXml(await text('sitemap-1.xml')).children.map(
      (url) => url.children.find(({ name }) => name === 'loc')?.text.slice(origin.length) ?? '',
    )
    expect(new Set(addresses).size).toBe(addresses.length)
    const missing = pages
      .filter(({ html }) => !html.includes('content="noindex"'))
      .filter(({ path }) => !addresses.includes(path))
    expect(missing.map(({ path }) => path)).toEqual([])
    const known = new Set(pages.map(({ path }) => path))
    expect(addresses.filter((address) => !known.has(address))).toEqual([])
    expect(await text('robots.txt')).toContain(`Sitemap: ${origin}${base}sitemap.xml`)
  })

  it('is a manifest whose icons are there, and an oEmbed document', async () => {
    const manifest = JSON.parse(await text('manifest.webmanifest'))
    expect(manifest).toMatchObject({ name: 'Lindenau Fountains', start_url: base, scope: base })
    expect(manifest.icons.length).toBeGreaterThan(0)
    for (const { src } of manifest.icons) expect(files).toContain(src.slice(base.length))
    const oembed = JSON.parse(await text('oembed.json'))
    expect(oembed).toMatchObject({ version: '1.0', type: 'rich', provider_url: `${origin}${base}` })
    expect(oembed.html).toContain(`<iframe src="${origin}${base}embed/"`)
  })

  it('are the labels of every language for pages that exist once', async () => {
    for (const tag of languages) {
      const labels = JSON.parse(await text(`languages/${tag}.json`))
      expect(labels.prefix).toBe(tag === 'en' ? '' : `${tag}/`)
      const used = [page('waypoint/1/'), page('contributor/person-1/'), page('404.html')].flatMap(
        ({ elements }) =>
          elements.flatMap((element) =>
            ['data-t', 'data-t-label'].flatMap((name) => attribute(element, name) ?? []),
          ),
      )
      expect(used.length).toBeGreaterThan(10)
      for (const key of used) expect(labels.strings[key], key).toBeTypeOf('string')
    }
  })
})
