import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Registry } from '@openfountain/core'
import { acceptances } from '@openfountain/core/internal'
import type { FetchedFile, ImportNote, ImportReport, Understanding } from '@openfountain/exchange'
import { command, type Context } from '../command.ts'
import { CommandError, rethrown } from '../failure.ts'
import { inert } from '../inert.ts'
import { warnOfLicence } from '../licence-advice.ts'
import { flag, list, oneOf, text } from '../options.ts'
import type { Line, Progress } from '../output.ts'
import { checkFolders } from '../output-files.ts'
import { checkReading, fetchingOf, interpretationOf, readingOptions, chooseMap } from '../reading-options.ts'
import {
  durabilityOption,
  regionsOption,
  propertiesOption,
  registryLicenseOption,
  withRegistry,
  writingOptions,
} from '../settings.ts'
import { interruptible } from '../signals.ts'
import { factLines, tableLines } from '../table.ts'
import {
  attentionText,
  concernText,
  importFailure,
  mostGone,
  noteText,
  phaseNames,
  refusedLine,
  stoppedBy,
} from '../wording/import.ts'

const options = {
  ...writingOptions,
  ...durabilityOption,
  ...regionsOption,
  source: text('NAME', 'Who publishes the data; use the same name for every import of it'),
  url: text('URL', 'Where the data can be found'),
  ...readingOptions,
  published: text(
    'DATE',
    'The day on which the source published the file, such as 2026-01-31, where the file does not say it; without it, as of when it lists them is not known',
  ),
  'dry-run': flag('Reports what the import would do, and writes nothing'),
  review: text('FILE', 'The review file of an earlier run, with your decisions in it'),
  report: text('FILE', 'Writes the whole report to this file, as JSON'),
  rejected: text(
    'FILE',
    'The file for refused rows; default FILE.rejected.ndjson, in the working directory where FILE is in a folder of another user or one that cannot be written',
  ),
  doubtful: text(
    'FILE',
    'The file for rows to review; default FILE.review.csv, likewise; one with decisions is not overwritten',
  ),
  accept: list(
    'WHAT',
    `Does not stop for it: shrink (more than ${mostGone} would be marked or removed, or no reference is known), older (an earlier publication, or a file that another one followed), partial (a file that calls itself a part)`,
  ),
  resume: flag('Continues an interrupted import of this file'),
  ...registryLicenseOption,
  ...propertiesOption,
}

const acceptedOf = (words: readonly string[]) =>
  words.map((word) => oneOf(acceptances).reads('--accept', word))

const warnings: ReadonlySet<ImportNote['code']> = new Set([
  'PUBLISHED_UNKNOWN',
  'PUBLISHED_AHEAD',
  'DAYS_AHEAD',
])

const isWarning = ({ code }: ImportNote): boolean => warnings.has(code)

const noteLine = (note: ImportNote): string =>
  `${isWarning(note) ? 'Warning' : 'Note'}: ${inert(noteText(note))}`

function understandingLines({
  format,
  encoding,
  crs,
  rows,
  columns,
  copyright,
  published,
  notes,
}: Understanding): string[] {
  return [
    ...factLines([
      ['format', encoding === undefined ? format : `${format}, ${encoding}`],
      ['coordinates', crs],
      ['rows', rows],
      ['published', published],
      ['licence in the file', copyright],
    ]),
    '',
    ...tableLines(
      columns,
      {
        COLUMN: 'column',
        FIELD: fieldOf,
        REASON: 'how',
        FILLED: ({ filled }) => `${Math.round(filled * 100)}%`,
        EXAMPLE: 'example',
      },
      process.stderr.isTTY ? process.stderr.columns : 120,
    ),
    ...notes.map(noteLine),
    '',
  ]
}

const fieldOf = ({ role, also = [], property }: Understanding['columns'][number]): string =>
  [role, ...also, property === undefined ? undefined : `properties.${property}`].filter(Boolean).join(', ') ||
  '–'

const countNames: Readonly<Record<keyof ImportReport['counts'], string>> = {
  rows: 'rows read',
  created: 'created',
  updated: 'updated',
  unchanged: 'unchanged',
  matched: 'matched with what was here',
  conflicts: 'conflicts, kept as here',
  deleted: 'deleted here, stay deleted',
  leftOut: 'left out',
  duplicates: 'duplicates in the file',
  doubtful: 'doubtful, to review',
  refused: 'refused',
  reusedReferences: 'references used twice, both imported',
  withheld: 'with text that was redacted here, not taken',
  missing: 'no longer listed, marked',
  removed: 'no longer listed, removed',
}

