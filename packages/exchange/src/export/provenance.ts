import type { Publisher } from './edition.ts'
import type { SourceRecord, WaypointRecord } from './snapshot.ts'

/** Where waypoints came from, as the columns source, license and attribution say it: one object for equal sources. */
export interface SourceTerms {
  /** Source names joined by `; `; absent for a waypoint contributed to this registry. */
  readonly source?: string
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
): (record: Sourced) => SourceTerms {
  const byId = new Map(sources.map((source) => [source.id, source]))
  const contributed: SourceTerms = { license: publisher.license, attribution: publisher.author }
  const bySources = new Map<string | number, SourceTerms>()

  const combined = (record: Sourced): SourceTerms => {
    const origins = record.sources.map(({ sourceId }) => {
      const source = byId.get(sourceId)
      if (source) return source
      throw new Error(`Waypoint ${record.id} names source ${sourceId}, which the registry does not list`)
    })
    return {
      source: distinct(origins.map((origin) => origin.name)).join('; '),
      license: distinct(origins.map((origin) => origin.license)).join(' AND '),
      attribution: distinct(origins.map((origin) => origin.attribution ?? origin.name)).join('; '),
    }
  }

  return (record) => {
    const [first, second] = record.sources
    if (!first) return contributed
    const key = second ? record.sources.map(({ sourceId }) => sourceId).join(' ') : first.sourceId
    const found = bySources.get(key)
    if (found) return found
    const terms = combined(record)
    bySources.set(key, terms)
    return terms
  }
}

/** The references of a waypoint at its sources, joined by `; `; undefined when it has none. */
export function sourceRefOf({ sources }: Pick<WaypointRecord, 'sources'>): string | undefined {
  if (sources.length <= 1) return sources[0]?.ref
  const refs = sources.flatMap(({ ref }) => (ref === undefined ? [] : [ref]))
  return refs.length === 0 ? undefined : refs.join('; ')
}

type Sourced = Pick<WaypointRecord, 'id' | 'sources'>

const distinct = (values: readonly string[]): string[] => [...new Set(values)]
