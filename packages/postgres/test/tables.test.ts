/** @module-tag postgres */
import { expect, test } from 'vitest'
import { openRegistry } from '@openfountain/core'
import { tables as described } from '@openfountain/core/engine'
import { administer, emptyDatabase } from '@openfountain/testing/postgres/empty-database'
import { tables } from '../src/tables.ts'

const own = ['registry', 'writers']

test('the migrated database has the tables as they are described', async () => {
  const url = await emptyDatabase()
  await (await openRegistry({ database: url })).close()
  const migrated = await administer(
    url,
    `select c.relname || '.' || a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as "isNull"
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0
        and c.relname not in ('${own.join("', '")}')
      order by (c.relname || '.' || a.attname) collate "C"`,
  )
  const expected = Object.entries(tables).flatMap(([table, columns]) =>
    Object.entries(columns).map(([name, type]) => {
      const column = described[table as keyof typeof described].columns[name as never] as
        | { readonly isNull: boolean }
        | undefined
      // The search columns are NULL for tombstones.
      return { name: `${table}.${name}`, type, isNull: column?.isNull ?? true }
    }),
  )
  // Columns of small numbers, to which values of a larger type are converted.
  const small = new Set(['reviews.rating', 'state.id'])
  expect(migrated).toEqual(
    expected
      .map((column) => (small.has(column.name) ? { ...column, type: 'smallint' } : column))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  )
})
