import { hash } from 'node:crypto'
import path from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openRegistry, token, user, type Registry, type SealedEntry } from '@openfountain/core'
import { canonicalJson, genesis } from '@openfountain/core/internal'
import { emptyRegistry, placed, refusal, square, temporaryFolder, tickingClock } from './fixture.ts'

const sha256 = (text: string) => hash('sha256', text, 'hex')

async function sealed(registry: Registry): Promise<SealedEntry[]> {
  return Array.fromAsync(registry.changes.since(0))
}

/** A registry in a file with a little history, closed; and a way to damage it behind the library's back. */
async function history(): Promise<{ file: string; damage: (sql: string) => void }> {
  const file = path.join(await temporaryFolder(), 'registry.db')
  const registry = await openRegistry({ database: file, clock: tickingClock() })
  const ada = await registry.users.create({ name: 'Ada', xp: 20 })
  await registry.waypoints.create({ ...square, description: 'By the lake' }, user(ada.id))
  await placed(registry, { name: 'Second' })
  await registry.waypoints.update(1, { name: 'Renamed', verified: true }, token())
  await registry.waypoints.delete(2, token())
  await registry.close()
  return {
    file,
    damage(sql) {
      const database = new Database(file)
      const triggers = database
        .prepare("select name from sqlite_schema where type = 'trigger'")
        .pluck()
        .all() as string[]
      for (const trigger of triggers) database.exec(`drop trigger ${trigger}`)
      database.exec(sql)
      database.close()
    },
  }
}

async function problemsOf(file: string): Promise<readonly string[]> {
  const registry = await openRegistry({ database: file })
  const { ok, problems } = await registry.changes.verify()
  await registry.close()
  expect(ok).toBe(problems.length === 0)
  return problems
}

