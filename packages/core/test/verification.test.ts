import { openRegistry, type Verification } from '@openfountain/core'
import { effort, repeated } from '@openfountain/testing/effort'
import { fullHistory, unprotected } from '@openfountain/testing/histories/full-history'
import { temporaryFolder } from '@openfountain/testing/registry'
import Database from 'better-sqlite3'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Hole, redact, canonicalJson } from '../src/log/leaf.ts'
import { storedEntryOf } from '../src/store/rows.ts'
import { copiedTables, type Tables, unvouched } from '../src/store/tables.ts'

const someone = "iif(@ = 'u1', 'u2', 'u1')"
const hole = (value: string) => `json_set(coalesce(@, '{}'), '$.name', '${value}')`

/** Other values of columns whose type gives none, as expressions; `@` is the current value. */
const others: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['latitude', 'longitude'].map((name) => [name, '@ / 2 + 1'])),
  ...Object.fromEntries(
    ['approved', 'verified', 'verifiedOnce', 'isModerator', 'active'].map((name) => [name, '1 - @']),
  ),
  ...Object.fromEntries(['addedByUserId', 'userId', 'by'].map((name) => [name, someone])),
  amenities: `'["shade"]'`,
  properties: `'{"height":99}'`,
  redactedFields: `'["image"]'`,
  keeps: `'[{"maintainer":"Forged"}]'`,
  'users.actions': `'{"deleted":100}'`,
  actionCounts: `'{"created":1}'`,
  coordinates: `'[[[1,2],[2,2],[2,1],[1,2]]]'`,
  tags: `'{"amenity":"bench"}'`,
  state: "'broken'",
  subject: "iif(@ = 'area', 'review', 'area')",
  subjectId: "iif(typeof(@) = 'text', @ || 'x', @ + 1)",
  action: "iif(@ = 'deleted', 'edited', 'deleted')",
  fields: `'{"name":"Forged"}'`,
  awards: `'[["u1","grant",1000]]'`,
  links: `'{"reverts":1}'`,
  salts: hole('0'.repeat(32)),
  commitments: hole('0'.repeat(64)),
}
const ofType: Readonly<Record<string, string>> = {
  TEXT: "coalesce(@, '') || 'x'",
  INTEGER: 'coalesce(@, 0) + 10000',
  BLOB: 'zeroblob(coalesce(length(@), 16))',
}

const saying: Readonly<Record<string, string>> = { 'entries.seed': "fields <> '{}'" }
/** Nullable columns that have a value in all rows, or in none. */
const alwaysSet = new Set(['state.headAt', 'tiles.actions'])

const vouchedTables =
  'waypoints reviews photos users areas sources imports records entries tiles state'.split(' ')
const tablesOfRows = vouchedTables.filter((table) => table !== 'state')

const keyOf = (table: string): string => (table === 'tiles' ? 'level, place' : 'rowid')

/** The oldest and the newest row, since often only the newest is in force. */
const orders = effort === 'quick' ? ['desc'] : ['desc', 'asc']

function first(table: string, order: string, where = 'true'): string {
  const ordered = keyOf(table).replaceAll(/\w+/gu, `$& ${order}`)
  return `select ${keyOf(table)} from ${table} where ${where} order by ${ordered} limit 1`
}

const original = await fullHistory()

interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly pk: number
}

function columnsOf(table: string): Column[] {
  const database = new Database(original)
  const columns = database.prepare<[string], Column>('select * from pragma_table_xinfo(?)').all(table)
  database.close()
  return columns
}

function changesOf(table: string): string[] {
  // The progress of the search index is no part of a registry.
  const exempt = new Set<string>([...unvouched.columns, 'state.indexedTo'])
  const vouched = columnsOf(table).filter(({ name }) => !exempt.has(`${table}.${name}`))
  return vouched.flatMap(({ name, type, notnull, pk }) => {
    const full = `${table}.${name}`
    const value = (others[full] ?? others[name] ?? ofType[type] ?? '').replaceAll('@', `"${name}"`)
    const update = (to: string, where: string) =>
      orders.map(
        (order) =>
          `update ${table} set "${name}" = ${to} where (${keyOf(table)}) = (${first(table, order, where)})`,
      )
    return [
      ...update(value, `"${name}" is not null and ${saying[full] ?? 'true'}`),
      ...(notnull === 1 || pk > 0 ? [] : update('null', `"${name}" is not null`)),
      ...(notnull === 1 || pk > 0 || alwaysSet.has(full) ? [] : update(value, `"${name}" is null`)),
    ]
  })
}

function additionTo(table: string): string {
  const keys = { users: { id: "'nobody'", email: 'null' }, tiles: { place: 'place + 100' } }
  const { [table]: key = { id: 'id + 1' } } = keys as Record<string, object>
  const values: Readonly<Record<string, string>> = {
    ...key,
    ...(table === 'sources' && { name: "name || ' 2'" }),
    ...(table === 'records' && { ref: 'null' }),
  }
  const names = columnsOf(table).map(({ name }) => `"${name}"`)
  const given = columnsOf(table).map(({ name }) => values[name] ?? `"${name}"`)
  return `insert into ${table} (${names.join(', ')}) select ${given.join(', ')} from ${table} order by 1 desc limit 1`
}

