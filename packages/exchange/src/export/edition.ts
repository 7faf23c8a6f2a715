import type { Attribution } from '@openfountain/core'
import {
  attributionsOf,
  mayHaveContributions,
  type RecordFilter,
  type SourceTerms,
  sourceTermsOf,
} from '@openfountain/core/internal'
import type { Difference } from './difference.ts'
import type { DailyFiles } from './folder/daily.ts'
import type {
  Publisher,
  BoundingBox,
  ChangeRecord,
  ExportSnapshot,
  SourceRecord,
  WaypointRecord,
} from './snapshot.ts'

/** A part of a registry; empty for the whole. */
export type Chosen = Omit<RecordFilter, 'ids' | 'isStated'>

export interface EditionOptions {
  /** Which waypoints; default all. */
  readonly where?: Chosen | undefined
  readonly snapshot: ExportSnapshot
  readonly publisher: Publisher
  /** The licence of the files; default the registry's own. */
  readonly license?: string | undefined
  /** Only rows added or changed by this difference. */
  readonly difference?: Difference | undefined
  /** Filters the records that the other members leave. Default: all of them. */
  readonly includes?: ((record: WaypointRecord) => boolean) | undefined
  /** True when the records are fictional and must say so. */
  readonly fictional?: boolean | undefined
  readonly addresses?: Addresses | undefined
}

/** Where an export will be found on the web, as far as it is known: absolute addresses. */
export interface Addresses {
  /** The folder of the files, with a slash at its end. */
  readonly url?: string | undefined
  /** The pages of the registry for people. */
  readonly homepage?: string | undefined
}

export interface Edition {
  readonly snapshot: ExportSnapshot
  readonly publisher: Publisher
  readonly license: string
  readonly fictional: boolean
  /** Which waypoints are in it: those that match all given members. */
  readonly chosen: Chosen
  readonly difference?: Difference
  readonly addresses: Addresses
  /** The files taken over from earlier the same day, where that is allowed. */
  readonly daily?: DailyFiles
  /** Whether it is the set of one licence, beside others. */
  readonly isSet?: true
  /** The box around its waypoints: west, south, east, north. Undefined when there are none. */
  extent(): BoundingBox | undefined
  /** The waypoints by ascending id, or those of them with some ids. Each call reads them anew. */
  waypoints(ids?: readonly number[]): Iterable<WaypointRecord>
  /** The waypoints of the file with a status other than `unconfirmed`, by ascending id. */
  stated(): Iterable<WaypointRecord>
  /** The entries of the log, of all kinds, that belong to the edition, by ascending id. */
  changes(): Iterable<ChangeRecord>
  readonly sources: readonly SourceRecord[]
  /** The credits of the file: the publisher when something was contributed, and the sources that have waypoints. */
  readonly attributions: readonly Attribution[]
  /** Source names, licences and attributions of one waypoint. */
  terms(record: Pick<WaypointRecord, 'sources'>): SourceTerms
}

export const isPart = ({ chosen }: Pick<Edition, 'chosen'>): boolean => Object.keys(chosen).length > 0

/** Whether the tables of an edition refer to each other without exception: it is of the whole registry. */
export const isWhole = (edition: Pick<Edition, 'chosen' | 'difference' | 'isSet'>): boolean =>
  !isPart(edition) && edition.difference === undefined && edition.isSet !== true

/** Joins a snapshot with its publisher, licence and choice of records. Reads only the list of sources. */
export function editionOf(options: EditionOptions): Edition {
  const { snapshot, publisher, where = {}, difference, includes } = options
  const sources = snapshot.sources()
  const filter: Chosen = withoutAbsent(where)
  // The waypoints to read: a difference has a list of them, so that no others are read.
  const read: RecordFilter = { ...filter, ids: difference?.ids }
  const sourceTerms = sourceTermsOf(sources, publisher)
  const waypoints = (ids = read.ids) => snapshot.records({ ...read, ids })
  const edition: Edition = {
    snapshot,
    publisher,
    license: options.license ?? publisher.license,
    fictional: options.fictional ?? false,
    chosen: filter,
    difference,
    addresses: withoutAbsent(options.addresses ?? {}),
    extent: once(() => (snapshot.extent ? snapshot.extent(read) : extentOf(waypoints()))),
    sources,
    attributions: attributionsOf({
      publisher,
      contributed: mayHaveContributions(snapshot.statistics(), sources),
      sources: sources.filter((source) => source.waypoints > 0),
    }),
    waypoints,
    *stated() {
      for (const record of snapshot.records({ ...read, isStated: true }))
        if (record.state !== 'unconfirmed') yield record
    },
    changes: () => snapshot.entries(difference?.since.id),
    terms: (record) => sourceTerms(idsOf(record)),
  }
  return includes ? narrowed(edition, includes) : edition
}

export function narrowed(edition: Edition, includes: (record: WaypointRecord) => boolean): Edition {
  function* waypoints(ids?: readonly number[]): Iterable<WaypointRecord> {
    for (const record of edition.waypoints(ids)) if (includes(record)) yield record
  }
  return {
    ...edition,
    waypoints,
    extent: once(() => extentOf(waypoints())),
    *stated() {
      for (const record of edition.stated()) if (includes(record)) yield record
    },
  }
}

function once<Result>(make: () => Result): () => Result {
  let made: { readonly result: Result } | undefined
  return () => (made ??= { result: make() }).result
}

export function extentOf(
  records: Iterable<Pick<WaypointRecord, 'longitude' | 'latitude'>>,
): BoundingBox | undefined {
  let box: [west: number, south: number, east: number, north: number] | undefined
  for (const { longitude: x, latitude: y } of records) {
    const [west, south, east, north] = box ?? [x, y, x, y]
    box = [Math.min(west, x), Math.min(south, y), Math.max(east, x), Math.max(north, y)]
  }
  return box
}

const withoutAbsent = <Members extends object>(given: Members): Members =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Members

export const idsOf = ({ sources }: Pick<WaypointRecord, 'sources'>): readonly number[] =>
  sources.map(({ sourceId }) => sourceId)
