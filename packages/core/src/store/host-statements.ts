import { invalidBecause } from '../errors.ts'
import type { LoggedEntry } from '../log/entry.ts'

/** A value of a statement. A row has numbers for all kinds of numbers. */
export type HostValue = string | number | null | Uint8Array

export interface SqliteTables {
  /** Executes one statement; `?` stands for the next value. @returns its rows, none for a statement without rows */
  query<Row = Readonly<Record<string, HostValue>>>(text: string, values?: readonly HostValue[]): Row[]
}

export interface PostgresTables {
  /**
   * Executes one statement; `$1` stands for the first value. Of values in rows, numbers, booleans, arrays of numbers and texts, and
   * `bytea` are JavaScript's, the others are texts as PostgreSQL writes them.
   *
   * @returns its rows, none for a statement without rows
   */
  query<Row = Readonly<Record<string, unknown>>>(text: string, values?: readonly HostValue[]): Promise<Row[]>
}

/**
 * Statements of the program that embeds the registry, on its own tables, for the engine that the registry is on. They
 * may run a second time after the loss of a database server, so they must have no other effects, and never call the
 * registry. `entries` are the write's entries of the log, in order: the id of a created object is their `subjectId`.
 */
export interface HostStatements<Result = void> {
  /** Runs at once, without promises: everything else in this process waits. */
  readonly sqlite?: ((tables: SqliteTables, entries: readonly LoggedEntry[]) => Result) | undefined
  /** All servers' writes wait meanwhile; after ten seconds of silence the transaction is undone. */
  readonly postgres?:
    | ((tables: PostgresTables, entries: readonly LoggedEntry[]) => Result | Promise<Result>)
    | undefined
}

/** Statements of the host in the transaction of a write, after its own. Their errors undo everything. */
export interface Alongside {
  sqlite(tables: SqliteTables, entries: readonly LoggedEntry[]): void
  postgres(tables: PostgresTables, entries: readonly LoggedEntry[]): Promise<void>
}

/** Separators before the first word of a statement; comments only in the form that ends at the same place in both engines. */
const gap = /[\s;]+|--[^\r\n]*\r?\n|\/\*[^*/]*(?:\*(?!\/)[^*/]*|\/(?!\*)[^*/]*)*\*\//y

/** Statements that would end the transaction, or change more than tables. */
const others: ReadonlySet<string> = new Set(
  'begin start commit end rollback abort savepoint release prepare pragma attach detach vacuum analyze set reset discard copy'.split(
    ' ',
  ),
)

/** The first word of a statement, in small letters. @throws RegistryError INVALID_INPUT for one that ends the transaction, or is read twice */
export function mustBeOfTables(text: string): string {
  let start = 0
  for (gap.lastIndex = 0; gap.test(text);) start = gap.lastIndex
  const [found = ''] = /^(?:\w+|--|\/\*)?/.exec(text.slice(start, start + 20)) ?? []
  if (found === '--' || found === '/*')
    throw invalidBecause('statements', 'the comment before a statement is not ended, or has another in it')
  const word = found.toLowerCase()
  if (others.has(word))
    throw invalidBecause('statements', `${word} cannot be among the statements of a transaction`)
  return word
}

export const notOfHost = (table: string) =>
  invalidBecause(
    'statements',
    `${JSON.stringify(table)} is the registry's, which alone changes it: call its methods. Tables of a program begin with host_`,
  )
