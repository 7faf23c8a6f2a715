import { type ImportRow, type Registry, RegistryError, type SourceInput } from '@openfountain/core'
import { openStreetMap, type ImportRun, invalid, mustBeAccepted } from '@openfountain/core/internal'
import { judge, oneSpelling } from '../licences/licences.ts'
import { openInput, type FileInput, recognise } from './read/recognition.ts'
import type { ImportFileOptions } from './options.ts'
import {
  guessColumns,
  lackingColumns,
  mapOfCut,
  publishedColumns,
  readMapFile,
  type Columns,
  type MapFile,
} from './understand/columns.ts'
import {
  throttled,
  type ImportReport,
  hasOnly,
  licenceAsks,
  readReview,
  sideFiles,
  type Decisions,
  type SideFiles,
  type Understanding,
} from './report.ts'
import { ImportRefused, quotable } from './read/refusal.ts'
import { Matching } from './matching.ts'
import { CustomFields, Interpretation, type Interpreted } from './understand/interpretation.ts'
import {
  coordinateSystem,
  degrees,
  possibleSystems,
  type CoordinateSystem,
  Placing,
  evidenceText,
  swapEvidence,
} from './understand/placement.ts'
import { type ImportNote, reasonText } from './reasons.ts'
import { sourcesNote } from './read/own-rows.ts'
import type { RowBatches, SourceRow } from './read/source-row.ts'
import { folded } from '@openfountain/core/letters'
import { dayIn, isPlaceholder } from './understand/values.ts'

/**
 * Imports a file: recognises it, reads it once to see that it is complete, guesses what its columns mean, then decides and
 * writes its rows in batches, each in one transaction with its log entries. Rows match waypoints by source and reference,
 * else by distance and name; importing the same file again changes nothing. Of a file that is refused as a whole nothing is
 * written; a run that was stopped keeps its complete batches, and `resume` continues it.
 *
 * @throws ImportRefused for a file that cannot be imported, with `code` and what to do
 * @throws RegistryError INVALID_INPUT for a source without name or licence, STORAGE_FULL, STORAGE_BUSY
 * @example
 * const source = { name: 'City of Zürich', license: 'CC0-1.0' }
 * const report = await importFile(registry, { file: 'fountains.csv', source })
 */
export async function importFile(registry: Registry, options: ImportFileOptions): Promise<ImportReport> {
  const map = typeof options.map === 'string' ? await readMapFile(options.map) : (options.map ?? {})
  const decisions = await readReview(options.review)
  const input = await openInput(options.file, options.stdin)
  try {
    const files = sideFiles(options)
    const read = await understand(registry, input, map, options)
    const understanding = { ...read.understanding, notes: [...read.understanding.notes, ...files.notes] }
    const source = sourceOf(options, map, understanding.copyright)
    options.onUnderstood?.(understanding)
    const understood = { ...read, understanding }
    const facts = { name: input.name, bytes: input.bytes, sha256: await input.sha256() }
    const running = { registry, options, source, facts, understood, decisions, ...files }
    const importRun = await begun(running)
    if (options.dryRun !== true) await check(running, importRun)
    return await run(running, importRun)
  } finally {
    await input.dispose()
  }
}

interface Running extends SideFiles {
  readonly registry: Registry
  readonly options: ImportFileOptions
  readonly source: SourceInput
  readonly facts: ImportReport['file']
  readonly understood: UnderstoodFile
  readonly decisions: Decisions
}

/**
 * Decides about every row of a file whose source has waypoints that it may mark or remove, before any is written.
 *
 * @throws RegistryError NOT_ACCEPTED with the report of a dry run
 */
async function check(running: Running, { concerns, listed, repeated }: ImportRun): Promise<void> {
  const { options } = running
  const { accept = [] } = options
  const mayShrink = listed > 0 && !repeated && !accept.includes('shrink')
  if (!mayShrink && concerns.every((each) => accept.includes(each.accept))) return
  const files = sideFiles({ file: '-', dryRun: true })
  const looking = { ...running, ...files, options: { ...options, dryRun: true } }
  const ahead = await run(looking, await begun(looking), 'checking')
  mustBeAccepted(ahead.concerns, accept, ahead)
}

async function begun({ registry, options, source, facts, understood }: Running): Promise<ImportRun> {
  const { missing = 'mark', dryRun = false } = options
  const { partial, published } = understood.understanding
  return registry.imports.start({
    source,
    file: facts,
    actor: options.actor,
    approved: options.approved,
    // The registry refuses what is no day.
    published: options.published ?? published,
    resume: options.resume === true && !dryRun,
    recheck: missing === 'remove',
    accept: options.accept,
    partial,
    isPart: missing === 'keep',
  })
}

