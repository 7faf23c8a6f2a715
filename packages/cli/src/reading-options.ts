import { fetching } from '@openfountain/core/rules'
import type { HarvestOptions, ImportFileOptions } from '@openfountain/exchange'
import { usage } from './failure.ts'
import { readyMapOr } from './ready-maps.ts'
import { flag, list, text, whole, type Given } from './options.ts'

/** How data of a source is read, from a file or from an address. */
export const readingOptions = {
  license: text('SPDX', 'The licence of the data, such as CC0-1.0 or ODbL-1.0'),
  attribution: text('TEXT', 'The attribution that the source asks for'),
  map: text('FILE', 'What the columns mean: a JSON file, or the name of a ready map such as zurich'),
  reference: text(
    'COLUMN',
    "The column with the source's own reference of each row, where the headings do not tell",
  ),
  crs: text('EPSG:N', 'The coordinate system, when the file does not name it'),
  swap: flag('Swaps latitude and longitude'),
  'no-swap': flag('Keeps the coordinates as they are, even if they seem to be swapped'),
  place: text('NAME', 'The town for the names of fountains that have none'),
  encoding: text('NAME', 'The encoding of the text, when it is detected wrongly'),
  delimiter: text('CHARACTER', 'The delimiter, when it is detected wrongly'),
  skip: whole('LINES', 'Lines above the headings, when titles and comments are detected wrongly', {
    min: 0,
    max: 1000,
  }),
  sheet: text('NAME', 'The sheet of a workbook, when it is not the one whose headings name coordinates'),
  'remove-missing': flag(
    'Removes what the source no longer lists and nobody has edited, reviewed or seen here',
  ),
  'keep-missing': flag('Does not mark what the source no longer lists; for a file that is only a part of it'),
  'keep-all': flag('Also imports what is not for drinking'),
  unapproved: flag('Leaves what it creates to the moderators to approve; imports are approved otherwise'),
  'allow-private': flag(
    'Of an address: allows those of this machine and of private networks, and http: among them',
  ),
  'max-size': whole('MB', `Of an address: the most that is fetched; default ${fetching.megabytes}`, {
    min: 1,
    max: 100_000,
  }),
  header: list(
    'NAME=VARIABLE',
    'Of an address: a header whose value is secret, such as X-App-Token=OPENFOUNTAIN_SECRET_LUND; the value is in the environment, in a variable that begins with OPENFOUNTAIN_SECRET_, and goes to the host of the address alone',
  ),
}

type Reading = Given<typeof readingOptions>

/** @throws CommandError usage for options that exclude each other */
export function checkReading(given: Reading): void {
  if (given.swap && given['no-swap']) throw usage('--swap and --no-swap exclude each other')
  if (given['remove-missing'] && given['keep-missing'])
    throw usage('--remove-missing and --keep-missing exclude each other')
}

/** Variables of the environment by the headers that they are the values of. @throws CommandError usage */
export function headersOf({ header }: Pick<Reading, 'header'>): Record<string, string> {
  return Object.fromEntries(
    header.map((each) => {
      const [, name = '', variable = ''] =
        /^([A-Za-z][A-Za-z0-9-]*)=(OPENFOUNTAIN_SECRET_[A-Z0-9_]+)$/u.exec(each) ?? []
      if (name === '')
        throw usage(
          '--header must be NAME=VARIABLE, with a variable of the environment that begins with OPENFOUNTAIN_SECRET_; the value itself is never given here',
        )
      return [name, variable]
    }),
  )
}

/** How the importer reads the data. */
export const interpretationOf = (given: Reading) =>
  ({
    reference: given.reference,
    crs: given.crs,
    place: given.place,
    encoding: given.encoding,
    delimiter: given.delimiter,
    skip: given.skip,
    sheet: given.sheet,
    keepAll: given['keep-all'],
    approved: !given.unapproved,
    missing: given['remove-missing'] ? 'remove' : given['keep-missing'] ? 'keep' : 'mark',
    axes: given.swap ? 'swap' : given['no-swap'] ? 'keep' : undefined,
  }) satisfies Partial<ImportFileOptions>

/** How the data is fetched. @throws CommandError usage */
export const fetchingOf = (given: Reading) =>
  ({
    allowPrivate: given['allow-private'],
    megabytes: given['max-size'],
    headers: headersOf(given),
  }) satisfies Partial<HarvestOptions>

/** The given options in the form of a schedule. @throws CommandError usage */
export async function harvestOptionsOf(given: Reading): Promise<HarvestOptions> {
  checkReading(given)
  const { approved, missing, keepAll, ...read } = interpretationOf(given)
  const { allowPrivate, headers, megabytes } = fetchingOf(given)
  const said: HarvestOptions = {
    ...read,
    ...(given.map !== undefined && { map: await readyMapOr(given.map) }),
    ...(!approved && { approved }),
    ...(missing !== 'mark' && { missing }),
    ...(keepAll && { keepAll }),
    ...(allowPrivate && { allowPrivate }),
    ...(Object.keys(headers).length > 0 && { headers }),
    megabytes,
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}
