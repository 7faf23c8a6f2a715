import type { Amount, SitePart, SitePlan } from '@openfountain/site'
import { command } from '../command.ts'
import { inert } from '../inert.ts'
import { exportFolderFailure, siteOptionFailure } from '../wording/site.ts'

const stepNames: Readonly<Record<string, string>> = {
  waypoints: 'Reading waypoints',
  changes: 'Reading changes',
  reviews: 'Reading reviews',
  contributors: 'Reading contributors',
  pages: 'Writing pages',
  files: 'Copying files',
  search: 'Indexing',
  basemap: 'Copying the base map',
}

/** What the library takes: words as they are, digits as a number; it refuses all else. */
function pagesOf(text: string): 'none' | 'all' | number {
  return text === 'none' || text === 'all' ? text : /^\d+$/u.test(text) ? Number(text) : NaN
}

const partNames: Readonly<Record<SitePart, string>> = {
  fountains: 'pages of fountains',
  regions: 'pages of regions',
  people: 'pages of people',
  others: 'other pages',
  map: 'map, search and scripts',
  downloads: 'downloads',
}

/** How large the site will be, told before it is built. */
function planLines(plan: SitePlan): string[] {
  const { parts, waypointPages, waypoints } = plan
  const all = (Object.keys(partNames) as SitePart[]).map((part) => ({ part, ...sizeOf(parts[part]) }))
  const wide = (what: 'files' | 'megabytes') => Math.max(...all.map((one) => one[what].length))
  const named = all.map(
    ({ part, files, megabytes }) =>
      `  ${files.padStart(wide('files'))} files, ${megabytes.padStart(wide('megabytes'))} MB  ${partNames[part]}`,
  )
  const which = `${waypointPages.toLocaleString('en')} of ${waypoints.toLocaleString('en')} fountains get a page`
  return [`The site will have about ${sizeText(plan)}; ${which} (--pages):`, ...named]
}

function sizeText(amount: Amount): string {
  const { files, megabytes } = sizeOf(amount)
  return `${files} files, ${megabytes} MB`
}

function sizeOf({ files, bytes }: Amount): { readonly files: string; readonly megabytes: string } {
  return { files: files.toLocaleString('en'), megabytes: Math.ceil(bytes / 1e6).toLocaleString('en') }
}

export const siteBuild = command({
  name: 'site build',
  summary: 'Builds the static map site from an export folder.',
  more: 'Any web host serves the result; no server of ours is needed. An earlier site in DIR is replaced only when the new one is whole. It reads the export alone, never the database.',
  options: {
    data: { type: 'text', value: 'DIR', required: true, about: 'The folder that openfountain export wrote' },
    out: { type: 'text', value: 'DIR', required: true, about: 'The folder to write the site to' },
    base: { type: 'text', value: 'PATH', about: 'Its path on the host, such as /fountains; default /' },
    url: {
      type: 'text',
      value: 'URL',
      about: 'Where it will be found; for the sitemap, canonical links and embedding elsewhere',
    },
    api: {
      type: 'text',
      value: 'URL',
      about: 'Where the API is, such as /api: people then sign in on the site; default none',
    },
    title: { type: 'text', value: 'NAME', about: 'The site’s name; default the registry’s' },
    style: { type: 'text', value: 'URL', about: 'A MapLibre style as base map; default the bundled land' },
    basemap: {
      type: 'text',
      value: 'FILE',
      about:
        'Streets: a PMTiles file of Protomaps’ tiles, its address on a host, or openfreemap, which each visitor’s browser then asks; default none',
    },
    engine: {
      type: 'text',
      value: 'ENGINE',
      choices: ['trimmed', 'published'],
      about: 'MapLibre without what the map never uses, or as published; default trimmed',
    },
    languages: {
      type: 'list',
      value: 'TAG',
      about: 'Its languages, the default one first; default all there are, English first',
    },
    pages: {
      type: 'text',
      value: 'N',
      about:
        'How many fountains get a page of their own, latest changed first: none, a number or all; default as many as usual hosts take (20,000 files and 1 GB in all)',
    },
  },
  examples: [
    {
      line: 'openfountain site build --data exports --out site',
      does: 'Builds a site for the root of a host',
    },
    {
      line: 'openfountain site build --data exports --out site --url https://example.org/fountains --languages de,en',
      does: 'Builds it for a path of a host, in German and English',
    },
    {
      line: 'openfountain site build --data exports --out site --basemap rome.pmtiles',
      does: 'Builds it with streets, from a piece of Protomaps’ map of the world',
    },
    {
      line: 'openfountain site build --data exports --out site --api /api',
      does: 'Builds it to be served beside the API: openfountain serve --site site',
    },
  ],
  async run(options, _positionals, { out }) {
    const { data, base, url, api, title, style, basemap, engine, languages, pages } = options
    // Astro takes a second to load, which no other command should wait for.
    const { buildSite, ExportFolderError, SiteOptionError } = await import('@openfountain/site')
    const bar = out.progress('Building')
    const report = await buildSite({
      data,
      out: options.out,
      ...(base !== undefined && { base }),
      ...(url !== undefined && { url }),
      ...(api !== undefined && { api }),
      ...(title !== undefined && { title }),
      ...(style !== undefined && { style }),
      ...(basemap !== undefined && { basemap }),
      ...(engine !== undefined && { engine }),
      ...(languages.length > 0 && { languages }),
      ...(pages !== undefined && { pages: pagesOf(pages) }),
      onPlan: (plan) => planLines(plan).forEach((line) => out.note(line)),
      onWarning: ({ message }) => out.note(`Warning: ${inert(message)}`),
      onProgress: ({ step, done, total }) => bar.at(done, total, stepNames[step] ?? step),
    })
      .catch((error: unknown) => {
        if (error instanceof SiteOptionError) throw siteOptionFailure(error)
        if (error instanceof ExportFolderError) throw exportFolderFailure(error)
        throw error
      })
      .finally(() => bar.end())
    out.result(report, () => [
      `${inert(report.out)}: ${report.pages.toLocaleString('en')} pages, ${report.waypointPages.toLocaleString('en')} of ${report.waypoints.toLocaleString('en')} fountains with a page, in ${report.languages.join(', ')}; ${sizeText(report)}`,
      'Hosts that can send headers may add:',
      `  Content-Security-Policy: ${report.contentSecurityPolicy}`,
      ...(report.baseMap === 'land'
        ? ['The map has no streets: --basemap FILE.pmtiles adds them (openfountain site build --help).']
        : []),
    ])
  },
})