async function run(
  running: Running,
  importRun: ImportRun,
  phase: 'checking' | 'importing' = 'importing',
): Promise<ImportReport> {
  const { registry, options, source, facts, understood, decisions, rejected, review } = running
  const started = performance.now()
  const { dryRun = false, batchRows = 5000, signal } = options
  const { interpretation, file, understanding } = understood
  const missing = understanding.partial === undefined ? (options.missing ?? 'mark') : 'keep'
  const after = resumePoint(importRun, options)
  const sorting = new Matching({ run: importRun, decisions: decisions.byRef, rejected, review, dryRun })
  const { tally } = sorting
  const kept = review.is(options.review) ? decisions.lines : []
  const report = throttled(phase, options.onProgress, understanding.rows)
  const concerns = [...importRun.concerns]
  let batch: ImportRow[] = []
  let rowsAhead = 0
  const flush = async (last: number) => {
    if (signal?.aborted === true) throw new ImportRefused({ code: 'STOPPED', rows: last })
    const isDry = dryRun || last <= after
    const outcomes = await (isDry
      ? importRun.decide(batch)
      : importRun.apply(batch, { row: last }, { ...tally.counts }))
    await sorting.settle(batch, outcomes)
    batch = []
  }
  try {
    // A file with a person's decisions that is about to be overwritten keeps them.
    for (const line of kept) await review.write(line)
    for await (const rows of file.rows()) {
      const interpreted = rows.map((row) => interpretation.read(row))
      rowsAhead += interpreted.filter((row) => isAhead(row, understood.today)).length
      for await (const { row, accepted } of sorting.sorted(interpreted)) {
        if (accepted !== undefined) batch.push(accepted)
        if (batch.length >= batchRows || row === after) await flush(row)
      }
      report(tally.counts.rows)
      // Reading a file hardly ever waits: yield to the event loop, so that signals are handled.
      await new Promise((resolve) => setImmediate(resolve))
      if (signal?.aborted === true) throw new ImportRefused({ code: 'STOPPED', rows: tally.counts.rows })
    }
    await flush(tally.counts.rows)
    const ended = dryRun
      ? await sorting.missing(missing)
      : { ...(await importRun.finish({ counts: { ...tally.counts }, missing })), concerns: [] }
    tally.counts.missing = ended.marked
    tally.counts.removed = ended.removed
    concerns.push(...ended.concerns)
  } catch (error) {
    await Promise.all([rejected.discard(), review.discard()])
    if (!dryRun) await importRun.pause()
    throw error
  }
  const rejectedFile = await rejected.finish()
  const reviewFile = await review.finish((path) => hasOnly(kept, path))
  const isKept =
    review.path !== undefined && reviewFile !== review.path && !(await hasOnly(kept, review.path))
  if (!dryRun) await tidySearch(registry, tally.counts.created + tally.counts.updated, signal)
  const [{ license }, { license: registryLicense }] = [source, registry]
  const judgement = judge(license, registryLicense)
  const seconds = (performance.now() - started) / 1000
  return {
    ...understanding,
    notes: [
      ...understanding.notes,
      ...understood.readingNotes(),
      ...(rowsAhead > 0 ? [{ code: 'DAYS_AHEAD', rows: rowsAhead } as const] : []),
      ...(isKept ? [{ code: 'DECISIONS_NOT_READ', file: review.path ?? '' } as const] : []),
    ],
    file: facts,
    source,
    ...(judgement.verdict === 'yes' ? {} : { obstacle: { license, registryLicense, ...judgement } }),
    dryRun,
    resumed: after > 0,
    counts: tally.counts,
    concerns,
    attention: [
      ...tally.attention.found((options.published ?? understanding.published) !== undefined),
      ...licenceAsks(source),
    ],
    ...tally.lists(),
    rejectedFile,
    reviewFile,
    seconds: Math.round(seconds * 1000) / 1000,
    rowsPerSecond: Math.round(tally.counts.rows / Math.max(seconds, 0.001)),
  }
}

/** Whether a row says that somebody looked, or changed it, on a day to come. */
function isAhead(row: Interpreted, today: string): boolean {
  if (row.kind === 'refused') return false
  const { checked = '', updated = '' } = row.waypoint ?? {}
  return checked > today || updated > today
}

/** Merges the search index after an import that wrote many rows, or many in proportion to the registry. */
async function tidySearch(registry: Registry, written: number, signal?: AbortSignal): Promise<void> {
  await registry.imports.merge({ written, signal }).catch((error: unknown) => {
    // The import is complete without it, and the next write reports the error.
    if (!(error instanceof RegistryError)) throw error
  })
}