const shownReasons = 10

/** @param told notes shown before the rows were read */
function reportLines(report: ImportReport, told: readonly ImportNote[]): Line[] {
  const { counts, leftOut, refused, conflicts, rejectedFile, reviewFile, dryRun, seconds, rowsPerSecond } =
    report
  const shown = Object.entries(countNames).flatMap(([key, name]) => {
    const count = counts[key as keyof ImportReport['counts']]
    return count > 0 || ['rows', 'created', 'updated', 'unchanged'].includes(key)
      ? [[name, count] as const]
      : []
  })
  return [
    dryRun ? 'Dry run: nothing was written. An import would give:' : 'Imported:',
    ...factLines(shown),
    ...report.attention.map((each) => `Look at: ${inert(attentionText(each))}`),
    ...leftOut.slice(0, shownReasons).map(({ reason, rows }) => `Left out ${rows}: ${inert(reason)}`),
    ...refused.slice(0, shownReasons).map(refusedLine),
    ...report.concerns.map((each) =>
      dryRun ? `An import would stop: ${concernText(each)}` : `Accepted: ${concernText(each)}`,
    ),
    ...report.notes.filter((note) => !told.includes(note)).map(noteLine),
    ...conflicts
      .slice(0, shownReasons)
      .map(
        ({ row, waypointId, conflicts: fields }) =>
          `Conflict in row ${row}, waypoint ${waypointId}: ${fields.map(({ field }) => field).join(', ')} changed here and there`,
      ),
    dryRun &&
      counts.refused + counts.doubtful > 0 &&
      (rejectedFile ?? reviewFile) === undefined &&
      'An import writes refused and doubtful rows to files; --rejected and --doubtful write them now',
    rejectedFile !== undefined && `Refused rows: ${inert(rejectedFile)}`,
    !dryRun &&
      counts.doubtful > 0 &&
      "Rows to review wait at the moderators' desk, and in openfountain source review",
    reviewFile !== undefined &&
      `Rows to review: ${inert(reviewFile)}; decisions in it are for import --review ${inert(reviewFile)}`,
    `${seconds.toFixed(1)} s, ${rowsPerSecond.toLocaleString('en')} rows/s`,
  ]
}

async function remarkOnLicence(license: string | undefined, { out }: Context): Promise<void> {
  const { licenceOf } = await import('@openfountain/exchange')
  if (license !== undefined && licenceOf(license) === undefined)
    out.note(
      `${license} is not in the table of licences: exports will name it, but cannot check with which licences it may be combined`,
    )
}

async function fetchedFrom(
  address: string,
  given: ReturnType<typeof fetchingOf>,
  { out, env }: Context,
): Promise<FetchedFile> {
  const { fetchFile, FetchRefused, secretHeaders } = await import('@openfountain/exchange')
  try {
    const fetched = await interruptible((signal) =>
      out.during('Fetching', (bar) =>
        fetchFile(address, {
          signal,
          allowPrivate: given.allowPrivate,
          maxBytes: given.megabytes === undefined ? undefined : given.megabytes * 1e6,
          secretHeaders: secretHeaders(given.headers, env),
          onRedirect: (url) => out.note(`It leads to ${inert(url)}`),
          onProgress: ({ bytes }) => bar.at(bytes, undefined, 'Fetching'),
        }),
      ),
    )
    if (fetched === undefined)
      throw new Error(`${address} says that nothing changed, though nothing was asked before`)
    if (fetched.pages > 1) out.note(`It came in ${fetched.pages} pages`)
    return fetched
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error
    throw new CommandError('unreachable', inert(error.message), `FETCH_${error.refusal.code}`, {
      ...error.refusal,
    })
  }
}

