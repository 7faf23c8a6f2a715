/** @module-tag postgres */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { openRegistry, token, type Registry } from '@openfountain/core'
import { openPostgres } from '@openfountain/postgres'
import { redactEntry } from '../../core/src/decide/redaction.ts'
import { afterwards } from '@openfountain/testing/afterwards'
import { tickingClock } from '@openfountain/testing/registry'
import { Sessions } from '../src/connection/sessions.ts'
import { settingsOf } from '../src/connection/settings.ts'
import { asAdmin, Cluster, createDatabase } from '@openfountain/testing/postgres/cluster'
import { emptyDatabase } from '@openfountain/testing/postgres/empty-database'

const secret = 'Zqünïque telephone'
let url: string
let registry: Registry

beforeEach(async () => {
  url = await emptyDatabase()
  registry = await openRegistry({ database: url, clock: tickingClock() })
  await registry.waypoints.create({ name: 'Well', latitude: 1, longitude: 2, description: secret }, token())
  await registry.waypoints.update(1, { description: 'Nothing private' }, token())
})

afterEach(() => registry.close())

async function isInTables(): Promise<boolean> {
  await asAdmin(inject('postgres'), 'checkpoint')
  const session = await new Sessions(settingsOf(url)).open('long')
  const [found] = await session.query<{ oid: number }>(
    'select oid::bigint as "oid" from pg_database where datname = current_database()',
    [],
  )
  await session.close()
  const folder = path.join(inject('postgres').folder, 'data', 'base', String(found?.oid))
  for (const file of await readdir(folder)) {
    const content = await readFile(path.join(folder, file))
    if ([secret, 'zqunique telephone'].some((form) => content.includes(form))) return true
  }
  return false
}

test('erasing on a server leaves the text in no file of the tables, and tells that the log of the server has it for a while', async () => {
  // The planner's statistics contain values of every column.
  await asAdmin(inject('postgres'), 'analyze', new URL(url).pathname.slice(1))
  expect(await isInTables()).toBe(true)
  const { entries, leftovers } = await registry.changes.redact(1, { reason: 'Asked for' })
  expect(entries).toEqual([1])
  expect(leftovers?.map(({ place }) => place)).toEqual(['the write-ahead log of the database server'])
  expect(await isInTables()).toBe(false)
})

test('erasing on a server tells what keeps the text longer: slots without a standby, and messages of the server with values', async () => {
  // Slots are the whole server's: other tests erase beside this one.
  const cluster = await Cluster.start()
  afterwards(() => cluster.stop())
  const own = await createDatabase(cluster)
  const open = () => openRegistry({ database: own, clock: tickingClock() })
  const before = await open()
  await before.waypoints.create({ name: 'Well', latitude: 1, longitude: 2, description: secret }, token())
  await before.close()
  const alter = `alter database ${new URL(own).pathname.slice(1)} set`
  await asAdmin(cluster, `select pg_create_physical_replication_slot('gone', true)`)
  await asAdmin(cluster, `${alter} log_min_duration_statement = 100`)
  const again = await open()
  const redacted = again.changes.redact(1, { reason: 'Asked for' })
  const place = 'the write-ahead log that is kept for replication slots nobody uses (gone)'
  const messages = 'the messages that the database server logs (log_min_duration_statement)'
  const passing = ['the write-ahead log of the database server', messages]
  const leftovers = [{ place }, ...passing.map((each) => ({ place: each, isPassing: true }))]
  await expect(redacted).rejects.toMatchObject({ code: 'STORAGE_NOT_ERASED', details: { leftovers } })
  await asAdmin(cluster, `${alter} log_parameter_max_length = 0`)
  await asAdmin(cluster, `select pg_drop_replication_slot('gone')`)
  await again.close()
  await using later = await open()
  expect((await later.changes.scrub()).map(({ place }) => place)).toEqual([
    'the write-ahead log of the database server',
  ])
})

test('erasing on a server is not done while a transaction may still read the text, and is once that ended', async () => {
  const store = await openPostgres(url, { clock: tickingClock(), patience: 100 })
  const reading = await new Sessions(settingsOf(url)).open('long')
  const lasting = async (): Promise<string[]> =>
    (await store.scrub()).filter(({ isPassing }) => isPassing !== true).map(({ place }) => place)
  try {
    await reading.command('begin isolation level repeatable read; select count(*) from entries')
    await store.write({ decide: () => redactEntry({ id: 1, reason: 'Asked for' }) })
    expect(await lasting()).toEqual([
      expect.stringContaining('"entries", which somebody keeps reading'),
      expect.stringMatching(/^rows of the tables .*"waypoints".* that are replaced/u),
    ])
    await reading.command('rollback')
    // The server itself may still be reading its statistics.
    await expect.poll(lasting).toEqual([])
    expect(await isInTables()).toBe(false)
  } finally {
    await reading.close()
    await store.close()
  }
})