describe('the chain', () => {
  test('anybody can compute each hash from what is published', async () => {
    const registry = await emptyRegistry()
    await placed(registry, { name: 'Ä "quoted"', region: 'Skåne' })
    await registry.waypoints.update(1, { latitude: 1.5, description: null }, token())
    let previous = genesis
    for (const entry of await sealed(registry)) {
      const { id, bubblerId, userId, action, timestamp, changes, salt, digest } = entry
      const sorted = Object.fromEntries(Object.entries(changes).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      expect(digest).toBe(sha256(`${salt}\n${JSON.stringify(sorted)}`))
      expect(entry.previousHash).toBe(previous)
      expect(entry.hash).toBe(
        sha256(`${previous}\n${JSON.stringify([id, bubblerId, userId, action, timestamp, digest])}`),
      )
      previous = entry.hash
    }
    expect(registry.changes.head()).toEqual({ id: 2, hash: previous, timestamp: '2026-01-01T00:00:01.000Z' })
  })

  test('an empty log has a head of zeros and verifies', async () => {
    const registry = await emptyRegistry()
    expect(registry.changes.head()).toEqual({ id: 0, hash: genesis })
    expect(await registry.changes.verify()).toMatchObject({ ok: true, entries: 0, waypoints: 0 })
  })

  test('an untouched history verifies', async () => {
    const { file } = await history()
    expect(await problemsOf(file)).toEqual([])
  })

  test.each<[string, string, string]>([
    [
      'a changed text',
      `update changes set changes = '{"name":"Forged"}' where id = 2`,
      'entry 2: its changes',
    ],
    ['a changed author', `update changes set userId = 'api' where id = 1`, 'entry 1: its hash'],
    [
      'a changed time',
      `update changes set timestamp = '2020-01-01T00:00:00.000Z' where id = 3`,
      'entry 3: its hash',
    ],
    ['a removed entry', 'delete from changes where id = 3', 'entry 3 is missing'],
    ['a removed end', 'delete from changes where id = 5', 'the log ends at entry 4'],
    [
      'a text removed without a redaction',
      "update changes set salt = null, changes = '{}' where id = 1",
      'entry 1 has no text',
    ],
    [
      'a waypoint edited past the log',
      "update waypoints set name = 'Past' where id = 1",
      'waypoint 1 differs from its log in: name',
    ],
    [
      'a resurrected waypoint',
      'update waypoints set deletedAt = null where id = 2',
      'waypoint 2 differs from its log',
    ],
    [
      'a waypoint without a log',
      `insert into waypoints select 9, 'New', 1, 1, null, '[]', null, null, null, 0, 0, 0, 'api', createdAt, updatedAt, null, 'new', cell from waypoints where id = 1`,
      'waypoint 9 is not in the log',
    ],
    [
      'a waypoint that boxes would not find',
      'update waypoints set cell = cell + 1 where id = 1',
      'waypoint 1 is at another place in the index of places',
    ],
    ['XP from nowhere', "update users set xp = 99 where name = 'Ada'", 'has 99 XP, the ledger has 95'],
    ['a wrong counter', 'update state set waypoints = 7', 'the counter waypoints is 7'],
  ])('%s is found', async (_what, sql, problem) => {
    const { file, damage } = await history()
    damage(sql)
    expect((await problemsOf(file)).join('\n')).toContain(problem)
  })
})

describe('specification 2.4: the database itself refuses', () => {
  test.each([
    ["update changes set action = 'edited'", 'changes is append-only'],
    ["update changes set changes = '{}'", 'changes is append-only'],
    ["update changes set salt = null, changes = '{}'", 'changes is append-only'],
    ['delete from changes', 'changes is append-only'],
    ['update xpLedger set amount = 1000', 'xpLedger is append-only'],
    ['delete from xpLedger', 'xpLedger is append-only'],
    ['delete from waypoints', 'tombstones'],
    [
      "insert into redactions values (1, 'x', '[]', 'now'); delete from redactions",
      'redactions is append-only',
    ],
    [
      `insert into redactions values (1, 'x', '[]', 'now'); update changes set salt = null, changes = '{"name":"Forged"}' where id = 1`,
      'changes is append-only',
    ],
  ])('%s', async (sql, message) => {
    const { file } = await history()
    const database = new Database(file)
    expect(() => database.exec(sql)).toThrow(message)
    database.close()
  })
})

describe('specification 2.4 and 4.5: reading the log', () => {
  test('newest first; limit 50 by default; narrowing by waypoint, user and action', async () => {
    const registry = await emptyRegistry()
    const ada = await registry.users.create({ name: 'Ada', xp: 20 })
    await registry.waypoints.create(square, user(ada.id))
    await placed(registry)
    await registry.waypoints.update(1, { name: 'New' }, token())
    const all = await registry.changes.list()
    expect(all.logs.map(({ id }) => id)).toEqual([3, 2, 1])
    expect(all).toMatchObject({ total: 3, limit: 50, offset: 0 })
    expect(all.logs[0]).toEqual({
      id: 3,
      bubblerId: 1,
      userId: 'api',
      action: 'edited',
      changes: { name: 'New' },
      timestamp: '2026-01-01T00:00:03.000Z',
    })
    const of = async (query: Parameters<typeof registry.changes.list>[0]) => {
      const { logs, total } = await registry.changes.list(query)
      return [logs.map(({ id }) => id), total]
    }
    expect(await of({ bubblerId: 1 })).toEqual([[3, 1], 2])
    expect(await of({ userId: ada.id })).toEqual([[1], 1])
    expect(await of({ action: 'created' })).toEqual([[2, 1], 2])
    expect(await of({ action: 'created', bubblerId: 2, userId: 'api' })).toEqual([[2], 1])
    expect(await of({ limit: 1, offset: 1 })).toEqual([[2], 3])
    expect(await of({ order: 'asc', after: 1 })).toEqual([[2, 3], 2])
  })

  test('one entry comes with its user and waypoint, the recent feed with names only', async () => {
    const registry = await emptyRegistry()
    const ada = await registry.users.create({ name: 'Ada', xp: 120 })
    await registry.waypoints.create(square, user(ada.id))
    expect(await registry.changes.get(1)).toMatchObject({
      user: { id: ada.id, name: 'Ada', level: 2 },
      waypoint: { id: 1, ...square },
    })
    const [recent] = await registry.changes.recent()
    expect(recent?.user).toEqual({ name: 'Ada' })
    expect(recent?.waypoint).toEqual({ name: 'Market square' })
    expect((await refusal(registry.changes.get(2))).code).toBe('NOT_FOUND')
  })

  test('the history of a waypoint has no changes, and its text is the same', async () => {
    const registry = await emptyRegistry()
    await placed(registry, { name: 'Line\n"quote"' })
    await registry.waypoints.update(1, { approved: true }, token())
    const entries = await registry.waypoints.history(1)
    expect(entries.map((entry) => Object.keys(entry))).toEqual(
      Array.from({ length: 2 }, () => ['id', 'bubblerId', 'userId', 'action', 'timestamp']),
    )
    expect(JSON.parse(registry.waypoints.historyText(1))).toEqual(entries)
    expect(registry.waypoints.historyText(99)).toBe('[]')
  })

  test.each([{ limit: 0 }, { limit: 101 }, { offset: -1 }, { action: 'burned' }, { bubblerId: 0 }])(
    '%j is refused',
    async (query) => {
      const registry = await emptyRegistry()
      expect((await refusal(registry.changes.list(query as never))).code).toBe('INVALID_INPUT')
    },
  )
})

describe('redaction', () => {
  async function personal(): Promise<{ registry: Registry; file: string }> {
    const file = path.join(await temporaryFolder(), 'registry.db')
    const registry = await openRegistry({ database: file, clock: tickingClock() })
    await placed(registry, { name: 'Zebulon Quackenbush', description: 'lives at Nightingale 7' })
    await placed(registry, { name: 'Other' })
    return { registry, file }
  }

  test('removes the text from the entry and the waypoint, and everything still verifies', async () => {
    const { registry } = await personal()
    const headBefore = (await sealed(registry))[0]?.hash
    const redacted = await registry.changes.redact(1, { reason: 'Article 17' })
    expect(redacted.changes).toEqual({ latitude: square.latitude, longitude: square.longitude })
    expect(redacted.redacted).toMatchObject({ reason: 'Article 17', fields: ['description', 'name'] })
    expect(await registry.waypoints.get(1)).toMatchObject({ name: '(redacted)' })
    expect((await sealed(registry))[0]?.hash).toBe(headBefore)
    expect((await registry.changes.get(3)).changes).toEqual({ name: '(redacted)', description: null })
    expect(await registry.changes.verify()).toMatchObject({ ok: true, redacted: 1 })
    expect(await registry.waypoints.search({ q: 'quackenbush' })).toEqual([])
    await registry.close()
  })

  test.each([
    ['while it waits to be indexed', 0],
    ['when it was indexed, and others behind it', 2],
  ])('leaves no byte of the text in the file, %s', async (_when, batches) => {
    const { registry, file } = await personal()
    const run = registry.imports.start({ source: { name: 'City', license: 'CC0-1.0' } })
    // A batch indexes the backlog, and writes segments of its own.
    for (let row = 1; row <= batches; row++)
      run.apply([{ row, ref: `n${row}`, input: { name: `Brunnen ${row}`, latitude: row, longitude: 1 } }])
    await registry.changes.redact(1, { reason: 'Article 17' })
    await registry.close()
    const database = new Database(file)
    const bytes = database.serialize().toString('latin1').toLowerCase()
    database.close()
    for (const word of ['zebulon', 'quackenbush', 'nightingale']) expect(bytes).not.toContain(word)
  })

  test('keeps what was written since, and other fields when one is given', async () => {
    const { registry } = await personal()
    await registry.waypoints.update(1, { name: 'Fine now' }, token())
    await registry.changes.redact(1, { reason: 'x', fields: ['name'] })
    expect(await registry.waypoints.get(1)).toMatchObject({
      name: 'Fine now',
      description: 'lives at Nightingale 7',
    })
    expect((await registry.changes.verify()).ok).toBe(true)
    await registry.changes.redact(1, { reason: 'y' })
    expect(await registry.waypoints.get(1)).not.toHaveProperty('description')
    expect((await registry.changes.verify()).ok).toBe(true)
    await registry.close()
  })

  test('works on the entry of a deleted waypoint', async () => {
    const { registry } = await personal()
    await registry.waypoints.delete(1, token())
    await registry.changes.redact(1, { reason: 'x' })
    expect((await registry.changes.verify()).ok).toBe(true)
    await registry.close()
  })

  test('needs a reason and something to remove', async () => {
    const { registry } = await personal()
    expect((await refusal(registry.changes.redact(1, { reason: ' ' }))).code).toBe('INVALID_INPUT')
    expect((await refusal(registry.changes.redact(1, { reason: 'x', fields: ['latitude'] }))).code).toBe(
      'INVALID_INPUT',
    )
    expect((await refusal(registry.changes.redact(9, { reason: 'x' }))).code).toBe('NOT_FOUND')
    await registry.changes.redact(1, { reason: 'x' })
    expect((await refusal(registry.changes.redact(1, { reason: 'x' }))).code).toBe('INVALID_INPUT')
    await registry.close()
  })
})

test('canonical JSON has members in code unit order, whatever their names', () => {
  expect(canonicalJson({ b: 1, 10: 'x', 9: [null, { z: 1, a: 'é' }], a: undefined })).toBe(
    '{"10":"x","9":[null,{"a":"é","z":1}],"b":1}',
  )
  expect(canonicalJson(JSON.parse('{"b":[1,"2"],"__proto__":{"y":1,"x":2}}'))).toBe(
    '{"__proto__":{"x":2,"y":1},"b":[1,"2"]}',
  )
  const expected = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(expected).join(',')}]`
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${expected(member)}`).join(',')}}`
  }
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(value)).toBe(expected(value))
    }),
  )
})
