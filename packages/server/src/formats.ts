import type { Registry, WaypointFilterInput } from '@openfountain/core'
import {
  attributionsOf,
  countOrigins,
  featureCollection,
  featureText,
  idsIn,
  mayHaveContributions,
  recordsInOrder,
  sourceTermsOf,
} from '@openfountain/core/internal'

/** A media type of GET /api/waypoints besides JSON. */
export interface WaypointFormat {
  /** The type in Accept and Content-Type, without parameters. */
  readonly mediaType: string
  /** Its content, for the OpenAPI document. */
  readonly description: string
  /** The URL of the module that exports it in `waypointFormats`, so that long lists are made on another thread. */
  readonly module?: string | undefined
  /** The text, in pieces of any size, of the waypoints that match the filter, in its order. */
  text(registry: Registry, filter: WaypointFilterInput): AsyncIterable<string> | Iterable<string>
}

export const ownModule = 'openfountain:formats'

/** GeoJSON (RFC 7946) as in exports: the same columns, and the attribution of the waypoints in it. */
export const geojson: WaypointFormat = {
  mediaType: 'application/geo+json',
  description:
    'A GeoJSON FeatureCollection with the columns of the exports: the position as geometry, all others as properties',
  module: ownModule,
  async *text(registry, filter) {
    const { license, author } = registry
    const ids = await idsIn(registry, filter)
    const snapshot = await registry.snapshot({ records: ids ?? 'all' })
    try {
      const all = snapshot.sources()
      const origins =
        ids === undefined
          ? {
              sources: all.filter(({ waypoints }) => waypoints > 0),
              contributed: mayHaveContributions(snapshot.statistics(), all),
            }
          : await countOrigins(snapshot.records({ ids }), all)
      const attributions = attributionsOf({
        publisher: { author, license },
        contributed: Boolean(origins.contributed),
        sources: origins.sources,
      })
      yield featureCollection.before({ license, attributions })
      const termsOf = sourceTermsOf(all, { author, license })
      const records =
        ids === undefined || filter.near === undefined
          ? snapshot.records({ ids })
          : recordsInOrder(snapshot, ids)
      let separator = ''
      for (const record of records) {
        const terms = termsOf(record.sources.map(({ sourceId }) => sourceId))
        yield separator + featureText(record, terms)
        separator = featureCollection.between
      }
      yield featureCollection.after
    } finally {
      snapshot.close()
    }
  },
}

export const waypointFormats: readonly WaypointFormat[] = [geojson]
