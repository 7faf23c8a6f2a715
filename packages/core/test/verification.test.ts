/** @module-tag long */
import { optionalFields, type OptionalField } from '@openfountain/core/fields'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { openRegistry, type Head, type Verification } from '@openfountain/core'
import { isConsistent } from '@openfountain/core/internal'
import { unvouched } from '../src/log/vouched.ts'
import { copiedTables } from '../src/store/copying/tables.ts'
import { canonicalJson } from '../src/log/canonical-json.ts'
import { digestOf, leafData, redact } from '../src/log/commitments.ts'
import type { Hole } from '../src/log/entry.ts'
import { Frontier, leafHash } from '../src/log/tree.ts'
import { storedEntryOf } from '../src/store/rows.ts'
import type { Schema } from '../src/store/sqlite/schema.ts'
import { placed } from '@openfountain/testing/registry'
import { fullHistory, unprotected } from '@openfountain/testing/histories/full-history'

/** What a column is changed to: an expression for rows with a value, and one for rows without. */
interface Change {
  readonly changed: string
  /** For nullable columns. Their values are removed, too. */
  readonly filled?: string
  /** The rows whose value says something. Default all. */
  readonly where?: string
}

const text: Change = { changed: "{} || 'x'" }
const optionalText: Change = { changed: "{} || 'x'", filled: "'x'" }
const time: Change = { changed: "'2026-02-02T02:02:02.002Z'" }
const optionalTime: Change = { ...time, filled: "'2026-02-02T02:02:02.002Z'" }
const number: Change = { changed: '{} + 1' }
const optionalNumber: Change = { changed: '{} + 1', filled: '1' }
const flag: Change = { changed: '1 - {}' }
const bytes: Change = { changed: 'zeroblob(length({}))' }
const someone: Change = { changed: "iif({} = 'u1', 'u2', 'u1')" }
/** Another JSON text. */
const json = (value: string): Change => ({ changed: `'${value}'` })

/** Every optional field of a waypoint. */
const optionalTexts = Object.fromEntries(optionalFields.map((name) => [name, optionalText])) as Record<
  OptionalField,
  Change
>

/** The tables that the log vouches for. */
const vouchedTables = [
  'waypoints',
  'reviews',
  'users',
  'areas',
  'sources',
  'imports',
  'records',
  'entries',
  'tiles',
  'state',
] as const
type VouchedTable = (typeof vouchedTables)[number]

