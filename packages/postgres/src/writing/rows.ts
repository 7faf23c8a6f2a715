import { tables, type ColumnType, type TableName } from '../tables.ts'
import type { Queries } from '../connection/statement.ts'

/** What a column is given: bytes as hexadecimal, arrays as arrays. */
export type Cell = string | number | bigint | Uint8Array | readonly number[] | null
export type Row = Readonly<Record<string, Cell | undefined>>
/** Rows that have the same columns. */
export type Rows = readonly [Row, ...Row[]]

/**
 * Statements that write many rows at once, by what they do; each is the same text whatever the number of rows. They are
 * composed before anything is sent: a statement that was left out would not keep those behind it from being committed.
 */
const texts = new Map<string, string>()

function textOf(key: string, compose: () => string): string {
  let text = texts.get(key)
  if (text === undefined) {
    text = compose()
    texts.set(key, text)
  }
  return text
}

const typeOf = (table: TableName, name: string): ColumnType => {
  const type = (tables[table] as Readonly<Record<string, ColumnType>>)[name]
  if (type === undefined) throw new TypeError(`${table} has no column ${name}`)
  return type
}

export const quoted = (name: string): string => `"${name}"`

/** The rows that are given as one JSON array, with columns of their types; bytes come in hexadecimal. */
function given(table: TableName, names: readonly string[]): string {
  const columns = names.map((name) => {
    const type = typeOf(table, name)
    return `${quoted(name)} ${type === 'bytea' ? 'text' : type}`
  })
  return `json_to_recordset($1::text::json) as (${columns.join(', ')})`
}

/** A column of the given rows as its table has it. */
const cell = (table: TableName, name: string): string =>
  typeOf(table, name) === 'bytea' ? `decode(r.${quoted(name)}, 'hex')` : `r.${quoted(name)}`

const asJson = (rows: readonly Row[]): string =>
  JSON.stringify(rows, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

/** Inserts rows, in their order. */
export function insertRows(queries: Queries, table: TableName, rows: Rows): Promise<unknown> {
  const names = Object.keys(rows[0])
  const text = textOf(`insert ${table} ${names.join(' ')}`, () => {
    const cells = names.map((name) => cell(table, name))
    return `insert into ${quoted(table)} (${names.map(quoted).join(', ')})
      select ${cells.join(', ')} from rows from (${given(table, names)}) as r`
  })
  return queries.query(text, [asJson(rows)])
}

/** The tables whose rows get a number, which is public and not used again. */
export type Numbered = 'secrets' | 'reports' | 'distinctions'

/** Inserts rows in their order, with the numbers that follow those that were given last. */
export function insertNumbered(queries: Queries, table: Numbered, rows: Rows): Promise<unknown> {
  const names = Object.keys(rows[0])
  const text = textOf(`number ${table} ${names.join(' ')}`, () => {
    const cells = names.map((name) => cell(table, name))
    return `with taken as (
        update "numbers" set "last" = "last" + json_array_length($1::text::json) where "name" = '${table}'
        returning "last" - json_array_length($1::text::json) as "before"
      )
      insert into ${quoted(table)} ("number", ${names.map(quoted).join(', ')})
      select taken."before" + r."place", ${cells.join(', ')}
      from taken, rows from (${given(table, names)}) with ordinality as r(${names.map(quoted).join(', ')}, "place")`
  })
  return queries.query(text, [asJson(rows)])
}

/** Sets columns of rows, each found by its id. */
export function updateRows(queries: Queries, table: TableName, rows: Rows): Promise<unknown> {
  const names = Object.keys(rows[0])
  const text = textOf(`update ${table} ${names.join(' ')}`, () => {
    const set = names.filter((name) => name !== 'id').map((name) => `${quoted(name)} = ${cell(table, name)}`)
    return `update ${quoted(table)} set ${set.join(', ')} from rows from (${given(table, names)}) as r
      where ${quoted(table)}."id" = r."id"`
  })
  return queries.query(text, [asJson(rows)])
}
