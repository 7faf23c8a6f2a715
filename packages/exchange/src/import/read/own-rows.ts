import {
  optionalFields,
  waypointFields,
  type OptionalValues,
  type Properties,
} from '@openfountain/core/fields'
import { restoreCell, splitList } from '@openfountain/core/published'
import type { ImportNote } from '../reasons.ts'
import type { Position } from './geometry.ts'
import type { SourceRow } from './source-row.ts'
import type { ReadWaypoint } from '../understand/waypoint-reading.ts'
import { keptTags } from '../understand/kinds.ts'
import { jsonOf } from './json-elements.ts'
import { tagsOf } from './nested-fields.ts'
import { isPlaceholder } from '../understand/values.ts'

/**
 * A row of this project's own export, its values exactly as they were: nothing is tidied, renamed or left out; text cells of
 * CSV that were neutralised for spreadsheets are restored. Derived values, such as the state, are derived anew.
 */
export function readOwnRow(
  fields: Readonly<Record<string, unknown>>,
  [longitude, latitude]: Position,
): ReadWaypoint {
  const { amenities } = fields
  const guarded = isGuarded(fields)
  const text = (value: unknown) =>
    typeof value !== 'string' ? undefined : guarded ? restoreCell(value) : value
  const optional = Object.fromEntries(
    textFields.flatMap((name) => {
      const value = text(fields[waypointFields[name].column])
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  ) as OptionalValues
  const properties = membersOf(fields, waypointFields.properties.column) as Properties
  const isTrue = (value: unknown) => value === true || value === 1 || value === 'true'
  const { approved, verified } = fields
  return {
    // A label is none.
    name: isTrue(fields['name_is_generated']) ? '' : (text(fields['name']) ?? ''),
    latitude,
    longitude,
    amenities: listOf(amenities, guarded),
    ...optional,
    ...(Object.keys(properties).length > 0 && { properties }),
    // Waypoints that were not approved at the export stay so, although imports are approved by default.
    ...(isPlaceholder(approved) ? {} : { approved: isTrue(approved) }),
    ...(isTrue(verified) && { verified: true }),
    ...keptTags(membersOf(fields, 'osm_tags')),
  }
}

/** Only in CSV are the coordinates text, and only there are text cells guarded. */
const isGuarded = (fields: Readonly<Record<string, unknown>>): boolean =>
  typeof fields['latitude'] === 'string'

/** A text column of a row as it was; undefined when it has none. */
export function ownText(fields: Readonly<Record<string, unknown>>, column: string): string | undefined {
  const value = fields[column]
  if (value === undefined || value === null || value === '') return undefined
  return isGuarded(fields) ? restoreCell(String(value)) : String(value)
}

/** The reference of a row at its source: the object of OpenStreetMap, where the export names one, else its id there. */
export function ownRef(fields: Readonly<Record<string, unknown>>, id: unknown): string | undefined {
  const [type, number] = [ownText(fields, 'osm_type'), ownText(fields, 'osm_id')]
  if (type !== undefined && number !== undefined) return `${type}/${number}`
  return id === undefined ? undefined : String(id)
}

/** The sources that rows of an own export name, since an import has only one; undefined when no row names any. */
export function sourcesNote(sample: readonly SourceRow[]): ImportNote | undefined {
  const named = new Set(sample.flatMap(({ fields }) => ownList(fields, 'sources')))
  named.delete('')
  return named.size === 0 ? undefined : { code: 'SOURCES_NAMED', sources: [...named].toSorted() }
}

const textFields = optionalFields.filter((name) => name !== 'properties')

function membersOf(fields: SourceRow['fields'], column: string): SourceRow['fields'] {
  const inOne = tagsOf(fields[column])
  if (inOne !== undefined) return inOne
  const prefix = `${column}.`
  const members = Object.entries(fields).filter(([name]) => name.startsWith(prefix))
  return Object.fromEntries(members.map(([name, value]) => [name.slice(prefix.length), value]))
}

/** The items of a list in a row, in any format's notation; none when it is empty. */
export const ownList = (fields: Readonly<Record<string, unknown>>, column: string): string[] =>
  listOf(fields[column], isGuarded(fields))

/**
 * The reference of a row at the chosen sources, else the first that it has at any.
 *
 * @param column the list of references, one for each of `sources`
 */
export function ownRefAt(
  fields: SourceRow['fields'],
  column: string,
  chosen: readonly string[],
): string | undefined {
  const [sources, refs] = [ownList(fields, 'sources'), ownList(fields, column)]
  const at = refs.filter((_, index) => chosen.includes(sources[index] ?? ''))
  return [...at, ...(chosen.length === 0 ? refs : [])].find((ref) => ref !== '')
}

/** A list; in a text column JSON where the format writes it so, else as CSV joins it. An amenity may begin with a bracket. */
function listOf(value: unknown, guarded: boolean): string[] {
  if (Array.isArray(value)) return value.map(String)
  if (typeof value !== 'string') return []
  const text = guarded ? restoreCell(value) : value
  const parsed = text.startsWith('[') ? jsonOf(text) : undefined
  return Array.isArray(parsed) ? parsed.map(String) : splitList(text)
}
