import type { Registry } from '@openfountain/core'
import { guessColumns } from './columns.ts'
import { coordinateSystem, degrees, possibleSystems, type CoordinateSystem } from './coordinate-systems.ts'
import type { FileInput } from '../read/file-input.ts'
import type { ImportFileOptions } from '../options.ts'
import { throttled } from '../report/progress.ts'
import { Interpretation } from './interpretation.ts'
import type { MapFile } from './map-file.ts'
import { sourcesNote } from '../read/own-rows.ts'
import { Placing } from './placement.ts'
import { recognise, type RecognisedFile } from '../read/recognition.ts'
import { ImportRefused } from '../read/refusal.ts'
import type { Understanding } from '../report/report.ts'
import { survey } from './survey.ts'
import { swapSuspicion } from './swapping.ts'

/** A file that was read once and is ready to be imported. */
export interface UnderstoodFile {
  readonly file: RecognisedFile
  readonly interpretation: Interpretation
  readonly understanding: Understanding
  /** What can be told only after all rows were placed. */
  afterwards(): string[]
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
  const file = await recognise(input, { ...readingHints(map), ...readingHints(options) })
  const tell = throttled('inspecting', options.onProgress)
  const { rows, sample } = await survey(file.rows(), (count) => {
    if (options.signal?.aborted === true) throw new ImportRefused('STOPPED')
    tell(count)
  })
  if (rows === 0) throw new ImportRefused('NO_ROWS')
  const columns = guessColumns(sample, map, file.facts.own)
  const notes = [...new Set(file.facts.notes)]
  const sources = columns.own && map.only === undefined ? sourcesNote(sample) : undefined
  if (sources !== undefined) notes.push(sources)
  const declared = systemOf(file.facts.crs, notes)
  const given = options.crs ?? map.crs
  const system = given === undefined ? declared : coordinateSystem(given)
  const swap = options.axes === 'swap' || (options.axes === undefined && map.swap === true)
  const placingOptions = {
    system,
    alternative: given === undefined ? undefined : declared,
    swap,
    mercator: coordinateSystem('EPSG:3857'),
  }
  const shared = {
    columns,
    map,
    keepAll: options.keepAll ?? false,
    ...(options.place === undefined ? {} : { place: options.place }),
  }
  const trial = new Interpretation({ ...shared, placing: new Placing(placingOptions) })
  const read = sample.map((row) => trial.read(row))
  checkCoordinates(read, system, sample.length)
  if (options.axes === undefined && map.swap === undefined) {
    const found = read.flatMap((row) => (row.kind === 'waypoint' ? [row.waypoint] : []))
    const refused = read.filter((row) => row.kind === 'refused' && row.reason.includes('--swap')).length
    const suspicion = await swapSuspicion(registry, found, refused)
    if (suspicion !== undefined) throw new ImportRefused('SWAPPED', suspicion)
  }
  const placing = new Placing(placingOptions)
  return {
    file,
    interpretation: new Interpretation({ ...shared, placing }),
    understanding: {
      format: file.title,
      ...(file.encoding === undefined ? {} : { encoding: file.encoding }),
      crs: (system ?? degrees).name,
      rows,
      columns: columns.table,
      ...(file.facts.copyright === undefined ? {} : { copyright: file.facts.copyright }),
      notes,
    },
    afterwards: () => placingNotes(placing, system ?? degrees),
  }
}

function readingHints(from: MapFile | ImportFileOptions) {
  const { encoding, delimiter, header } = from
  return {
    ...(encoding === undefined ? {} : { encoding }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(header === undefined ? {} : { header }),
  }
}

function systemOf(declared: string | undefined, notes: string[]): CoordinateSystem | undefined {
  if (declared === undefined) return undefined
  try {
    return coordinateSystem(declared)
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error
    notes.push(`The file declares the coordinate system "${declared}", which is not known.`)
    return undefined
  }
}

/** A file none of whose rows has a usable place is refused as a whole, with the remedy. */
function checkCoordinates(
  read: readonly ReturnType<Interpretation['read']>[],
  system: CoordinateSystem | undefined,
  rows: number,
): void {
  const placed = read.filter((row) => row.kind === 'waypoint').length
  const refused = read.filter((row) => row.kind === 'refused')
  if (placed > 0 || refused.length === 0) return
  const [first] = refused
  const reason = first?.reason ?? ''
  if (reason.includes('--swap')) throw new ImportRefused('SWAPPED', `Row ${first?.row}: ${reason}.`)
  if (reason.includes('not degrees') || reason.includes('neither of')) {
    const [x = 0, y = 0] = [...reason.matchAll(/-?\d+(?:\.\d+)?/gu)].map(Number)
    const possible = possibleSystems([x, y])
    const hint = possible.length === 0 ? '' : `, which could be ${possible.join(', ')}`
    throw new ImportRefused('CRS_UNKNOWN', `Row ${first?.row} stands at ${x}, ${y}${hint}.`, {
      declared: system?.name,
      possible,
    })
  }
  throw new ImportRefused(
    'NO_COORDINATES',
    `None of the ${rows} rows that were looked at has any (${reason}).`,
  )
}

function placingNotes(placing: Placing, system: CoordinateSystem): string[] {
  const { degreesBelieved, metresBelieved, swapWouldHelp } = placing.counts
  const notes: string[] = []
  if (degreesBelieved > 0)
    notes.push(
      `${degreesBelieved} rows are in degrees although ${system.name} is declared; the numbers were believed.`,
    )
  if (metresBelieved > 0)
    notes.push(
      `${metresBelieved} rows are in metres although degrees are declared; the numbers were believed.`,
    )
  if (swapWouldHelp > 0)
    notes.push(
      `${swapWouldHelp} rows are beyond the poles; were latitude and longitude swapped, they would not be.`,
    )
  return notes
}
