import { attributionLine, type Attribution } from '../attribution.ts'
import type { WaypointRecord } from '../snapshot.ts'
import type { SourceTerms } from './source-terms.ts'
import { columnsBesidePosition, waypointText } from './waypoint-columns.ts'

/** Texts before, between and after the features of a collection (RFC 7946), in exports and responses alike. */
export const featureCollection = {
  /** Foreign members, which section 6.1 of the standard allows, name the licence and whom to credit. */
  before: ({ license, attributions }: { license: string; attributions: readonly Attribution[] }): string =>
    `{"type":"FeatureCollection","license":${JSON.stringify(license)},` +
    `"attribution":${JSON.stringify(attributionLine(attributions))},"features":[\n`,
  between: ',\n',
  after: '\n]}\n',
} as const

/** A waypoint as a feature: the position is its geometry, every other column a property. */
export function featureText(record: WaypointRecord, terms: SourceTerms): string {
  const { id, longitude, latitude } = record
  const properties = waypointText(record, terms, 'left out', columnsBesidePosition)
  return `{"type":"Feature","id":${id},"geometry":{"type":"Point","coordinates":[${longitude},${latitude}]},"properties":${properties}}`
}
