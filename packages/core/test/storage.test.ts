import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openRegistry, token, type Registry } from '@openfountain/core'
import { migrations } from '../src/store/sqlite/migrations/index.ts'
import { openDatabase } from '../src/store/sqlite/connection/database.ts'
import type { Schema } from '../src/store/sqlite/schema.ts'
import { placed, refusal, square, temporaryFolder } from './fixture.ts'

async function filled(): Promise<string> {
  const file = path.join(await temporaryFolder(), 'registry.db')
  const registry = await openRegistry({ database: file })
  await placed(registry)
  await registry.close()
  return file
}

describe('a database that cannot be opened says why', () => {
  test('a missing folder', async () => {
    const file = path.join(await temporaryFolder(), 'no', 'registry.db')
    await expect(openRegistry({ database: file })).rejects.toMatchObject({
      code: 'STORAGE_MISSING',
      message: expect.stringContaining('does not exist'),
    })
  })

  test('a missing file that may not be created', async () => {
    const file = path.join(await temporaryFolder(), 'registry.db')
    expect((await refusal(openRegistry({ database: file, create: false }))).code).toBe('STORAGE_MISSING')
    expect((await refusal(openRegistry({ database: file, readOnly: true }))).code).toBe('STORAGE_MISSING')
    expect((await refusal(openRegistry({ database: '' }))).code).toBe('STORAGE_MISSING')
  })

  test('a folder instead of a file', async () => {
    const folder = await temporaryFolder()
    await expect(openRegistry({ database: folder })).rejects.toMatchObject({
      code: expect.stringMatching(/^STORAGE_/u),
    })
  })

  test('a file that is not a database, and a truncated one', async () => {
    const folder = await temporaryFolder()
    const text = path.join(folder, 'text.db')
    await writeFile(text, 'This is a text and no database at all. '.repeat(100))
    expect((await refusal(openRegistry({ database: text }))).code).toBe('STORAGE_CORRUPT')
    const file = await filled()
    const cut = path.join(folder, 'cut.db')
    await writeFile(cut, (await readFile(file)).subarray(0, 5000))
    const read = async () => {
      const registry = await openRegistry({ database: cut })
      await registry.waypoints.list().finally(() => registry.close())
    }
    expect((await refusal(read())).code).toBe('STORAGE_CORRUPT')
  })

  test("another program's SQLite file is not changed", async () => {
    const file = path.join(await temporaryFolder(), 'other.db')
    const database = new Database(file)
    database.exec('create table notes (text)')
    database.close()
    await expect(openRegistry({ database: file })).rejects.toMatchObject({
      code: 'STORAGE_CORRUPT',
      message: expect.stringContaining('not an openfountain registry'),
    })
    const after = new Database(file)
    expect(after.prepare('select count(*) from sqlite_schema').pluck().get()).toBe(1)
    after.close()
  })

  test('a database of a newer version', async () => {
    const file = await filled()
    const database = new Database(file)
    database.pragma('user_version = 99')
    database.close()
    await expect(openRegistry({ database: file })).rejects.toMatchObject({
      code: 'STORAGE_NEWER',
      message: expect.stringContaining('update openfountain'),
    })
  })

  test('a registry that was opened read-only refuses writes', async () => {
    const registry = await openRegistry({ database: await filled(), readOnly: true })
    expect((await refusal(placed(registry))).code).toBe('STORAGE_READ_ONLY')
    expect(await registry.waypoints.list()).toHaveLength(1)
    await registry.close()
  })

  test('a file that another process keeps locked', async () => {
    const file = await filled()
    const registry = await openRegistry({ database: file })
    const holder = new Database(file)
    holder.exec('begin immediate')
    expect((await refusal(placed(registry))).code).toBe('STORAGE_BUSY')
    expect(await registry.waypoints.list()).toHaveLength(1)
    holder.exec('rollback')
    holder.close()
    expect((await placed(registry)).id).toBe(2)
    await registry.close()
  })

  test('two callers can create the same registry at once', async () => {
    const file = path.join(await temporaryFolder(), 'registry.db')
    const [a, b] = await Promise.all([openRegistry({ database: file }), openRegistry({ database: file })])
    await placed(a)
    expect(await b.waypoints.get(1)).toMatchObject(square)
    await Promise.all([a.close(), b.close()])
  })

  test('a folder without permission to write', async () => {
    const folder = await temporaryFolder()
    await chmod(folder, 0o755)
    const locked = path.join(folder, 'locked')
    await mkdir(locked)
    await chmod(locked, 0o555)
    const opened = asNobody(() => refusal(openRegistry({ database: path.join(locked, 'registry.db') })))
    expect(await opened).toMatchObject({ code: 'STORAGE_READ_ONLY' })
    expect(await readdir(locked)).toEqual([])
  })
})