/** How each column is changed; `null` for one that the log does not vouch for. A missing column does not compile. */
const columns: { readonly [Table in VouchedTable]: Readonly<Record<keyof Schema[Table], Change | null>> } = {
  waypoints: {
    id: { changed: '{} + 10000' },
    ...optionalTexts,
    name: text,
    latitude: { changed: '{} / 2 + 1' },
    longitude: { changed: '{} / 2 + 1' },
    amenities: json('["shade"]'),
    properties: { ...json('{"height":99}'), filled: `'{"height":99}'` },
    approved: flag,
    verified: flag,
    verifiedOnce: flag,
    addedByUserId: someone,
    createdAt: time,
    updatedAt: time,
    deletedAt: optionalTime,
    mergedInto: optionalNumber,
    redactedFields: { changed: `'["image"]'`, filled: `'["image"]'` },
    version: number,
    foldedName: text,
    cell: optionalNumber,
    country: null,
    subdivision: null,
    placeName: null,
    placedAfter: null,
  },
  reviews: {
    id: { changed: '{} + 10000' },
    bubblerId: number,
    userId: someone,
    rating: { changed: '{} % 5 + 1' },
    comment: optionalText,
    createdAt: time,
    updatedAt: time,
    deletedAt: optionalTime,
  },
  users: {
    id: text,
    name: null,
    email: null,
    updatedAt: null,
    leftAt: null,
    isModerator: flag,
    xp: number,
    waypointsCreated: number,
    waypointsEdited: number,
    reviewsPosted: number,
    actions: json('{"deleted":100}'),
    blockReason: optionalText,
    blockUntil: optionalTime,
    createdAt: time,
  },
  areas: {
    id: { changed: '{} + 10000' },
    name: text,
    description: optionalText,
    color: text,
    coordinates: json('[[[1,2],[2,2],[2,1],[1,2]]]'),
    properties: json('{"z":2}'),
    active: flag,
    createdAt: time,
    updatedAt: time,
    deletedAt: optionalTime,
  },
  sources: {
    id: { changed: '{} + 10000' },
    name: text,
    url: optionalText,
    license: text,
    attribution: optionalText,
    listedAt: optionalTime,
    published: optionalText,
    createdAt: time,
    updatedAt: time,
  },
  imports: {
    id: { changed: '{} + 10000' },
    sourceId: number,
    fileName: optionalText,
    fileSha256: optionalText,
    fileBytes: optionalNumber,
    startedAt: time,
    finishedAt: optionalTime,
    published: optionalText,
    updatedAt: null,
    checkpoint: null,
    counts: null,
  },
  records: {
    id: { changed: '{} + 10000' },
    sourceId: number,
    ref: optionalText,
    waypointId: number,
    state: { changed: "'broken'", filled: "'broken'" },
    checked: optionalText,
    updated: optionalText,
    since: optionalText,
    until: optionalText,
    tags: { ...json('{"amenity":"bench"}'), filled: `'{"amenity":"bench"}'` },
    firstSeen: time,
    lastSeen: time,
    missingSince: optionalTime,
    values: null,
    seenIn: null,
  },
  entries: {
    id: { changed: '{} + 10000' },
    at: time,
    by: someone,
    subject: { changed: "iif({} = 'area', 'review', 'area')" },
    subjectId: { changed: "iif(typeof({}) = 'text', {} || 'x', {} + 1)" },
    action: { changed: "iif({} = 'deleted', 'edited', 'deleted')" },
    fields: json('{"name":"Forged"}'),
    awards: { changed: `'[["u1","grant",1000]]'`, filled: `'[["u1","grant",1000]]'` },
    links: { changed: `'{"reverts":1}'`, filled: `'{"reverts":1}'` },
    // The seed of an entry without fields proves nothing.
    seed: { ...bytes, filled: 'zeroblob(16)', where: "fields <> '{}'" },
    leaf: bytes,
    salts: { changed: `json_set({}, '$.name', '${'0'.repeat(32)}')`, filled: "'{}'" },
    commitments: { changed: `json_set({}, '$.name', '${'0'.repeat(64)}')`, filled: "'{}'" },
  },
  tiles: { level: number, place: number, root: bytes, actions: optionalNumber },
  state: {
    // The only row there can be.
    id: null,
    // Random.
    origin: null,
    placeKey: null,
    revision: null,
    lastWaypointId: number,
    lastReviewId: number,
    lastAreaId: number,
    lastSourceId: number,
    lastImportId: number,
    indexedTo: null,
    placings: null,
    waypoints: number,
    approvedWaypoints: number,
    verifiedWaypoints: number,
    users: number,
    reviews: number,
    reviewsPosted: number,
    size: number,
    actions: number,
    actionCounts: json('{"created":1}'),
    peaks: bytes,
    headAt: optionalTime,
    changedAt: null,
  },
}

/** Columns that have a value in all rows, or in none, although they may be without. */
const alwaysSet: Readonly<Record<string, readonly string[]>> = { state: ['headAt'], tiles: ['actions'] }

interface Case {
  readonly table: VouchedTable
  readonly column: string
  readonly what: 'changed' | 'removed' | 'filled'
  readonly value: string
  readonly where: string
}

