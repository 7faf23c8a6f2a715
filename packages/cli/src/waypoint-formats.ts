import type { Snapshot, WaypointFilterInput, WaypointRecord } from '@openfountain/core'
import { idsIn } from '@openfountain/core/internal'
import {
  credited,
  editionOf,
  formats,
  pagesOf,
  type Edition,
  type Format,
  type TextFormat,
} from '@openfountain/exchange'
import { geojson, type WaypointFormat } from '@openfountain/server'

/** The formats of exports that GET /api/waypoints offers besides GeoJSON. */
const offered = new Set(['text/csv', 'application/gpx+xml'])

const mediaTypeOf = (format: Format): string => format.mediaType.split(';', 1)[0] ?? ''

function isOffered(format: Format): format is TextFormat {
  return 'text' in format && format.subject === 'waypoints' && offered.has(mediaTypeOf(format))
}

/** Records that are read at a time to sort them. */
const atATime = 1000

/** Records in the order of ids, of which only some are held at a time. */
function* recordsInOrder(snapshot: Snapshot, ids: readonly number[]): Generator<WaypointRecord> {
  for (let start = 0; start < ids.length; start += atATime) {
    const part = ids.slice(start, start + atATime)
    const found = new Map(Array.from(snapshot.records({ ids: part }), (record) => [record.id, record]))
    for (const id of part) {
      const record = found.get(id)
      // One that has been deleted since is left out.
      if (record !== undefined) yield record
    }
  }
}

/** The formats of exports, each of one consistent view of the registry. */
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
        ids === undefined ? edition : await credited(chosen(edition, snapshot, ids, filter)),
        { rows: 0 },
      )
    } finally {
      snapshot.close()
    }
  },
}))

/**
 * The formats for `createApp` in which GET /api/waypoints gives the columns of the exports, in the order of its JSON:
 * by id, or nearest first.
 */
export const waypointFormats: readonly WaypointFormat[] = [geojson, ...exported]

/** An edition of the waypoints with some ids: in their order when they are sorted by distance, else by id. */
function chosen(
  edition: Edition,
  snapshot: Snapshot,
  ids: readonly number[],
  { near }: WaypointFilterInput,
): Edition {
  const byDistance = () => recordsInOrder(snapshot, ids)
  return near === undefined
    ? {
        ...edition,
        waypoints: () => snapshot.records({ ids }),
        pages: (template) => snapshot.pages(template, { ids }),
      }
    : { ...edition, waypoints: byDistance, pages: (template) => pagesOf(byDistance(), template) }
}
