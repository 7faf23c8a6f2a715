import type { Registry } from '@openfountain/core'
import type { ExportOptions, ExportReport } from '@openfountain/exchange'
import type { SiteReport } from '@openfountain/site'
import { command, type Context } from '../command.ts'
import type { ExitName } from '../exit-codes.ts'
import { pace, withoutWatching } from '../follow.ts'
import { inert } from '../inert.ts'
import { type Given, flag, list, text, whole } from '../options.ts'
import { databaseOption, photosOption, registryOptions, withRegistry } from '../settings.ts'
import { interruptible } from '../signals.ts'
import { siteFailure, siteLines, siteOptions, siteSettings } from '../site-options.ts'
import {
  exportFailure,
  exporting,
  mustAgree,
  permittedOf,
  termsOptions,
  witnessesOf,
  witnessLines,
} from './export.ts'
import { rethrown } from '../failure.ts'
import { basemapOf } from './basemap.ts'

const watchOptions = {
  watch: flag('Goes on after that, and publishes again whenever the registry has changed, and once a day'),
  every: whole(
    'SECONDS',
    'With --watch: publishes no more often than this, and what is written without a pause no later than this',
    { min: 1, max: 86_400, default: pace.every },
  ),
  quiet: whole('SECONDS', 'With --watch: publishes when nothing was written for so long', {
    min: 0,
    max: 86_400,
    default: pace.quiet,
  }),
}

const publishOptions = {
  ...databaseOption,
  out: text('DIR', 'Where the site is to be, with the downloads in its folder data', { required: true }),
  ...watchOptions,
  formats: list(
    'NAME',
    'Only these downloads, such as geojson or csv, besides what the site needs; default all',
  ),
  downloads: text(
    'WHEN',
    'Whether downloads that take long to make (GeoJSON, CSV, GPX, KML, KMZ, GeoParquet, GeoPackage, SQLite) are made anew each time or once a day (UTC); default daily with --watch, else always',
    { choices: ['always', 'daily'] },
  ),
  ...photosOption,
  'photos-limit': whole(
    'N',
    'How many photos of each fountain the site has, the newest; 0 for none, which asks for them at the API',
    { min: 0, max: 1000, default: 10 },
  ),
  ...siteOptions,
  ...termsOptions,
  ...registryOptions,
}

type PublishOptions = Given<typeof publishOptions>

/** Public addresses of downloads and pages; the site refuses invalid ones. */
function addressesOf({ url, base }: PublishOptions): Pick<ExportOptions, 'url' | 'homepage'> {
  const root = url === undefined ? null : URL.parse(url)
  if (root === null) return {}
  const folders = (base ?? root.pathname).split('/').filter((name) => name !== '')
  const pages = new URL([...folders, ''].join('/'), `${root.origin}/`)
  return { homepage: pages.href, url: new URL('data/', pages).href }
}

const unchangedText = ({ unchangedSite, unchangedPages }: SiteReport): string =>
  unchangedSite
    ? 'the site is as it was, and was left where it is'
    : `${unchangedPages.toLocaleString('en')} pages are as they were`

async function published(
  options: PublishOptions,
  registry: Registry,
  { out }: Context,
  signal: AbortSignal,
): Promise<void> {
  const [{ buildSite, siteFiles }, { exportRegistry, exportState }] = await Promise.all([
    import('@openfountain/site'),
    import('@openfountain/exchange'),
  ])
  const content = {
    ...(options.formats.length > 0 && { formats: [...options.formats, ...siteFiles] }),
    license: options.license,
    splitByLicense: options['split-by-license'],
    permitted: await permittedOf(options.permitted, registry),
    fictional: options.fictional,
    precompress: options.precompress,
    witnesses: witnessesOf(options.witness),
    photos: options['photos-limit'],
    downloads: options.downloads ?? 'always',
    ...addressesOf(options),
    asOf: await registry.observations.today(),
  }
  const [head, revision] = [await registry.head(), await registry.revision()]
  const bar = out.progress('Publishing')
  let exported: ExportReport | undefined
  const report = await buildSite({
    async data(folder, earlier) {
      exported = await exportRegistry(registry, {
        ...content,
        out: folder,
        earlier,
        signal,
        onProgress: (progress) => exporting(progress, bar),
      })
    },
    // Only a split export itself knows what it withholds.
    ...(!content.splitByLicense && { dataState: await exportState(registry, content) }),
    out: options.out,
    linked: true,
    signal,
    ...siteSettings({ ...options, basemap: basemapOf(options) }, out, bar),
  })
    .catch(rethrown(async (error) => exportFailure(await siteFailure(error))))
    .finally(() => bar.end())
  const { licenses = [options.license ?? registry.license], withheld = [], leftOut = [] } = exported ?? {}
  const about = { revision, head, ...(exported && { revision: exported.revision, head: exported.head }) }
  const named = { ...report, out: options.out }
  out.result({ ...named, export: { ...about, licenses, leftOut, withheld } }, () => [
    ...siteLines(named),
    ...withheld.map((one) => `Withheld: ${inert(JSON.stringify(one))}`),
    ...photoLines(exported?.photos),
    ...witnessLines(exported?.log),
    `Published under ${licenses.map(inert).join(', ')}, up to log entry ${about.head.id}; ${unchangedText(report)}`,
  ])
}