async function verified(file: string): Promise<Verification> {
  const registry = await openRegistry({ database: file, readOnly: true })
  const verification = await registry.changes.verify()
  await registry.close()
  expect(verification.ok).toBe(verification.problems.length === 0)
  return verification
}

const once = (database: Database.Database, sql: string): void =>
  expect(database.prepare(sql).run().changes, sql).toBe(1)

async function changing(): Promise<(change: (database: Database.Database) => void) => Promise<string>> {
  const file = path.join(await temporaryFolder(), 'changed.db')
  return async (change) => {
    await writeFile(file, original)
    unprotected(file, change)
    return (await verified(file)).problems.join('\n')
  }
}

test('a history with everything in it verifies, and verifying says what it does not cover', async () => {
  const file = path.join(await temporaryFolder(), 'original.db')
  await writeFile(file, original)
  const { problems, notCovered, redacted } = await verified(file)
  expect(problems).toEqual([])
  expect(redacted).toBeGreaterThan(0)
  expect(notCovered.join('\n')).toMatch(/names and e-mail addresses/u)
  expect(notCovered.join('\n')).toMatch(/waypoints\.country, waypoints\.subdivision/u)
})

test('every table is covered, or is known not to be', () => {
  const tables = copiedTables.map(({ name }) => name)
  expect([...vouchedTables, 'observations', ...unvouched.tables].toSorted()).toEqual(tables.toSorted())
})

test.each(vouchedTables)(
  'a changed, removed or filled in value in any column of %s is found',
  repeated,
  async (table) => {
    const problemsAfter = await changing()
    const changes = changesOf(table)
    expect(changes.length).toBeGreaterThan(3)
    for (const sql of changes) {
      expect(await problemsAfter((database) => once(database, sql)), sql).not.toBe('')
    }
  },
)

test.each(tablesOfRows)('a deleted and an added row of %s are found', async (table) => {
  const problemsAfter = await changing()
  const deletion = `delete from ${table} where (${keyOf(table)}) =`
  for (const sql of [...orders.map((order) => `${deletion} (${first(table, order)})`), additionTo(table)])
    expect(await problemsAfter((database) => once(database, sql)), sql).not.toBe('')
})

const creation = "subject = 'waypoint' and subjectId = 1 and action = 'created'"

/** Removes the description from the entry that created the first waypoint, like a redaction without its entry. */
function hollow(database: Database.Database, change: (hole: Hole) => Hole = (given) => given): void {
  const row = database.prepare<[], Tables['entries']>(`select * from entries where ${creation}`).get()
  if (row === undefined) throw new Error('the history has no waypoint 1')
  const { fields, hole: made } = redact(storedEntryOf(row), new Set(['description']))
  const { salts, commitments } = change(made)
  database
    .prepare('update entries set seed = null, fields = ?, salts = ?, commitments = ? where id = ?')
    .run(canonicalJson(fields), canonicalJson(salts), canonicalJson(commitments), row.id)
}

const reason = "fields = json_set(fields, '$.reason', 'Vanity')"
const madeUp = ({ salts }: Hole): Hole => ({ salts, commitments: { description: 'a'.repeat(64) } })
const anotherEntry = `insert into entries (id, at, by, subject, subjectId, action, fields, seed, leaf)
  select max(id) + 1, max(at), 'api', 'entry', (select id from entries where ${creation}), 'redacted',
  '{"names":["description"],"reason":"Article 17"}', zeroblob(16), zeroblob(32) from entries`

test.each<[string, (database: Database.Database) => unknown, RegExp]>([
  [
    'a field that is missing without a redaction, even when its commitment is right',
    (database) => hollow(database),
    /has no description, and no later entry redacts it/u,
  ],
  [
    'made-up commitments without an entry that redacts',
    (database) => hollow(database, madeUp),
    /its content does not match its leaf/u,
  ],
  [
    'made-up commitments with such an entry',
    (database) => [hollow(database, madeUp), database.exec(anotherEntry)],
    /its content does not match its leaf/u,
  ],
  [
    'a redaction that is written past the library',
    (database) => [hollow(database), database.exec(anotherEntry)],
    /the log ends at entry \d+ with the root/u,
  ],
  [
    'coordinates that are changed under a redaction',
    (database) => {
      const entry = "commitments is not null and json_extract(fields, '$.approved') is null"
      once(database, `update entries set fields = json_set(fields, '$.latitude', 1) where ${entry}`)
      database.exec('update waypoints set latitude = 1 where redactedFields is not null')
    },
    /entry \d+: /u,
  ],
  [
    'XP that is changed together with the award',
    (database) => {
      const award = (xp: number) => `'[["u1","grant",${xp}]]'`
      once(database, `update entries set awards = ${award(1005)} where awards = ${award(5)}`)
      database.exec("update users set xp = xp + 1000 where id = 'u1'")
    },
    /^[^\n]*its content does not match its leaf[^\n]*$/u,
  ],
  [
    'a changed reason of a redaction',
    (database) => once(database, `update entries set ${reason} where subject = 'entry'`),
    /^[^\n]*its content does not match its leaf[^\n]*$/u,
  ],
])('forgeries: %s is found', async (_what, change, message) => {
  const problemsAfter = await changing()
  expect(await problemsAfter(change)).toMatch(message)
})