const cases: Case[] = vouchedTables.flatMap((table) =>
  Object.entries(columns[table]).flatMap(([column, change]: [string, Change | null]): Case[] => {
    if (change === null) return []
    const value = (expression: string) => expression.replaceAll('{}', `"${column}"`)
    const each = { table, column, where: `"${column}" is not null` }
    const where = `${each.where} and ${change.where ?? 'true'}`
    const changed: Case = { ...each, what: 'changed', value: value(change.changed), where }
    if (change.filled === undefined) return [changed]
    const removed: Case = { ...each, what: 'removed', value: 'null' }
    const filled: Case = {
      ...each,
      what: 'filled',
      value: value(change.filled),
      where: `"${column}" is null`,
    }
    return alwaysSet[table]?.includes(column) ? [changed, removed] : [changed, removed, filled]
  }),
)

let folder: string
/** The file of the history. */
let original: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'openfountain-verification-'))
  original = path.join(folder, 'original.db')
  await writeFile(original, await fullHistory())
  return () => rm(folder, { recursive: true, force: true })
})

async function verified(file: string): Promise<Verification> {
  const registry = await openRegistry({ database: file, readOnly: true })
  const verification = await registry.changes.verify()
  await registry.close()
  expect(verification.ok).toBe(verification.problems.length === 0)
  return verification
}

/** Tables without a number of the row have no `rowid`. */
const keys: Readonly<Record<string, string>> = { tiles: '(level, place)' }
const keyOf = (table: VouchedTable): string => keys[table] ?? 'rowid'

/** What verifying says of the history after it was changed. */
async function problemsAfter(change: (database: Database.Database) => void): Promise<readonly string[]> {
  const file = path.join(folder, 'changed.db')
  await copyFile(original, file)
  unprotected(file, change)
  return (await verified(file)).problems
}

describe('verifying covers every column of every table that is the fold of the log', () => {
  test('a history with everything in it verifies, and verifying says what it does not cover', async () => {
    const { problems, notCovered, redacted } = await verified(original)
    expect(problems).toEqual([])
    expect(redacted).toBeGreaterThan(0)
    expect(notCovered.join('\n')).toMatch(/names and e-mail addresses/u)
    expect(notCovered.join('\n')).toMatch(/waypoints\.country, waypoints\.subdivision/u)
  })

  test('every column of the tables has a case, or is known not to be covered', () => {
    const database = new Database(original)
    for (const table of vouchedTables) {
      const found = database
        .prepare<[string], string>('select name from pragma_table_xinfo(?)')
        .pluck()
        .all(table)
      expect(found.toSorted(), table).toEqual(Object.keys(columns[table]).toSorted())
      const nullable = database
        .prepare<[string], string>('select name from pragma_table_xinfo(?) where "notnull" = 0 and pk = 0')
        .pluck()
        .all(table)
      const optional = Object.entries(columns[table]).flatMap(([column, change]: [string, Change | null]) =>
        change === null || change.filled !== undefined ? [column] : [],
      )
      expect(optional, table).toEqual(expect.arrayContaining(nullable))
      const without = Object.entries(columns[table]).filter(([, change]) => change === null)
      // How far the index of search goes is no part of a registry.
      const named = without
        .map(([column]) => `${table}.${column}`)
        .filter((name) => name !== 'state.indexedTo')
      expect(unvouched.columns.filter((name) => name.startsWith(`${table}.`)).toSorted()).toEqual(
        named.toSorted(),
      )
    }
    const tables = copiedTables.map(({ name }) => name)
    expect([...vouchedTables, 'observations', ...unvouched.tables].toSorted()).toEqual(tables.toSorted())
    database.close()
  })

  test.each(cases)('$what $column of $table is found', async ({ table, column, value, where }) => {
    // The oldest and the newest row, since what is in force is often only the newest.
    for (const order of ['asc', 'desc']) {
      let before: unknown
      const problems = await problemsAfter((database) => {
        const key = keyOf(table)
        const ordered =
          key === 'rowid' ? `rowid ${order}` : key.slice(1, -1).replaceAll(/\w+/gu, `$& ${order}`)
        const which = `select ${key.replaceAll(/[()]/gu, '')} from ${table} where ${where} order by ${ordered} limit 1`
        before = database.prepare(which).get()
        const sql = `update ${table} set "${column}" = ${value} where ${key} = (${which})`
        expect(database.prepare(sql).run().changes, sql).toBe(1)
      })
      expect(problems, `${order} ${JSON.stringify(before)}`).not.toEqual([])
    }
  })

  const tablesOfRows = vouchedTables.filter((table) => table !== 'state')

  test.each(tablesOfRows)('a deleted row of %s is found', async (table) => {
    for (const order of ['asc', 'desc']) {
      const problems = await problemsAfter((database) => {
        const key = keyOf(table)
        const ordered =
          key === 'rowid' ? `rowid ${order}` : key.slice(1, -1).replaceAll(/\w+/gu, `$& ${order}`)
        const which = `select ${key.replaceAll(/[()]/gu, '')} from ${table} order by ${ordered} limit 1`
        expect(database.prepare(`delete from ${table} where ${key} = (${which})`).run().changes).toBe(1)
      })
      expect(problems, order).not.toEqual([])
    }
  })

  test.each(vouchedTables.filter((table) => table !== 'state'))(
    'an added row of %s is found',
    async (table) => {
      const added: Readonly<Record<string, string>> = {
        users: "'nobody'",
        tiles: 'level',
      }
      const unique: Readonly<Record<string, string>> = {
        sources: "name || ' 2'",
        users: 'null',
        records: 'null',
        tiles: 'place + 100',
      }
      const replaced: Readonly<Record<string, string>> = {
        sources: 'name',
        users: 'email',
        records: 'ref',
        tiles: 'place',
      }
      const problems = await problemsAfter((database) => {
        const [first, ...names] = Object.keys(columns[table])
        const values = names.map((name) => (name === replaced[table] ? unique[table] : `"${name}"`))
        const all = [first, ...names].map((name) => `"${name}"`).join(', ')
        const order = keyOf(table) === 'rowid' ? 'order by rowid desc' : ''
        database.exec(
          `insert into ${table} (${all}) select ${added[table] ?? 'id + 1'}, ${values.join(', ')} from ${table} ${order} limit 1`,
        )
      })
      expect(problems).not.toEqual([])
    },
  )
})

