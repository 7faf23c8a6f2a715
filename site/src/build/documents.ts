import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { atomFeed, jsonFeed, xmlText } from '@openfountain/core/internal'
import { contributeWords } from '../contribute/words.ts'
import { declaredFields } from '../custom-fields.ts'
import { contributorSlug } from '../data/contributors.ts'
import type { SiteContext } from './context.ts'
import { feedOf } from './feeds.ts'
import { labelsOf } from './labels.ts'
import { oembedDocument } from './oembed.ts'
import { paginate } from './paging.ts'
import { View } from './view.ts'

const sitemapLimit = 40_000

export async function writeDocuments(site: SiteContext, outDir: string): Promise<void> {
  for await (const [name, text] of documents(site)) {
    const file = join(outDir, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

/** The texts by path. Those that need the site's address are among them only when it is known. */
async function* documents(site: SiteContext): AsyncGenerator<readonly [path: string, text: string]> {
  const { api, data, languages, origin, rules } = site
  const home = new View(site, languages[0])
  yield ['manifest.webmanifest', json(manifest(home))]
  yield ['robots.txt', robots(home)]
  for (const language of languages) {
    const view = new View(site, language)
    yield [`${view.prefix}changes.atom`, atomFeed(feedOf(view, 'changes.atom'))]
    yield [`${view.prefix}changes.json`, json(jsonFeed(feedOf(view, 'changes.json')))]
    yield [`languages/${view.tag}.json`, JSON.stringify(labelsOf(view))]
    if (api === undefined) continue
    const custom = declaredFields(data.folder.registry.properties)
    const words = contributeWords(view.m, rules, custom)
    yield [`languages/contribute/${view.tag}.json`, JSON.stringify(words)]
  }
  if (origin === undefined) return
  yield ['oembed.json', json(oembedDocument(home))]
  const maps = Map.groupBy(sitemapEntries(home), ({ tag }) => tag)
    .entries()
    .flatMap(([tag, entries]) =>
      paginate(entries, sitemapLimit).map(({ page, items }) => {
        const name = `sitemap-${tag}${page > 1 ? `-${page}` : ''}.xml`
        return [name, urlset(items)] as const
      }),
    )
    .toArray()
  yield* maps
  const names = maps.map(([name]) => name)
  yield ['sitemap.xml', sitemapIndex(home, names)]
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 1)}\n`
}

function manifest(view: View): Record<string, unknown> {
  return {
    name: view.site.title,
    short_name: view.site.title,
    description: view.m.site.tagline,
    lang: view.tag,
    dir: view.f.direction,
    start_url: view.file(''),
    scope: view.file(''),
    id: view.file(''),
    display: 'standalone',
    background_color: view.site.paper.light,
    theme_color: view.site.accent.light,
    categories: ['navigation', 'travel', 'utilities'],
    icons: [
      { src: view.file('icon.svg'), sizes: 'any', type: 'image/svg+xml' },
      { src: view.file('icon-192.png'), sizes: '192x192', type: 'image/png' },
      { src: view.file('icon-512.png'), sizes: '512x512', type: 'image/png' },
      { src: view.file('icon-maskable-512.png'), sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  }
}

function robots(view: View): string {
  const isKnown = view.site.origin !== undefined
  const sitemap = isKnown ? `\nSitemap: ${view.absolute(view.file('sitemap.xml'))}\n` : ''
  return `User-agent: *\nAllow: /\n${sitemap}`
}

interface SitemapEntry {
  /** The language of the page, whose sitemap it is in. */
  readonly tag: string
  readonly address: string
  readonly modified?: string
  /** Addresses of the same page in each language. */
  readonly languages?: readonly { readonly tag: string; readonly address: string }[]
}

/** The pages that exist in each language, which are published as sources only. */
const pagesFolder = new URL('../../src/pages/[...language]/', import.meta.url)

/** The paths of those that search engines may show; of a list, its first page. */
const everyLanguage = (): string[] =>
  readdirSync(pagesFolder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .toSorted()
    .filter((file) => file.endsWith('.astro') && isShown(readFileSync(new URL(file, pagesFolder), 'utf8')))
    .map((file) => file.replace(/(?:index|\[\.\.\.page\])?\.astro$/u, ''))
    .map((path) => path.replace(/([^/])$/u, '$1/'))
    .filter((path) => !path.includes('['))

const isShown = (source: string): boolean => source.includes('<Page ') && !source.includes('index={false}')

function sitemapEntries(view: View): SitemapEntry[] {
  const { data, languages, contributorPages, fountainLanguages, regionLanguages } = view.site
  const regions = data.survey.regions.map(({ slug }) => `regions/${slug}/`)
  const paths = [...everyLanguage(), ...(regionLanguages === 'one' ? [] : regions)]
  const inLanguages = paths.flatMap((path) => {
    const versions = languages.map(({ tag }) => ({ tag, address: view.absolute(view.page(path, tag)) }))
    return versions.map((version) => ({ ...version, languages: versions }))
  })
  const waypoints = data.waypoints.map(({ id, updated_at }) => ({
    tag: fountainLanguages.get(String(id)) ?? view.tag,
    address: view.absolute(view.waypoint(id)),
    modified: updated_at,
  }))
  const people = [...contributorPages].map((id) => ({
    tag: view.tag,
    address: view.absolute(view.file(`contributor/${contributorSlug(id)}/`)),
  }))
  const inOne =
    regionLanguages === 'one'
      ? regions.map((path) => ({ tag: view.tag, address: view.absolute(view.file(path)) }))
      : []
  return [...inLanguages, ...inOne, ...waypoints, ...people]
}

function urlset(entries: readonly SitemapEntry[]): string {
  const lines = entries.map(({ address, modified, languages = [] }) => {
    const links = languages.map(
      (other) =>
        `<xhtml:link rel="alternate" hreflang="${xmlText(other.tag)}" href="${xmlText(other.address)}"/>`,
    )
    const lastmod = modified === undefined ? '' : `<lastmod>${xmlText(modified)}</lastmod>`
    return `<url><loc>${xmlText(address)}</loc>${lastmod}${links.join('')}</url>`
  })
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...lines,
    '</urlset>\n',
  ].join('\n')
}

function sitemapIndex(view: View, names: readonly string[]): string {
  const maps = names.map((name) => `<sitemap><loc>${xmlText(view.absolute(view.file(name)))}</loc></sitemap>`)
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...maps,
    '</sitemapindex>\n',
  ].join('\n')
}
