import type { Registry } from '@openfountain/core'
import type { ExportOptions, ExportReport } from '@openfountain/exchange'
import { CommandError, usage, rethrown } from '../failure.ts'
import { inert } from '../inert.ts'
import { amountText, registeredName, judgementText, quoted, remedyLines } from '../licence-advice.ts'
import { flag, type Given, list, text } from '../options.ts'
import type { Progress } from '../output.ts'
import { row } from '../row.ts'
import { databaseOption, registryOptions } from '../settings.ts'
import { tableLines } from '../table.ts'
import { filterNames } from '@openfountain/core/internal'

type ExportProgress = Parameters<NonNullable<ExportOptions['onProgress']>>[0]

export const termsOptions = {
  license: text('SPDX', 'The licence of the files; default the registry’s own. Not with --split-by-license'),
  'split-by-license': flag(
    'Writes a set of files for each licence, in a folder of its own; site build and serve accept them all together',
  ),
  permitted: list(
    'SOURCE',
    'A source that consented to the licence in writing: its exact name, as a refusal prints it',
    { verbatim: true },
  ),
  precompress: flag(
    'Writes compressed forms beside the files (.br, .zst, .gz), which serve, nginx and Caddy send instead; site build takes them along',
  ),
  witness: list(
    '"URL VKEY"',
    'A witness that is asked to cosign the checkpoint of a signed log: its address and its verifier key, with a space between',
  ),
  fictional: flag('Says in every description that the records are made up'),
}

export const whereOption = {
  where: list('NAME=VALUE', 'Only fountains that match; several must all match', { verbatim: true }),
}

export const conditionsBut = (left: readonly string[] = []): string =>
  filterNames.filter((name) => !left.includes(name)).join(', ')

/** The filter that `NAME=VALUE` says. @param left names that are not taken here @throws CommandError usage */
export async function whereOf(given: readonly string[], left: readonly string[] = []) {
  const pairs = given.map((pair) => {
    const [name = '', ...value] = pair.split('=')
    if (!pair.includes('=') || !filterNames.includes(name) || left.includes(name))
      throw usage(`${JSON.stringify(pair)} must be NAME=VALUE with one of ${conditionsBut(left)}`)
    return [name, value.join('=')] as const
  })
  if (pairs.length === 0) return {}
  const { filterFrom } = await import('@openfountain/server')
  try {
    return filterFrom(pairs)
  } catch (error) {
    throw error instanceof Error && error.name === 'Problem' ? usage(error.message) : error
  }
}

export const rangeOptions = {
  bbox: text('W,S,E,N', 'Only waypoints inside this box, in degrees'),
  region: text('NAME', 'Only waypoints of this region'),
  country: text('CODE', 'Only waypoints of this country, by ISO 3166-1: IT'),
  subdivision: text('CODE', 'Only waypoints of this part of a country, by ISO 3166-2: IT-62'),
  status: text('STATE', 'Only waypoints in this state as of the export, such as works'),
  ...whereOption,
}

/** The filter of the options; the others are short for --where. @throws CommandError usage */
export function rangeOf(options: Given<typeof rangeOptions>) {
  const { bbox, region, country, subdivision, status, where } = options
  const short = Object.entries({ bbox, region, country, subdivision, status })
  return whereOf([
    ...short.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])),
    ...where,
  ])
}

export const witnessesOf = (given: readonly string[]): { url: string; key: string }[] =>
  given.map((text) => {
    const [url = '', key, ...more] = text.trim().split(/\s+/u)
    if (!/^https?:$/u.test(URL.parse(url)?.protocol ?? '') || key === undefined || more.length > 0)
      throw usage('--witness must be the address of a witness and its verifier key, with a space between')
    return { url, key }
  })

export const witnessLines = (log: ExportReport['log']): string[] =>
  (log?.notCosigned ?? []).map(({ url, problem }) => `Not cosigned by ${inert(url)}: ${inert(problem)}`)

/** The registry's names of sources, from printed names. @throws CommandError usage for an unknown source */
export async function permittedOf(given: readonly string[], registry: Registry): Promise<string[]> {
  const { contributionsTo, unknownNames } = await import('@openfountain/exchange')
  const names = [...(await registry.sources.list()).map(({ name }) => name), contributionsTo(registry.name)]
  const permitted = given.map((name) => registeredName(name, names))
  const [unknown] = unknownNames(permitted, names)
  if (unknown === undefined) return permitted
  throw usage(
    `--permitted: source ${quoted(unknown)} not found; the sources are\n${names.map((name) => `  ${quoted(name)}`).join('\n')}`,
  )
}

/** An export error as a failure of the command; a licence conflict with its remedies and options. */
export async function exportFailure(error: unknown): Promise<unknown> {
  const { commonLicences, LicenceConflict } = await import('@openfountain/exchange')
  if (!(error instanceof LicenceConflict)) return error
  const { license, obstacles, origins } = error
  const fitting = commonLicences(origins.filter(({ own }) => own !== true))
  const message = [
    `These sources may not be published under ${inert(license)}:`,
    ...obstacles.map(
      (obstacle) =>
        `  ${quoted(obstacle.name)}: ${inert(obstacle.license)}, ${amountText(obstacle)}, ${judgementText(obstacle)}`,
    ),
    'Ways out:',
    ...remedyLines({
      registryLicense: fitting.includes(license) ? license : fitting[0],
      exportLicense: commonLicences(origins)[0],
      permissible: obstacles.filter(({ verdict }) => verdict === 'permission').map(({ name }) => name),
      removable: obstacles.length === 1 && obstacles[0]?.own !== true ? obstacles[0]?.name : undefined,
    }),
  ].join('\n')
  return new CommandError('refused', message, 'LICENCE_CONFLICT', { license, obstacles })
}

