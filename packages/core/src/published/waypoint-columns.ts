import { placeColumns, placeFields } from '../fields/place.ts'
import { fieldNames, waypointFields } from '../fields/waypoint.ts'
import { recordTags } from '../osm-tags.ts'
import { isMadeName } from '../places/made-names.ts'
import type { WaypointRecord } from '../snapshot.ts'
import { osmTagsIn } from './osm-object.ts'
import { sourceRefsOf, type SourceTerms } from './source-terms.ts'

/** A column of a file, and its value of a waypoint: undefined where it is not known. */
export type WaypointColumn = readonly [
  name: string,
  valueOf: (record: WaypointRecord, terms: SourceTerms) => unknown,
]

/** The columns of a waypoint in every file, in this order. */
export const waypointColumns: readonly WaypointColumn[] = [
  ...fieldNames.map((name): WaypointColumn => [waypointFields[name].column, (record) => record[name]]),
  ['name_is_generated', ({ name }) => isMadeName(name)],
  ['state', ({ state }) => state],
  ['state_since', ({ stateSince }) => stateSince],
  ['last_confirmed', ({ lastConfirmed }) => lastConfirmed],
  ['last_listed', ({ lastListed }) => lastListed],
  ['source_updated', ({ sourceUpdated }) => sourceUpdated],
  ...placeColumns.map(([name, member]): WaypointColumn => [
    placeFields[name].column,
    ({ place }) => place?.[member],
  ]),
  ['rating', ({ rating }) => rating],
  ['review_count', ({ reviewCount }) => reviewCount],
  ['osm_type', ({ osmType }) => osmType],
  ['osm_id', ({ osmId }) => osmId],
  ['osm_tags', osmTagsIn],
  ['derived_tags', recordTags],
  ['sources', (_, { sources }) => sources],
  ['source_refs', sourceRefsOf],
  ['license', (_, { license }) => license],
  ['attribution', (_, { attribution }) => attribution],
]

/** The columns besides the position, which is a geometry in formats that have one. */
export const columnsBesidePosition = waypointColumns.filter(
  ([name]) => name !== waypointFields.latitude.column && name !== waypointFields.longitude.column,
)

/**
 * A waypoint as the text of a JSON object.
 *
 * @param unknown the treatment of columns without a value
 */
export function waypointText(
  record: WaypointRecord,
  terms: SourceTerms,
  unknown: 'left out' | 'null' = 'left out',
  columns = waypointColumns,
): string {
  let text = '{'
  for (const [name, valueOf] of columns) {
    const value = valueOf(record, terms) ?? (unknown === 'null' ? null : undefined)
    // A substring of the whole would copy it, so there is no comma to be taken off.
    if (value !== undefined) text += `${text === '{' ? '' : ','}"${name}":${jsonText(value)}`
  }
  return `${text}}`
}

/** Texts without characters that JSON escapes: most of them. */
const plain = /^[ !#-[\]-\uD7FF]*$/

/** What JSON.stringify makes, faster for most values. */
function jsonText(value: unknown): string {
  if (typeof value === 'string' && plain.test(value)) return `"${value}"`
  return typeof value === 'boolean' ? String(value) : JSON.stringify(value)
}
