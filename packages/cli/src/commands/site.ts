import { command } from '../command.ts'
import { siteFailure, siteLines, siteOptions, siteSettings } from '../site-options.ts'
import { text } from '../options.ts'
import { rethrown } from '../failure.ts'

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

export const commands = [siteBuild]
