import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openRegistry, restoreDatabase } from '@openfountain/core'
import { emptyRegistry, placed, refusal, temporaryFolder } from '@openfountain/testing/registry'

interface Prepared {
  readonly database: string
  readonly changed: string
}

/** A registry, and a backup of it that somebody changed by SQL. */
async function prepared(sql: string): Promise<Prepared> {
  const folder = await temporaryFolder()
  const database = path.join(folder, 'registry.db')
  const changed = path.join(folder, 'changed.db')
  const registry = await emptyRegistry({ database, durability: 'relaxed' })
  await registry.users.create({ name: 'Ada', id: 'ada' })
  await placed(registry, { name: 'Market square' })
  await registry.backup(changed)
  await registry.close()
  const copy = new Database(changed)
  // Others' programs are not as careful.
  copy.unsafeMode(true)
  copy.exec(sql)
  copy.close()
  return { database, changed }
}

const inSchema = (change: string) => `pragma writable_schema = on; ${change}; pragma writable_schema = off`

describe('a backup that somebody prepared is refused before it is used, and nothing is replaced', () => {
  test.for<readonly [what: string, sql: string, message: string]>([
    [
      'a trigger',
      `create trigger welcome after insert on reviews begin
         insert into secrets (id, kind, value, createdAt) values ('token:a', 'token', '{}', '2026-01-01T00:00:00.000Z'); end`,
      'has the trigger "welcome", which openfountain does not make',
    ],
    ['a view', 'create view passwords as select * from secrets', 'has the view "passwords"'],
    [
      'a view in the place of a table',
      'alter table searchWords rename to words; create view searchWords as select word from words',
      'has the table "words"',
    ],
    ['a table', 'create table things (id integer primary key)', 'has the table "things"'],
    [
      'a table with a name of Litestream’s',
      'create table _litestream_lock (id INTEGER, secret TEXT)',
      'has the table "_litestream_lock"',
    ],
    [
      'a table with control characters in its name',
      'create table "a\u001b[2Jb" (id integer primary key)',
      String.raw`has the table "a\u001b[2Jb"`,
    ],
    ['a virtual table', 'create virtual table places using rtree(id, west, east)', 'has the table "places"'],
    ['a search index', 'create virtual table words using fts5(word)', 'has the table "words"'],
    [
      'a trigger on a table of a host',
      `create table host_keys (id integer primary key);
        create trigger host_keys_used after insert on host_keys begin delete from secrets; end`,
      'has the trigger "host_keys_used"',
    ],
    [
      'a trigger with the name of a host’s table',
      'create trigger host_on after insert on reviews begin delete from secrets; end',
      'has the trigger "host_on"',
    ],
    [
      'a view with the name of a host’s table',
      'create view host_keys as select * from secrets',
      'has the view "host_keys"',
    ],
    [
      'a virtual table with such a name',
      'create virtual table host_words using fts5(word)',
      'has the table "host_words"',
    ],
    [
      'an index with such a name',
      'create index host_names on users (lower(name))',
      'has the index "host_names"',
    ],
    [
      'a table of a host that keeps secrets from being deleted',
      'create table host_pins (id text references secrets (id))',
      'has the table "host_pins"',
    ],
    ['an index', 'create index byName on users (lower(name))', 'has the index "byName"'],
    [
      'an index by another column',
      'drop index usersByAge; create unique index usersByAge on users (id)',
      'has the index "usersByAge" in another form',
    ],
    [
      'a table without one of its rules',
      inSchema(`update sqlite_schema set sql = replace(sql, ' check (isModerator in (0, 1))', '')
        where name = 'users'`),
      'has the table "users" in another form',
    ],
    [
      'a table with another column',
      'alter table users add column password text',
      'has the table "users" in another form',
    ],
    ['a missing trigger', 'drop trigger entries_refuse_update', 'lacks the trigger "entries_refuse_update"'],
    ['a missing table', 'drop table searchWords', 'lacks the table "searchWords"'],
    ['a missing index', 'drop index entriesByUser', 'lacks the index "entriesByUser"'],
    [
      'a row that breaks the rules of its table',
      "pragma ignore_check_constraints = on; update users set isModerator = 2 where id = 'ada'",
      'is damaged: CHECK constraint failed in users',
    ],
    [
      'a row that refers to nothing',
      `pragma foreign_keys = off; insert into secrets (id, kind, userId, value, createdAt)
         values ('session:a', 'session', 'nobody', '{}', '2026')`,
      'is damaged: a row of secrets refers to no row of users',
    ],
    ['another program’s file', 'pragma application_id = 0', 'not an openfountain registry'],
  ])('%s', async ([, sql, message]) => {
    const { database, changed: from } = await prepared(sql)
    const before = await readFile(database)
    const refused = restoreDatabase({ database, from, replace: true })
    await expect(refused).rejects.toThrow(message)
    expect((await refusal(refused)).code).toBe('STORAGE_CORRUPT')
    expect(await readFile(database)).toEqual(before)
  })
})

test.for<readonly [what: string, sql: string, message: string, isOfSchema: boolean]>([
  [
    'a missing trigger',
    'drop trigger entries_refuse_update',
    'lacks the trigger "entries_refuse_update"',
    true,
  ],
  ['a table of others', 'create table things (id integer primary key)', 'has the table "things"', true],
  [
    'a row that refers to nothing',
    `pragma foreign_keys = off; insert into secrets (id, kind, userId, value, createdAt)
       values ('session:a', 'session', 'nobody', '{}', '2026')`,
    'is damaged: a row of secrets refers to no row of users',
    false,
  ],
])('what restoring would refuse is not backed up: %s', async ([, sql, message, isOfSchema]) => {
  const { changed: database } = await prepared(sql)
  await using registry = await openRegistry({ database })
  const file = `${database}.backup`
  const refused = registry.backup(file)
  await expect(refused).rejects.toThrow(message)
  expect((await refusal(refused)).code).toBe('STORAGE_CORRUPT')
  expect(existsSync(file)).toBe(false)
  const { ok, problems } = await registry.changes.verify()
  expect([ok, problems]).toEqual([
    !isOfSchema,
    isOfSchema ? [expect.stringContaining(`the database ${message}`)] : [],
  ])
})

test('a backup that was made while indexes were put off is restored, with them', async () => {
  const { database, changed: from } = await prepared('drop index waypointsByCell')
  const other = `${database}.other`
  expect(await restoreDatabase({ database: other, from })).toMatchObject({ ok: true })
  const registry = await openRegistry({ database: other })
  expect(await registry.waypoints.list({ bbox: [-180, -90, 180, 90] })).toHaveLength(1)
  await registry.close()
  const restored = new Database(other, { readonly: true })
  expect(restored.prepare("select 1 from sqlite_schema where name = 'waypointsByCell'").get()).toBeDefined()
  restored.close()
})

test('a backup of a database that Litestream copies is restored without its tables', async () => {
  const { database, changed } = await prepared(`
    CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
    CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER);
    insert into _litestream_seq values (1, 7)`)
  await using copied = await openRegistry({ database: changed })
  await copied.backup(`${changed}.backup`)
  expect((await copied.changes.verify()).problems).toEqual([])
  expect(await restoreDatabase({ database, from: changed, replace: true })).toMatchObject({
    ok: true,
    lost: 0,
  })
  const restored = new Database(database, { readonly: true })
  const left = restored.prepare(`select name from sqlite_schema where name like '%litestream%'`).all()
  restored.close()
  expect(left).toEqual([])
})
