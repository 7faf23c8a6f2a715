import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { defaultRules, openRegistry, restoreDatabase, token } from '@openfountain/core'
import { createWaypoint } from '../src/decide/waypoint.ts'
import { epoch } from '../src/store/schema-version.ts'
import { openSqlite } from '../src/store/sqlite/store.ts'
import { placed, refusal, square, temporaryFolder, tickingClock } from '@openfountain/testing/registry'

async function filled(): Promise<string> {
  const file = path.join(await temporaryFolder(), 'registry.db')
  const registry = await openRegistry({ database: file })
  await placed(registry)
  await registry.close()
  return file
}

function change(file: string, sql: string): void {
  const database = new Database(file)
  database.exec(sql)
  database.close()
}

test('the schema of a release does not change in place: what changes it is a migration more', async () => {
  const database = new Database(await filled(), { readonly: true })
  const objects = database
    .prepare('select sql from sqlite_schema where sql is not null order by name')
    .pluck()
  const digest = createHash('sha256').update(JSON.stringify(objects.all())).digest('hex').slice(0, 16)
  database.close()
  expect({ epoch, digest }).toMatchInlineSnapshot(`
    {
      "digest": "0de13b1a1325cce5",
      "epoch": 614,
    }
  `)
})

describe('a database that cannot be opened says why', () => {
  test('a missing folder, and a missing file that may not be created', async () => {
    const folder = await temporaryFolder()
    const absent = openRegistry({ database: path.join(folder, 'no', 'registry.db') })
    await expect(absent).rejects.toThrow('does not exist')
    expect((await refusal(absent)).code).toBe('STORAGE_MISSING')
    const file = path.join(folder, 'registry.db')
    expect((await refusal(openRegistry({ database: file, create: false }))).code).toBe('STORAGE_MISSING')
    expect((await refusal(openRegistry({ database: file, readOnly: true }))).code).toBe('STORAGE_MISSING')
    expect((await refusal(openRegistry({ database: '' }))).code).toBe('STORAGE_MISSING')
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
    change(file, 'create table notes (text)')
    const opening = openRegistry({ database: file })
    await expect(opening).rejects.toThrow('not an openfountain registry')
    expect((await refusal(opening)).code).toBe('STORAGE_CORRUPT')
    const after = new Database(file)
    expect(after.prepare('select count(*) from sqlite_schema').pluck().get()).toBe(1)
    after.close()
  })

  test('a database of before 1.0 is left as it is, and the message says what to do', async () => {
    const file = path.join(await temporaryFolder(), 'schema-1.db')
    const old = gunzipSync(await readFile(new URL('fixtures/schema-1.db.gz', import.meta.url)))
    await writeFile(file, old)
    for (const readOnly of [false, true]) {
      await expect(openRegistry({ database: file, readOnly })).rejects.toMatchObject({
        code: 'STORAGE_OLDER',
        message: expect.stringContaining('openfountain mirror http://127.0.0.1:3000 --db NEW'),
        details: { found: 2 },
      })
    }
    const refused = restoreDatabase({ database: `${file}.restored`, from: file })
    expect((await refusal(refused)).code).toBe('STORAGE_OLDER')
    expect(await readFile(file)).toEqual(old)
  })

  test('a registry that was opened read-only refuses writes', async () => {
    await using registry = await openRegistry({ database: await filled(), readOnly: true })
    expect((await refusal(placed(registry))).code).toBe('STORAGE_READ_ONLY')
    expect(await registry.waypoints.list()).toHaveLength(1)
  })

  test('a file that another process keeps locked', async () => {
    const file = await filled()
    const store = await openSqlite(file, {
      clock: tickingClock('2100-01-01T00:00:00.000Z'),
      busyTimeout: 50,
    })
    const write = () =>
      store.write({ decide: (at) => createWaypoint({ rules: defaultRules, actor: token(), at }, square) })
    const holder = new Database(file)
    holder.exec('begin immediate')
    expect((await refusal(write())).code).toBe('STORAGE_BUSY')
    expect(await store.read.state.statistics()).toMatchObject({ totalWaypoints: 1 })
    holder.exec('rollback')
    holder.close()
    expect((await write()).id).toBe(2)
    await store.close()
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

test('opening a second time changes nothing in the file', async () => {
  const file = await filled()
  const before = await readFile(file)
  const registry = await openRegistry({ database: file })
  await registry.waypoints.list()
  await registry.close()
  expect(await readFile(file)).toEqual(before)
})

test('a backup made while others write opens and verifies', async () => {
  const file = await filled()
  const registry = await openRegistry({ database: file, durability: 'relaxed' })
  const copy = `${file}.backup`
  const making = registry.backup(copy)
  for (let index = 0; index < 50; index++) await placed(registry, { name: `n${index}` })
  await making
  await registry.close()
  await using restored = await openRegistry({ database: copy })
  expect((await restored.changes.verify()).ok).toBe(true)
  expect((await restored.waypoints.list()).length).toBeGreaterThan(0)
})

test.each(['before', 'meanwhile'])(
  'a backup and a verification that are ended %s reject with the reason, and leave no file',
  async (end) => {
    const file = await filled()
    await using registry = await openRegistry({ database: file })
    const reason = new Error(`ended ${end}`)
    const ending = () => {
      const controller = new AbortController()
      if (end === 'before') controller.abort(reason)
      return { signal: controller.signal, onProgress: () => controller.abort(reason) }
    }
    await expect(registry.changes.verify(ending())).rejects.toBe(reason)
    await expect(registry.backup(`${file}.ended`, ending())).rejects.toBe(reason)
    for (const left of ['ended', 'ended.unfinished'])
      await expect(readFile(`${file}.${left}`)).rejects.toThrow('ENOENT')
    expect(await registry.head()).toEqual(await registry.changes.head())
  },
)

test('a backup never overwrites, and a damaged database makes none', async () => {
  const file = await filled()
  await using registry = await openRegistry({ database: file })
  await copyFile(file, `${file}.there`)
  expect((await refusal(registry.backup(`${file}.there`))).code).toBe('INVALID_INPUT')
  expect((await refusal(registry.backup(file))).code).toBe('INVALID_INPUT')
  change(file, "update waypoints set name = 'forged'")
  expect((await refusal(registry.backup(`${file}.new`))).code).toBe('STORAGE_CORRUPT')
  await expect(readFile(`${file}.new`)).rejects.toThrow('ENOENT')
  await expect(readFile(`${file}.new.unfinished`)).rejects.toThrow('ENOENT')
})

test('writes that wait together are each answered when another connection sees them', async () => {
  const file = await filled()
  await using registry = await openRegistry({ database: file })
  const other = new Database(file, { readonly: true })
  const name = other.prepare<[number], string>('select name from waypoints where id = ?').pluck()
  const seen = Array.from({ length: 600 }, async (_each, index) => {
    const { id } = await placed(registry, { name: `W${index}` })
    return name.get(id)
  })
  expect(await Promise.all(seen)).toEqual(seen.map((_each, index) => `W${index}`))
  other.close()
})