/** The source by the caller and the map; where neither gives a credit, the file may state it itself. */
function sourceOf({ source = {} }: ImportFileOptions, map: MapFile, copyright?: string): SourceInput {
  const said = map.source ?? {}
  // The registry refuses an empty name or licence and says so.
  const { name = said.name ?? '', license = said.license ?? '', url = said.url } = source
  const attribution = source.attribution ?? said.attribution ?? statedAttribution(copyright, license)
  return { name, license, url, attribution }
}

/**
 * The credit by a file's own copyright line, which is that of the Overpass API: "The data included in this document is
 * from www.openstreetmap.org. The data is made available under ODbL."
 */
function statedAttribution(copyright = '', license = ''): string | undefined {
  const isOverpass = /\bopenstreetmap\.org\b/iu.test(copyright) && /\bodbl\b/iu.test(copyright)
  return isOverpass && oneSpelling(license) === 'ODbL-1.0' ? openStreetMap.name : undefined
}

/** The last row that an interrupted run wrote; 0 for a new run. */
function resumePoint(importRun: ImportRun, options: ImportFileOptions): number {
  if (options.resume !== true || options.dryRun === true) return 0
  const { checkpoint } = importRun
  if (typeof checkpoint !== 'object' || checkpoint === null || !('row' in checkpoint)) {
    throw new ImportRefused({ code: 'NOTHING_TO_RESUME' })
  }
  return Number(checkpoint.row)
}

type UnderstoodFile = Awaited<ReturnType<typeof understand>>

/** Recognises a file, reads it to its end, guesses its columns and its coordinate system. @throws ImportRefused */
export async function understand(
  registry: Registry,
  input: FileInput,
  written: MapFile,
  options: ImportFileOptions,
) {
  const hints = {
    encoding: options.encoding ?? written.encoding,
    delimiter: options.delimiter ?? written.delimiter,
    header: options.header ?? written.header,
    skip: options.skip ?? written.skip,
    sheet: options.sheet ?? written.sheet,
    columns: written.columns,
  }
  const file = await recognise(input, hints, options.signal)
  const report = throttled('inspecting', options.onProgress)
  const onRows = (count: number) => {
    if (options.signal?.aborted === true) throw new ImportRefused({ code: 'STOPPED' })
    report(count)
  }
  const { rows, there, sample, unique, dated } = await survey(file.rows(), onRows, publishedColumns(written))
  if (rows === 0) throw new ImportRefused({ code: 'NO_ROWS' })
  const map = mapOfCut(written, there)
  const { reference = map.fields?.ref } = options
  const named = { ...map, fields: { ...map.fields, ref: reference } }
  const columns = guessColumns(sample, named, file.facts.own)
  checkReference(options.reference, columns)
  const notes = [...new Map(file.facts.notes.map((note) => [JSON.stringify(note), note])).values()]
  const isPlaced = sample.some(({ geometry }) => geometry !== undefined)
  const lacking = lackingColumns(map, there, isPlaced).slice(0, namedColumns)
  if (lacking.length > 0) notes.push({ code: 'COLUMNS_LACKING', columns: lacking })
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
  const dates = (columns.byRole.get('published') ?? []).flatMap((column) => [...(dated.get(column) ?? [])])
  const said = options.published ?? file.facts.published ?? dayIn(dates, columns.dayOrder)
  const today = await registry.imports.today()
  const isKnown = said !== undefined && said <= today
  if (said === undefined) notes.push({ code: 'PUBLISHED_UNKNOWN' })
  else if (!isKnown) notes.push({ code: 'PUBLISHED_AHEAD', published: said })
  const partial = options.partial ?? (file.facts.partial && { returned: rows, ...file.facts.partial })
  const understanding: Understanding = {
    format: file.title,
    encoding: file.encoding,
    crs: (system ?? degrees).name,
    rows,
    columns: columns.table,
    ...(isKnown && { published: said }),
    copyright: file.facts.copyright,
    ...(partial !== undefined && { partial }),
    notes,
  }
  /** Complete after all rows were read. */
  const readingNotes = () => [...placing.notes(), ...customFields.notes()]
  return { file, today, interpretation, understanding, readingNotes }
}

function checkReference(reference: string | undefined, { table }: Columns): void {
  if (reference === undefined || table.some(({ column }) => column === reference)) return
  const known = table.map(({ column }) => quotable(column)).slice(0, namedColumns)
  throw invalid('reference', `must be a column of the file: ${known.join(', ')}`)
}

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
    throw new ImportRefused({ code: 'SWAPPED', ...evidence }, `Row ${row}: ${reasonText(reason)}.`)
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
    `None of the ${rows} rows that were examined can be placed: the first one ${reasonText(reason)}.`,
  )
}

const firstRows = 1000
const everyNth = 97
const sampleRows = 4000
const sampleText = 400
const mostDays = 20_000
const mostColumns = 10_000

