/** @module-tag postgres */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openRegistry, token, type LoggedEntry, type Registry } from '@openfountain/core'
import { temporaryFolder, tickingClock } from '@openfountain/testing/registry'
import { fullHistory } from '@openfountain/testing/histories/full-history'
import { RandomHistory } from '@openfountain/testing/histories/random-history'
import { Sessions } from '../src/connection/sessions.ts'
import { settingsOf } from '../src/connection/settings.ts'
import { tables } from '../src/tables.ts'
import { emptyDatabase } from '@openfountain/testing/postgres/empty-database'

/**
 * The same random histories on both engines. OPENFOUNTAIN_HISTORIES sets how many (default 6), OPENFOUNTAIN_HISTORY_STEPS how
 * long each is (default 80), OPENFOUNTAIN_HISTORY_SEED the first seed.
 */
const histories = Number(process.env['OPENFOUNTAIN_HISTORIES'] ?? 6)
const steps = Number(process.env['OPENFOUNTAIN_HISTORY_STEPS'] ?? 80)
const firstSeed = Number(process.env['OPENFOUNTAIN_HISTORY_SEED'] ?? 1)

/** What each database has for itself: its identity, its search, and how often an engine tried. */
const ownColumns = new Set(['origin', 'placeKey', 'indexedTo', 'searchText', 'searchTokens'])
/** Tables whose ids are random. */
const withRandomIds = new Set(['reports', 'sightings'])
/** The key of pseudonyms and networks, so that both have the same. */
const placeKey = 'a'.repeat(64)

type Row = Readonly<Record<string, unknown>>
type Rows = Readonly<Record<string, Row[]>>

/** A row without what is the database's own; bytes in hexadecimal, the ids of subjects as texts. */
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

/** Creates a registry with the key of pseudonyms that all of them have here. */
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

/** Plays a history, and returns what came of each step. */
async function played(database: string, seed: number, isHostile: boolean): Promise<(string | undefined)[]> {
  const history = new RandomHistory(seed, { hostile: isHostile })
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

/** Follows the whole log of another registry, and the names of its people. */
async function followed(registry: Registry, mirror: Registry): Promise<void> {
  const entries: LoggedEntry[] = await Array.fromAsync(registry.changes.since(0))
  for (let from = 0; from < entries.length; from += 100) {
    const page = entries.slice(from, from + 100)
    const people = mirror.mirror.newPeople(page)
    const named = await Promise.all(
      people.map(async (id) => ({ id, name: (await registry.users.profile(id)).name })),
    )
    await mirror.mirror.follow(page, named)
  }
}

describe('what PostgreSQL writes', () => {
  const seeds = Array.from({ length: histories }, (_each, index) => firstSeed + index)

  test.each(seeds)(
    'is, row by row, what SQLite writes of the same random history (seed %i)',
    async (seed) => {
      const [file, url] = [path.join(await temporaryFolder(), 'twin.db'), await emptyDatabase()]
      const isHostile = seed % 2 === 0
      expect(await played(url, seed, isHostile)).toEqual(await played(file, seed, isHostile))
      const rows = rowsOfFile(file)
      expect(rows['entries']?.length).toBeGreaterThan(steps / 10)
      expect(await rowsOfServer(url)).toEqual(rows)
    },
  )

  test('is the same when a mirror follows a log with all kinds of entries', async () => {
    const folder = await temporaryFolder()
    const original = path.join(folder, 'original.db')
    await writeFile(original, await fullHistory())
    const [file, url] = [path.join(folder, 'mirror.db'), await emptyDatabase()]
    const registry = await openRegistry({ database: original })
    for (const database of [file, url]) {
      const mirror = await openRegistry({ database, clock: tickingClock('2026-06-01T00:00:00.000Z') })
      await followed(registry, mirror)
      await mirror.close()
    }
    await registry.close()
    expect(await rowsOfServer(url)).toEqual(rowsOfFile(file))
  })

  test('is nothing of a transaction of which the server refuses a statement, and the next goes on from before', async () => {
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
})