/** Computes leaves and tree again after entries were changed, as a forger does who has the code. */
function reseal(database: Database.Database): void {
  const entries = database.prepare<[], Schema['entries']>('select * from entries order by id').all()
  const setLeaf = database.prepare('update entries set leaf = ? where id = ?')
  const setTile = database.prepare('update tiles set root = ? where level = ? and place = ?')
  const frontier = new Frontier()
  for (const row of entries) {
    const entry = storedEntryOf(row)
    const leaf = leafHash(leafData(entry, digestOf(entry)))
    setLeaf.run(Buffer.from(leaf, 'hex'), entry.id)
    frontier.append(leaf, ({ level, index, root }) => setTile.run(Buffer.from(root, 'hex'), level, index))
  }
  database.prepare('update state set peaks = ?').run(Buffer.from(frontier.peaks, 'hex'))
}

/** Takes fields out of the entry that created the first waypoint, as a redaction does, but without its entry. */
function hollow(database: Database.Database, names: readonly string[], change: (hole: Hole) => Hole): void {
  const created = "subject = 'waypoint' and subjectId = 1 and action = 'created'"
  const row = database.prepare<[], Schema['entries']>(`select * from entries where ${created}`).get()
  if (row === undefined) throw new Error('the history has no waypoint 1')
  const { fields, hole } = redact(storedEntryOf(row), new Set(names))
  const { salts, commitments } = change(hole)
  database
    .prepare('update entries set seed = null, fields = ?, salts = ?, commitments = ? where id = ?')
    .run(canonicalJson(fields), canonicalJson(salts), canonicalJson(commitments), row.id)
}

