import type { Field } from '../fields/field.ts'
import { placeColumns, placeFields } from '../fields/place.ts'
import { fieldNames, waypointFields, type WaypointField } from '../fields/waypoint.ts'
import type { PageField, PagePiece } from '../snapshot.ts'
import type { SourceTerms } from './source-terms.ts'

type OwnField = Exclude<WaypointField, 'id' | 'name' | 'latitude' | 'longitude'>

const ownFields = fieldNames.filter(
  (name): name is OwnField => !['id', 'name', 'latitude', 'longitude'].includes(name),
)

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

/** A field of the waypoint itself. */
function ownMember(name: OwnField): readonly PagePiece[] {
  const { type, column, optional }: Field = waypointFields[name]
  const before = `,"${column}":`
  if (type === 'time') return [`${before}"`, plain(name), '"']
  if (optional === true || type === 'user') return [text(column, name)]
  return [before, plain(name)]
}

/** The place of a waypoint, without what is not known of it. */
const placeMembers = placeColumns.map(([column]) => text(placeFields[column].column, column))

/** All members of a waypoint after its name and its position, each with a comma before it. */
export function jsonMembers(termsOf: TermsOf): readonly PagePiece[] {
  return [
    ...ownFields.flatMap(ownMember),
    text('state'),
    text('state_since', 'stateSince'),
    text('last_confirmed', 'lastConfirmed'),
    text('last_listed', 'lastListed'),
    ...placeMembers,
    { before: ',"rating":', field: 'rating', form: 'as it is' },
    ',"review_count":',
    plain('reviewCount'),
    ',"osm_tags":',
    { osmTags: 'json' },
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
