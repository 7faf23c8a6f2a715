import type { Publisher } from './edition.ts'
import type { SourceRecord, WaypointRecord } from './snapshot.ts'

/** Where one waypoint came from, as the columns source, source_ref, license and attribution say it. */
export interface SourceTerms {
  /** Source names joined by `; `; absent for a waypoint contributed to this registry. */
  readonly source?: string
  /** References at the sources, joined by `; ` in the same order. */
  readonly sourceRef?: string
  /** SPDX ids joined by ` AND `, which is how SPDX writes that all of them apply. */
  readonly license: string
  readonly attribution: string
}

/**
 * Answers the terms of waypoints. Sources that a waypoint names but the list lacks are an error, since its
 * licence would be unknown.
 *
 * @throws {Error} from the answered function, when a waypoint names an unlisted source
 */
export function sourceTermsOf(
  sources: readonly SourceRecord[],
  publisher: Publisher,
): (record: WaypointRecord) => SourceTerms {
  const byId = new Map(sources.map((source) => [source.id, source]))
  const contributed: SourceTerms = { license: publisher.license, attribution: publisher.author }
  const known = new Map<string, Omit<SourceTerms, 'sourceRef'>>()

  const named = (record: WaypointRecord): Omit<SourceTerms, 'sourceRef'> => {
    const key = record.sources.map((link) => link.sourceId).join(' ')
    const found = known.get(key)
    if (found) return found
    const origins = record.sources.map((link) => {
      const source = byId.get(link.sourceId)
      if (!source)
        throw new Error(
          `Waypoint ${record.id} names source ${link.sourceId}, which the registry does not list`,
        )
      return source
    })
    const terms = {
      source: distinct(origins.map((origin) => origin.name)).join('; '),
      license: distinct(origins.map((origin) => origin.license)).join(' AND '),
      attribution: distinct(origins.map((origin) => origin.attribution ?? origin.name)).join('; '),
    }
    known.set(key, terms)
    return terms
  }

  return (record) => {
    if (record.sources.length === 0) return contributed
    const refs = record.sources.flatMap((link) => (link.ref === undefined ? [] : [link.ref]))
    return { ...named(record), ...(refs.length > 0 && { sourceRef: refs.join('; ') }) }
  }
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)]
