import { contributorSlug } from '../data/contributors.ts'
import { site } from './context.ts'
import { xml } from './feeds.ts'
import { oembedDocument } from './oembed.ts'
import { paginate } from './paging.ts'
import { viewOf, type View } from './view.ts'

const sitemapLimit = 40_000

/** The small files at the site's root by name: among them a sitemap for each language. Files that need the site's URL are written only when it is known. */
export function documents(): ReadonlyMap<string, string> {
  const view = viewOf()
  const known = site().origin !== undefined
  const files = new Map<string, string>([
    ['manifest.webmanifest', json(manifest(view))],
    ['robots.txt', robots(view, known)],
  ])
  if (!known) return files
  files.set('oembed.json', json(oembedDocument(view)))
  const byLanguage = Map.groupBy(sitemapEntries(view), ({ tag }) => tag)
  const maps = [...byLanguage].flatMap(([tag, entries]) =>
    paginate(entries, sitemapLimit).map(({ page, items }) => {
      const name = `sitemap-${tag}${page > 1 ? `-${page}` : ''}.xml`
      return [name, urlset(items)] as const
    }),
  )
  for (const [name, text] of maps) files.set(name, text)
  files.set(
    'sitemap.xml',
    sitemapIndex(
      view,
      maps.map(([name]) => name),
    ),
  )
  return files
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

function robots(view: View, known: boolean): string {
  const sitemap = known ? `\nSitemap: ${view.absolute(view.file('sitemap.xml'))}\n` : ''
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

/** The sources of the pages that exist in each language. */
const sources = import.meta.glob<string>('../pages/\\[...language\\]/**/*.astro', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** The paths of those that search engines may show; of a list, its first page. */
const everyLanguage = Object.entries(sources)
  .filter(([, source]) => source.includes('<Page ') && !source.includes('index={false}'))
  .map(([file]) => file.replace(/^.*?\]\/|(?:index|\[\.\.\.page\])?\.astro$/gu, ''))
  .map((path) => path.replace(/([^/])$/u, '$1/'))
  .filter((path) => !path.includes('['))

function sitemapEntries(view: View): SitemapEntry[] {
  const { data, languages, contributorPages, fountainLanguages, regionLanguages } = view.site
  const regions = data.survey.regions.map(({ slug }) => `regions/${slug}/`)
  const paths = regionLanguages === 'one' ? everyLanguage : [...everyLanguage, ...regions]
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
      (other) => `<xhtml:link rel="alternate" hreflang="${xml(other.tag)}" href="${xml(other.address)}"/>`,
    )
    const lastmod = modified === undefined ? '' : `<lastmod>${xml(modified)}</lastmod>`
    return `<url><loc>${xml(address)}</loc>${lastmod}${links.join('')}</url>`
  })
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...lines,
    '</urlset>\n',
  ].join('\n')
}

function sitemapIndex(view: View, names: readonly string[]): string {
  const maps = names.map((name) => `<sitemap><loc>${xml(view.absolute(view.file(name)))}</loc></sitemap>`)
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...maps,
    '</sitemapindex>\n',
  ].join('\n')
}
