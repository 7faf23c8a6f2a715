import type { Registry, WaypointFilterInput } from '@openfountain/core'
import { editionOf, formats, type Format, type TextFormat } from '@openfountain/exchange'
import type { WaypointFormat } from '@openfountain/server'

/** What GET /api/waypoints answers of the formats of exports. */
const offered = new Set(['application/geo+json', 'text/csv', 'application/gpx+xml'])

const mediaTypeOf = (format: Format): string => format.mediaType.split(';', 1)[0] ?? ''

function isOffered(format: Format): format is TextFormat {
  return 'text' in format && format.subject === 'waypoints' && offered.has(mediaTypeOf(format))
}

/** The ids that a filter leaves, or undefined when it leaves all. */
async function idsIn(registry: Registry, filter: WaypointFilterInput): Promise<number[] | undefined> {
  if (Object.values(filter).every((value) => value === undefined)) return undefined
  const ids: number[] = []
  for await (const { id } of registry.waypoints.each(filter)) ids.push(id)
  return ids
}

/**
 * The text formats of exports for `createApp`: GET /api/waypoints answers the records that an export writes, by id,
 * of one moment.
 */
export const waypointFormats: readonly WaypointFormat[] = formats.filter(isOffered).map((format) => ({
  mediaType: mediaTypeOf(format),
  description: format.holds,
  module: import.meta.url,
  async *text(registry, filter) {
    const ids = await idsIn(registry, filter)
    const snapshot = registry.snapshot()
    try {
      const { name, author, license } = registry
      const edition = editionOf({ snapshot, publisher: { name, author, license } })
      const chosen = {
        ...edition,
        waypoints: () => snapshot.records({ ids }),
        texts: (template: Parameters<typeof edition.texts>[0]) => snapshot.texts(template, { ids }),
      }
      yield* format.text(chosen, { rows: 0 })
    } finally {
      snapshot.close()
    }
  },
}))
