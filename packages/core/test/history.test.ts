import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openRegistry, type LoggedEntry, type Registry } from '@openfountain/core'
import { temporaryFolder, tickingClock } from '@openfountain/testing/registry'
import type { Chance } from '@openfountain/testing/chance'
import { counted, seed } from '@openfountain/testing/effort'
import { RandomHistory } from '@openfountain/testing/histories/random-history'
import { waypointStates } from '../src/status.ts'

/** Random histories of all kinds of writes, and how long each is. */
const histories = counted({ quick: 2, all: 30, full: 300 })
const steps = 60

/** Tables of the engine alone: search, private rows and the schema's own. */
const unvouchedTables =
  /^(?:sqlite_|kysely_|search|waypointWords|waypointNames|secrets$|observers$|sightings$|statuses$)/u

/** Columns that the log does not vouch for. A new column is vouched for unless it is named here. */
const unvouchedColumns: Readonly<Record<string, readonly string[]>> = {
  users: ['name', 'email', 'updatedAt', 'leftAt'],
  imports: ['updatedAt', 'checkpoint', 'counts'],
  records: ['values', 'seenIn'],
  // Derived from the position by boundaries that are not in the log.
  waypoints: ['country', 'subdivision', 'placeName', 'placedAfter'],
  state: ['origin', 'placeKey', 'revision', 'indexedTo', 'placings', 'changedAt'],
}

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
}

function tablesOf(database: Database.Database): string[] {
  return (
    database
      .prepare("select name from sqlite_schema where type = 'table' order by name")
      .pluck()
      .all() as string[]
  ).filter((table) => !unvouchedTables.test(table))
}

function vouchedColumns(database: Database.Database): Column[] {
  return tablesOf(database).flatMap((table) =>
    (database.pragma(`table_info(${table})`) as { name: string; type: string }[])
      .filter(({ name }) => !(unvouchedColumns[table] ?? []).includes(name))
      .map(({ name, type }) => ({ table, name, type })),
  )
}

/** Every vouched column of every row. */
function vouchedRows(file: string): Record<string, unknown[]> {
  const database = new Database(file, { readonly: true })
  try {
    return Object.fromEntries(
      tablesOf(database).map((table) => {
        const names = vouchedColumns(database)
          .filter((column) => column.table === table)
          .map(({ name }) => `"${name}"`)
          .join(', ')
        return [table, database.prepare(`select ${names} from ${table} order by 1, 2`).all()]
      }),
    )
  } finally {
    database.close()
  }
}

/** The database's file as a process leaves it that is killed now. */
async function crashed(file: string, to: string): Promise<string> {
  await copyFile(file, to)
  await copyFile(`${file}-wal`, `${to}-wal`)
  return to
}

interface Played {
  readonly file: string
  readonly folder: string
  readonly history: RandomHistory
  readonly registry: Registry
}

async function played(of: number, count: number): Promise<Played> {
  const folder = await temporaryFolder()
  const history = new RandomHistory(of)
  const clock = tickingClock()
  let people = 0
  const open = (database: string) =>
    openRegistry({
      database,
      clock,
      durability: 'relaxed',
      ids: () => `u${++people}`,
      random: (bytes) => history.chance.bytes(bytes),
    })
  let file = path.join(folder, '0.db')
  let registry = await open(file)
  for (let step = 0; step < count; step++) {
    await history.step(registry)
    if (!history.chance.isIn(4)) continue
    const next = await crashed(file, path.join(folder, `${step + 1}.db`))
    await registry.close()
    file = next
    registry = await open(file)
  }
  return { file, folder, history, registry }
}

/** A copy of a registry that followed its log in pages of random sizes. */
async function mirrored({ registry, folder, history }: Played): Promise<{ file: string; mirror: Registry }> {
  const file = path.join(folder, 'mirror.db')
  const mirror = await openRegistry({ database: file, clock: () => new Date('2026-06-01T00:00:00.000Z') })
  const entries: LoggedEntry[] = await Array.fromAsync(registry.changes.since(0))
  for (let from = 0; from < entries.length;) {
    const page = entries.slice(from, from + 1 + history.chance.below(200))
    const people = mirror.mirror.newPeople(page)
    const named = await Promise.all(
      people.map(async (id) => ({ id, name: (await registry.users.profile(id)).name })),
    )
    await mirror.mirror.follow(page, named)
    from += page.length
  }
  return { file, mirror }
}

/** Whether nobody can tell one value of a column from another: the seed of an entry that has no fields. */
function isFree({ table, name }: Column, row: Record<string, unknown>): boolean {
  return table === 'entries' && name === 'seed' && row['fields'] === '{}'
}

/** Another value that the column's type allows. */
function changed(value: unknown, { type }: Column, chance: Chance): unknown {
  if (value === null) return type === 'TEXT' ? 'x' : type === 'BLOB' ? Buffer.alloc(16, 1) : 1
  if (Buffer.isBuffer(value)) {
    if (value.length === 0) return Buffer.alloc(32)
    const bytes = Buffer.from(value)
    const at = chance.below(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 + chance.below(255))
    return bytes
  }
  if (typeof value === 'number') return chance.isIn(50) ? value + 1 : value - 1
  const text = String(value)
  if (chance.isIn(25)) return `${text} `
  const at = chance.below(text.length + 1)
  const other = text.slice(0, at) + chance.pick(['a', '1', 'Z', '"']) + text.slice(at + chance.below(2))
  return other === text ? `${text}a` : other
}

