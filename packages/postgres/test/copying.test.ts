/** @module-tag postgres */
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, inject, test } from 'vitest'
import { copyRegistry, openRegistry, token, user } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { createApp } from '@openfountain/server'
import { waypointFormats } from '../../cli/src/waypoint-formats.ts'
import { temporaryFolder, tickingClock } from '@openfountain/testing/registry'
import { fullHistory } from '@openfountain/testing/histories/full-history'
import { Chance } from '@openfountain/testing/chance'
import { lineOf } from '../../core/src/store/copying/lines.ts'
import { copiedTables } from '../../core/src/store/copying/tables.ts'
import { settingsOf } from '../src/connection/settings.ts'
import { Sessions } from '../src/connection/sessions.ts'
import { asAdmin } from '@openfountain/testing/postgres/cluster'
import { emptyDatabase } from '@openfountain/testing/postgres/empty-database'

/** A registry with every kind of entry, accounts, secrets and reports, and places near and far from zero. */
async function filledFile(): Promise<string> {
  const file = path.join(await temporaryFolder(), 'from.db')
  await writeFile(file, await fullHistory())
  const registry = await openRegistry({ database: file, clock: tickingClock('2026-03-01T00:00:00.000Z') })
  await registry.tokens.create({ name: 'A server' })
  await registry.reports.create(
    { bubblerId: 1, reason: 'wrong', comment: 'Tab\there, \\N and \\. too\nNext line: 噴水 🚰' },
    user('u1'),
  )
  const places = [0.00001, 1e-7, -0.000123456789, 89.99999999, 1 / 3, -5e-324, 47.12345678901234]
  for (const [index, latitude] of places.entries())
    await registry.waypoints.create(
      {
        name: `Tap \\ ${index} "quoted" 'single'`,
        latitude,
        longitude: -latitude * 2,
        description: 'Back\\slash',
      },
      token(),
    )
  await registry.close()
  return file
}

/** All rows of the tables of a SQLite registry, without how far its index of search goes. */
function rowsOf(file: string): Record<string, unknown[]> {
  const database = new Database(file, { readonly: true })
  try {
    const tables = copiedTables.map(({ name }) => name).filter((name) => name !== 'numbers')
    const all = [...tables, 'sqlite_sequence'].map((name) => [
      name,
      database
        .prepare(`select * from "${name}" order by 1, 2`)
        .all()
        .map((row) => ({ ...(row as object), indexedTo: 0 })),
    ])
    return Object.fromEntries(all) as Record<string, unknown[]>
  } finally {
    database.close()
  }
}

const schemaOf = (file: string): unknown[] => {
  const database = new Database(file, { readonly: true })
  try {
    return database
      .prepare(
        "select type, name, tbl_name, sql from sqlite_schema where name not like 'waypoint%_%' order by 1, 2",
      )
      .all()
  } finally {
    database.close()
  }
}

/** Numbers of every size, among them many that are places. */
function numbers(): number[] {
  const chance = new Chance(3)
  const view = new DataView(new ArrayBuffer(8))
  const all = [0, 1e-4, 0.00009999, 1e15, 999_999_999_999_999, 1e21, 1e22, 5e-324, Number.MAX_VALUE]
  for (let count = 0; count < 2000; count++) {
    for (const [at, byte] of chance.bytes(8).entries()) view.setUint8(at, byte)
    const any = view.getFloat64(0)
    if (Number.isFinite(any)) all.push(any)
    const unit = chance.below(2 ** 31) / 2 ** 31
    all.push(unit * 360 - 180, unit * 10 ** -chance.below(9))
  }
  return all
}

/** What a server has to say of a registry as JSON. */
const jsonLists = [
  ...[
    '',
    '?limit=9',
    '?bbox=0,0,20,60',
    '?near=55.7,13.2&limit=3',
    '?approved=false',
    '/1',
    '/search?q=tap',
  ].map((query) => `waypoints${query}`),
  'reviews',
  'users',
  'users/u1',
  'sources',
  'boundingboxes',
  'stats',
  'exports',
  'logs',
  'logs?bubblerId=1&order=asc',
  'logs/head',
  'changes',
  'moderation/acts',
]

