import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import {
  copyRegistry,
  type HostStatements,
  type LoggedEntry,
  type Registry,
  token,
  user,
} from '@openfountain/core'
import type { HostValue } from '@openfountain/core/internal'
import { isOnPostgres } from '@openfountain/testing/database'
import { emptyRegistry, square, temporaryFolder } from '@openfountain/testing/registry'

const refusal = async (made: Promise<unknown>): Promise<unknown> => made.catch((error: unknown) => error)

type Query = (text: string, values?: readonly HostValue[]) => readonly unknown[] | Promise<readonly unknown[]>

const both = (work: (query: Query, entries: readonly LoggedEntry[]) => unknown): HostStatements<unknown> => ({
  sqlite: (tables, entries) => work((text, values) => tables.query(text, values), entries),
  postgres: async (tables, entries) =>
    work((text, values) => {
      let count = 0
      return tables.query(
        text.replaceAll('?', () => `$${++count}`),
        values,
      )
    }, entries),
})

const kept = both((query, entries) =>
  query('insert into host_keys (waypoint, label) values (?, ?)', [
    Number(entries[0]?.subjectId ?? 0),
    entries[0]?.action ?? 'nothing',
  ]),
)

async function withKeys(options: Parameters<typeof emptyRegistry>[0] = {}): Promise<Registry> {
  const registry = await emptyRegistry(options)
  const id = isOnPostgres() ? 'serial' : 'integer'
  await registry.tables.transaction(
    both((query) => {
      // A returned database keeps tables of the host.
      void query('drop table if exists host_keys')
      void query(
        `create table host_keys (id ${id} primary key, waypoint integer references waypoints (id), label text unique)`,
      )
    }),
  )
  return registry
}

const keysIn = (registry: Registry): Promise<unknown> =>
  registry.tables.transaction(both((query) => query('select waypoint, label from host_keys order by id')))

const beside = (registry: Registry, statements: HostStatements<unknown>) =>
  registry.tables.alongside(statements, () => registry.waypoints.create(square, token()))

const failing = (error: Error) =>
  both((query) => {
    void query('select 1')
    throw error
  })