const unchanged = (hole: Hole): Hole => hole
const madeUp = ({ salts }: Hole): Hole => ({ salts, commitments: { description: 'a'.repeat(64) } })
const anotherEntry = `insert into entries (id, at, by, subject, subjectId, action, fields, seed, leaf)
  select max(id) + 1, max(at), 'api', 'entry', (select id from entries where subject = 'waypoint'
    and subjectId = 1 and action = 'created'), 'redacted', '{"names":["description"],"reason":"Article 17"}',
    zeroblob(16), zeroblob(32) from entries`

describe('forgeries', () => {
  test('a field that is missing without a redaction is found, even when its commitment is right', async () => {
    const problems = await problemsAfter((database) => hollow(database, ['description'], unchanged))
    expect(problems.join('\n')).toMatch(/has no description, and no later entry redacts it/u)
  })

  test('made-up commitments are found, with and without an entry that redacts', async () => {
    for (const sql of ['', anotherEntry]) {
      const problems = await problemsAfter((database) => {
        hollow(database, ['description'], madeUp)
        database.exec(sql)
      })
      expect(problems.join('\n')).toMatch(/its content does not match its leaf/u)
    }
  })

  test('a redaction that is written past the library is found', async () => {
    const problems = await problemsAfter((database) => {
      hollow(database, ['description'], unchanged)
      database.exec(anotherEntry)
    })
    expect(problems.join('\n')).toMatch(/the log ends at entry \d+ with the root/u)
  })

  test('coordinates that are changed under a redaction are found', async () => {
    const problems = await problemsAfter((database) => {
      const entry = "commitments is not null and json_extract(fields, '$.approved') is null"
      const { changes } = database
        .prepare(`update entries set fields = json_set(fields, '$.latitude', 1) where ${entry}`)
        .run()
      expect(changes).toBe(1)
      database.exec('update waypoints set latitude = 1 where redactedFields is not null')
    })
    expect(problems.join('\n')).toMatch(/entry \d+: /u)
  })

  test('XP that is changed together with the award is found', async () => {
    const problems = await problemsAfter((database) => {
      const { changes } = database
        .prepare(`update entries set awards = '[["u1","grant",1005]]' where awards = '[["u1","grant",5]]'`)
        .run()
      expect(changes).toBe(1)
      database.exec("update users set xp = xp + 1000 where id = 'u1'")
    })
    expect(problems).toMatchObject([expect.stringMatching(/its content does not match its leaf/u)])
  })

  test('a changed reason of a redaction is found', async () => {
    const problems = await problemsAfter((database) => {
      const { changes } = database
        .prepare("update entries set fields = json_set(fields, '$.reason', 'Vanity') where subject = 'entry'")
        .run()
      expect(changes).toBe(1)
    })
    expect(problems).toMatchObject([expect.stringMatching(/its content does not match its leaf/u)])
  })

  test('whoever computes the whole tree again is found by everybody who knows an older head', async () => {
    const file = path.join(folder, 'forged.db')
    await copyFile(original, file)
    const before = await openRegistry({ database: file })
    const known = await before.changes.head()
    await placed(before)
    await before.close()
    const treeOf = ({ id, hash }: Head) => ({ size: id, root: hash })
    const forge = async (change: string) => {
      unprotected(file, (database) => {
        database.exec(change)
        reseal(database)
      })
      const { problems } = await verified(file)
      const registry = await openRegistry({ database: file })
      const { head, proof } = await registry.changes.consistency(known.id)
      await registry.close()
      return { problems, isContinued: isConsistent(treeOf(known), treeOf(head), proof) }
    }
    expect(await forge('select 1')).toEqual({ problems: [], isContinued: true })
    const renamed = `update waypoints set description = 'Forged' where id = 1;
      update entries set fields = json_set(fields, '$.description', 'Forged')
      where subject = 'waypoint' and subjectId = 1 and action = 'created'`
    expect(await forge(renamed)).toEqual({ problems: [], isContinued: false })
  })
})