describe('copying a registry', () => {
  test('writes every number as PostgreSQL does', async () => {
    const columns = [{ name: 'real', kind: 'real' }] as const
    const ours = numbers().map((real) => lineOf({ columns }, [real]))
    const list = numbers().join(',')
    const found = await asAdmin<{ text: string }>(
      inject('postgres'),
      `select each::text as text from unnest('{${list}}'::float8[]) with ordinality t(each, at) order by at`,
    )
    expect(found.map(({ text }) => text)).toEqual(ours)
  })

  test('brings every row to PostgreSQL and back to a file', async () => {
    const [from, database, folder] = [await filledFile(), await emptyDatabase(), await temporaryFolder()]
    const to = path.join(folder, 'back.db')
    const there = await copyRegistry({ from, to: database })
    const back = await copyRegistry({ from: database, to })
    expect(back.rows).toEqual(there.rows)
    expect(there.rows).toMatchObject({ secrets: 1, reports: 1, state: 1 })
    expect(rowsOf(to)).toEqual(rowsOf(from))
    expect(schemaOf(to)).toEqual(schemaOf(from))
  })

  test('leaves the tables of a host as they are, and names them', async () => {
    const [from, database] = [await filledFile(), await emptyDatabase()]
    const own = 'create table host_keys (n bigint primary key, "of" bigint references host_keys (n))'
    const sessions = new Sessions(settingsOf(database))
    const session = await sessions.writer()
    await session.command(
      `${own}; create index host_keys_of on host_keys ("of"); insert into host_keys values (1, 1)`,
    )
    const oids = async () =>
      session.query(`select oid, relname from pg_class where relname like 'host%' order by 1`, [])
    const before = await oids()
    expect(before).toHaveLength(3)
    expect(await copyRegistry({ from, to: database })).toMatchObject({ left: [] })
    expect(await oids()).toEqual(before)
    const to = path.join(await temporaryFolder(), 'back.db')
    expect(await copyRegistry({ from: database, to })).toMatchObject({ left: ['host_keys'] })
    expect(schemaOf(to)).toEqual(schemaOf(from))
    await sessions.close()
  })

  test('leaves a registry that can be searched and written', async () => {
    const [from, database] = [await filledFile(), await emptyDatabase()]
    await copyRegistry({ from, to: database })
    const to = path.join(await temporaryFolder(), 'back.db')
    await copyRegistry({ from: database, to })
    for (const each of [database, to]) {
      const registry = await openRegistry({ database: each, clock: tickingClock('2026-04-01T00:00:00.000Z') })
      try {
        const found = await registry.waypoints.search({ q: 'quoted' })
        expect(found.map(({ name }) => name)).toHaveLength(7)
        const before = await registry.changes.head()
        await registry.waypoints.create({ name: 'After', latitude: 1, longitude: 2 }, token())
        expect((await registry.changes.head()).id).toBe(before.id + 1)
        expect((await registry.changes.verify()).problems).toEqual([])
      } finally {
        await registry.close()
      }
    }
  })

  test('continues where it was interrupted', async () => {
    const [from, database] = [await filledFile(), await emptyDatabase()]
    const to = path.join(await temporaryFolder(), 'copy.db')
    for (const [source, target] of [
      [from, database],
      [database, to],
    ] as const) {
      for (const at of ['rows', 'indexes', 'verification'] as const) {
        const stop = new AbortController()
        const interrupted = copyRegistry({
          from: source,
          to: target,
          ...(at === 'rows' && { pageBytes: 10_000 }),
          signal: stop.signal,
          onProgress: (step, done, total) => {
            if (step === at && (at === 'verification' || done > total / 2))
              stop.abort(new Error(`Enough ${at}`))
          },
        })
        await expect(interrupted).rejects.toThrow(`Enough ${at}`)
        expect(existsSync(to)).toBe(false)
      }
      const { continued, rows } = await copyRegistry({ from: source, to: target })
      const total = Object.values(rows).reduce((one, other) => one + other)
      expect(continued).toBe(total)
    }
  })

  test('begins again when the registry was written since it was interrupted', async () => {
    const [from, database] = [await filledFile(), await emptyDatabase()]
    const stop = new AbortController()
    const interrupted = copyRegistry({
      from,
      to: database,
      signal: stop.signal,
      onProgress: (step) => {
        if (step === 'indexes') stop.abort(new Error('Enough'))
      },
    })
    await expect(interrupted).rejects.toThrow('Enough')
    await expect(openRegistry({ database })).rejects.toMatchObject({
      code: 'STORAGE_CORRUPT',
      message: expect.stringContaining('was interrupted') as unknown,
    })
    const registry = await openRegistry({ database: from, acceptClock: true })
    await registry.waypoints.update(1, { name: 'Renamed meanwhile' }, token())
    await registry.close()
    expect((await copyRegistry({ from, to: database })).continued).toBe(0)
    const copy = await openRegistry({ database })
    expect((await copy.waypoints.get(1))?.name).toBe('Renamed meanwhile')
    await copy.close()
  })

  test('goes from one database of PostgreSQL to another, whose log is verified', async () => {
    const [from, one, other] = [await filledFile(), await emptyDatabase(), await emptyDatabase()]
    const { rows } = await copyRegistry({ from, to: one })
    expect((await copyRegistry({ from: one, to: other })).rows).toEqual(rows)
  })

  test('refuses a log that does not verify, and leaves no registry', async () => {
    const [from, one, other] = [await filledFile(), await emptyDatabase(), await emptyDatabase()]
    await copyRegistry({ from, to: one })
    const name = new URL(one).pathname.slice(1)
    const change = `alter table entries disable trigger all; update entries set fields = replace(fields, 'Renamed', 'Forged')`
    await asAdmin(inject('postgres'), change, name)
    for (const to of [other, path.join(await temporaryFolder(), 'forged.db')]) {
      await expect(copyRegistry({ from: one, to })).rejects.toMatchObject({
        code: 'STORAGE_CORRUPT',
        details: {
          problems: expect.arrayContaining([expect.stringMatching(/does not match its leaf/)]) as unknown,
        },
      })
      await expect(openRegistry({ database: to, create: false })).rejects.toMatchObject({
        code: expect.stringMatching(/STORAGE_(?:MISSING|CORRUPT)/) as unknown,
      })
    }
  })

  test('backs up to a file that is the registry', async () => {
    const [from, database, folder] = [await filledFile(), await emptyDatabase(), await temporaryFolder()]
    await copyRegistry({ from, to: database })
    const registry = await openRegistry({ database })
    const file = path.join(folder, 'backup.db')
    await registry.backup(file)
    await expect(registry.backup(file)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await registry.close()
    expect(rowsOf(file)).toEqual(rowsOf(from))
    expect((await readdir(folder)).toSorted()).toEqual(['backup.db', 'backup.db.erased'])
  })

  test('gives exports a copy without accounts, whose records are those of the file', async () => {
    const [from, database] = [await filledFile(), await emptyDatabase()]
    await copyRegistry({ from, to: database })
    const read = async (each: string) => {
      const registry = await openRegistry({ database: each })
      const snapshot = await registry.snapshot()
      await registry.waypoints.update(1, { name: `Later ${Math.random()}` }, token())
      try {
        return {
          records: [...snapshot.records()],
          changes: [...snapshot.changes()],
          reviews: [...snapshot.reviews()],
          contributors: [...snapshot.contributors()],
          about: [
            snapshot.head,
            snapshot.origin,
            snapshot.statistics(),
            snapshot.sources(),
            snapshot.areas(),
          ],
        }
      } finally {
        snapshot.close()
        await registry.close()
      }
    }
    const [file, server] = [await read(from), await read(database)]
    expect(server).toEqual(file)
    expect(file.records.length).toBeGreaterThan(200)
  })

  test('gives lists in other formats a copy of the fountains that are in them', async () => {
    const [from, database] = [await filledFile(), await emptyDatabase()]
    await copyRegistry({ from, to: database })
    const read = async (each: string, records: 'all' | number[]) => {
      const registry = await openRegistry({ database: each, readOnly: true })
      const snapshot = await registry.snapshot({ records })
      try {
        const ids = records === 'all' ? undefined : records
        return {
          records: [...snapshot.records({ ids })],
          head: snapshot.head,
          statistics: snapshot.statistics(),
        }
      } finally {
        snapshot.close()
        await registry.close()
      }
    }
    for (const records of ['all' as const, [5, 1, 6, 999, 266], []]) {
      const server = await read(database, records)
      expect(server).toEqual(await read(from, records))
      if (records !== 'all') expect(server.records).toHaveLength(Math.max(0, records.length - 1))
    }
  })

  test('serves every list in every format with the same bytes', async () => {
    const [from, database] = [await filledFile(), await emptyDatabase()]
    await copyRegistry({ from, to: database })
    const served = async (each: string) => {
      const registry = await openRegistry({ database: each })
      const app = createApp(registry, { formats: waypointFormats })
      const ask = async (address: string, init?: RequestInit) =>
        app.fetch(new Request(new URL(address, 'http://localhost'), init))
      try {
        const texts: string[] = []
        for (const { mediaType } of waypointFormats)
          for (const query of ['', '?bbox=0,0,20,60', '?near=55.7,13.2&limit=3']) {
            const response = await ask(`/api/waypoints${query}`, { headers: { accept: mediaType } })
            texts.push(`${response.status} ${mediaType} ${await response.text()}`)
          }
        for (const list of jsonLists) {
          const response = await ask(`/api/${list}`)
          texts.push(`${response.status} ${list} ${await response.text()}`)
        }
        return texts
      } finally {
        await registry.close()
      }
    }
    const [file, server] = [await served(from), await served(database)]
    expect(server).toEqual(file)
    expect(file.filter((text) => !text.startsWith('200 '))).toEqual([])
  })

  test('exports the same bytes', async () => {
    const [from, database] = [await filledFile(), await emptyDatabase()]
    await copyRegistry({ from, to: database })
    const exported = async (each: string) => {
      const registry = await openRegistry({ database: each, readOnly: true })
      const out = path.join(await temporaryFolder(), 'out')
      const { files } = await exportRegistry(registry, { out }).finally(() => registry.close())
      expect(files.length).toBeGreaterThan(10)
      return readFile(path.join(out, 'SHA256SUMS'), 'utf8')
    }
    expect(await exported(database)).toBe(await exported(from))
  })

  test('refuses what has a registry already', async () => {
    const [from, database] = [await filledFile(), await emptyDatabase()]
    await copyRegistry({ from, to: database })
    await expect(copyRegistry({ from, to: database })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(copyRegistry({ from: database, to: from })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(copyRegistry({ from, to: from })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  test('knows every column of every table', async () => {
    const database = await emptyDatabase()
    await (await openRegistry({ database })).close()
    const found = await asAdmin<{ table: string; column: string }>(
      inject('postgres'),
      `select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and table_name not in ('registry', 'writers', 'listings')`,
      new URL(database).pathname.slice(1),
    )
    const own = new Set(['waypoints.searchText', 'waypoints.searchTokens', 'state.indexedTo'])
    const names = found.map(({ table, column }) => `${table}.${column}`).filter((name) => !own.has(name))
    const copied = copiedTables.flatMap(({ name, columns }) =>
      columns.map((column) => `${name}.${column.name}`),
    )
    expect(names.toSorted()).toEqual(copied.toSorted())
  })
})
