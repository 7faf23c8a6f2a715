import { consenting, creditOf, partyText, type Credited, type CreditedSource } from '../attribution.ts'
import type { Source } from '../schemas/source.ts'
import type { WaypointRecord } from '../snapshot.ts'

export interface RowTerms {
  /** SPDX ids joined by ` AND `, which is how SPDX writes that all of them apply. */
  readonly license: string
  readonly attribution: string
}

/** Where waypoints came from, as the columns sources, license and attribution say it: one object for equal sources. */
export interface SourceTerms extends RowTerms {
  /** Names of the sources, one for each record of the waypoint; empty for one contributed to this registry. */
  readonly sources: readonly string[]
}

/** Returns a function from ids of sources to the terms of their data; without ids the publisher's. @throws {Error} for an unlisted one */
export function sourceTermsOf(
  sources: readonly (Source & { readonly consentsTo?: string | undefined })[],
  publisher: Credited['publisher'],
): (sourceIds: readonly number[]) => SourceTerms {
  const byId = new Map(sources.map((source) => [source.id, source]))
  const contributed: SourceTerms = {
    sources: Object.freeze([]),
    license: publisher.license,
    attribution: partyText(consenting({ name: publisher.author }, publisher)),
  }
  const bySources = new Map<string | number, SourceTerms>()

  const combined = (sourceIds: readonly number[]): SourceTerms => {
    const origins = sourceIds.map((sourceId) => {
      const source = byId.get(sourceId)
      if (source) return source
      throw new Error(`A waypoint names source ${sourceId}, which the registry does not list`)
    })
    return { sources: Object.freeze(origins.map((origin) => origin.name)), ...termsOf(origins) }
  }

  return (sourceIds) => {
    const [first, second] = sourceIds
    if (first === undefined) return contributed
    const key = second === undefined ? first : sourceIds.join(' ')
    let terms = bySources.get(key)
    if (terms === undefined) bySources.set(key, (terms = combined(sourceIds)))
    return terms
  }
}

/** The references of a waypoint at its sources, in the order of their names, empty for a record without one. */
export const sourceRefsOf = ({ sources }: Pick<WaypointRecord, 'sources'>): string[] =>
  sources.map(({ ref = '' }) => ref)

function termsOf(sources: readonly CreditedSource[]): RowTerms {
  return {
    license: distinct(sources.map(({ license }) => license)).join(' AND '),
    attribution: distinct(sources.map((source) => partyText(creditOf(source)))).join('; '),
  }
}

/** The terms of a waypoint with these sources where its licence is not this one; undefined where it is. */
export function otherTermsOf(sources: readonly CreditedSource[], license: string): RowTerms | undefined {
  if (sources.every((source) => source.license === license)) return undefined
  return termsOf(sources.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)]