describe('statements of the host beside a write', () => {
  test('are there with it, and know the entries that it made', async () => {
    const registry = await withKeys()
    const made = await beside(registry, kept)
    expect(made).toMatchObject({ id: 1, name: 'Market square' })
    expect(await keysIn(registry)).toEqual([{ waypoint: 1, label: 'created' }])
    await registry.tables.alongside(kept, () => registry.waypoints.update(1, { name: 'Old square' }, token()))
    expect(await keysIn(registry)).toHaveLength(2)
    const entries: LoggedEntry[] = []
    await registry.tables.alongside(
      both((_query, given) => void entries.push(...given)),
      () => registry.waypoints.delete(1, token()),
    )
    expect(entries).toEqual(await registry.changes.entries(2))
    expect((await registry.changes.verify()).problems).toEqual([])
  })

  test('that throw leave nothing of the write, and what they throw is what the caller gets', async () => {
    const registry = await withKeys()
    const before = await registry.head()
    const error = new Error('the key is lost')
    const well = (n: number) =>
      registry.waypoints.create({ ...square, name: `Well ${n}`, latitude: n }, token())
    const others = [1, 2, 3].map(well)
    const undone = refusal(beside(registry, failing(error)))
    const after = well(4)
    expect(await undone).toBe(error)
    const made = (await Promise.all([...others, after])).map(({ id, name }) => [id, name])
    expect(made).toEqual([1, 2, 3, 4].map((n) => [n, `Well ${n}`]))
    expect(await registry.waypoints.list()).toHaveLength(4)
    expect((await registry.head()).id).toBe(before.id + 4)
    expect(await keysIn(registry)).toEqual([])
    expect((await registry.changes.verify()).problems).toEqual([])
  })

  test('of which one fails leave nothing, though its error was caught; nor do those that refer to no fountain', async () => {
    const registry = await withKeys()
    await beside(registry, kept)
    const caught: HostStatements<unknown> = {
      sqlite(tables) {
        try {
          tables.query(`insert into host_keys (label) values ('created')`)
        } catch {
          tables.query(`insert into host_keys (label) values ('other')`)
        }
      },
      async postgres(tables) {
        await tables.query(`insert into host_keys (label) values ('created')`).catch(() => undefined)
      },
    }
    const taken = isOnPostgres() ? '23505' : 'SQLITE_CONSTRAINT_UNIQUE'
    expect(await refusal(beside(registry, caught))).toMatchObject({ code: taken })
    const wrong = both((query) => query('insert into host_keys (waypoint) values (?)', [99]))
    const noFountain = isOnPostgres() ? '23503' : 'SQLITE_CONSTRAINT_FOREIGNKEY'
    expect(await refusal(beside(registry, wrong))).toMatchObject({ code: noFountain })
    expect(await registry.waypoints.list()).toHaveLength(1)
    expect(await keysIn(registry)).toHaveLength(1)
  })

  test('run beside a write that changes nothing, and not beside one that is refused', async () => {
    const registry = await withKeys()
    const signIn = () => registry.users.ensure({ externalId: 'host-7', name: 'Ada' })
    const signedIn = (label: string) =>
      both((query, { length }) => query('insert into host_keys (label) values (?)', [`${label} ${length}`]))
    await registry.tables.alongside(signedIn('first'), signIn)
    const { id } = await registry.tables.alongside(signedIn('second'), signIn)
    const refused = registry.tables.alongside(kept, () => registry.waypoints.create(square, user(id)))
    expect(await refusal(refused)).toMatchObject({ code: 'INSUFFICIENT_XP' })
    expect(await keysIn(registry)).toEqual([
      { waypoint: null, label: 'first 1' },
      { waypoint: null, label: 'second 0' },
    ])
  })

  test('run once for a request that is repeated', async () => {
    const registry = await withKeys()
    const adding = () =>
      registry.requests.once(
        { actor: token(), key: 'k1', request: square },
        () => registry.waypoints.create(square, token()),
        { again: ({ subject }) => registry.waypoints.get(Number(subject)) },
      )
    const all = Array.from({ length: 5 }, () => refusal(registry.tables.alongside(kept, adding)))
    expect((await Promise.all(all)).some((each) => !(each instanceof Error))).toBe(true)
    expect(await keysIn(registry)).toEqual([{ waypoint: 1, label: 'created' }])
    expect(await registry.waypoints.list()).toHaveLength(1)
  })

  test.for([
    'commit',
    ' rollback',
    '/* end */ end',
    '-- now\nsavepoint one',
    'vacuum',
    'analyze',
    '; commit',
    '-- now\r commit',
    '/* a /* comment */ in */ commit',
    '/** now **/ commit',
  ])('cannot end the transaction: %s', async (text) => {
    const registry = await withKeys()
    const ending = both((query) => query(text))
    expect(await refusal(beside(registry, ending))).toMatchObject({ code: 'INVALID_INPUT' })
    expect(await registry.waypoints.list()).toEqual([])
  })

  test('are judged in a time that grows with their length alone', async () => {
    const registry = await withKeys()
    const text = `${' /* a */ /**/'.repeat(50_000)} commit`
    const error = await refusal(registry.tables.transaction(both((query) => query(text))))
    expect(error).toMatchObject({ message: expect.stringContaining('commit cannot be') })
  })

  test.for([
    `update waypoints set name = 'Bad well'`,
    `with cause as (select 1) update users set name = 'Eve' where id = 'api' returning id`,
    `insert into host_keys (label) values ('a') on conflict do nothing`,
    ...(isOnPostgres()
      ? [
          `do $$ begin update waypoints set name = 'Bad well'; end $$`,
          'alter table waypoints drop column region',
          'alter table waypoints disable trigger user',
          'drop table secrets cascade',
        ]
      : [
          'delete from waypoints where id = 99',
          'delete from searchWords',
          'delete from secrets',
          'delete from sqlite_sequence',
        ]),
  ])('change no table of the registry’s: %s', async (text) => {
    const registry = await withKeys()
    await registry.waypoints.create(square, token())
    const isAllowed = text.startsWith('insert into host_keys')
    const changing = both((query) => query(text))
    const write = () => registry.waypoints.update(1, { description: 'By the pump' }, token())
    const alone = await refusal(registry.tables.transaction(changing))
    const together = await refusal(registry.tables.alongside(changing, write))
    const refused = { code: 'INVALID_INPUT', message: expect.stringMatching(/is the registry's/) }
    for (const error of isAllowed ? [] : [alone, together]) expect(error).toMatchObject(refused)
    expect((await registry.head()).id).toBe(isAllowed ? 2 : 1)
    expect((await registry.changes.verify()).problems).toEqual([])
  })

  test('are beside one write: of two that begin together neither is made, a later one is refused', async () => {
    const registry = await withKeys()
    const create = (name: string) => registry.waypoints.create({ ...square, name }, token())
    const together = await refusal(
      registry.tables.alongside(kept, () => Promise.all([create('Well 1'), create('Well 2')])),
    )
    expect(together).toMatchObject({ message: expect.stringContaining('a second time') })
    expect([await registry.waypoints.list(), await keysIn(registry)]).toEqual([[], []])
    const after = await refusal(
      registry.tables.alongside(kept, async () => [await create('Well 1'), await create('Well 2')]),
    )
    expect(after).toMatchObject({ code: 'INVALID_INPUT' })
    expect(await registry.waypoints.list()).toHaveLength(1)
    expect(await keysIn(registry)).toHaveLength(1)
  })

  test('cannot write to the registry, for whom they would wait', async () => {
    const registry = await withKeys()
    const refused = vi.fn<(error: unknown) => void>()
    const inner = () => registry.waypoints.create({ ...square, latitude: 1 }, token())
    await registry.tables.alongside(
      {
        sqlite: () => void inner().catch(refused),
        postgres: () => inner().then(() => undefined, refused),
      },
      () => registry.waypoints.create(square, token()),
    )
    expect(refused.mock.calls[0]?.[0]).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('must not call the registry'),
    })
    expect(await registry.waypoints.list()).toHaveLength(1)
    await inner()
  })

  test('are refused where nothing is written, or in more than one transaction', async () => {
    const registry = await withKeys()
    const nothing = await refusal(registry.tables.alongside(kept, () => registry.waypoints.list()))
    expect(nothing).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining('nothing was') })
    const { id } = await registry.tokens.create({ name: 'Bot' })
    const many = await refusal(registry.tables.alongside(kept, () => registry.tokens.delete(id)))
    expect(many).toMatchObject({ message: expect.stringContaining('more than one transaction') })
    expect(await keysIn(registry)).toEqual([])
  })

  test('are those of the engine that the registry is on', async () => {
    const registry = await withKeys()
    const none = isOnPostgres() ? { sqlite: () => 1 } : { postgres: () => 1 }
    const [name, engine] = isOnPostgres() ? ['PostgreSQL', 'postgres'] : ['SQLite', 'sqlite']
    const message = `statements: the registry is on ${name}: give statements as ${engine}`
    await expect(registry.tables.transaction<number>(none)).rejects.toThrow(message)
    const unknown = { ...kept, mysql: () => undefined }
    await expect(registry.tables.transaction(unknown)).rejects.toThrow(
      'statements.mysql is unknown: there are sqlite, postgres',
    )
  })
})

