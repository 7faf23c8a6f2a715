import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openRegistry, restoreDatabase } from '@openfountain/core'
import { emptyRegistry, placed, refusal, temporaryFolder } from '@openfountain/testing/registry'

async function prepared(sql: string) {
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

const noOwner = `pragma foreign_keys = off; insert into secrets (id, kind, userId, value, createdAt)
  values ('session:a', 'session', 'nobody', '{}', '2026')`

describe('a backup that somebody prepared is refused before it is used, and nothing is replaced', () => {
  test.for<readonly [message: string, sql: string]>([
    [
      'has the trigger "welcome", which openfountain does not make',
      `create trigger welcome after insert on reviews begin
         insert into secrets (id, kind, value, createdAt) values ('token:a', 'token', '{}', '2026-01-01T00:00:00.000Z'); end`,
    ],
    ['has the view "passwords"', 'create view passwords as select * from secrets'],
    [
      'has the table "words"',
      'alter table searchWords rename to words; create view searchWords as select word from words',
    ],
    ['has the table "things"', 'create table things (id integer primary key)'],
    [String.raw`has the table "a\u001b[2Jb"`, 'create table "a\u001b[2Jb" (id integer primary key)'],
    ['has the table "places"', 'create virtual table places using rtree(id, west, east)'],
    ['has the table "words"', 'create virtual table words using fts5(word)'],
    // With table names of hosts.
    [
      'has the trigger "host_keys_used"',
      `create table host_keys (id integer primary key);
        create trigger host_keys_used after insert on host_keys begin delete from secrets; end`,
    ],
    [
      'has the trigger "host_on"',
      'create trigger host_on after insert on reviews begin delete from secrets; end',
    ],
    ['has the view "host_keys"', 'create view host_keys as select * from secrets'],
    ['has the table "host_words"', 'create virtual table host_words using fts5(word)'],
    ['has the index "host_names"', 'create index host_names on users (lower(name))'],
    ['has the table "host_pins"', 'create table host_pins (id text references secrets (id))'],
    ['has the index "byName"', 'create index byName on users (lower(name))'],
    [
      'has the index "usersByAge" in another form',
      'drop index usersByAge; create unique index usersByAge on users (id)',
    ],
    [
      'has the table "users" in another form',
      inSchema(`update sqlite_schema set sql = replace(sql, ' check (isModerator in (0, 1))', '')
        where name = 'users'`),
    ],
    ['has the table "users" in another form', 'alter table users add column password text'],
    ['lacks the trigger "entries_refuse_update"', 'drop trigger entries_refuse_update'],
    ['lacks the table "searchWords"', 'drop table searchWords'],
    ['lacks the index "entriesByUser"', 'drop index entriesByUser'],
    [
      'is damaged: CHECK constraint failed in users',
      "pragma ignore_check_constraints = on; update users set isModerator = 2 where id = 'ada'",
    ],
    ['is damaged: a row of secrets refers to no row of users', noOwner],
    ['not an openfountain registry', 'pragma application_id = 0'],
  ])('since it %s', async ([message, sql]) => {
    const { database, changed: from } = await prepared(sql)
    const before = await readFile(database)
    const refused = restoreDatabase({ database, from, replace: true })
    await expect(refused).rejects.toThrow(message)
    expect((await refusal(refused)).code).toBe('STORAGE_CORRUPT')
    expect(await readFile(database)).toEqual(before)
  })
})

test.for<readonly [message: string, sql: string, isOfSchema: boolean]>([
  ['lacks the trigger "entries_refuse_update"', 'drop trigger entries_refuse_update', true],
  ['has the table "things"', 'create table things (id integer primary key)', true],
  ['is damaged: a row of secrets refers to no row of users', noOwner, false],
])('what restoring would refuse is not backed up: a database that %s', async ([message, sql, isOfSchema]) => {
  const { changed: database } = await prepared(sql)
  await using registry = await openRegistry({ database })
  const file = `${database}.backup`
  const refused = registry.backup(file)
  await expect(refused).rejects.toThrow(message)
  expect((await refusal(refused)).code).toBe('STORAGE_CORRUPT')
  expect(existsSync(file)).toBe(false)
  const problems = isOfSchema ? [expect.stringContaining(`the database ${message}`)] : []
  expect(await registry.changes.verify()).toMatchObject({ ok: !isOfSchema, problems })
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
