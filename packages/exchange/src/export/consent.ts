import { sourceTermsOf } from '@openfountain/core/internal'
import { consentingNames, type Origin } from '../licences/clearance.ts'
import type { Edition } from './edition.ts'
import { idsOf } from './edition.ts'
import { contributionsTo } from './survey.ts'

/**
 * The edition with a note of written consent in the credits of each source, and of contributions, published by it.
 *
 * @param permitted names of sources that gave their written consent to the licence of the edition
 */
export function withConsents(edition: Edition, permitted: readonly string[] = []): Edition {
  if (permitted.length === 0) return edition
  const { license } = edition
  const own = contributionsTo(edition.publisher.name)
  const origins: Pick<Origin, 'name' | 'license'>[] = [
    ...edition.sources,
    { name: own, license: edition.publisher.license },
  ]
  const names = consentingNames(origins, license, permitted)
  if (names.size === 0) return edition
  const sources = edition.sources.map((source) =>
    names.has(source.name) ? { ...source, consentsTo: license } : source,
  )
  const publisher = names.has(own) ? { ...edition.publisher, consentsTo: license } : edition.publisher
  const sourceTerms = sourceTermsOf(sources, publisher)
  return { ...edition, publisher, sources, terms: (record) => sourceTerms(idsOf(record)) }
}
