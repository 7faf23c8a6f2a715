import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrate } from '../src/store/sqlite/connection/migrating.ts'
import { type Columns, type Kind, tables } from '../src/store/tables.ts'

const types: Readonly<Record<Kind, string>> = {
  text: 'TEXT',
  json: 'TEXT',
  subject: 'ANY',
  integer: 'INTEGER',
  boolean: 'INTEGER',
  real: 'REAL',
  bytes: 'BLOB',
}

interface MigratedColumn {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly isNull: 0 | 1
}

test('the migrated database has the tables as they are described, and else only indexes of search', async () => {
  const database = new Database(':memory:')
  await migrate(database)
  const migrated = database
    .prepare<[], MigratedColumn>(
      `select t.name as "table", c.name, c.type, c."notnull" = 0 and c.pk = 0 as "isNull"
        from pragma_table_list t, pragma_table_info(t.name) c
        where t.type = 'table' and t.name not like 'sqlite_%' and t.name not like 'kysely_%'`,
    )
    .all()
  database.close()
  const isOfSearch = ({ table }: MigratedColumn): boolean =>
    /^(?:waypointWords|waypointNames|search)/.test(table)
  const { numbers: _numbers, ...inSqlite } = tables
  const described = Object.entries(inSqlite).flatMap(([table, { columns }]) =>
    Object.entries<Columns[string]>(columns).map(([name, { kind, isNull }]) => ({
      table,
      name,
      type: types[kind],
      isNull: isNull ? 1 : 0,
    })),
  )
  const byName = (one: { table: string; name: string }, other: { table: string; name: string }) =>
    `${one.table}.${one.name}` < `${other.table}.${other.name}` ? -1 : 1
  expect(migrated.filter((column) => !isOfSearch(column)).toSorted(byName)).toEqual(
    described.toSorted(byName),
  )
})
