import { RegistryError } from '@openfountain/core'
import { importing } from '@openfountain/core/rules'
import type { ConcernCode, ImportConcern } from '@openfountain/core/internal'
import type {
  Attention,
  AttentionCode,
  ImportNote,
  ImportReport,
  NoteCode,
  Refusal,
  RefusalCode,
  RefusedCode,
  RefusedRows,
} from '@openfountain/exchange'
import { CommandError } from '../failure.ts'
import { inert } from '../inert.ts'

/** Remedies that are options of the command; absent when the library's message suffices. */
type Remedies<Code extends RefusalCode> = {
  readonly [One in Code]?: (refusal: Refusal<One>) => string
}

const coordinateSystem = (name = 'EPSG:25833'): string => `such as --crs ${name}`

export const fileRemedies: Remedies<RefusalCode> = {
  TOO_LARGE: () =>
    'One record is larger than any fountain needs. Check the quotes of the file, or name its delimiter with --delimiter.',
  SHEET_UNKNOWN: () => 'Name a sheet of the workbook with --sheet, or leave it out.',
  NO_COORDINATES: () => 'Name the columns that hold them in a map file, and give it with --map.',
  CRS_UNKNOWN: (refusal) => {
    if ('crs' in refusal) return `Give one that is known, ${coordinateSystem()}.`
    const known = refusal.possible.find((name) => name.startsWith('EPSG:'))
    return `The coordinates are not degrees. Name their coordinate system, ${coordinateSystem(known)}.`
  },
  SWAPPED: () =>
    'Latitude and longitude seem to be swapped. Give --swap to swap them, or --no-swap to keep them as they are.',
  ENCODING_UNKNOWN: () => 'Give one such as --encoding utf-8, utf-16le or windows-1252.',
  MAP: () => 'Correct the map, or give another one with --map.',
  REVIEW: () => 'Correct the file, or import without --review.',
  STOPPED: () => 'The import was stopped; what was not complete was not written. Continue with --resume.',
  NOTHING_TO_RESUME: () => 'There is no interrupted import of this file. Start again without --resume.',
  NOT_WRITABLE: () =>
    'Name files for refused and doubtful rows with --rejected and --doubtful. Nothing was imported.',
}

/** Remedies for each refusal of a row; absent if only the file can be corrected. */
export const rowRemedies: Readonly<Partial<Record<RefusedCode, string>>> = {
  NO_POSITION: 'a map can name the columns that hold them (--map)',
  UNREADABLE_COORDINATES: 'a map can name other columns (--map)',
  UNREADABLE_GEOMETRY: 'a map can name another column (--map)',
  UNREADABLE_POSITION: 'a map can name another column (--map)',
  BEYOND_POLE: '--swap swaps them',
  NOT_DEGREES: `name their system, ${coordinateSystem()}`,
  NOT_ON_EARTH: `name their system, ${coordinateSystem()}`,
  OUTSIDE_SYSTEM: `name their system, ${coordinateSystem()}`,
}

const namedSources = 5

const encodingNames: Readonly<Record<string, string>> = { 'windows-1252': 'Windows-1252 (Latin-1)' }

const encodingName = (name: string): string => encodingNames[name] ?? name