export function exporting({ file, rows, done, files }: ExportProgress, bar: Progress): void {
  bar.at(done, files, rows > 0 ? `${file} ${rows.toLocaleString('en')} rows` : file)
}

/** @throws CommandError usage for conflicting terms */
export function mustAgree(terms: {
  readonly license: string | undefined
  readonly 'split-by-license': boolean
}): void {
  if (terms['split-by-license'] && terms.license !== undefined)
    throw usage(
      '--split-by-license and --license exclude each other: each set has the licence of its sources',
    )
}

export const exportCommand = row('export', {
  summary: 'Writes the whole registry as files that any tool can open and anyone can verify.',
  more: 'The files appear together when all are written; an export that fails leaves the previous one as it was. The same database gives the same bytes on the same day (UTC), or with --as-of. E-mail addresses and secrets are never in an export. Sources whose licences may not be published together are refused by name.',
  options: {
    ...databaseOption,
    out: text('DIR', 'The folder to write into; created if it does not exist', { required: true }),
    formats: list(
      'NAME',
      'Only these formats, such as geojson, csv, gpx or pmtiles; an unknown name lists all',
    ),
    ...rangeOptions,
    'as-of': text(
      'TIME',
      'The time of which states are, such as 2026-01-31 or 2026-01-31T12:00:00Z; default today. The same registry as of the same time gives the same bytes',
    ),
    since: text(
      'HEAD_OR_DATE',
      'Only what was added, changed or removed since: an entry’s id, its hash, both as log head prints them, or a date such as 2026-01-31',
    ),
    ...termsOptions,
    url: text('URL', 'Where the folder will be found, for absolute links in dataset.jsonld; default none'),
    homepage: text(
      'URL',
      'Where the registry has its pages, for datapackage.json and dataset.jsonld; default none',
    ),
    photos: flag(
      'Also writes the files of the photos that are listed, under their hashes in the folder photos; from where OPENFOUNTAIN_PHOTOS says, or NAME.photos beside the database NAME.db',
    ),
    dated: flag('Writes into a new folder named after the time, and points the link latest to it'),
    ...registryOptions,
  },
  examples: {
    'export --out exports': 'Writes every format',
    'export --out paris --bbox 2.2,48.8,2.5,48.9 --formats geojson,csv': 'Writes a part in two formats',
    'export --out changes --since 2026-01-01': 'Writes what changed this year',
    'export --out changes --since "$(tail -n 1 heads.txt)"':
      'Writes what changed since a log head that you kept',
    'export --out swedish --where "source=City of Lund" --where verified=true':
      'Writes what matches all conditions',
    'export --out exports --dated --license CC-BY-4.0': 'Keeps every export, with a link to the latest',
    'export --out exports --split-by-license': 'Writes a folder for each licence of the sources',
    'export --out exports --permitted "City of Lund" --permitted "City of Malmö"':
      'Publishes what two cities permitted under the licence of the registry',
  },
  check: mustAgree,
  async call(registry, options, { out }) {
    const { exportRegistry } = await import('@openfountain/exchange')
    const permitted = await permittedOf(options.permitted, registry)
    const where = await rangeOf(options)
    return out
      .during('Exporting', (bar) =>
        exportRegistry(registry, {
          out: options.out,
          ...(options.formats.length > 0 && { formats: options.formats }),
          ...(Object.keys(where).length > 0 && { where }),
          asOf: options['as-of'],
          since: options.since,
          license: options.license,
          splitByLicense: options['split-by-license'],
          permitted,
          ...(options.photos && { photos: Number.MAX_SAFE_INTEGER }),
          dated: options.dated,
          fictional: options.fictional,
          precompress: options.precompress,
          witnesses: witnessesOf(options.witness),
          url: options.url,
          homepage: options.homepage,
          onProgress: (progress) => exporting(progress, bar),
        }),
      )
      .catch(rethrown(exportFailure))
  },
  text: ({ files, leftOut, withheld, folder, licenses, head, photos, log }) => [
    ...tableLines(
      files.filter(({ file }) => !file.endsWith('.webp')),
      { FILE: 'file', ROWS: 'rows', BYTES: 'bytes' },
    ),
    ...leftOut.map(({ file, reason }) => `Left out ${inert(file)}: ${inert(reason)}`),
    ...withheld.map((one) => `Withheld: ${inert(JSON.stringify(one))}`),
    ...(photos === undefined
      ? []
      : [`${photos.files} files of photos with ${(photos.bytes / 1_000_000).toFixed(1)} MB`]),
    ...witnessLines(log),
    `Written to ${inert(folder)} under ${licenses.map(inert).join(', ')}, up to log entry ${head.id}`,
  ],
})

export const commands = [exportCommand]