export const importCommand = command('import', {
  summary:
    'Imports fountains from a file: GeoJSON, CSV, Excel, OpenDocument, shapefile, GML, GPX, KML, OpenStreetMap, GeoPackage, Parquet, ArcGIS, CKAN, Opendatasoft.',
  more: 'Shows how it reads the file, then what happened to its rows. Importing the same file again changes nothing; what people have edited here since is kept. Refused and doubtful rows are written to files beside FILE, or in the working directory where its folder is another user’s or cannot be written; none is dropped silently. Run it with --dry-run first: it writes no file that is not named. openfountain import undo takes the last import back.',
  places: {
    file: 'The file, also in a zip archive or compressed with gzip; an https: address; - reads standard input',
  },
  options,
  examples: {
    'import fountains.geojson --source "City of Lund" --license CC0-1.0 --dry-run': 'Shows what would happen',
    'import fountains.csv --source "City of Lund" --license CC-BY-4.0 --attribution "© City of Lund" --map map.json':
      'Imports a table whose columns a map explains',
    'import https://data.example.org/fountains.geojson --source "City of Lund" --license CC0-1.0':
      'Fetches the file, or all pages of an answer, and imports it',
    'import brunnen.geojson':
      'Imports a file whose headings identify a ready map, which names source and licence',
    'import brunnen.geojson --map zurich': 'Imports with the ready map that is named',
    'import fountains.csv --source "City of Lund" --license CC0-1.0 --accept shrink':
      'Imports a file that lists far fewer fountains than before',
    'import fountains.csv --source "City of Lund" --license CC0-1.0 --review fountains.csv.review.csv':
      'Imports again with decisions about doubtful rows',
  },
  async run({ file: named, ...given }, context) {
    const { out } = context
    checkReading(given)
    checkFolders({ report: given.report, rejected: given.rejected, doubtful: given.doubtful })
    const isRemote = /^[a-z][a-z\d+.-]*:\/\//iu.test(named)
    await using fetched = isRemote ? await fetchedFrom(named, fetchingOf(given), context) : undefined
    const file = fetched?.file ?? named
    const chosen = await chooseMap(given, file).catch(rethrown(importFailure))
    if (chosen.remark !== undefined) out.note(chosen.remark)
    await remarkOnLicence(given.license, context)
    // Beside a file that is gone afterwards nothing is written.
    const beside = (ending: string) =>
      fetched === undefined || given['dry-run'] ? undefined : `${path.basename(file)}.${ending}`
    const { importFile } = await import('@openfountain/exchange')
    const isDry = given['dry-run']
    const { source: name, license, attribution } = given
    const url = given.url ?? (chosen.path === undefined && fetched !== undefined ? named : undefined)
    let told: readonly ImportNote[] = []
    const read = (registry: Registry, bar: Progress, signal: AbortSignal) =>
      importFile(registry, {
        file,
        source: { name, license, url, attribution },
        dryRun: isDry,
        resume: given.resume,
        published: given.published,
        review: given.review,
        ...interpretationOf(given),
        accept: acceptedOf(given.accept),
        map: chosen.path,
        rejectedFile: given.rejected ?? beside('rejected.ndjson'),
        reviewFile: given.doubtful ?? beside('review.csv'),
        partial: fetched?.partial,
        signal,
        onProgress: ({ phase, rows, total }) =>
          bar.at(rows, total, isDry && phase === 'importing' ? 'Deciding' : phaseNames[phase]),
        onUnderstood(understanding) {
          bar.end()
          told = understanding.notes
          if (!out.json) out.note(understandingLines(understanding).join('\n'))
          else for (const note of told.filter(isWarning)) out.note(noteLine(note))
        },
      })
    await interruptible(async (signal) => {
      const report = await withRegistry(given, isDry ? 'look' : 'create', context, async (registry) => {
        const result = await out.during('Reading', (bar) => read(registry, bar, signal))
        const { name = '', license = '' } = result.source
        await warnOfLicence({ name, license, mayRemove: !isDry }, registry, context)
        return result
      })
      if (given.report !== undefined)
        await writeFile(given.report, `${JSON.stringify(report, undefined, 2)}\n`, { mode: 0o600 })
      out.result(report, () => reportLines(report, told))
    }).catch(
      rethrown((error) => {
        const stopped = stoppedBy(error)
        if (stopped?.report === undefined) return importFailure(error)
        if (!out.json)
          out.note(
            reportLines(stopped.report, told)
              .filter((line) => typeof line === 'string')
              .join('\n'),
          )
        return stopped.failure
      }),
    )
  },
})

export const commands = [importCommand]
