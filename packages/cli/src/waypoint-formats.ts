import type { Snapshot, WaypointFilterInput } from '@openfountain/core'
import { idsIn, recordsInOrder, type WaypointRecord } from '@openfountain/core/internal'
import { credited, editionOf, formats, type Format, type TextFormat } from '@openfountain/exchange'
import { geojson, type WaypointFormat } from '@openfountain/server'

/** The formats of exports that GET /api/waypoints offers besides GeoJSON. */
const offered = new Set(['text/csv', 'application/gpx+xml'])

const mediaTypeOf = (format: Format): string => format.mediaType.split(';', 1)[0] ?? ''

const isOffered = (format: Format): format is TextFormat =>
  'text' in format && format.subject === 'waypoints' && offered.has(mediaTypeOf(format))

const exported: readonly WaypointFormat[] = formats.filter(isOffered).map((format) => ({
  mediaType: mediaTypeOf(format),
  description: format.holds,
  module: import.meta.url,
  async *text(registry, filter) {
    const ids = await idsIn(registry, filter)
    const snapshot = await registry.snapshot({ records: ids ?? 'all' })
    try {
      const { name, author, license } = registry
      const edition = editionOf({ snapshot, publisher: { name, author, license } })
      yield* format.text(
        ids === undefined
          ? edition
          : await credited({ ...edition, waypoints: () => chosen(snapshot, ids, filter) }),
        { rows: 0 },
      )
    } finally {
      snapshot.close()
    }
  },
}))

/** The columns of exports, in the order of the JSON of GET /api/waypoints: by id, or nearest first. */
export const waypointFormats: readonly WaypointFormat[] = [geojson, ...exported]

/** Waypoints by ids: in the given order for a search by distance, else by id. */
const chosen = (
  snapshot: Snapshot,
  ids: readonly number[],
  { near }: WaypointFilterInput,
): Iterable<WaypointRecord> =>
  near === undefined ? snapshot.records({ ids }) : recordsInOrder(snapshot, ids)
