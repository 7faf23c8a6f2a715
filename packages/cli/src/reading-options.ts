import { fetching } from '@openfountain/core/rules'
import type { HarvestOptions, ImportFileOptions } from '@openfountain/exchange'
import { usage, rethrown } from './failure.ts'
import { flag, list, text, whole, type Given } from './options.ts'
import { existsSync } from 'node:fs'
import { importFailure } from './wording/import.ts'

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
export const headersOf = ({ header }: Pick<Reading, 'header'>): Record<string, string> =>
  Object.fromEntries(
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

export const fetchingOf = (given: Reading) =>
  ({
    allowPrivate: given['allow-private'],
    megabytes: given['max-size'],
    headers: headersOf(given),
  }) satisfies Partial<HarvestOptions>

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

/** The path of a map: a file, else the ready map of that name. @throws CommandError usage */
async function mapPath(given: string): Promise<string> {
  if (existsSync(given)) return given
  const { readyMaps } = await import('@openfountain/exchange')
  const ready = await readyMaps()
  const found = ready.find(({ name }) => name === given)
  if (found !== undefined) return found.path
  const names = ready.map(({ name }) => name).join(', ')
  throw usage(
    `--map: file ${JSON.stringify(given)} not found, and no ready map has this name; the ready maps are ${names}`,
  )
}

/** The content of a map, or its name for a ready one, which may change with the program. @throws CommandError usage */
export async function readyMapOr(given: string): Promise<NonNullable<HarvestOptions['map']>> {
  const path = await mapPath(given)
  if (path !== given) return given
  const { readMapFile } = await import('@openfountain/exchange')
  return readMapFile(path).catch(rethrown(importFailure))
}

export async function sourceIn(map: HarvestOptions['map']) {
  if (typeof map !== 'string') return map?.source
  const { readMapFile } = await import('@openfountain/exchange')
  return (await readMapFile(await mapPath(map))).source
}

async function fitting(file: string) {
  const { readyMapFor } = await import('@openfountain/exchange')
  return file === '-' || !existsSync(file) ? undefined : readyMapFor(file)
}

/** The given map, or where source or licence is missing one that fits the headings. @throws CommandError usage */
export async function chooseMap(
  { map, source, license }: Readonly<Record<'map' | 'source' | 'license', string | undefined>>,
  file: string,
): Promise<{ readonly path?: string; readonly remark?: string }> {
  const isNamed = source !== undefined && license !== undefined
  const path = map === undefined ? undefined : await mapPath(map)
  if (isNamed) {
    if (path !== undefined) return { path }
    // The import itself says what is wrong with a file, and options say how it is read.
    const found = await fitting(file).catch(() => undefined)
    if (found === undefined) return {}
    const remark = `The ready map ${found.name} is for a file with such headings, and reads more of it: --map ${found.name}`
    return { remark }
  }
  const { readMapFile } = await import('@openfountain/exchange')
  const found = path === undefined ? await fitting(file) : undefined
  const said = path === undefined ? found?.map.source : (await readMapFile(path)).source
  const silent = map === undefined ? '' : `, and the map ${JSON.stringify(map)} does not name it`
  if (source === undefined && said?.name === undefined)
    throw usage(`--source is missing${silent}: say who the data comes from, such as --source "City of Lund"`)
  if (license === undefined && said?.license === undefined)
    throw usage(
      `--license is missing${silent}: say the licence of the data, such as --license CC0-1.0; where its publisher states none, ask`,
    )
  if (path !== undefined) return { path }
  if (found === undefined) return {}
  const from = `${source ?? said?.name ?? ''}, ${license ?? said?.license ?? ''}`
  const remark = `Its headings are those that the ready map ${found.name} is for (${from}); --source, --license and --map say otherwise`
  return { path: found.path, remark }
}
