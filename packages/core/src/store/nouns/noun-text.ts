import { sql, type RawBuilder } from 'kysely'
import type { Field, Fields } from '../../fields/field.ts'
import { degreesText, quotedText } from '../sql/query.ts'

/** Types whose values are texts of any characters. */
const quotedTypes: ReadonlySet<Field['type']> = new Set(['text', 'address', 'choice', 'season', 'user'])

function valueText(column: RawBuilder<string>, type: Field['type']): RawBuilder<string> {
  if (type === 'flag') return sql`case when ${column} = 1 then 'true' else 'false' end`
  if (type === 'degrees') return degreesText(column)
  if (type === 'time') return sql`'"' || ${column} || '"'`
  return quotedTypes.has(type) ? quotedText(column) : column
}

/** The text of a JSON member with its separator; nothing when it is absent. */
function memberText(before: string, column: RawBuilder<string>, { type, optional }: Field) {
  const member = sql`${sql.lit(before)} || ${valueText(column, type)}`
  return optional === true ? sql`case when ${column} is null then '' else ${member} end` : member
}

/** The fields of tables as the text of one JSON object, built by the engine. @param options `last`: further members; `columns`: expressions */
export function nounText(
  tables: Readonly<Record<string, Fields>>,
  {
    last = sql.lit(''),
    columns = {},
  }: {
    readonly last?: RawBuilder<unknown>
    readonly columns?: Readonly<Record<string, RawBuilder<string>>>
  } = {},
): RawBuilder<string> {
  const members = Object.entries(tables).flatMap(([table, fields]) =>
    Object.entries(fields).map(([name, field]) => ({
      name,
      field,
      column: columns[name] ?? sql.ref<string>(`${table}.${name}`),
    })),
  )
  const parts = members.map(({ name, field, column }, index) =>
    memberText(`${index === 0 ? '{' : ','}"${name}":`, column, field),
  )
  return sql<string>`${sql.join([...parts, last], sql` || `)} || '}'`
}
