import {
  waypoints,
  type Askable,
  type Columns,
  type PlacedWaypoint,
  type QueryValues,
  type Replacement,
  type RowWriter,
  type Values,
} from '@openfountain/core/engine'
import { Statements, type Queries, type Value } from '../connection/statement.ts'
import { searchColumns } from '../search/columns.ts'
import { tables, type ColumnType, type TableName } from '../tables.ts'

type Row = Readonly<Record<string, Values[string] | readonly number[]>>

/** Statements that write many rows, the same text for any number; all are composed before any is sent. */
const texts = new Map<string, string>()

type Composing = (table: TableName, names: readonly string[]) => string

const typeOf = (table: TableName, name: string): ColumnType => {
  const type = (tables[table] as Readonly<Record<string, ColumnType>>)[name]
  if (type === undefined) throw new TypeError(`${table} has no column ${name}`)
  return type
}

export const quoted = (name: string): string => `"${name}"`
const list = (names: readonly string[]): string => names.map(quoted).join(', ')

/** The rows that are given as one JSON array, with columns of their types; bytes come in hexadecimal. */
function given(table: TableName, names: readonly string[]): string {
  const columns = names.map((name) => {
    const type = typeOf(table, name)
    return `${quoted(name)} ${type === 'bytea' ? 'text' : type}`
  })
  return `rows from (json_to_recordset($1::text::json) as (${columns.join(', ')}))`
}

const cell = (table: TableName, name: string): string =>
  typeOf(table, name) === 'bytea' ? `decode(r.${quoted(name)}, 'hex')` : `r.${quoted(name)}`

const cells = (table: TableName, names: readonly string[]): string =>
  names.map((name) => cell(table, name)).join(', ')

const inserting: Composing = (table, names) =>
  `insert into ${quoted(table)} (${list(names)}) select ${cells(table, names)} from ${given(table, names)} as r`

/** The same with numbers after the last ones given. */
const numbering: Composing = (table, names) =>
  `with taken as (
      update "numbers" set "last" = "last" + json_array_length($1::text::json) where "name" = '${table}'
      returning "last" - json_array_length($1::text::json) as "before"
    )
    insert into ${quoted(table)} ("number", ${list(names)})
    select taken."before" + r."place", ${cells(table, names)}
    from taken, ${given(table, names)} with ordinality as r(${list(names)}, "place")`

const updating: Composing = (table, names) => {
  const set = names.filter((name) => name !== 'id').map((name) => `${quoted(name)} = ${cell(table, name)}`)
  return `update ${quoted(table)} set ${set.join(', ')} from ${given(table, names)} as r
    where ${quoted(table)}."id" = r."id"`
}

/** Rows as JSON. The id of an entry's subject is a BigInt for SQLite's sake, and a text here. */
const asJson = (rows: readonly Row[]): string =>
  JSON.stringify(
    rows.map((row) =>
      typeof row['subjectId'] === 'bigint' ? { ...row, subjectId: String(row['subjectId']) } : row,
    ),
  )

const searched: Columns<PlacedWaypoint> = {
  table: waypoints.table,
  values: (placed) => {
    const { state, foldedName } = placed
    const { description, region } = state
    const found =
      state.deletedAt === undefined
        ? searchColumns({ foldedName, description, region })
        : { searchText: null, searchTokens: null }
    return { ...waypoints.values(placed), ...(found as unknown as Values) }
  },
}

/** Writes rows in one transaction. Statements are sent at once and answered later: the commit waits for them. */
export class PostgresWriter implements RowWriter {
  /** Twice the default, since each group costs a round trip. */
  readonly groupSize = 512
  readonly waypoints = searched
  readonly #queries: Queries
  readonly #statements: Statements
  #sent: Promise<unknown>[] = []

  constructor(queries: Queries) {
    this.#queries = queries
    this.#statements = new Statements(queries)
  }

  put<State>({ table, values }: Columns<State>, changed: readonly Replacement<State>[]): void {
    const rowsOf = (isNew: boolean): Values[] =>
      changed.filter(({ before }) => (before === undefined) === isNew).map(({ after }) => values(after))
    this.update(table, rowsOf(false))
    this.insert(table, rowsOf(true))
  }

  insert(table: TableName, rows: readonly Row[]): void {
    this.#write('number' in tables[table] ? numbering : inserting, table, rows)
  }

  update(table: TableName, rows: readonly Row[]): void {
    this.#write(updating, table, rows)
  }

  /** Writes rows, those with the same columns together. */
  #write(compose: Composing, table: TableName, rows: readonly Row[]): void {
    for (const [names, some] of Map.groupBy(rows, (row) => Object.keys(row).join(' '))) {
      const key = `${compose.name} ${table} ${names}`
      const text = texts.get(key) ?? compose(table, names.split(' '))
      texts.set(key, text)
      this.execute(text, [asJson(some)])
    }
  }

  run(query: Askable, values: QueryValues): void {
    this.#send(this.#statements.rows({ query, values }))
  }

  execute(text: string, values: readonly Value[]): void {
    this.#send(this.#queries.query(text, values))
  }

  #send(statement: Promise<unknown>): void {
    statement.catch(() => undefined)
    this.#sent.push(statement)
  }

  /** Resolves once all sent statements are done. @throws the first error, after all were answered */
  async written(): Promise<void> {
    const sent = this.#sent
    this.#sent = []
    const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }
}
