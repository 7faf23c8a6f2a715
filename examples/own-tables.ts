import { openRegistry, token, type HostStatements } from '@openfountain/core'

/**
 * A club keeps which key opens which fountain, in a table of its own beside the registry's:
 *   node own-tables.ts [fountains.db or postgres://…]
 */
const registry = await openRegistry({ database: process.argv[2] ?? 'fountains.db' })
const create =
  'create table if not exists host_keys (label text primary key, fountain integer references waypoints (id))'
await registry.tables.transaction({
  sqlite: (tables) => tables.query(create),
  postgres: (tables) => tables.query(create),
})

/** Keeps the key of the fountain that is created in the same transaction. */
const withKey = (label: string): HostStatements<unknown> => ({
  sqlite: (tables, [created]) =>
    tables.query('insert into host_keys values (?, ?)', [label, Number(created?.subjectId)]),
  postgres: (tables, [created]) =>
    tables.query('insert into host_keys values ($1, $2)', [label, Number(created?.subjectId)]),
})

for (const name of ['Allotments', 'Stadium']) {
  const fountain = { name, latitude: 55.7029, longitude: 13.1929 }
  try {
    await registry.tables.alongside(withKey('A 113'), () => registry.waypoints.create(fountain, token()))
    console.log(`${name} has key A 113`)
  } catch (error) {
    // Another fountain has this key: the club's row is refused, and the fountain is not there either.
    console.log(`${name} was not added:`, (error as { code?: string }).code)
  }
}
console.log((await registry.statistics()).totalWaypoints, 'fountain')
await registry.close()
