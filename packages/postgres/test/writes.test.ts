/** @module-tag postgres */
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openRegistry, token } from '@openfountain/core'
import { counted, seed } from '@openfountain/testing/effort'
import { temporaryFolder, tickingClock } from '@openfountain/testing/registry'
import { RandomHistory } from '@openfountain/testing/histories/random-history'
import { Sessions } from '../src/connection/sessions.ts'
import { settingsOf } from '../src/connection/settings.ts'
import { tables as all } from '../src/tables.ts'
import { emptyDatabase } from '@openfountain/testing/postgres/empty-database'

const histories = counted({ quick: 2, all: 6, full: 60 })
const steps = counted({ quick: 80, all: 80, full: 300 })

const { numbers: _numbers, ...tables } = all

/** Columns that differ between databases: identity, search, and the engine's attempts. */
const ownColumns = new Set(['origin', 'placeKey', 'indexedTo', 'searchText', 'searchTokens'])
const withRandomIds = new Set(['reports', 'sightings'])
/** The key of pseudonyms and networks, the same in both databases. */
const placeKey = 'a'.repeat(64)

type Row = Readonly<Record<string, unknown>>
type Rows = Readonly<Record<string, Row[]>>

/** A row without the database's own columns; bytes in hexadecimal, the ids of subjects as texts. */
function comparable(table: string, row: Row): Row {
  const columns = Object.keys((tables as Readonly<Record<string, object>>)[table] ?? {})
  return Object.fromEntries(
    columns
      .filter((name) => !ownColumns.has(name) && !(name === 'id' && withRandomIds.has(table)))
      .map((name) => {
        const value = row[name]
        if (name === 'subjectId') return [name, String(value)]
        return [name, Buffer.isBuffer(value) ? value.toString('hex') : value]
      }),
  )
}

const orders: Readonly<Record<string, string>> = {
  tiles: '"level", "place"',
  reports: '"number"',
  sightings: '"bubblerId", "network", "kind"',
}
const orderOf = (table: string): string => orders[table] ?? '"id"'

function rowsOfFile(file: string): Rows {
  const database = new Database(file, { readonly: true })
  try {
    return Object.fromEntries(
      Object.keys(tables).map((table) => [
        table,
        database
          .prepare<[], Row>(`select * from ${table} order by ${orderOf(table)}`)
          .all()
          .map((row) => comparable(table, row)),
      ]),
    )
  } finally {
    database.close()
  }
}

async function rowsOfServer(url: string): Promise<Rows> {
  const session = await new Sessions(settingsOf(url)).open('long')
  try {
    const found: Record<string, Row[]> = {}
    for (const table of Object.keys(tables)) {
      const rows = await session.query<Row>(`select * from "${table}" order by ${orderOf(table)}`, [])
      found[table] = rows.map((row) => comparable(table, row))
    }
    return found
  } finally {
    await session.close()
  }
}

async function created(database: string): Promise<void> {
  await (await openRegistry({ database, clock: tickingClock(), durability: 'relaxed' })).close()
  const change = `update "state" set "placeKey" = '${placeKey}'`
  if (!database.startsWith('postgres:')) {
    const file = new Database(database)
    file.exec(change)
    file.close()
    return
  }
  const session = await new Sessions(settingsOf(database)).open('long')
  await session.query(change, [])
  await session.close()
}

async function played(
  database: string,
  ofHistory: number,
  isHostile: boolean,
): Promise<(string | undefined)[]> {
  const history = new RandomHistory(ofHistory, { hostile: isHostile })
  let people = 0
  await created(database)
  const registry = await openRegistry({
    database,
    clock: tickingClock(),
    durability: 'relaxed',
    ids: () => `u${++people}`,
    random: (bytes) => history.chance.bytes(bytes),
  })
  try {
    const done: (string | undefined)[] = []
    for (let step = 0; step < steps; step++) done.push(await history.step(registry))
    return done
  } finally {
    await registry.close()
  }
}

const seeds = Array.from({ length: histories }, (_each, index) => seed + index)

test.each(seeds)(
  'what PostgreSQL writes is, row by row, what SQLite writes of the same random history (seed %i)',
  async (ofHistory) => {
    const [file, url] = [path.join(await temporaryFolder(), 'twin.db'), await emptyDatabase()]
    const isHostile = ofHistory % 2 === 0
    expect(await played(url, ofHistory, isHostile)).toEqual(await played(file, ofHistory, isHostile))
    const rows = rowsOfFile(file)
    expect(rows['entries']?.length).toBeGreaterThan(steps / 10)
    expect(await rowsOfServer(url)).toEqual(rows)
  },
)

test('what PostgreSQL writes is nothing of a transaction of which the server refuses a statement, and the next goes on from before', async () => {
  const url = await emptyDatabase()
  const session = await new Sessions(settingsOf(url)).open('long')
  const registry = await openRegistry({ database: url, clock: tickingClock() })
  const adding = (index: number) =>
    registry.waypoints.create({ name: `Well ${index}`, latitude: index, longitude: 2 }, token())
  try {
    await adding(1)
    const before = await rowsOfServer(url)
    // The last of the rows that a write sends.
    await session.command('alter table entries add constraint full_up check (id < 2)')
    await expect(Promise.all([adding(2), adding(3)])).rejects.toThrow('full_up')
    expect(await rowsOfServer(url)).toEqual(before)
    await session.command('alter table entries drop constraint full_up')
    expect(await adding(4)).toMatchObject({ id: 2 })
    expect(await registry.changes.verify()).toMatchObject({ ok: true })
  } finally {
    await registry.close()
    await session.close()
  }
})