/** Runs as a system user to whom permissions apply, since root may write everywhere. */
async function asNobody<Result>(act: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return act()
  process.seteuid?.(65_534)
  try {
    expect(process.geteuid()).toBe(65_534)
    return await act()
  } finally {
    process.seteuid?.(0)
  }
}

/** All columns of the types by table; a missing or unknown one does not compile. */
const columns: { [Table in keyof Schema]: Record<keyof Schema[Table], true> } = {
  state: {
    id: true,
    revision: true,
    lastWaypointId: true,
    indexedTo: true,
    lastReviewId: true,
    waypoints: true,
    verifiedWaypoints: true,
    users: true,
    reviews: true,
    reviewsPosted: true,
    headId: true,
    headHash: true,
    headTimestamp: true,
    changedAt: true,
  },
  users: {
    id: true,
    name: true,
    email: true,
    isModerator: true,
    xp: true,
    waypointsCreated: true,
    waypointsEdited: true,
    reviewsPosted: true,
    createdAt: true,
    updatedAt: true,
  },
  waypoints: {
    id: true,
    name: true,
    latitude: true,
    longitude: true,
    description: true,
    amenities: true,
    image: true,
    maintainer: true,
    region: true,
    approved: true,
    verified: true,
    verifiedOnce: true,
    addedByUserId: true,
    createdAt: true,
    updatedAt: true,
    deletedAt: true,
    foldedName: true,
    cell: true,
  },
  reviews: {
    id: true,
    bubblerId: true,
    userId: true,
    rating: true,
    comment: true,
    createdAt: true,
    updatedAt: true,
    deletedAt: true,
  },
  changes: {
    id: true,
    bubblerId: true,
    userId: true,
    action: true,
    changes: true,
    timestamp: true,
    salt: true,
    digest: true,
    hash: true,
  },
  redactions: { changeId: true, reason: true, fields: true, at: true },
  xpLedger: {
    id: true,
    userId: true,
    event: true,
    amount: true,
    waypointId: true,
    reviewId: true,
    note: true,
    at: true,
  },
  sources: {
    id: true,
    name: true,
    url: true,
    license: true,
    attribution: true,
    createdAt: true,
    updatedAt: true,
  },
  sourceRecords: {
    id: true,
    sourceId: true,
    ref: true,
    waypointId: true,
    values: true,
    firstSeen: true,
    lastSeen: true,
    missingSince: true,
    state: true,
  },
  imports: {
    id: true,
    sourceId: true,
    fileName: true,
    fileSha256: true,
    fileBytes: true,
    startedAt: true,
    updatedAt: true,
    finishedAt: true,
    checkpoint: true,
    counts: true,
  },
  areas: {
    id: true,
    name: true,
    description: true,
    color: true,
    coordinates: true,
    properties: true,
    active: true,
    createdAt: true,
    updatedAt: true,
    deletedAt: true,
  },
  sessions: { id: true, secretHash: true, userId: true, createdAt: true, expiresAt: true, revokedAt: true },
  tokens: { id: true, secretHash: true, name: true, ownerId: true, createdAt: true, revokedAt: true },
  waypointWords: { rowid: true, name: true, description: true, region: true, waypointWords: true },
  waypointNames: { rowid: true, name: true, waypointNames: true },
  searchBacklog: { waypointId: true, indexed: true },
  searchWords: { word: true },
}