/** Reads all rows once: a truncated or damaged file is refused before anything is written. */
export async function survey(
  batches: RowBatches,
  onRows: (rows: number) => void,
  isDated: (column: string) => boolean,
) {
  /** The first rows and some of the later ones, long texts cut. */
  const sample: SourceRow[] = []
  /** The columns that are filled in some row; of very many the first. */
  const there = new Set<string>()
  /** The different days in the columns that may say when the file was published, as they stand there. */
  const dated = new Map<string, Set<string>>()
  const look = ({ fields }: SourceRow) => {
    for (const column of Object.keys(fields)) {
      if (there.size < mostColumns) there.add(column)
      if (!isDated(column)) continue
      const days = dated.get(column) ?? new Set()
      dated.set(column, days)
      // Without the time of the day.
      const day = String(fields[column]).replace(/[T ]\d{1,2}:.*$/su, '')
      if (days.size < mostDays && day.length <= 20) days.add(day)
    }
  }
  const unique = new UniqueColumns()
  let rows = 0
  for await (const batch of batches) {
    for (const row of batch) {
      rows += 1
      unique.add(row)
      look(row)
      if (sample.length < sampleRows && (rows <= firstRows || rows % everyNth === 0)) sample.push(cut(row))
    }
    onRows(rows)
  }
  return { rows, there, sample, unique: unique.found(), dated }
}

function cut(row: SourceRow): SourceRow {
  const { fields, geometry, id } = row
  const short = (value: unknown) => (typeof value === 'string' ? value.slice(0, sampleText) : value)
  const isSmall = geometry?.type === 'Point' || JSON.stringify(geometry ?? null).length < 5000
  return {
    ...row,
    fields: Object.fromEntries(Object.entries(fields).map(([column, value]) => [column, short(value)])),
    ...(!isSmall && { geometry: null }),
    ...(id !== undefined && { id: id.slice(0, sampleText) }),
    original: () => '',
  }
}

const followedColumns = 4
const followedRows = 200_000
/** The number of rows from which any column may be one of references; in fewer, values differ by chance. */
const manyRows = 20

const idLike =
  /(?:^|\s)(?:id|gid|uid|uuid|code|cod|codice|codi|nr|num|nummer|numero|ref|key|gis|inv|asset|kennung)|id$|^id|gis$/u
/** Numbers that a program gives to the rows of one export. */
const ofTheExport =
  /^(?:object ?id|fid|oid|row ?(?:id|num|number)|index|ogc fid|lfd ?nr|unnamed.*|serial|zeile)$/u

/** Finds columns that are filled and different in every row of a file, as a source's own references are. */
class UniqueColumns {
  #rows = 0
  readonly #values = new Map<string, Set<string>>()
  /** Columns whose values are the numbers of the rows, from 0 or 1. */
  readonly #counters = new Set<string>()

  add({ fields }: SourceRow): void {
    this.#rows += 1
    if (this.#rows > followedRows) return
    if (this.#rows === 1)
      for (const column of Object.keys(fields).filter((each) => !ofTheExport.test(folded(each)))) {
        this.#values.set(column, new Set())
        this.#counters.add(column)
      }
    for (const [column, values] of this.#values) {
      const value = referenceOf(fields[column])
      if (value === undefined || values.has(value)) this.#values.delete(column)
      else values.add(value)
      if (value !== String(this.#rows) && value !== String(this.#rows - 1)) this.#counters.delete(column)
    }
    if (this.#rows === manyRows)
      for (const column of ordered([...this.#values.keys()]).slice(followedColumns))
        this.#values.delete(column)
  }

  /** The columns, those with a heading of references first. */
  found(): string[] {
    const columns = [...this.#values.keys()].filter((column) => !this.#counters.has(column))
    const fitting = this.#rows < manyRows ? columns.filter(isIdLike) : columns
    return this.#rows < 2 ? [] : ordered(fitting)
  }
}

const isIdLike = (column: string): boolean => idLike.test(folded(column))

function ordered(columns: readonly string[]): string[] {
  return columns.toSorted((one, other) => Number(isIdLike(other)) - Number(isIdLike(one)))
}

/** A value that can be a reference: a whole number, or one word with a digit in it that is no fraction, day or address. */
function referenceOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : undefined
  if (typeof value !== 'string' || isPlaceholder(value)) return undefined
  const text = value.trim()
  const isWord = /^[^\s{[]{1,64}$/u.test(text) && /\d/u.test(text)
  const isOther =
    /^[-+]?\d+[.,]\d+$|^\d{4}-\d{2}(?:-\d{2})?(?:T|$)|^https?:|^\d{1,2}[./]\d{1,2}[./]\d{2,4}/u.test(text)
  return isWord && !isOther ? text : undefined
}
