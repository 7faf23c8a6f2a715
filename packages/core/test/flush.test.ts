/** @module-tag process */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openRegistry, token, user, type Registry } from '@openfountain/core'
import { emptyRegistry, refusal, square, temporaryFolder } from '@openfountain/testing/registry'
import { Chance } from '@openfountain/testing/chance'

const clients = 64

const together = <Result>(count: number, write: (index: number) => Promise<Result>) =>
  Promise.allSettled(Array.from({ length: count }, (_each, index) => write(index)))

const named = (registry: Registry, name: string) => registry.waypoints.create({ ...square, name }, token())

async function fileRegistry(): Promise<{ database: string; registry: Registry }> {
  const database = path.join(await temporaryFolder(), 'registry.db')
  return { database, registry: await emptyRegistry({ database }) }
}

describe('writes that wait at the same time', () => {
  test('share one transaction, in the order in which they were asked for', async () => {
    const { registry } = await fileRegistry()
    const before = await registry.revision()
    const asked: string[] = []
    const answered: string[] = []
    await together(clients, async (index) => {
      asked.push(`W${index}`)
      answered.push((await named(registry, `W${index}`)).name)
    })
    expect(await registry.revision()).toBe(before + 1)
    expect(answered).toEqual(asked)
    const entries = await Array.fromAsync(registry.changes.since(0))
    expect(entries.map(({ fields }) => fields['name'])).toEqual(asked)
    expect((await registry.changes.verify()).problems).toEqual([])
  })

  test('see what those before them wrote', async () => {
    const { registry } = await fileRegistry()
    const [created, edited, removed, gone] = await Promise.allSettled([
      named(registry, 'New'),
      registry.waypoints.update(1, { name: 'Renamed' }, token()),
      registry.waypoints.delete(1, token()),
      registry.waypoints.update(1, { name: 'Too late' }, token()),
    ])
    expect(created).toMatchObject({ value: { id: 1, name: 'New' } })
    expect(edited).toMatchObject({ value: { name: 'Renamed' } })
    expect(removed).toMatchObject({ status: 'fulfilled' })
    expect(gone).toMatchObject({ reason: { code: 'NOT_FOUND' } })
    expect((await registry.changes.verify()).problems).toEqual([])
  })

  test('are each answered when another connection sees them', async () => {
    const { database, registry } = await fileRegistry()
    const other = new Database(database, { readonly: true })
    const name = other.prepare<[number], string>('select name from waypoints where id = ?').pluck()
    const seen = await together(600, async (index) => {
      const { id } = await named(registry, `W${index}`)
      return name.get(id)
    })
    other.close()
    expect(seen.map((each) => each.status === 'fulfilled' && each.value)).toEqual(
      Array.from({ length: 600 }, (_each, index) => `W${index}`),
    )
  })

  test('are not touched by others that are refused', async () => {
    const { registry } = await fileRegistry()
    const results = await together(30, (index) =>
      index % 3 === 0
        ? named(registry, `W${index}`)
        : index % 3 === 1
          ? registry.waypoints.create({ ...square, name: '' }, token())
          : registry.waypoints.create(square, user('nobody')),
    )
    expect(results.map(({ status }) => status)).toEqual(
      Array.from({ length: 30 }, (_each, index) => (index % 3 === 0 ? 'fulfilled' : 'rejected')),
    )
    const entries = await Array.fromAsync(registry.changes.since(0))
    expect(entries.map(({ id, subjectId }) => [id, subjectId])).toEqual(
      Array.from({ length: 10 }, (_each, index) => [index + 1, index + 1]),
    )
    expect((await registry.changes.verify()).problems).toEqual([])
  })

  test('are not touched by others that throw what nobody foresaw', async () => {
    const { registry } = await fileRegistry()
    const broken = {
      ...square,
      get name(): string {
        throw new TypeError('not even a name')
      },
    }
    const results = await together(20, (index) =>
      index % 7 === 3 ? registry.waypoints.create(broken, token()) : named(registry, `W${index}`),
    )
    for (const [index, result] of results.entries())
      expect(result).toMatchObject(
        index % 7 === 3 ? { reason: new TypeError('not even a name') } : { value: { name: `W${index}` } },
      )
    const names = (await Array.fromAsync(registry.changes.since(0))).map(({ fields }) => fields['name'])
    expect(names).toEqual(
      [...names].toSorted((one, other) => Number(String(one).slice(1)) - Number(String(other).slice(1))),
    )
    expect(names).toHaveLength(17)
    expect((await registry.changes.verify()).problems).toEqual([])
  })

  test('come before a batch that is asked for after them', async () => {
    const { registry } = await fileRegistry()
    const run = await registry.imports.start({ source: { name: 'List', license: 'CC0-1.0' } })
    await run.apply([])
    const first = named(registry, 'First')
    const second = run.apply([{ row: 1, ref: 'a', input: { ...square, name: 'Second' } }])
    expect([(await first).id, (await second)[0]?.waypointId]).toEqual([1, 2])
  })

  test('are written before the registry closes', async () => {
    const { database, registry } = await fileRegistry()
    const last = named(registry, 'Last')
    await registry.close()
    expect(await last).toMatchObject({ id: 1 })
    const again = await openRegistry({ database })
    expect(await again.waypoints.get(1)).toMatchObject({ name: 'Last' })
    await again.close()
  })

  test('fail together when the database cannot be written', async () => {
    const { database } = await fileRegistry()
    const registry = await openRegistry({ database, readOnly: true })
    for (const failure of await Promise.all([1, 2].map(() => refusal(named(registry, 'X')))))
      expect(failure).toMatchObject({ code: 'STORAGE_READ_ONLY' })
    await registry.close()
  })
})

