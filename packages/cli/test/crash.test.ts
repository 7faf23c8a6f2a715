import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openRegistry } from '@openfountain/core'
import { expect, test } from 'vitest'
import { Chance } from '@openfountain/testing/chance'
import { counted, seed } from '@openfountain/testing/effort'
import { ended, folder } from '@openfountain/testing/command/shell'

const writer = fileURLToPath(new URL('writer.ts', import.meta.url))

/** Starts a process that writes until it is killed, and reports each acknowledged write. */
const writing = (database: string, name: string) =>
  spawn(process.execPath, ['--conditions=openfountain-source', writer, database, name])

/** An incomplete line was never reported. */
const reportedIn = (text: string): string[] => text.split('\n').slice(0, -1)

async function databaseOf(names: readonly string[]): Promise<string> {
  const database = path.join(await folder(), 'shared.db')
  await using registry = await openRegistry({ database })
  for (const id of names) await registry.users.create({ id, name: id, xp: 100 })
  return database
}

/** The entries of the log, after a check of the users' XP against its awards. */
async function loggedIn(database: string): Promise<ReadonlySet<string>> {
  await using registry = await openRegistry({ database })
  expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
  const logged = new Set<string>()
  const paid: Record<string, number> = {}
  for await (const { subject, subjectId, action, awards } of registry.changes.since(0)) {
    logged.add(`${action} ${subject} ${subjectId}`)
    for (const [id, , xp] of awards) paid[id] = (paid[id] ?? 0) + xp
  }
  for (const [id, xp] of Object.entries(paid)) expect((await registry.users.get(id)).xp).toBe(xp)
  return logged
}

test('processes that are killed while they write: the registry opens, verifies, and has every write that was answered', async () => {
  const names = ['ada', 'grace']
  const database = await databaseOf(names)
  const chance = new Chance(seed)
  const reported: string[] = []
  const rounds = counted({ quick: 2, all: 10, full: 100 })
  for (let round = 0; round < rounds; round++) {
    const killed = names.map(async (name) => {
      const child = writing(database, name)
      child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), chance.below(40)))
      const { stdout, signal } = await ended(child)
      expect(signal).toBe('SIGKILL')
      return reportedIn(stdout)
    })
    reported.push(...(await Promise.all(killed)).flat())
    const logged = await loggedIn(database)
    expect(reported.filter((line) => !logged.has(line))).toEqual([])
  }
  // At least the first write of each process, which is awaited.
  expect(reported.length).toBeGreaterThanOrEqual(2 * rounds)
})
