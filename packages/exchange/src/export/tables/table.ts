import { namesOf, type Fields } from '@openfountain/core/fields'
import { csvValue } from '@openfountain/core/published'
import { creditText } from '../credit.ts'
import type { Edition } from '../edition.ts'
import { columnOf, type Field } from '../fields.ts'
import { counted, lineBefore, textFormat, type Format, type TextFormat } from '../format.ts'
import { fileSchema, listSchema, objectSchema, rowProperties, type JsonSchema } from '../json-schema.ts'

/** A column of a table: its documentation and how to find it in a record. */
export interface Column<Row> extends Field {
  value(row: Row): unknown
}

/** The columns of fields described by @openfountain/core, from a member of a row. */
export function columnsOf<Row, All extends Fields>(
  fields: All,
  holderOf: (row: Row) => {
    readonly [Name in keyof All]?: string | number | boolean | object | undefined
  },
): readonly Column<Row>[] {
  return namesOf(fields).map((name) => ({
    ...columnOf(fields[name] as All[typeof name]),
    value: (row) => holderOf(row)[name],
  }))
}

/** A row as JSON files have it: every column, `null` where nothing is known. */
export const rowObject = <Row>(columns: readonly Column<Row>[], row: Row): object =>
  Object.fromEntries(columns.map(({ name, value }) => [name, value(row) ?? null]))

/** Rows of any kind with documented columns, from which their files are made. */
export interface Table<Row> extends Pick<
  Format,
  'title' | 'subject' | 'holds' | 'isDaily' | 'hasDifference'
> {
  readonly name: string
  readonly rows: (edition: Edition) => Iterable<Row>
  /** The member of the JSON file, after the list, with the number of rows. */
  readonly countedIn?: string
  readonly columns: readonly Column<Row>[]
}

export const tableFormats = <Row>(table: Table<Row>): readonly [TextFormat, TextFormat] => [
  jsonTable(table),
  csvTable(table),
]

/** A format's files of a table: a difference has the added and changed rows where the table supports it. */
function partsOf<Row>(table: Table<Row>, ending: string) {
  const { subject, holds, isDaily, hasDifference, columns } = table
  const file = `${table.name}.${ending}`
  const more = { ...(isDaily && { isDaily }), ...(hasDifference && { hasDifference }) }
  return { name: file, file, subject, holds, fields: columns, ...more }
}

export function jsonTable<Row>(table: Table<Row>): TextFormat {
  const { name, title, subject, countedIn, columns } = table
  const count: Readonly<Record<string, JsonSchema>> =
    countedIn === undefined ? {} : { [countedIn]: { type: 'integer' } }
  return textFormat({
    ...partsOf(table, 'json'),
    mediaType: 'application/json',
    title: `${title} as JSON`,
    loses: 'Nothing.',
    rowsIn: name,
    jsonSchema: fileSchema({ [name]: listSchema(objectSchema(rowProperties(columns))), ...count }),
    *text(edition, tally) {
      yield `{"${name}":[`
      for (const row of counted(table.rows(edition), tally))
        yield lineBefore(tally) + JSON.stringify(rowObject(columns, row))
      yield `\n]${countedIn === undefined ? '' : `,"${countedIn}":${tally.rows}`}${creditText(edition, subject)}}\n`
    },
  })
}

/** https://www.rfc-editor.org/rfc/rfc4180, in UTF-8 without a byte order mark. */
export function csvTable<Row>(table: Table<Row>): TextFormat {
  const { columns } = table
  const line = (cells: readonly string[]) => `${cells.join(',')}\r\n`
  return textFormat({
    ...partsOf(table, 'csv'),
    mediaType: 'text/csv; charset=utf-8',
    title: `${table.title} as CSV`,
    loses:
      'Nothing: texts that a spreadsheet would run have an apostrophe before them, which imports take off.',
    *text(edition, tally) {
      yield line(columns.map(({ name }) => name))
      for (const row of counted(table.rows(edition), tally))
        yield line(columns.map(({ value }) => csvValue(value(row))))
    },
  })
}
