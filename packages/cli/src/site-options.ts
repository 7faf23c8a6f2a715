import type {
  Amount,
  SiteOptions,
  SitePart,
  SitePlan,
  SiteReport,
  ExportFolderError,
  ExportProblem,
  ExportProblemCode,
  SiteOptionError,
} from '@openfountain/site'
import { inert } from './inert.ts'
import { type Given, list, text } from './options.ts'
import type { Output, Progress } from './output.ts'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { CommandError } from './failure.ts'

/** The library's value: a word, or digits as a number; it refuses anything else. */
const pagesOf = (_name: string, text: string): 'none' | 'all' | number =>
  text === 'none' || text === 'all' ? text : /^\d+$/u.test(text) ? Number(text) : NaN

export const siteOptions = {
  base: text('PATH', 'Its path on the host, such as /fountains; default /'),
  url: text('URL', 'Where it will be found; for the sitemap, canonical links and embedding elsewhere'),
  api: text('URL', 'Where the API is, such as /api: people then sign in on the site; default none'),
  registration: text(
    'WHO',
    'Who gets an account there, as serve has it: buttons then say what a visitor can do; default not known',
    { env: 'OPENFOUNTAIN_REGISTRATION', choices: ['open', 'invite', 'closed'] },
  ),
  'image-hosts': list(
    'HOST',
    'Hosts whose pictures pages show, such as upload.wikimedia.org, which visitors’ browsers then ask for them; default none: the address of a picture is a link',
  ),
  title: text('NAME', 'The site’s name; default the registry’s'),
  style: text('URL', 'A MapLibre style as base map; default the bundled land'),
  basemap: text(
    'FILE',
    'Streets: a PMTiles file of Protomaps’ tiles, its address on a host, or openfreemap, which each visitor’s browser then asks; publish draws those of basemap add by default, unless this is none; default none',
  ),
  languages: list('TAG', 'Its languages, the default one first; default all there are, English first'),
  pages: text(
    'N',
    'How many fountains get a page of their own, latest changed first: none, a number or all; default as many as usual hosts take (20,000 files and 1 GB in all)',
    { reads: pagesOf },
  ),
  extra: text(
    'DIR',
    'Files that become part of the site as they are, such as .htaccess, CNAME or .well-known/; default none',
  ),
  places: text(
    'FILE',
    'Places for the search, and names of subdivisions: GeoJSON with names, such as the file of --regions; default none',
  ),
}

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

export function siteSettings(options: Given<typeof siteOptions>, out: Output, bar: Progress) {
  const { base, url, api, registration, title, style, basemap, languages, pages, places, extra } = options
  const { 'image-hosts': imageHosts } = options
  const same = { base, url, api, registration, title, style, basemap, pages, places, extra }
  return {
    ...same,
    languages: languages.length > 0 ? languages : undefined,
    imageHosts: imageHosts.length > 0 ? imageHosts : undefined,
    onPlan: (plan) => planLines(plan).forEach((line) => out.note(line)),
    onWarning: ({ message }) => out.note(`Warning: ${inert(message)}`),
    onProgress: ({ step, done, total }) => bar.at(done, total, stepNames[step] ?? step),
  } satisfies Partial<SiteOptions>
}

export const siteLines = (report: SiteReport): string[] => [
  `${inert(report.out)}: ${report.pages.toLocaleString('en')} pages, ${report.waypointPages.toLocaleString('en')} of ${report.waypoints.toLocaleString('en')} fountains with a page, in ${report.languages.join(', ')}; ${sizeText(report)}`,
  'Hosts that can send headers may add:',
  `  Content-Security-Policy: ${report.contentSecurityPolicy}`,
]

/** A build error as a failure of the command. The package is imported here because Astro takes a second to load. */
export async function siteFailure(error: unknown): Promise<unknown> {
  const { ExportFolderError, SiteOptionError } = await import('@openfountain/site')
  if (error instanceof SiteOptionError) return siteOptionFailure(error)
  return error instanceof ExportFolderError ? exportFolderFailure(error) : error
}

const partNames: Readonly<Record<SitePart, string>> = {
  fountains: 'pages of fountains',
  regions: 'pages of regions',
  people: 'pages of people',
  others: 'other pages',
  map: 'map, search and scripts',
  downloads: 'downloads',
}

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

const sizeOf = ({ files, bytes }: Amount): { readonly files: string; readonly megabytes: string } => ({
  files: files.toLocaleString('en'),
  megabytes: Math.ceil(bytes / 1e6).toLocaleString('en'),
})

/** The parent folder of a set, when the export is split by licence. */
function wholeOf(folder: string): string | undefined {
  const whole = path.dirname(path.resolve(folder))
  try {
    const { openfountain } = JSON.parse(readFileSync(path.join(whole, 'datapackage.json'), 'utf8')) as {
      openfountain?: { parts?: readonly unknown[] }
    }
    return openfountain?.parts === undefined ? undefined : whole
  } catch {
    return undefined
  }
}

/** Remedies that are commands; null when the library's message suffices. */
type Remedies<Code extends ExportProblemCode> = {
  readonly [One in Code]: ((problem: ExportProblem<One>) => string) | null
}

const exportRemedies: Remedies<ExportProblemCode> = {
  UNREADABLE_FOLDER: ({ folder }) => `Make one with openfountain export --out ${folder}`,
  EMPTY: ({ folder }) => `Write an export into it: openfountain export --out ${folder}`,
  NOT_AN_EXPORT: () => 'Give the folder that openfountain export --out wrote.',
  DIFFERENCE: ({ folder }) =>
    `A site needs everything; export without --since: openfountain export --out ${folder}`,
  INCOMPLETE({ folder }) {
    const whole = wholeOf(folder)
    return whole === undefined
      ? `Export again, with all formats: openfountain export --out ${folder}`
      : `It is one set of an export that is split by licence: give the folder that has them all, --data ${whole}`
  },
  NEWER_FORMAT: null,
  INVALID_DESCRIPTION: null,
  OTHER_SIZE: ({ folder }) => `Export again: openfountain export --out ${folder}`,
  UNREADABLE_FILE: null,
  NOT_JSON: null,
  INVALID_RECORD: null,
}

function remedyFor<Code extends ExportProblemCode>(problem: ExportProblem<Code>): string | undefined {
  const remedy: Remedies<Code>[Code] = exportRemedies[problem.code]
  return remedy?.(problem)
}

export function exportFolderFailure(error: ExportFolderError): CommandError {
  const { code, problem, found, message, details } = error
  const remedy = remedyFor(problem)
  const text = remedy === undefined ? message : `${found} ${remedy}`
  return new CommandError('unreadable', text, 'EXPORT_FOLDER_ERROR', { problem: code, ...details })
}

/** An invalid option of a build as a failure of the command; its name is the same with two hyphens. */
export function siteOptionFailure({ code, option, found, details }: SiteOptionError): CommandError {
  const exit = code === 'OUT_BUSY' ? 'busy' : 'usage'
  return new CommandError(exit, `--${option}: ${found}`, 'SITE_OPTION_ERROR', { problem: code, ...details })
}
