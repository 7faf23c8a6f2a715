import type { Attribution, RecordFilter } from '@openfountain/core'
import {
  attributionsOf,
  mayHaveContributions,
  sourceTermsOf,
  type PageTemplate,
  type RecordPage,
  type RecordText,
  type SourceTerms,
  type TextTemplate,
} from '@openfountain/core/internal'
import type { StateOfWaypoint } from '@openfountain/core/status'
import type { Difference } from './difference.ts'
import type { Publisher } from './publisher.ts'
import { pagesOf, textsOf } from './text/texts.ts'
import type { BoundingBox, ChangeRecord, ExportSnapshot, SourceRecord, WaypointRecord } from './snapshot.ts'

export interface EditionOptions {
  readonly snapshot: ExportSnapshot
  readonly publisher: Publisher
  /** The licence of the files; default the registry's own. */
  readonly license?: string | undefined
  readonly bbox?: BoundingBox | undefined
  readonly region?: string | undefined
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined
  /** ISO 3166-2. */
  readonly subdivision?: string | undefined
  /** As of the snapshot. */
  readonly state?: StateOfWaypoint | undefined
  /** Keeps only what was added or changed. */
  readonly difference?: Difference | undefined
  /** Filters the records that the other members leave. Default: all of them. */
  readonly includes?: ((record: WaypointRecord) => boolean) | undefined
  /** True when the records are fictional and must say so. */
  readonly fictional?: boolean | undefined
}

/** A part of a registry; empty for the whole. */
export type Chosen = Pick<EditionOptions, 'bbox' | 'region' | 'country' | 'subdivision' | 'state'>

/** One consistent set of records to be written in any number of formats. */
export interface Edition {
  readonly snapshot: ExportSnapshot
  readonly publisher: Publisher
  /** The licence of the files. */
  readonly license: string
  readonly fictional: boolean
  /** Which waypoints are in it: those that match all given members. */
  readonly chosen: Chosen
  readonly difference?: Difference
  /** The waypoints by ascending id. Each call reads them anew. */
  waypoints(): Iterable<WaypointRecord>
  /** Those of them of which another state is known than `unconfirmed`, by ascending id. */
  stated(): Iterable<WaypointRecord>
  /** Texts of the same waypoints in the same order, made by the database where it can. */
  texts(template: TextTemplate): Iterable<RecordText>
  /** The same waypoints as joined texts in UTF-8, made by the database where it can. */
  pages(template: PageTemplate): Iterable<RecordPage>
  /** The entries of the log, of all kinds, that belong to the edition, by ascending id. */
  changes(): Iterable<ChangeRecord>
  /** Every source of the registry, by ascending id. */
  readonly sources: readonly SourceRecord[]
  /** Whom to name for the file: the publisher when something was contributed, and the sources that have waypoints. */
  readonly attributions: readonly Attribution[]
  /** Source names, licences and attributions of one waypoint. */
  terms(record: Pick<WaypointRecord, 'sources'>): SourceTerms
  /** The same of what came from the sources with these ids. */
  sourceTerms(sourceIds: readonly number[]): SourceTerms
}

/** Whether an edition is of a part of the registry. */
export const isPart = ({ chosen }: Pick<Edition, 'chosen'>): boolean => Object.keys(chosen).length > 0

/** Joins a snapshot with its publisher, licence and choice of records. Reads only the list of sources. */
export function editionOf(options: EditionOptions): Edition {
  const { snapshot, publisher, bbox, region, country, subdivision, state, difference, includes } = options
  const sources = snapshot.sources()
  const filter: Chosen = withoutAbsent({ bbox, region, country, subdivision, state })
  const choose = chooser(difference, includes)
  const sourceTerms = sourceTermsOf(sources, publisher)
  const records = (about: RecordFilter) =>
    choose ? chosen(snapshot.records(about), choose) : snapshot.records(about)
  const waypoints = () => records(filter)
  return {
    snapshot,
    publisher,
    license: options.license ?? publisher.license,
    fictional: options.fictional ?? false,
    chosen: filter,
    ...(difference && { difference }),
    sources,
    attributions: attributionsOf({
      publisher,
      contributed: mayHaveContributions(snapshot.statistics(), sources),
      sources: sources.filter((source) => source.waypoints > 0),
    }),
    waypoints,
    *stated() {
      for (const record of records({ ...filter, isStated: true }))
        if (record.state !== 'unconfirmed') yield record
    },
    texts: (template) =>
      snapshot.texts && !choose ? snapshot.texts(template, filter) : textsOfEach(waypoints(), template),
    pages: (template) =>
      snapshot.pages && !choose ? snapshot.pages(template, filter) : pagesOf(waypoints(), template),
    changes: () => snapshot.entries(difference?.since.id),
    terms: (record) => sourceTerms(idsOf(record)),
    sourceTerms,
  }
}

function withoutAbsent<Members extends object>(given: Members): Members {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Members
}

function idsOf({ sources }: Pick<WaypointRecord, 'sources'>): readonly number[] {
  return sources.map(({ sourceId }) => sourceId)
}

/** The texts of records that are objects. */
export function* textsOfEach(
  records: Iterable<WaypointRecord>,
  template: TextTemplate,
): Iterable<RecordText> {
  for (const record of records) yield textsOf(record, template)
}

function chooser(
  difference: Difference | undefined,
  includes: ((record: WaypointRecord) => boolean) | undefined,
): ((record: WaypointRecord) => boolean) | undefined {
  if (!difference) return includes
  return (record) => difference.touches(record.id) && (includes?.(record) ?? true)
}

function* chosen(
  records: Iterable<WaypointRecord>,
  includes: (record: WaypointRecord) => boolean,
): Iterable<WaypointRecord> {
  for (const record of records) if (includes(record)) yield record
}
