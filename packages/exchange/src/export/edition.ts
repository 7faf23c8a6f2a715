import type { BoundingBox, ExportSnapshot, LogHead, SourceRecord, WaypointRecord } from './snapshot.ts'
import { sourceTermsOf, type SourceTerms } from './provenance.ts'

/** Who publishes, and under what licence. */
export interface Publisher {
  /** The registry's name. */
  readonly name: string
  readonly author: string
  /** The licence that contributions to this registry carry: an SPDX id or a name. */
  readonly license: string
}

export interface EditionOptions {
  readonly snapshot: ExportSnapshot
  readonly publisher: Publisher
  /** The licence of the files; default the registry's own. */
  readonly license?: string
  readonly bbox?: BoundingBox
  readonly region?: string
  /** Chooses among the records that bbox and region leave. Default: all. */
  readonly includes?: (record: WaypointRecord) => boolean
  /** True when the records are made up and must say so. */
  readonly fictional?: boolean
}

/** One consistent set of records to be written in any number of formats. */
export interface Edition {
  readonly snapshot: ExportSnapshot
  readonly publisher: Publisher
  /** The licence of the files. */
  readonly license: string
  readonly head?: LogHead
  readonly fictional: boolean
  /** True when bbox, region or a licence leaves waypoints out. */
  readonly partial: boolean
  readonly bbox?: BoundingBox
  readonly region?: string
  /** The waypoints by ascending id. Each call reads them anew. */
  waypoints(): Iterable<WaypointRecord>
  /** The sources that at least one waypoint of the registry names, by ascending id. */
  readonly sources: readonly SourceRecord[]
  /** Source names, references, licences and attributions of one waypoint. */
  terms(record: WaypointRecord): SourceTerms
}

/** Binds a snapshot to its publisher, licence and choice of records. Reads only the list of sources. */
export function editionOf(options: EditionOptions): Edition {
  const { snapshot, publisher, bbox, region, includes } = options
  const sources = snapshot.sources()
  const filter = { ...(bbox && { bbox }), ...(region !== undefined && { region }) }
  return {
    snapshot,
    publisher,
    license: options.license ?? publisher.license,
    ...(snapshot.head && { head: snapshot.head }),
    fictional: options.fictional ?? false,
    partial: bbox !== undefined || region !== undefined || includes !== undefined,
    ...(bbox && { bbox }),
    ...(region !== undefined && { region }),
    sources,
    waypoints: () => (includes ? chosen(snapshot.records(filter), includes) : snapshot.records(filter)),
    terms: sourceTermsOf(sources, publisher),
  }
}

function* chosen(
  records: Iterable<WaypointRecord>,
  includes: (record: WaypointRecord) => boolean,
): Iterable<WaypointRecord> {
  for (const record of records) if (includes(record)) yield record
}
