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

/** The same with `null` for what is unknown: every row has every member. */
const orNull = (piece: PagePiece): PagePiece =>
  typeof piece === 'object' && 'field' in piece && piece.before !== undefined
    ? { ...piece, orNull: true }
    : piece

/** A field of the waypoint itself. */
function ownMember(name: OwnField): readonly PagePiece[] {
  const { type, column, optional }: Field = waypointFields[name]
  const before = `,"${column}":`
  if (type === 'time') return [`${before}"`, plain(name), '"']
  if (type === 'properties') return [{ before, field: name, form: 'as it is' }]
  if (optional === true || type === 'user') return [text(column, name)]
  return [before, plain(name)]
}

/** The place of a waypoint, without what is not known of it. */
const placeMembers = placeColumns.map(([column]) => text(placeFields[column].column, column))

/**
 * All members of a waypoint after its name and its position, each with a comma before it.
 *
 * @param unknown what becomes of members that a waypoint has no value of
 */
export function jsonMembers(
  termsOf: TermsOf,
  unknown: 'left out' | 'null' = 'left out',
): readonly PagePiece[] {
  const members = membersOf(termsOf)
  return unknown === 'null' ? members.map(orNull) : members
}

function membersOf(termsOf: TermsOf): readonly PagePiece[] {
  return [
    ...ownFields.flatMap(ownMember),
    ',"name_is_generated":',
    plain('nameIsGenerated'),
    text('state'),
    text('state_since', 'stateSince'),
    text('last_confirmed', 'lastConfirmed'),
    text('last_listed', 'lastListed'),
    text('source_updated', 'sourceUpdated'),
    ...placeMembers,
    { before: ',"rating":', field: 'rating', form: 'as it is' },
    ',"review_count":',
    plain('reviewCount'),
    text('osm_type', 'osmType'),
    { before: ',"osm_id":', field: 'osmId', form: 'as it is' },
    { before: ',"osm_tags":', field: 'osmObjectTags', form: 'as it is' },
    ',"derived_tags":',
    { osmTags: 'json' },
    { ofSources: (ids) => `,"sources":${JSON.stringify(termsOf(ids).sources)},"source_refs":` },
    { field: 'sourceRefs', form: 'json' },
    {
      ofSources: (ids) => {
        const { license, attribution } = termsOf(ids)
        return `,"license":${JSON.stringify(license)},"attribution":${JSON.stringify(attribution)}`
      },
    },
  ]
}
