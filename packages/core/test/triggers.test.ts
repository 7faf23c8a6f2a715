import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { fullHistory } from '@openfountain/testing/histories/full-history'

const file = await fullHistory()

const refused: readonly (readonly [sql: string, message: string])[] = [
  ["update entries set action = 'edited'", 'entries is append-only'],
  ["update entries set fields = '{}'", 'entries is append-only'],
  ["update entries set at = '2020-01-01T00:00:00.000Z'", 'entries is append-only'],
  ['update entries set awards = null where awards is not null', 'entries is append-only'],
  ['update entries set links = null where links is not null', 'entries is append-only'],
  ['update entries set leaf = zeroblob(32)', 'entries is append-only'],
  ['update entries set seed = randomblob(16) where seed is not null', 'entries is append-only'],
  [
    "update entries set seed = null, fields = '{}', salts = '{}', commitments = '{}'",
    'entries is append-only',
  ],
  [
    `update entries set fields = json_set(fields, '$.approved', json('true')) where commitments is not null`,
    'entries is append-only',
  ],
  ['delete from entries', 'entries is append-only'],
  ['delete from waypoints', 'waypoints are never deleted'],
  ['delete from reviews', 'reviews are never deleted'],
  ['delete from areas', 'areas are never deleted'],
  ['delete from records', 'records are never deleted'],
  ...['entries', 'waypoints', 'reviews', 'areas', 'records'].flatMap((table): [string, string][] => [
    [
      `replace into ${table} select * from ${table} where id = (select max(id) from ${table})`,
      `${table} cannot be replaced`,
    ],
    [`insert or replace into ${table} select * from ${table}`, `${table} cannot be replaced`],
  ]),
  [`update or replace records set ref = 'n1' where ref = 'n2'`, 'records cannot be replaced'],
  [
    `replace into records select 9999, sourceId, ref, waypointId, state, checked, updated, since, until, tags, firstSeen, lastSeen, missingSince, "values", seenIn
      from records where ref = 'n1'`,
    'records cannot be replaced',
  ],
]

test.each(refused)('specification 2.4: the database itself refuses: %s', (sql, message) => {
  const database = new Database(file)
  try {
    expect(() => database.exec(sql)).toThrow(message)
  } finally {
    database.close()
  }
})

test.each(['waypoints', 'reviews', 'areas', 'records', 'entries'])(
  'a row of %s cannot take the place of another one',
  (table) => {
    const database = new Database(file)
    const [first, second] = database.prepare<[], number>(`select id from ${table} order by id`).pluck().all()
    const move = `update or replace ${table} set id = ${first} where id = ${second}`
    expect(() => database.exec(move)).toThrow(/keep their ids|append-only/u)
    database.close()
  },
)