test('statements of the host alone are one transaction, and their result is returned', async () => {
  const registry = await withKeys()
  const before = await registry.version()
  const add: HostStatements<number> = {
    sqlite(tables) {
      tables.query('insert into host_keys (label) values (?)', ['a'])
      return tables.query('select 1 from host_keys').length
    },
    async postgres(tables) {
      await tables.query('insert into host_keys (label) values ($1)', ['a'])
      return (await tables.query('select 1 from host_keys')).length
    },
  }
  expect(await registry.tables.transaction(add)).toBe(1)
  await refusal(registry.tables.transaction(failing(new Error('no'))))
  expect(await keysIn(registry)).toHaveLength(1)
  expect(await registry.version()).toEqual(before)
})

test('statements of the host alone cannot be given after their transaction', async () => {
  const registry = await withKeys()
  let late: Query = () => []
  await registry.tables.transaction({
    sqlite: (tables) => void (late = (text) => tables.query(text)),
    postgres: (tables) => void (late = (text) => tables.query(text)),
  })
  await expect((async () => late('select 1'))()).rejects.toThrow('is over')
})

test('tables of the host stay as they are when texts are erased', async () => {
  const registry = await withKeys()
  await beside(registry, kept)
  await registry.waypoints.update(1, { description: 'Behind the house of Ada' }, token())
  await registry.changes.redact(2, { reason: 'A name' })
  expect(await keysIn(registry)).toEqual([{ waypoint: 1, label: 'created' }])
  expect((await registry.changes.verify()).problems).toEqual([])
})