/** FTS5 has columns of its own: the number of the row, and one for commands, which is called as its table. */
const fullText = new Set(['waypointWords', 'waypointNames'])

const inOrder = (tables: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(tables).map(([table, names]) => [table, names.toSorted()]))

describe('the schema', () => {
  test('the migrated database has exactly the columns of the types', async () => {
    const database = await openDatabase(':memory:')
    const tables = database
      .prepare(
        `select name from pragma_table_list where schema = 'main' and type in ('table', 'virtual')
          and name not like 'sqlite_%' and name not like 'kysely_%'`,
      )
      .pluck()
      .all() as string[]
    const found = Object.fromEntries(
      tables.map((table) => [
        table,
        database
          .prepare('select name from pragma_table_xinfo(?) where hidden = 0')
          .pluck()
          .all(table) as string[],
      ]),
    )
    database.close()
    const known = Object.fromEntries(
      Object.entries(columns).map(([table, names]) => [
        table,
        Object.keys(names).filter((name) => !fullText.has(table) || !['rowid', table].includes(name)),
      ]),
    )
    expect(inOrder(found)).toEqual(inOrder(known))
  })

  test('every migration applies to a database of the one before, and the log still verifies', async () => {
    const names = Object.keys(migrations)
    for (const name of names) {
      const file = path.join(await temporaryFolder(), 'old.db')
      const old = await openDatabase(file, { upTo: name })
      expect(Number(old.pragma('user_version', { simple: true }))).toBe(names.indexOf(name) + 1)
      old.close()
      const registry = await openRegistry({ database: file })
      await placed(registry)
      expect((await registry.changes.verify()).ok).toBe(true)
      await registry.close()
    }
  })

  test('a registry of schema 1 opens with all its data', async () => {
    const file = path.join(await temporaryFolder(), 'schema-1.db')
    const kept = await readFile(new URL('fixtures/schema-1.db.gz', import.meta.url))
    await writeFile(file, gunzipSync(kept))
    const registry = await openRegistry({ database: file })
    expect(await registry.changes.verify()).toMatchObject({ ok: true, entries: 6, waypoints: 3, redacted: 1 })
    expect((await registry.waypoints.list()).map(({ name }) => name)).toEqual(['Čerpadlo', 'Imported'])
    expect(await registry.users.get('u1')).toMatchObject({ name: 'Ada', xp: 100 })
    expect((await registry.waypoints.search({ q: 'praha' })).map(({ id }) => id)).toEqual([1])
    expect(await registry.reviews.list()).toMatchObject([{ rating: 5, comment: 'Cold' }])
    expect(await registry.waypoints.sources(3)).toMatchObject([{ name: 'City', ref: 'a' }])
    expect(await registry.areas.list()).toHaveLength(1)
    expect((await placed(registry)).id).toBe(4)
    await registry.close()
  })

  test('a registry of schema 7 finds names and words of every script as a new one does', async () => {
    const file = path.join(await temporaryFolder(), 'schema-7.db')
    const kept = await readFile(new URL('fixtures/schema-7.db.gz', import.meta.url))
    await writeFile(file, gunzipSync(kept))
    const old = await openRegistry({ database: file })
    const fresh = await openRegistry({ database: ':memory:' })
    for (const { name, description, region } of await old.waypoints.list())
      await placed(fresh, { name, description, region })
    const found = async (registry: Registry, q: string) =>
      (await registry.waypoints.search({ q })).map(({ name }) => name)
    for (const [q, names] of [
      ['がんばる', ['がんばる泉']],
      ['東京', ['がんばる泉']],
      ['한강', ['서울 한강 분수']],
      ['마실', ['서울 한강 분수']],
      ['น้ำดื่ม', ['น้ำดื่ม']],
      ['آبار', ['ثلاثة آبار']],
      ['ΣΊΣΥΦΟΣ', ['Πηγή Σίσυφος']],
      ['hamrun', ['Ħamrun']],
      ['hiddenword', ['Ħamrun']],
      ['zurich agir', ['Zürich']],
      ['cold', ['Plain tap']],
      ['がいこつ', []],
    ] as const) {
      expect(await found(old, q), q).toEqual(names)
      expect(await found(fresh, q), q).toEqual(names)
    }
    expect((await old.changes.verify()).ok).toBe(true)
    await placed(old, { name: 'さくら' })
    expect(await found(old, 'さくら')).toEqual(['さくら'])
    await old.close()
    await fresh.close()
  })

  test('opening a second time changes nothing in the file', async () => {
    const file = await filled()
    const before = await readFile(file)
    const registry = await openRegistry({ database: file })
    await registry.waypoints.list()
    await registry.close()
    expect(await readFile(file)).toEqual(before)
  })
})

