import type { Registry } from '@openfountain/core'
import { invalid } from '@openfountain/core/internal'
import { guessColumns, type Columns } from './columns.ts'
import { CustomFields } from './custom-fields.ts'
import { coordinateSystem, degrees, possibleSystems, type CoordinateSystem } from './coordinate-systems.ts'
import type { FileInput } from '../read/file-input.ts'
import type { ImportNote } from '../notes.ts'
import type { ImportFileOptions } from '../options.ts'
import { throttled } from '../report/progress.ts'
import { Interpretation, type Interpreted } from './interpretation.ts'
import type { MapFile } from './map-file.ts'
import { sourcesNote } from '../read/own-rows.ts'
import { Placing } from './placement.ts'
import { recognise, type RecognisedFile } from '../read/recognition.ts'
import { ImportRefused, quotable } from '../read/refusal.ts'
import { refusedText } from '../reasons.ts'
import type { Understanding } from '../report/report.ts'
import { survey } from './survey.ts'
import { evidenceText, swapEvidence } from './swapping.ts'

/** A file that was read once and is ready to be imported. */
export interface UnderstoodFile {
  readonly file: RecognisedFile
  readonly interpretation: Interpretation
  readonly understanding: Understanding
  /** Notes about coordinates and custom fields; complete after all rows were read. */
  readingNotes(): ImportNote[]
}

/**
 * Recognises a file, reads it to its end, guesses its columns and its coordinate system.
 *
 * @throws ImportRefused when it cannot be imported
 */
export async function understand(
  registry: Registry,
  input: FileInput,
  map: MapFile,
  options: ImportFileOptions,
): Promise<UnderstoodFile> {
  const hints = {
    encoding: options.encoding ?? map.encoding,
    delimiter: options.delimiter ?? map.delimiter,
    header: options.header ?? map.header,
  }
  const file = await recognise(input, hints, options.signal)
  const report = throttled('inspecting', options.onProgress)
  const { rows, sample, unique } = await survey(file.rows(), (count) => {
    if (options.signal?.aborted === true) throw new ImportRefused({ code: 'STOPPED' })
    report(count)
  })
  if (rows === 0) throw new ImportRefused({ code: 'NO_ROWS' })
  const columns = guessColumns(sample, withReference(map, options.reference), file.facts.own)
  checkReference(options.reference, columns)
  const notes = distinct(file.facts.notes)
  const proposed = proposedReference(columns, map, unique)
  if (proposed !== undefined) notes.push(proposed)
  const sources = columns.own && map.only === undefined ? sourcesNote(sample) : undefined
  if (sources !== undefined) notes.push(sources)
  const declared = systemOf(file.facts.crs, notes)
  const given = options.crs ?? map.crs
  const system = given === undefined ? declared : coordinateSystem(given)
  const swap = options.axes === 'swap' || (options.axes === undefined && map.swap === true)
  const reading = () => {
    const placing = new Placing(system, { alternative: given === undefined ? undefined : declared, swap })
    const customFields = new CustomFields(registry.properties, map)
    const { keepAll = false, place } = options
    const interpretation = new Interpretation({ columns, map, keepAll, place, customFields, placing })
    return { placing, customFields, interpretation }
  }
  const trial = reading().interpretation
  const read = sample.map((row) => trial.read(row))
  checkCoordinates(read, system, sample.length)
  if (options.axes === undefined && map.swap === undefined) {
    const found = read.flatMap((row) => (row.kind === 'waypoint' ? [row.waypoint] : []))
    const evidence = await swapEvidence(registry, found, beyondPole(read))
    if (evidence !== undefined)
      throw new ImportRefused({ code: 'SWAPPED', ...evidence }, evidenceText(evidence))
  }
  const { placing, customFields, interpretation } = reading()
  const published = options.published ?? file.facts.published
  return {
    file,
    interpretation,
    understanding: {
      format: file.title,
      encoding: file.encoding,
      crs: (system ?? degrees).name,
      rows,
      columns: columns.table,
      published,
      copyright: file.facts.copyright,
      notes,
    },
    readingNotes: () => [...placingNotes(placing, system ?? degrees), ...customFields.notes()],
  }
}

