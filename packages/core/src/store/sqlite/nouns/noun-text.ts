import { sql, type RawBuilder } from 'kysely'
import type { Field, Fields } from '../../../fields/field.ts'
import { degreesText } from '../degrees-text.ts'

/** Types whose values are texts of any characters. */
const quotedTypes: ReadonlySet<Field['type']> = new Set(['text', 'address', 'choice', 'season', 'user'])

function valueText(column: RawBuilder<string>, type: Field['type']): RawBuilder<string> {
  if (type === 'flag') return sql`iif(${column}, 'true', 'false')`
  if (type === 'degrees') return degreesText(column)
  if (type === 'time') return sql`'"' || ${column} || '"'`
  return quotedTypes.has(type) ? sql`json_quote(${column})` : column
}

/** A member of a noun as JSON: null when it is absent. */
function memberText(name: string, { type, optional }: Field, table?: string): Member {
  const column = sql.ref<string>(table === undefined ? name : `${table}.${name}`)
  const value = valueText(column, type)
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
 * A noun as JSON text, built by SQLite, which is faster than building it from an object. The members and their order are
 * those of its schema; a test compares the two.
 */
export function nounText(fields: Fields): RawBuilder<string> {
  return objectText(Object.entries(fields).map(([name, field]) => memberText(name, field)))
}

/** The same of fields that are in several tables. */
export function joinedText(tables: Readonly<Record<string, Fields>>): RawBuilder<string> {
  return objectText(
    Object.entries(tables).flatMap(([table, fields]) =>
      Object.entries(fields).map(([name, field]) => memberText(name, field, table)),
    ),
  )
}