test('the constraints of the database apply to a batch of an import, which is rolled back when one is violated', async () => {
  const file = path.join(await temporaryFolder(), 'registry.db')
  const registry = await openRegistry({ database: file })
  const orphan = (
    waypointId: string,
    rating: number,
  ) => `create trigger orphan after insert on waypoints begin
    insert into reviews (bubblerId, userId, rating, createdAt, updatedAt)
    values (${waypointId}, 'api', ${rating}, '', ''); end`
  const run = registry.imports.start({ source: { name: 'City', license: 'CC0-1.0' } })
  for (const [trigger, problem] of [
    [orphan('999', 5), 'FOREIGN KEY'],
    [orphan('new.id', 9), 'CHECK'],
  ] as const) {
    const other = new Database(file)
    other.exec(trigger)
    expect(() => run.apply([{ row: 1, ref: 'a', input: square }])).toThrow(problem)
    other.exec('drop trigger orphan')
    other.close()
  }
  expect((await registry.statistics()).totalWaypoints).toBe(0)
  expect(run.apply([{ row: 1, ref: 'a', input: square }])).toMatchObject([{ kind: 'created' }])
  await registry.close()
})

describe('copies', () => {
  test('a backup made while others write opens and verifies', async () => {
    const file = await filled()
    const registry = await openRegistry({ database: file, durability: 'relaxed' })
    const copy = `${file}.backup`
    const making = registry.backup(copy)
    for (let index = 0; index < 50; index++) await placed(registry, { name: `n${index}` })
    await making
    await registry.close()
    const restored = await openRegistry({ database: copy })
    expect((await restored.changes.verify()).ok).toBe(true)
    expect((await restored.waypoints.list()).length).toBeGreaterThan(0)
    await restored.close()
  })

  test('a backup never overwrites, and a damaged database makes none', async () => {
    const file = await filled()
    const registry = await openRegistry({ database: file })
    await copyFile(file, `${file}.there`)
    expect((await refusal(registry.backup(`${file}.there`))).code).toBe('INVALID_INPUT')
    expect((await refusal(registry.backup(file))).code).toBe('INVALID_INPUT')
    const other = new Database(file)
    other.exec("update waypoints set name = 'forged'")
    other.close()
    expect((await refusal(registry.backup(`${file}.new`))).code).toBe('STORAGE_CORRUPT')
    await expect(readFile(`${file}.new`)).rejects.toThrow('ENOENT')
    await expect(readFile(`${file}.new.unfinished`)).rejects.toThrow('ENOENT')
    await registry.close()
  })

  test('a snapshot sees one moment, in a file and in memory', async () => {
    for (const database of [path.join(await temporaryFolder(), 'registry.db'), ':memory:']) {
      const registry = await openRegistry({ database })
      await placed(registry)
      const snapshot = registry.snapshot()
      await registry.waypoints.update(1, { name: 'Later' }, token())
      await placed(registry)
      expect([...snapshot.records()].map(({ name }) => name)).toEqual(['Market square'])
      expect(snapshot.head.id).toBe(1)
      expect([...snapshot.changes()]).toHaveLength(1)
      snapshot.close()
      await registry.close()
    }
  })

  test('writes of another connection are visible at once', async () => {
    const file = await filled()
    const [a, b] = await Promise.all([openRegistry({ database: file }), openRegistry({ database: file })])
    const before = b.revision()
    await placed(a)
    expect(b.revision()).toBe(before + 1)
    expect((await b.statistics()).totalWaypoints).toBe(2)
    await Promise.all([a.close(), b.close()])
  })
})
