import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Registry } from '@openfountain/core'
import type { ExtractPlan } from '@openfountain/exchange'
import { command, type Context } from '../command.ts'
import { CommandError, usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { flag, type Given, text, whole } from '../options.ts'
import { asked } from '../output.ts'
import { databaseOption, withRegistry } from '../settings.ts'
import { interruptible } from '../signals.ts'
import { existsSync } from 'node:fs'
import { isOnServer } from '@openfountain/core/internal'

const megabyte = 1_000_000

const extractOptions = {
  ...databaseOption,
  margin: whole('METRES', 'How far around each fountain', { min: 100, max: 20_000, default: 2000 }),
  'max-zoom': whole(
    'Z',
    'The most detailed level: 15 has houses and names of all streets, 13 the larger streets',
    {
      min: 6,
      max: 15,
      default: 15,
    },
  ),
  'max-size': whole('MB', 'The largest file that is made', { min: 1, max: 1_000_000, default: 500 }),
  'allow-private': flag('Allows addresses of this machine and of private networks, and http: among them'),
  'dry-run': flag('Says what would be taken, and writes nothing'),
  yes: flag('Does not ask'),
}

interface Taken extends Pick<
  Given<typeof extractOptions>,
  'margin' | 'max-zoom' | 'max-size' | 'allow-private'
> {
  readonly source: string
}

const sizeText = (bytes: number): string =>
  `${(bytes / megabyte).toLocaleString('en', { maximumFractionDigits: 1 })} MB`

const planLines = (file: string, { source, tiles, bytes, maxZoom, attribution }: ExtractPlan): string[] => [
  `${inert(source)}: ${tiles.toLocaleString('en')} tiles around the fountains, to level ${maxZoom}, about ${sizeText(bytes)}, into ${inert(file)}`,
  ...(attribution === undefined
    ? []
    : [`The map will name ${inert(attribution.replaceAll(/<[^>]*>/gu, '').replaceAll('&copy;', '©'))}`]),
]

async function taken(
  { source, ...settings }: Taken,
  { db, 'dry-run': isDry, yes }: Pick<Given<typeof extractOptions>, 'db' | 'dry-run' | 'yes'>,
  registry: Registry,
  { out }: Context,
): Promise<void> {
  const { BasemapRefused, FetchRefused, StreetExtract } = await import('@openfountain/exchange')
  const failure = (error: unknown): unknown => {
    if (error instanceof BasemapRefused) {
      const exit =
        error.code === 'MISSING' ? 'notFound' : error.code === 'NO_PLACES' ? 'refused' : 'unreadable'
      return new CommandError(exit, inert(error.message), `BASEMAP_${error.code}`, { source: error.source })
    }
    if (error instanceof FetchRefused)
      return new CommandError('unreachable', inert(error.message), error.refusal.code, { ...error.refusal })
    return error
  }
  const file = streetsBeside(db)
  const places: { latitude: number; longitude: number }[] = []
  for await (const { latitude, longitude } of registry.waypoints.each()) places.push({ latitude, longitude })
  await interruptible(async (signal) => {
    try {
      await using extract = await StreetExtract.open(source, {
        places,
        signal,
        marginMetres: settings.margin,
        maxZoom: settings['max-zoom'],
        allowPrivate: settings['allow-private'],
        onRedirect: (url) => out.note(`It leads to ${inert(url)}`),
      })
      const { plan } = extract
      const most = settings['max-size'] * megabyte
      if (plan.bytes > most)
        throw new CommandError(
          'refused',
          `the streets would be ${sizeText(plan.bytes)}, more than --max-size ${settings['max-size']}: allow more, or take fewer with --margin or --max-zoom`,
          'BASEMAP_TOO_LARGE',
          { bytes: plan.bytes, most },
        )
      const lines = planLines(file, plan)
      if (!isDry) {
        if (!yes) {
          lines.forEach((line) => out.note(line))
          const answer = await asked('Take them? [y/N] ', out, 'nothing was written: give --yes to take them')
          if (!/^y(?:es)?$/iu.test(answer)) throw usage('nothing was written')
        }
        await out.during('Reading streets', (bar) =>
          extract.write(file, ({ bytes, of }) => bar.at(bytes, of, 'Reading streets')),
        )
        await writeFile(`${file}.json`, JSON.stringify({ source, ...settings } satisfies Taken, undefined, 2))
      }
      const size = isDry ? undefined : (await stat(file)).size
      out.result({ file, ...plan, ...(size !== undefined && { size }) }, () => [
        ...(isDry ? ['Dry run: nothing was written.', ...lines] : lines),
        size !== undefined &&
          `${inert(file)} has ${sizeText(size)}; the next openfountain publish draws them.`,
      ])
    } catch (error) {
      throw failure(error)
    }
  })
}

const add = command('basemap add', {
  summary: 'Takes the streets around the fountains out of a street map, for the maps that are published.',
  more: 'SOURCE is a PMTiles archive in the schema of Protomaps: a file, or an https: address that sends ranges, of which only what is needed is read. Protomaps publishes the whole world every day; https://maps.protomaps.com/builds names the addresses. The data are of OpenStreetMap (ODbL), whom the map then names. The streets lie beside the database, in streets.pmtiles, or in the working directory for a database on a server; publish draws them unless it is given another --basemap. What was read before an interruption is not read again.',
  places: { source: 'A file, or an address such as https://build.protomaps.com/20261101.pmtiles' },
  options: extractOptions,
  examples: {
    'basemap add monaco.pmtiles --yes': 'Takes them from a file',
    'basemap add https://build.protomaps.com/20261101.pmtiles --dry-run':
      'Says how many tiles and bytes it would be',
    'basemap add https://build.protomaps.com/20261101.pmtiles --margin 5000 --max-zoom 14 --max-size 200':
      'Takes more around, with less detail',
  },
  run: ({ source, ...options }, context) =>
    withRegistry(options, 'read', context, (registry) =>
      taken(
        {
          source: /^https?:\/\//iu.test(source) ? source : path.resolve(source),
          margin: options.margin,
          'max-zoom': options['max-zoom'],
          'max-size': options['max-size'],
          'allow-private': options['allow-private'],
        },
        options,
        registry,
        context,
      ),
    ),
})

const updateOptions = {
  ...databaseOption,
  source: text('SOURCE', 'Another file or address; default the one of the last time'),
  'dry-run': extractOptions['dry-run'],
  yes: extractOptions.yes,
}

const update = command('basemap update', {
  summary: 'Takes the streets again, around the fountains that there are now.',
  more: 'With the source and the settings of the last basemap add. The earlier streets stay until the new ones are whole.',
  options: updateOptions,
  examples: {
    'basemap update --yes': 'Takes them again, such as by a timer once a month',
    'basemap update --source https://build.protomaps.com/20261201.pmtiles':
      'Takes them from a newer map of the world',
  },
  async run(options, context) {
    const file = `${streetsBeside(options.db)}.json`
    const before = await readFile(file, 'utf8')
      .then((json) => JSON.parse(json) as Taken)
      .catch(() => undefined)
    if (before === undefined)
      throw new CommandError('notFound', 'there are no streets yet: openfountain basemap add SOURCE')
    const { source = before.source } = options
    await withRegistry(options, 'read', context, (registry) =>
      taken({ ...before, source }, options, registry, context),
    )
  },
})

const remove = command('basemap remove', {
  summary: 'Removes the streets; the next publication draws the bundled land alone.',
  options: databaseOption,
  examples: { 'basemap remove': 'Removes them' },
  async run({ db }, { out }) {
    const file = streetsBeside(db)
    if (!existsSync(file)) throw new CommandError('notFound', 'there are no streets')
    for (const ending of ['', '.json', '.part', '.part.key', '.new'])
      await rm(`${file}${ending}`, { force: true })
    out.result({ file, removed: true }, () => [`${inert(file)} is removed`])
  },
})

/** Where `basemap add` puts the streets of a registry: beside its database, or in the working directory. */
export const streetsBeside = (database: string): string =>
  path.resolve(isOnServer(database) ? '.' : path.dirname(path.resolve(database)), 'streets.pmtiles')

export function basemapOf({
  basemap,
  style,
  db,
}: {
  readonly basemap?: string | undefined
  readonly style?: string | undefined
  readonly db: string
}): string | undefined {
  if (basemap !== undefined) return basemap === 'none' ? undefined : basemap
  const file = streetsBeside(db)
  return style === undefined && existsSync(file) ? file : undefined
}

export const commands = [add, update, remove]