/** The map with the column of references that the caller names. */
function withReference(map: MapFile, reference: string | undefined): MapFile {
  return reference === undefined ? map : { ...map, fields: { ...map.fields, ref: reference } }
}

function checkReference(reference: string | undefined, { table }: Columns): void {
  if (reference === undefined || table.some(({ column }) => column === reference)) return
  const known = table.map(({ column }) => quotable(column)).slice(0, namedColumns)
  throw invalid('reference', `must be a column of the file: ${known.join(', ')}`)
}

/** Columns that a message names at most. */
const namedColumns = 30

/** The column that may be one of references, where neither format, map nor headings give one. */
function proposedReference(
  { byRole, formatId, own, osm, table }: Columns,
  map: MapFile,
  unique: readonly string[],
): ImportNote | undefined {
  const isGiven = formatId || own || osm || map.fields?.ref !== undefined
  if (isGiven || (byRole.get('ref') ?? []).length > 0) return undefined
  const open = new Set(table.filter(({ how }) => how === 'unknown').map(({ column }) => column))
  const column = unique.find((each) => open.has(each))
  const example = table.find((guess) => guess.column === column)?.example
  if (column === undefined || example === undefined) return undefined
  return { code: 'REFERENCE_PROPOSED', column, example }
}

/** A table with several geometry columns is noted once. */
function distinct(notes: readonly ImportNote[]): ImportNote[] {
  return [...new Map(notes.map((note) => [JSON.stringify(note), note])).values()]
}

function systemOf(declared: string | undefined, notes: ImportNote[]): CoordinateSystem | undefined {
  if (declared === undefined) return undefined
  try {
    return coordinateSystem(declared)
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error
    notes.push({ code: 'CRS_UNKNOWN', crs: declared })
    return undefined
  }
}

/** How many rows are on Earth only with latitude and longitude swapped. */
function beyondPole(read: readonly Interpreted[]): number {
  return read.filter((row) => row.kind === 'refused' && row.reason.code === 'BEYOND_POLE').length
}

/** A file none of whose rows has a usable place is refused as a whole, for the reason of the first row. */
function checkCoordinates(
  read: readonly Interpreted[],
  system: CoordinateSystem | undefined,
  rows: number,
): void {
  const first = read.find((row) => row.kind === 'refused')
  if (first === undefined || read.some(({ kind }) => kind === 'waypoint')) return
  const { row, reason } = first
  if (reason.code === 'BEYOND_POLE') {
    const evidence = { evidence: 'beyond-pole', rows: beyondPole(read), of: rows } as const
    throw new ImportRefused({ code: 'SWAPPED', ...evidence }, `Row ${row}: ${refusedText(reason)}.`)
  }
  if (reason.code === 'NOT_DEGREES' || reason.code === 'OUTSIDE_SYSTEM') {
    const { x, y } = reason
    const possible = possibleSystems([x, y])
    const hint = possible.length === 0 ? '' : `, which could be ${possible.join(', ')}`
    throw new ImportRefused(
      { code: 'CRS_UNKNOWN', row, x, y, declared: system?.name, possible },
      `Row ${row} is at ${x}, ${y}${hint}.`,
    )
  }
  throw new ImportRefused(
    { code: 'NO_COORDINATES', rows, reason },
    `None of the ${rows} rows that were examined has any (${refusedText(reason)}).`,
  )
}

function placingNotes({ counts }: Placing, { name: crs }: CoordinateSystem): ImportNote[] {
  const { degreesBelieved, metresBelieved, swapWouldHelp } = counts
  const notes = [
    { code: 'DEGREES_BELIEVED', rows: degreesBelieved, crs },
    { code: 'METRES_BELIEVED', rows: metresBelieved },
    { code: 'BEYOND_POLE', rows: swapWouldHelp },
  ] as const
  return notes.filter(({ rows }) => rows > 0)
}
