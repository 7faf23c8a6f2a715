import { attributionLine, type Attribution } from '../attribution.ts'
import type { PagePiece } from '../snapshot.ts'
import { jsonMembers, plain, text } from './json-members.ts'
import type { SourceTerms } from './source-terms.ts'

/** What stands before, between and after the features of a collection (RFC 7946), in exports and responses alike. */
export const featureCollection = {
  /** Foreign members, which section 6.1 of the standard allows, name the licence and whom to credit. */
  before: ({ license, attributions }: { license: string; attributions: readonly Attribution[] }): string =>
    `{"type":"FeatureCollection","license":${JSON.stringify(license)},` +
    `"attribution":${JSON.stringify(attributionLine(attributions))},"features":[\n`,
  between: ',\n',
  after: '\n]}\n',
} as const

/** A waypoint as a feature: the position is its geometry, every other column a property. */
export function featureText(
  termsOf: (sourceIds: readonly number[]) => SourceTerms,
): readonly [PagePiece, ...PagePiece[]] {
  return [
    '{"type":"Feature","id":',
    plain('id'),
    ',"geometry":{"type":"Point","coordinates":[',
    plain('longitude'),
    ',',
    plain('latitude'),
    ']},"properties":{"id":',
    plain('id'),
    text('name'),
    ...jsonMembers(termsOf),
    '}}',
  ]
}