/** Builds what delays the flushes of a process that is started with it. */
async function slowFlush(): Promise<string> {
  const library = path.join(await temporaryFolder(), 'slow-flush.so')
  const source = fileURLToPath(new URL('fixtures/slow-flush.c', import.meta.url))
  const { error, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl'])
  if (!existsSync(library))
    throw new Error(
      `this test needs a C compiler to delay the flushes of a process: install cc, such as with apt install gcc. ${error?.message ?? String(stderr)}`,
    )
  return library
}

/** Lets 64 clients write in another process, and kills it. @returns what was acknowledged: ids with names */
async function killed(database: string, round: number, chance: Chance, library: string, seen: string) {
  const child = spawn(
    process.execPath,
    [
      '--conditions=openfountain-source',
      fileURLToPath(new URL('flush-child.ts', import.meta.url)),
      database,
      String(clients),
      `round ${round} client`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, LD_PRELOAD: library, FLUSH_SEEN: seen } },
  )
  const ended = once(child, 'exit')
  const acknowledged: [id: number, name: string][] = []
  const until = 1 + chance.below(clients * 8)
  const later = chance.below(12)
  for await (const line of createInterface({ input: child.stdout })) {
    const [, id, name] = /^(\d+) (.+ \d+ \d+)$/u.exec(line) ?? []
    if (id === undefined || name === undefined) continue
    acknowledged.push([Number(id), name])
    // The moment is anywhere between two flushes, or in one.
    if (acknowledged.length === until) setTimeout(() => child.kill('SIGKILL'), later)
  }
  await ended
  return acknowledged
}

describe.skipIf(process.platform !== 'linux')('a process that is killed while 64 clients write', () => {
  const rounds = Number(process.env['OPENFOUNTAIN_KILLS'] ?? 20)
  const seed = Number(process.env['OPENFOUNTAIN_HISTORY_SEED'] ?? 5)

  test(`leaves everything that it acknowledged, ${rounds} times with seed ${seed}, on a disk that flushes in 5 ms`, async () => {
    const chance = new Chance(seed)
    const library = await slowFlush()
    const folder = await temporaryFolder()
    const database = path.join(folder, 'killed.db')
    const seen = path.join(folder, 'seen')
    const acknowledged = new Map<number, string>()
    for (let round = 0; round < rounds; round++) {
      for (const [id, name] of await killed(database, round, chance, library, seen))
        acknowledged.set(id, name)
      expect(existsSync(seen)).toBe(true)
      const registry = await openRegistry({ database })
      const stored = new Map<number, string>()
      for await (const { id, name } of registry.waypoints.each()) stored.set(id, name)
      for (const [id, name] of acknowledged) expect(stored.get(id)).toBe(name)
      expect((await registry.changes.verify()).problems).toEqual([])
      await registry.close()
    }
    expect(acknowledged.size).toBeGreaterThan(rounds)
  }, 600_000)
})