const noteTexts: { readonly [Code in NoteCode]: (note: ImportNote<Code>) => string } = {
  NOT_UTF8: ({ encoding }) => `Read as ${encodingName(encoding)}, since it is not UTF-8.`,
  MIXED_ENCODING: ({ characters, encoding }) =>
    `${characters} characters of the UTF-8 text are not UTF-8; they were read as ${encodingName(encoding)}.`,
  TABLE_NOT_READ: ({ table, crs }) =>
    `Table ${table} is in ${crs} and was not read; import it from a file of its own.`,
  SHEET_READ: ({ sheet, others }) =>
    `The sheet "${sheet}" is read; not read: ${others.slice(0, namedSources).join(', ')}${others.length > namedSources ? ' and others' : ''} (--sheet).`,
  ELEMENTS_NOT_READ: ({ elements }) =>
    `${elements} other objects of OpenStreetMap in the file are no fountains.`,
  ENTRY_READ: ({ entry }) => `Of the archive, ${entry} is read.`,
  LINES_SKIPPED: ({ lines }) =>
    `${lines === 1 ? '1 line' : `${lines} lines`} above the headings ${lines === 1 ? 'is' : 'are'} not read (--skip).`,
  WAYS_NOT_READ: ({ ways }) => `${ways} routes and tracks of the file are not read.`,
  LINKS_NOT_FOLLOWED: ({ links }) =>
    `${links} links to other KML files are not followed; import those files themselves.`,
  SOURCES_NAMED: ({ sources }) => {
    const others = sources.length > namedSources ? ' and others' : ''
    return (
      `Rows of this export came from ${sources.slice(0, namedSources).join(', ')}${others}. An import records one ` +
      'source for all its rows: to keep them apart, import each source by itself with a map that has "only" and ' +
      '"ref": "source_refs".'
    )
  },
  REFERENCE_PROPOSED: ({ column, example }) =>
    `No column of references was recognised. "${column}" is filled and different in every row (${example}): if it is the ` +
    `source's own number of each fountain, give --reference "${column}", so that later imports find each one again ` +
    'wherever it moved.',
  COLUMNS_LACKING: ({ columns }) =>
    `The map names ${columns.map((column) => JSON.stringify(column)).join(', ')}: the file has no such ` +
    `${columns.length === 1 ? 'column, or it is' : 'columns, or they are'} empty in every row.`,
  PUBLISHED_UNKNOWN: () =>
    'The day on which this was published is not known: neither the file nor you say it. What it lists has no date here, and ' +
    'the day of the import does not stand for one. If you know it, import again with --published YYYY-MM-DD.',
  PUBLISHED_AHEAD: ({ published }) =>
    `The day of its publication, ${published}, is still to come, and is left out: what it lists has no date here. If you know ` +
    'the day, import again with --published YYYY-MM-DD.',
  DAYS_AHEAD: ({ rows }) =>
    `${rows === 1 ? '1 row says' : `${rows} rows say`} that it was checked or changed on a day that is still to come; these days are left out.`,
  PROPERTIES_LEFT_OUT: ({ fields }) =>
    `Left out: ${fields.map(({ name, rows }) => `${name} in ${rows === 1 ? '1 row' : `${rows} rows`}`).join(', ')}. The registry does not declare these ` +
    'custom fields (--properties names the file that does), or their columns have values that they cannot have.',
  ROWS_ELSEWHERE: ({ folder, instead }) =>
    `Refused and doubtful rows are written to ${folder}, since ${instead} is not your folder, or cannot be written; ` +
    '--rejected and --doubtful name other files.',
  DECISIONS_NOT_READ: ({ file }) =>
    `${file} has decisions that this import did not read, and is left as it is; --review ${file} reads them.`,
  CRS_UNKNOWN: ({ crs }) => `The file declares the coordinate system "${crs}", which is not known.`,
  DEGREES_BELIEVED: ({ rows, crs }) =>
    `${rows} rows are in degrees although ${crs} is declared; the numbers were believed.`,
  METRES_BELIEVED: ({ rows }) =>
    `${rows} rows are in metres although degrees are declared; the numbers were believed.`,
  BEYOND_POLE: ({ rows }) =>
    `${rows} rows are beyond the poles; were latitude and longitude swapped, they would not be.`,
}

const asked = {
  attribution: (name: string) => `that ${JSON.stringify(name)} is named: exports, pages and maps name it`,
  'share-alike': () => 'that what is made of it is passed on under the same licence',
  'non-commercial': () => 'that nobody uses it commercially',
  'no-derivatives': () => 'that it is passed on unchanged',
} as const

const namedNames = 5

const attentionTexts: { readonly [Code in AttentionCode]: (given: Attention<Code>) => string } = {
  NO_TOWN: ({ rows, first }) =>
    `${rowsOf(rows)} no town (first row ${first}); --place NAME gives one to all, --regions FILE finds it by boundaries`,
  NAMES_REPEATED: ({ rows, names }) => {
    const shown = names
      .slice(0, namedNames)
      .map(({ name, rows: of }) => `${JSON.stringify(name)} ${of} times`)
    return `${rowsOf(rows)} a name that others have, too: ${shown.join(', ')}${names.length > namedNames ? ' and others' : ''}`
  },
  NO_DAY: ({ rows }) =>
    `of ${rows === 1 ? '1 row' : `${rows} rows`} no day is known: not that of publication (--published), nor of a check or a change`,
  PRIVATE: ({ rows, first }) =>
    `${rows === 1 ? '1 row is' : `${rows} rows are`} private (first row ${first}): on the map, and never offered as nearest`,
  LICENSE_ASKS: ({ license, asks, attribution }) =>
    `${license} asks ${asks.map((each) => asked[each](attribution)).join(', and ')}`,
}

