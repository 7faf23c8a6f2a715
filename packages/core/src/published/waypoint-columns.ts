import { attributionLine, type Attribution } from '../attribution.ts'
import { placeColumns, placeFields } from '../fields/place.ts'
import { fieldNames, waypointFields } from '../fields/waypoint.ts'
import { derivedTags } from '../osm-tags.ts'
import type { WaypointRecord } from '../snapshot.ts'
import { ofShared } from './cells.ts'
import { osmTagsIn } from './osm-object.ts'
import { sourceRefsOf, type SourceTerms } from './source-terms.ts'

/** Returns a column's value of a waypoint: undefined where it is not known. */
type ValueOf = (record: WaypointRecord, terms: SourceTerms) => unknown

type Named = readonly [name: string, valueOf: ValueOf]

/** A column of a file, and the text of its member in JSON: the first column is never absent. */
type WaypointColumn = readonly [name: string, valueOf: ValueOf, member: (value: unknown) => string]

/** Keeps the text of the last value, since a waypoint has many in common with the one before it; objects may change. */
function memberOf(beginning: string): (value: unknown) => string {
  let [last, text]: [unknown, string] = [undefined, '']
  return (value) => {
    if (value !== last || typeof value === 'object') [last, text] = [value, beginning + jsonText(value)]
    return text
  }
}

const columns: readonly Named[] = [
  ...fieldNames.map((name): Named => [waypointFields[name].column, (record) => record[name]]),
  ['name_is_generated', ({ nameIsMade }) => nameIsMade === true],
  ['state', ({ state }) => state],
  ['state_since', ({ stateSince }) => stateSince],
  ['last_confirmed', ({ lastConfirmed }) => lastConfirmed],
  ['last_listed', ({ lastListed }) => lastListed],
  ['source_updated', ({ sourceUpdated }) => sourceUpdated],
  ...placeColumns.map(([name, member]): Named => [placeFields[name].column, ({ place }) => place?.[member]]),
  ['rating', ({ rating }) => rating],
  ['review_count', ({ reviewCount }) => reviewCount],
  ['osm_type', ({ osmType }) => osmType],
  ['osm_id', ({ osmId }) => osmId],
  ['osm_tags', osmTagsIn],
  ['derived_tags', derivedTags],
  ['sources', (_, { sources }) => sources],
  ['source_refs', sourceRefsOf],
  ['license', (_, { license }) => license],
  ['attribution', (_, { attribution }) => attribution],
]
export const waypointColumns: readonly WaypointColumn[] = columns.map(([name, valueOf], place) => [
  name,
  valueOf,
  memberOf(`${place === 0 ? '' : ','}"${name}":`),
])

/** The columns besides the position, which is a geometry in formats that have one. */
const columnsBesidePosition = waypointColumns.filter(
  ([name]) => name !== waypointFields.latitude.column && name !== waypointFields.longitude.column,
)

/** A waypoint as the text of a JSON object. @param unknown what stands for columns without a value */
export function waypointText(
  record: WaypointRecord,
  terms: SourceTerms,
  unknown: 'left out' | 'null' = 'left out',
  written = waypointColumns,
): string {
  let text = '{'
  for (const [, valueOf, member] of written) {
    const value = valueOf(record, terms)
    if (value !== undefined) text += member(value)
    else if (unknown === 'null') text += member(null)
  }
  return `${text}}`
}

/** Texts without characters that JSON escapes: most of them. */
const plain = /^[ !#-[\]-\uD7FF]*$/

const textsOfFrozen = new WeakMap<object, string>()

/** The text of JSON.stringify, faster for most values. */
export function jsonText(value: unknown): string {
  if (typeof value === 'string' && plain.test(value)) return `"${value}"`
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  return typeof value === 'object' && value !== null
    ? ofShared(textsOfFrozen, value, JSON.stringify)
    : JSON.stringify(value)
}

/** Texts before, between and after the features of a collection (RFC 7946), in exports and responses alike. */
export const featureCollection = {
  /** Foreign members, which section 6.1 of the standard allows, name the licence and whom to credit. */
  before: ({ license, attributions }: { license: string; attributions: readonly Attribution[] }): string =>
    `{"type":"FeatureCollection","license":${JSON.stringify(license)},` +
    `"attribution":${JSON.stringify(attributionLine(attributions))},"features":[\n`,
  between: ',\n',
  after: '\n]}\n',
} as const

export function featureText(record: WaypointRecord, terms: SourceTerms): string {
  const { id, longitude, latitude } = record
  const properties = waypointText(record, terms, 'left out', columnsBesidePosition)
  return `{"type":"Feature","id":${id},"geometry":{"type":"Point","coordinates":[${longitude},${latitude}]},"properties":${properties}}`
}
