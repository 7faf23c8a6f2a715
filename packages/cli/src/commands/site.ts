import { command } from '../command.ts'
import { siteFailure, siteLines, siteOptions, siteSettings } from '../site-options.ts'

export const siteBuild = command({
  name: 'site build',
  summary: 'Builds the static map site from an export folder.',
  more: 'Any web host serves the result; no server of ours is needed. An earlier site in DIR is replaced only when the new one is whole. It reads the export alone, never the database.',
  options: {
    data: { type: 'text', value: 'DIR', required: true, about: 'The folder that openfountain export wrote' },
    out: { type: 'text', value: 'DIR', required: true, about: 'The folder to write the site to' },
    ...siteOptions,
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
    // Imported here, since Astro takes a second to load.
    const { buildSite } = await import('@openfountain/site')
    const bar = out.progress('Building')
    const report = await buildSite({
      data: options.data,
      out: options.out,
      ...siteSettings(options, out, bar),
    })
      .catch(async (error: unknown) => {
        throw await siteFailure(error)
      })
      .finally(() => bar.end())
    out.result(report, () => [
      ...siteLines(report),
      ...(report.baseMap === 'land'
        ? ['The map has no streets: --basemap FILE.pmtiles adds them (openfountain site build --help).']
        : []),
    ])
  },
})