/** A database without triggers and constraints, as somebody with a shell can make it. */
function unguarded(file: string): Database.Database {
  const database = new Database(file)
  database.pragma('ignore_check_constraints = on')
  database.pragma('foreign_keys = off')
  const triggers = database.prepare("select name from sqlite_schema where type = 'trigger'").pluck().all()
  for (const trigger of triggers) database.exec(`drop trigger ${String(trigger)}`)
  return database
}

/** Changes one value of a random vouched column, if the schema lets it. @returns what was changed */
function tampered(file: string, chance: Chance): string | undefined {
  const database = unguarded(file)
  try {
    const column = chance.pick(vouchedColumns(database))
    const { table, name } = column
    const total = database.prepare(`select count(*) from ${table}`).pluck().get() as number
    if (total === 0) return undefined
    const row = database
      .prepare(`select * from ${table} limit 1 offset ${chance.below(total)}`)
      .get() as Record<string, unknown>
    if (isFree(column, row)) return undefined
    const value = changed(row[name], column, chance)
    const key = database.pragma(`table_info(${table})`) as { name: string; pk: number }[]
    const keys = key.filter(({ pk }) => pk > 0).map((each) => each.name)
    const where = keys.map((each) => `"${each}" is ?`).join(' and ')
    try {
      database
        .prepare(`update ${table} set "${name}" = ? where ${where}`)
        .run(value, ...keys.map((each) => row[each]))
    } catch {
      // Types and unique keys hold even then.
      return undefined
    }
    return `${table}.${name} of ${keys.map((each) => String(row[each])).join(' ')}: ${String(row[name])} → ${String(value)}`
  } finally {
    database.close()
  }
}

async function problemsOf(file: string): Promise<readonly string[]> {
  const registry = await openRegistry({ database: file, readOnly: true })
  try {
    return (await registry.changes.verify()).problems
  } catch (error) {
    return [`the log cannot be read: ${String(error)}`]
  } finally {
    await registry.close()
  }
}

const seeds = Array.from({ length: histories }, (_each, index) => seed + index)

/**
 * What must hold after any history. Each check gets a history that is not changed any more; other packages add theirs
 * (exports, the site) by playing `RandomHistory` too.
 */
const invariants: Readonly<Record<string, (played: Played) => Promise<void>>> = {
  async 'the log verifies, so that replaying it gives the tables'({ registry }) {
    const { ok, problems } = await registry.changes.verify()
    expect(problems).toEqual([])
    expect(ok).toBe(true)
  },
  async 'lists have the states that follow from what is known'({ registry }) {
    for (const state of waypointStates) {
      const listed = await registry.waypoints.list({ status: state })
      const states = await Promise.all(listed.map(({ id }) => registry.observations.status(id)))
      expect(states.filter((status) => status.state !== state)).toEqual([])
    }
    const all = await Promise.all(
      waypointStates.map(async (status) => (await registry.waypoints.list({ status })).length),
    )
    expect(all.reduce((sum, n) => sum + n, 0)).toBe((await registry.statistics()).totalWaypoints)
  },
  async 'what is kept beside a fountain gives the status that everything known of it gives'({ registry }) {
    for (const { id } of await registry.waypoints.list()) {
      const { status, day } = await registry.waypoints.dossier(id)
      expect([id, status]).toEqual([id, await registry.observations.status(id, day)])
    }
  },
  async 'a mirror has the same rows and the same head'(one) {
    const { file, mirror } = await mirrored(one)
    expect(await mirror.changes.head()).toEqual(await one.registry.changes.head())
    await mirror.close()
    await one.registry.close()
    expect(vouchedRows(file)).toEqual(vouchedRows(one.file))
    expect(await problemsOf(file)).toEqual([])
  },
  async 'any single changed value is found'({ file, folder, history }) {
    const { chance } = history
    const database = new Database(file)
    database.pragma('wal_checkpoint(truncate)')
    database.close()
    for (let attempt = 0; attempt < 12; attempt++) {
      const copy = path.join(folder, `tampered-${attempt}.db`)
      await copyFile(file, copy)
      const what = tampered(copy, chance)
      if (what === undefined) continue
      expect(await problemsOf(copy), what).not.toEqual([])
    }
  },
}

describe('after any history of writes of all kinds, with crashes between', () => {
  test.each(seeds)('of seed %i, the log vouches for everything', async (each) => {
    const one = await played(each, steps)
    for (const check of Object.values(invariants)) await check(one)
  })

  test('histories have every kind of write', { tags: ['long'] }, async () => {
    const missing = new Set<string>()
    for (const each of seeds.slice(0, 5)) {
      const { history, registry } = await played(each, steps * 2)
      if (each === seed) for (const kind of history.kinds) missing.add(kind)
      for (const kind of history.done.keys()) missing.delete(kind)
      await registry.close()
    }
    expect([...missing]).toEqual([])
  })
})
