import { createQueryId, PostgresQueryCompiler, SqliteQueryCompiler, type RootOperationNode } from 'kysely'
import type { Built } from './reading.ts'
import { Differing, Placeholder, type ValueType } from './query.ts'

/** A query in the SQL of an engine: its parameters are placeholders, or values of the query itself. */
export interface Compiled {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** SQL before and after a parameter of a type. */
type Form = readonly [before: string, after: string]

const none: Form = ['', '']

/** SQLite plans with the value of a bare parameter of a limit, and so prepares it again at each execution. */
const sqliteForms: Readonly<Partial<Record<ValueType, Form>>> = {
  count: ['cast(', ' as integer)'],
}

/** PostgreSQL prepares a statement for the types of its parameters. */
const postgresForms: Readonly<Record<ValueType, Form>> = {
  whole: ['', '::bigint'],
  real: ['', '::double precision'],
  text: ['', '::text'],
  subject: ['', '::text'],
  count: ['', '::bigint'],
  wholes: ['', '::bigint[]'],
  texts: ['', '::text[]'],
  tokens: ['', '::integer[]'],
}

class SqliteCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (value instanceof Differing) return this.visitNode(value.of.sqlite.toOperationNode())
    const [before, after] = (value instanceof Placeholder ? sqliteForms[value.type] : undefined) ?? none
    this.append(before)
    super.appendValue(value)
    this.append(after)
  }
}

class PostgresCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (value instanceof Differing) return this.visitNode(value.of.postgres.toOperationNode())
    const [before, after] = value instanceof Placeholder ? postgresForms[value.type] : none
    this.append(before)
    super.appendValue(value)
    this.append(after)
  }
}

/** Compiles a query for an engine. */
export const compiledForSqlite = (query: Built<unknown>): Compiled =>
  new SqliteCompiler().compileQuery(query.toOperationNode() as RootOperationNode, createQueryId())

export const compiledForPostgres = (query: Built<unknown>): Compiled =>
  new PostgresCompiler().compileQuery(query.toOperationNode() as RootOperationNode, createQueryId())