export function photoLines(photos: ExportReport['photos']): string[] {
  if (photos === undefined || photos.files === 0) return []
  const { files, bytes, missing } = photos
  return [
    `${files} files of photos with ${(bytes / 1_000_000).toFixed(1)} MB`,
    ...(missing > 0 ? [`${missing} files of photos are missing: log verify --photos names them`] : []),
  ]
}

function argumentsOf({ downloads }: PublishOptions): string[] {
  const given = withoutWatching(process.argv.slice(2), watchOptions)
  return downloads === undefined ? [...given, '--downloads', 'daily'] : given
}

/** Publishes in child processes: a build leaves much in memory, and its crash must not end this process. */
async function always(
  options: PublishOptions,
  registry: Registry,
  { out }: Context,
  signal: AbortSignal,
): Promise<ExitName> {
  const { anotherProcess, follow } = await import('../follow.ts')
  return follow({
    state: async () => JSON.stringify([await registry.version(), await registry.observations.today()]),
    publish: () => anotherProcess(argumentsOf(options), signal),
    pace: { every: options.every, quiet: options.quiet },
    note: (text) => out.note(text),
    signal,
  })
}

const publish = command('publish', {
  summary: 'Exports the registry and builds its site in one step, once or whenever something changes.',
  more: 'DIR becomes a symbolic link to the site, which is in a hidden folder beside it, so that a new one takes its place in one step; the earlier one is removed. Pages and files of the map that would come out the same are taken over from it, and all downloads while the registry has not changed and the day (UTC) is the same; with --downloads daily those that take long to make also when it has, unless something was erased. While the options, the files that they name and the program are the same, too, the site is left where it is. An earlier site of this command or of site build is replaced, another folder is refused, and whatever fails leaves the earlier site as it was. With --watch it runs beside a server, which it never disturbs, until SIGTERM or Ctrl-C; failures are tried again, after ever longer pauses of ten minutes at most.',
  options: publishOptions,
  examples: {
    'publish --out public': 'Writes the site with all downloads',
    'publish --out public --url https://fountains.example --basemap rome.pmtiles':
      'Writes it for a host, with streets',
    'publish --out public --formats geojson,csv --pages 5000': 'Writes a smaller one, for hosts with a limit',
    'publish --out site --api /api --watch':
      'Keeps the site of a server up to date, with the largest downloads of once a day: openfountain serve --site site --exports site/data',
    'publish --out site --api /api --watch --every 3600': 'Does so once an hour at most',
  },
  async run(options, context) {
    mustAgree(options)
    const publishing = options.watch ? always : published
    return interruptible((signal) =>
      withRegistry<ExitName | void>(options, 'read', context, (registry) =>
        publishing(options, registry, context, signal),
      ),
    )
  },
})

export const siteBuild = command('site build', {
  summary: 'Builds the static map site from an export folder.',
  more: 'Any web host serves the result; no server of ours is needed. An earlier site in DIR is replaced only when the new one is whole. It reads the export alone, never the database.',
  options: {
    data: text('DIR', 'The folder that openfountain export wrote', { required: true }),
    out: text('DIR', 'The folder to write the site to', { required: true }),
    ...siteOptions,
  },
  examples: {
    'site build --data exports --out site': 'Builds a site for the root of a host',
    'site build --data exports --out site --url https://example.org/fountains --languages de,en':
      'Builds it for a path of a host, in German and English',
    'site build --data exports --out site --basemap rome.pmtiles':
      'Builds it with streets, from a piece of Protomaps’ map of the world',
    'site build --data exports --out site --api /api':
      'Builds it to be served beside the API: openfountain serve --site site',
  },
  async run(options, { out }) {
    // Imported here, since Astro takes a second to load.
    const { buildSite } = await import('@openfountain/site')
    const report = await out
      .during('Building', (bar) =>
        buildSite({ data: options.data, out: options.out, ...siteSettings(options, out, bar) }),
      )
      .catch(rethrown(siteFailure))
    out.result(report, () => [
      ...siteLines(report),
      report.baseMap === 'land' &&
        'The map has no streets: --basemap FILE.pmtiles adds them (openfountain site build --help).',
    ])
  },
})

export const commands = [publish, siteBuild]