describe.runIf(!isOnPostgres())('on SQLite', () => {
  test('a copy has none of the tables of the host, and names them', async () => {
    const folder = await temporaryFolder()
    const [from, to] = [path.join(folder, 'registry.db'), path.join(folder, 'copy.db')]
    const registry = await withKeys({ database: from })
    await beside(registry, kept)
    await registry.close()
    expect(await copyRegistry({ from, to })).toMatchObject({ left: ['host_keys'] })
    const copied = await emptyRegistry({ database: to })
    expect(await refusal(keysIn(copied))).toMatchObject({ message: 'no such table: host_keys' })
    expect(await copied.waypoints.list()).toHaveLength(1)
  })

  test('what waits for something is refused, and undone', async () => {
    const registry = await withKeys()
    const asynchronous = await refusal(beside(registry, { sqlite: async () => {} }))
    const promising = await refusal(beside(registry, { sqlite: () => Promise.reject(new Error('late')) }))
    const refused = { code: 'INVALID_INPUT', message: expect.stringContaining('must not be async') }
    for (const error of [asynchronous, promising]) expect(error).toMatchObject(refused)
    expect(await registry.waypoints.list()).toEqual([])
  })

  test.for([
    ['a table with another name', 'create table orders (id integer primary key)'],
    ['an index with another name', 'create index keys on host_keys (label)'],
    ['an index of the registry’s', 'create index host_names on waypoints (name)'],
    ['a column of the registry’s', 'alter table users add column host_age integer'],
    ['a table of the registry’s', 'drop table searchWords'],
    ['a trigger', 'create trigger host_on after insert on host_keys begin select 1; end'],
    ['a view', 'create view host_view as select * from host_keys'],
    ['a virtual table', 'create virtual table host_words using fts5(word)'],
    ['a reference to a secret', 'create table host_pins (id text references secrets (id))'],
    ['a reference to a name', 'create table host_pins (name text references waypoints (name))'],
  ])('%s is refused', async ([, text = '']) => {
    const registry = await withKeys()
    const error = await refusal(registry.tables.transaction({ sqlite: (tables) => tables.query(text) }))
    expect(error).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining('host_') })
    await registry.waypoints.create(square, token())
    expect((await registry.changes.verify()).problems).toEqual([])
  })

  test('tables may be made, changed and dropped', async () => {
    const registry = await withKeys()
    await registry.tables.transaction({
      sqlite(tables) {
        tables.query(
          'create table host_more (n integer primary key autoincrement, "by" text references users)',
        )
        tables.query('create unique index host_more_by on host_more ("by")')
        tables.query('alter table host_keys add column more integer references host_more (n)')
        tables.query('alter table host_more rename to host_most')
        tables.query('insert into host_most default values')
        tables.query('drop table host_most')
      },
    })
    expect(await keysIn(registry)).toEqual([])
  })
})
