import { type ImportRow, type Registry, RegistryError, type SourceInput } from '@openfountain/core'
import { openStreetMap, type ImportRun } from '@openfountain/core/internal'
import { judge, oneSpelling } from '../licences/licences.ts'
import { openInput, type FileInput } from './read/file-input.ts'
import type { ImportFileOptions } from './options.ts'
import { readMapFile, type MapFile } from './understand/columns.ts'
import { throttled, type ImportReport } from './report.ts'
import { ImportRefused } from './read/refusal.ts'
import { hasOnly, readReview, sideFiles, type Decisions, type SideFiles } from './side-files.ts'
import { RowSorting } from './matching.ts'
import { understand, type UnderstoodFile } from './understand/understanding.ts'

/**
 * Imports a file into a registry: recognises it, reads it once to see that it is complete, guesses what its
 * columns mean, then decides and writes its rows in batches, each in one transaction with its log entries.
 *
 * Rows match waypoints of the registry by source and reference, else by distance and name. Importing the same file
 * again changes nothing. Of a file that is refused as a whole nothing is written; a run that was stopped keeps the
 * batches that were complete and is continued with `resume`.
 *
 * @throws ImportRefused for a file that cannot be imported, with `code` and what to do
 * @throws RegistryError INVALID_INPUT for a source without name or licence, STORAGE_FULL, STORAGE_BUSY
 * @example
 * const report = await importFile(registry, {
 *   file: 'fountains.csv',
 *   source: { name: 'City of Zürich', license: 'CC0-1.0' },
 * })
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
    return await run({ registry, options, source, input, understood, decisions, ...files })
  } finally {
    await input.dispose()
  }
}

interface Running extends SideFiles {
  readonly registry: Registry
  readonly options: ImportFileOptions
  readonly source: SourceInput
  readonly input: FileInput
  readonly understood: UnderstoodFile
  readonly decisions: Decisions
}

async function run(running: Running): Promise<ImportReport> {
  const { registry, options, source, input, understood, decisions, rejected, review } = running
  const started = performance.now()
  const { dryRun = false, batchRows = 5000, missing = 'mark', signal } = options
  const { interpretation, file, understanding } = understood
  const facts = { name: input.name, bytes: input.bytes, sha256: await input.sha256() }
  const importRun = await registry.imports.start({
    source,
    file: facts,
    actor: options.actor,
    approved: options.approved,
    published: understanding.published,
    resume: options.resume === true && !dryRun,
    recheck: missing === 'remove',
  })
  const after = resumePoint(importRun, options)
  const sorting = new RowSorting({ run: importRun, decisions: decisions.byRef, rejected, review, dryRun })
  const { tally } = sorting
  const kept = review.is(options.review) ? decisions.lines : []
  const report = throttled('importing', options.onProgress, understanding.rows)
  let batch: ImportRow[] = []
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
      : await importRun.finish({ counts: { ...tally.counts }, missing })
    tally.counts.missing = ended.marked
    tally.counts.removed = ended.removed
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
      ...(isKept ? [{ code: 'DECISIONS_NOT_READ', file: review.path ?? '' } as const] : []),
    ],
    file: facts,
    source,
    ...(judgement.verdict === 'yes' ? {} : { obstacle: { license, registryLicense, ...judgement } }),
    dryRun,
    resumed: after > 0,
    counts: tally.counts,
    ...tally.lists(),
    rejectedFile,
    reviewFile,
    seconds: Math.round(seconds * 1000) / 1000,
    rowsPerSecond: Math.round(tally.counts.rows / Math.max(seconds, 0.001)),
  }
}

/** Merges the search index after an import that wrote many rows, or many in proportion to the registry. */
async function tidySearch(registry: Registry, written: number, signal?: AbortSignal): Promise<void> {
  try {
    await registry.imports.merge({ written, signal })
  } catch (error) {
    // The import is complete without it, and the next write reports the error.
    if (!(error instanceof RegistryError)) throw error
  }
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
 * The credit of a file by its own copyright line, under the licence given by its importer. The known line is that of
 * the Overpass API, used by overpass turbo too: "The data included in this document is from www.openstreetmap.org. The
 * data is made available under ODbL."
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
