/** @module-tag process */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { openRegistry } from '@openfountain/core'
import { temporaryFolder } from '@openfountain/testing/registry'
import { Chance } from '@openfountain/testing/chance'
import { counted, seed } from '@openfountain/testing/effort'

const clients = 64

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
  const rounds = counted({ quick: 2, all: 20, full: 200 })

  test('leaves everything that it acknowledged, on a disk that flushes in 5 ms', async () => {
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
