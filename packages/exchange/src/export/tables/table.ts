import { namesOf, type Fields } from '@openfountain/core/fields'
import { csvValue } from '@openfountain/core/published'
import { creditOfFile } from '../credit.ts'
import type { Edition } from '../edition.ts'
import { columnOf, type Field } from '../fields.ts'
import { textFormat, type TextFormat } from '../format.ts'
import { fileSchema, listSchema, objectSchema, rowProperties, type JsonSchema } from '../json-schema.ts'

/** A column of a table: its documentation and how to find it in a record. */
export interface Column<Row> extends Field {
  value(row: Row): string | number | boolean | undefined
}

/** The columns of fields that @openfountain/core describes, of what a row has them in. */
export function columnsOf<Row, All extends Fields>(
  fields: All,
  holderOf: (row: Row) => { readonly [Name in keyof All]?: string | number | boolean | undefined },
): readonly Column<Row>[] {
  return namesOf(fields).map((name) => ({
    ...columnOf(fields[name] as All[typeof name]),
    value: (row) => holderOf(row)[name],
  }))
}

/** A list of rows as JSON files have them. */
export const rowsSchema = (columns: readonly Field[]): JsonSchema =>
  listSchema(objectSchema(rowProperties(columns)))

/** A row as JSON files have it: every column, `null` where nothing is known. */
export function rowObject<Row>(columns: readonly Column<Row>[], row: Row): object {
  const members: Record<string, unknown> = {}
  for (const { name, value } of columns) members[name] = value(row) ?? null
  return members
}

export interface Table<Row> {
  /** Its name in an export's `formats`, of its files and of the JSON member that lists the rows. */
  readonly name: string
  readonly title: string
  readonly holds: string
  readonly rows: (edition: Edition) => Iterable<Row>
  /** Whether the rows of a difference are those that were added or changed. */
  readonly hasDifference?: true
  /** The member of the JSON file, after the list, with the number of rows. */
  readonly countedIn?: string
  readonly columns: readonly Column<Row>[]
}

/** The JSON and the CSV file of a table. */
export function tableFormats<Row>(table: Table<Row>): readonly [TextFormat, TextFormat] {
  return [jsonTable(table), csvTable(table)]
}

function jsonTable<Row>(table: Table<Row>): TextFormat {
  return textFormat({
    name: `${table.name}.json`,
    file: `${table.name}.json`,
    mediaType: 'application/json',
    title: `${table.title} as JSON`,
    subject: 'registry',
    ...(table.hasDifference && { hasDifference: table.hasDifference }),
    holds: table.holds,
    loses: 'Nothing.',
    fields: table.columns,
    rowsIn: table.name,
    jsonSchema: fileSchema({
      [table.name]: rowsSchema(table.columns),
      ...(table.countedIn !== undefined && { [table.countedIn]: { type: 'integer' } }),
    }),
    *text(edition, tally) {
      yield `{"${table.name}":[`
      let separator = '\n'
      for (const row of table.rows(edition)) {
        tally.rows += 1
        yield separator + JSON.stringify(rowObject(table.columns, row))
        separator = ',\n'
      }
      const members = JSON.stringify({
        ...(table.countedIn !== undefined && { [table.countedIn]: tally.rows }),
        ...creditOfFile(edition, 'registry'),
      })
      yield `\n],${members.slice(1)}\n`
    },
  })
}

function csvTable<Row>(table: Table<Row>): TextFormat {
  return textFormat({
    name: `${table.name}.csv`,
    file: `${table.name}.csv`,
    mediaType: 'text/csv; charset=utf-8',
    title: `${table.title} as CSV`,
    subject: 'registry',
    ...(table.hasDifference && { hasDifference: table.hasDifference }),
    holds: table.holds,
    loses:
      'Nothing: texts that a spreadsheet would run have an apostrophe before them, which imports take off.',
    fields: table.columns,
    *text(edition, tally) {
      yield `${table.columns.map((column) => column.name).join(',')}\r\n`
      for (const row of table.rows(edition)) {
        tally.rows += 1
        yield `${table.columns.map((column) => csvValue(column.value(row))).join(',')}\r\n`
      }
    },
  })
}
