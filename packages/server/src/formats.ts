import type { Registry, Snapshot, WaypointFilterInput } from '@openfountain/core'
import {
  attributionsOf,
  countOrigins,
  featureCollection,
  featureText,
  idsIn,
  mayHaveContributions,
  plain,
  sourceTermsOf,
  type PagePiece,
} from '@openfountain/core/internal'

/** A media type of GET /api/waypoints besides JSON. */
export interface WaypointFormat {
  /** The type in Accept and Content-Type, without parameters. */
  readonly mediaType: string
  /** What it contains, for the OpenAPI document. */
  readonly description: string
  /**
   * The URL of the module that has this format in its export `waypointFormats`. With it long lists are made in another
   * thread; without it in the serving one.
   */
  readonly module?: string | undefined
  /** The text, in pieces of any size, of the waypoints that match the filter, in its order. */
  text(registry: Registry, filter: WaypointFilterInput): AsyncIterable<string> | Iterable<string>
}

/** Stands for this module, which is a part of the program in a bundle. */
export const ownModule = 'openfountain:formats'

/** Features that are read at a time to sort them. */
const featuresAtATime = 1000

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** The texts of features in the order of ids, several at a time. They are separated by line breaks, which JSON text has none of. */
function* featuresInOrder(
  snapshot: Snapshot,
  feature: readonly PagePiece[],
  ids: readonly number[],
): Generator<string> {
  const record = [plain('id'), '\t', ...feature]
  for (let start = 0; start < ids.length; start += featuresAtATime) {
    const part = ids.slice(start, start + featuresAtATime)
    const texts = new Map<number, string>()
    for (const { bytes } of snapshot.pages({ record, between: '\n' }, { ids: part })) {
      for (const line of utf8.decode(bytes).split('\n')) {
        const tab = line.indexOf('\t')
        texts.set(Number(line.slice(0, tab)), line.slice(tab + 1))
      }
    }
    // One that has been deleted since is left out.
    const found = part.flatMap((id) => texts.get(id) ?? [])
    if (found.length > 0) yield found.join(featureCollection.between)
  }
}

function* featuresById(
  snapshot: Snapshot,
  feature: readonly PagePiece[],
  ids: readonly number[] | undefined,
): Generator<string> {
  const template = { record: feature, between: featureCollection.between }
  for (const { bytes } of snapshot.pages(template, { ids })) yield utf8.decode(bytes)
}

/** GeoJSON (RFC 7946) as exports write it: the same columns, and the attribution of the waypoints that are in it. */
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
          : await countOrigins((template) => snapshot.pages(template, { ids }), all)
      const attributions = attributionsOf({
        publisher: { author, license },
        contributed: Boolean(origins.contributed),
        sources: origins.sources,
      })
      yield featureCollection.before({ license, attributions })
      const feature = featureText(sourceTermsOf(all, { author, license }))
      const pieces =
        ids === undefined || filter.near === undefined
          ? featuresById(snapshot, feature, ids)
          : featuresInOrder(snapshot, feature, ids)
      let separator = ''
      for (const piece of pieces) {
        yield separator + piece
        separator = featureCollection.between
      }
      yield featureCollection.after
    } finally {
      snapshot.close()
    }
  },
}

/** The default formats. */
export const waypointFormats: readonly WaypointFormat[] = [geojson]
