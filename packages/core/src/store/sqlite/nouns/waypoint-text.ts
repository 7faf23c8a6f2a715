import { sql, type RawBuilder } from 'kysely'
import { fieldNames, waypointFields, type Field, type WaypointField } from '../../../fields.ts'

/** Types whose values are texts of any characters. */
const quotedTypes: ReadonlySet<Field['type']> = new Set(['text', 'address', 'choice', 'user'])

/** A member of a waypoint as JSON: null when it is absent. */
function memberText(name: WaypointField): Member {
  const column = sql.ref<string>(name)
  const { type, optional }: Field = waypointFields[name]
  if (type === 'flag') return { name, value: sql`iif(${column}, 'true', 'false')` }
  if (type === 'time') return { name, value: sql`'"' || ${column} || '"'` }
  const value = quotedTypes.has(type) ? sql<string>`json_quote(${column})` : column
  return optional === true ? { name, value, unless: sql`${column} is null` } : { name, value }
}

interface Member {
  readonly name: string
  readonly value: RawBuilder<string>
  readonly unless?: RawBuilder<boolean>
}

/** A JSON object of which the first member is never absent. */
function objectText(members: readonly Member[]): RawBuilder<string> {
  const parts = members.map(({ name, value, unless }, index) => {
    const before = sql.lit(`${index === 0 ? '{' : ','}"${name}":`)
    return unless === undefined ? sql`${before} || ${value}` : sql`iif(${unless}, '', ${before} || ${value})`
  })
  return sql<string>`${sql.join(parts, sql` || `)} || '}'`
}

/**
 * A live waypoint as JSON text, built by SQLite, which is faster than building it from an object. The members and their
 * order are those of the Waypoint schema; a test compares the two.
 */
export const waypointText: RawBuilder<string> = objectText(fieldNames.map(memberText))
