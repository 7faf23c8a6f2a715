import type { PageField, PagePiece } from '../snapshot.ts'
import { osmTagsOf } from '../vocabulary.ts'
import type { SourceTerms } from './source-terms.ts'

/** The terms of what came from the sources with these ids. */
type TermsOf = (sourceIds: readonly number[]) => SourceTerms

/** A number, a flag, a time or a list, as JSON has it. */
export const plain = (field: PageField): PagePiece => ({ field, form: 'as it is' })

/** A text member, left out when it is unknown. */
export const text = (member: string, field = member as PageField): PagePiece => ({
  before: `,"${member}":`,
  field,
  form: 'json',
})

/** All members of a waypoint after its name and its position, each with a comma before it. */
export function jsonMembers(termsOf: TermsOf): readonly PagePiece[] {
  return [
    text('description'),
    ',"amenities":',
    plain('amenities'),
    text('image'),
    text('maintainer'),
    text('region'),
    ',"approved":',
    plain('approved'),
    ',"verified":',
    plain('verified'),
    text('added_by', 'addedByUserId'),
    ',"created_at":"',
    plain('createdAt'),
    '","updated_at":"',
    plain('updatedAt'),
    '","last_confirmed":"',
    plain('lastConfirmed'),
    '"',
    text('last_listed', 'lastListed'),
    text('state'),
    { before: ',"rating":', field: 'rating', form: 'as it is' },
    ',"review_count":',
    plain('reviewCount'),
    { ofAmenities: (amenities) => `,"osm_tags":${JSON.stringify(osmTagsOf(amenities))}` },
    {
      ofSources: (ids) => {
        const { source } = termsOf(ids)
        return source === undefined ? '' : `,"source":${JSON.stringify(source)}`
      },
    },
    text('source_ref', 'sourceRef'),
    {
      ofSources: (ids) => {
        const { license, attribution } = termsOf(ids)
        return `,"license":${JSON.stringify(license)},"attribution":${JSON.stringify(attribution)}`
      },
    },
  ]
}