const rowsOf = (rows: number): string => (rows === 1 ? '1 row has' : `${rows} rows have`)

/** A matter of the report's attention, as a phrase. Text from the file is not escaped yet. */
export function attentionText<Code extends AttentionCode>(given: Attention<Code>): string {
  const text: (each: Attention<Code>) => string = attentionTexts[given.code]
  return text(given)
}

/** A note about a file, in sentences. Text from the file is not escaped yet. */
export function noteText<Code extends NoteCode>(note: ImportNote<Code>): string {
  const text: (given: ImportNote<Code>) => string = noteTexts[note.code]
  return text(note)
}

/** The part of a source that may go unasked, such as `20 %`. */
export const mostGone = `${importing.mostGone * 100} %`

const concernTexts: {
  readonly [Code in ConcernCode]: (facts: ImportConcern<Code>) => string
} = {
  SHRINK: ({ gone, listed }) =>
    `${gone} of the ${listed} fountains that the source lists would be marked or removed, more than ${mostGone}`,
  EMPTIED: ({ field, rows, listed }) =>
    `${rows} of the ${listed} fountains that the source lists would lose ${field}, more than ${mostGone}: the file lacks it, or its column has another name (--map)`,
  REFERENCES_UNKNOWN: ({ rows, listed }) =>
    `none of the ${rows} references is known, though the source lists ${listed} fountains: it may be another file, or another column`,
  OLDER: ({ published, newest }) =>
    `it was published on ${published}, before what was imported already, of ${newest}`,
  SUPERSEDED: ({ importedAt }) => `this file was imported at ${importedAt}, and another one since`,
  PARTIAL: ({ returned, total }) =>
    `it calls itself a part, with ${returned} ${total === undefined ? 'rows' : `of ${total} rows`}; nothing would be marked as missing`,
}

export function concernText<Code extends ConcernCode>(given: ImportConcern<Code>): string {
  const text: (facts: ImportConcern<Code>) => string = concernTexts[given.code]
  return `${text(given)} (--accept ${given.accept})`
}

export const phaseNames = {
  fetching: 'Fetching',
  inspecting: 'Reading',
  checking: 'Checking',
  importing: 'Importing',
} as const

export function stoppedBy(
  error: unknown,
): { readonly report: ImportReport | undefined; readonly failure: CommandError } | undefined {
  if (!(error instanceof RegistryError) || error.code !== 'NOT_ACCEPTED') return undefined
  const { concerns, report } = error.details
  const failure = new CommandError(
    'notAccepted',
    `Nothing was imported: ${concerns.map(concernText).join('; ')}`,
    error.code,
    { ...error.details },
  )
  return { report: report as ImportReport | undefined, failure }
}

function remedyFor<Code extends RefusalCode>(refusal: Refusal<Code>): string | undefined {
  const remedy: Remedies<Code>[Code] = fileRemedies[refusal.code]
  return remedy?.(refusal)
}

export function refusedLine({ code, reason, rows, first }: RefusedRows): string {
  const remedy = rowRemedies[code]
  return `Refused ${rows}: ${inert(reason)}${remedy === undefined ? '' : `; ${remedy}`} (first in row ${first})`
}

export async function importFailure(error: unknown): Promise<unknown> {
  const { ImportRefused } = await import('@openfountain/exchange')
  if (!(error instanceof ImportRefused)) return error
  const { code, refusal, found, message, details } = error
  const exit = code === 'STOPPED' ? 'interrupted' : code === 'NOT_WRITABLE' ? 'readOnly' : 'unreadable'
  const remedy = remedyFor(refusal)
  const text = remedy === undefined ? message : `${found} ${remedy}`.trim()
  return new CommandError(exit, text, code, details)
}
