/** @module-tag postgres */
import { expect, test } from 'vitest'
import { openRegistry, type ImportRow, type Registry } from '@openfountain/core'
import { administer, emptyDatabase } from '@openfountain/testing/postgres/empty-database'

/** Twice the number of rows at which a first import drops indexes. */
const enough = 5000

const rows = (from: number, count: number): ImportRow[] =>
  Array.from({ length: count }, (_, index) => ({
    row: from + index,
    ref: `node/${from + index}`,
    input: {
      name: `Fountain ${from + index}`,
      latitude: -60 + ((from + index) % 100),
      longitude: Math.floor((from + index) / 100) / 10,
      region: 'Basel',
    },
  }))

const start = (registry: Registry) =>
  registry.imports.start({ source: { name: 'First', license: 'CC0-1.0' } })

const deferred = ['waypointsByName', 'waypointsByRegion', 'waypointsBySearch']

async function indexesOf(url: string): Promise<string[]> {
  const found = await administer<{ name: string }>(
    url,
    `select relname as "name" from pg_index join pg_class on pg_class.oid = indexrelid
      where indisvalid and relname in ('${deferred.join("', '")}') order by 1`,
  )
  return found.map(({ name }) => name)
}

test('a first import makes its indexes at its end, and an interrupted one when the registry is opened again', async () => {
  const database = await emptyDatabase()
  const registry = await openRegistry({ database })
  const run = await start(registry)
  await run.apply(rows(1, enough))
  expect(await indexesOf(database)).toEqual(deferred)
  await run.apply(rows(enough + 1, 10))
  expect(await indexesOf(database)).toEqual([])
  // Imported rows are searchable meanwhile, and other servers can open the registry during the import.
  const other = await openRegistry({ database })
  expect((await other.waypoints.search({ q: 'fountain 5007' })).map(({ id }) => id)).toEqual([5007])
  expect(await other.waypoints.list({ region: 'Basel', after: 5005, limit: 2 })).toHaveLength(2)
  expect(await indexesOf(database)).toEqual([])
  await other.close()
  await registry.close()

  await using again = await openRegistry({ database })
  expect(await indexesOf(database)).toEqual(deferred)
  expect((await again.waypoints.search({ q: 'fountain 5007' })).map(({ id }) => id)).toEqual([5007])
})

test('a row that repeats a reference of the rows before it is the same fountain, wherever in a batch it is', async () => {
  await using registry = await openRegistry({ database: await emptyDatabase() })
  const run = await start(registry)
  const given = rows(1, 1600)
  const [first, second] = given
  if (first === undefined || second === undefined) throw new Error('there are no rows')
  given[700] = { ...first, row: 701 }
  given[1500] = { ...second, row: 1501, input: { ...(second.input as object), name: 'Renamed' } }
  const outcomes = await run.apply(given)
  expect(outcomes[700]).toMatchObject({ kind: 'unchanged', waypointId: 1 })
  expect(outcomes[1500]).toMatchObject({ kind: 'updated', waypointId: 2, fields: ['name'] })
  expect((await registry.statistics()).totalWaypoints).toBe(1598)
  expect((await registry.changes.verify()).problems).toEqual([])
})
