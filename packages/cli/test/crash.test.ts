import { spawn } from 'node:child_process'
import { watch } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openRegistry, token } from '@openfountain/core'
import { openPhotos, photosBeside } from '@openfountain/photos'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { Chance } from '@openfountain/testing/chance'
import { counted, seed } from '@openfountain/testing/effort'
import { ended, folder, started } from '@openfountain/testing/command/shell'

const writer = fileURLToPath(new URL('writer.ts', import.meta.url))

const writing = (database: string, name: string) =>
  spawn(process.execPath, ['--conditions=openfountain-source', writer, database, name])

const reportedIn = (text: string): string[] => text.split('\n').slice(0, -1)

async function databaseOf(names: readonly string[]): Promise<string> {
  const database = path.join(await folder(), 'shared.db')
  await using registry = await openRegistry({ database })
  for (const id of names) await registry.users.create({ id, name: id, xp: 100 })
  return database
}

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

test('an upload that is killed leaves no photo without its files', async () => {
  const database = await databaseOf([])
  const place = path.dirname(database)
  await using registry = await openRegistry({ database })
  await registry.waypoints.create({ name: 'Square', latitude: 55, longitude: 13 }, token())
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const chance = new Chance(seed)
  for (let round = 0; round < counted({ quick: 2, all: 10, full: 50 }); round++) {
    const picture = path.join(place, `${round}.png`)
    await sharp({ create: { width: 400, height: 300, channels: 3, background: 'red', noise } }).toFile(
      picture,
    )
    const { child, end } = started(['photo', 'add', '1', picture, '--license', 'CC0-1.0', '--db', database])
    const watched = new AbortController()
    const wait = chance.below(20)
    const files = watch(place, { recursive: true, signal: watched.signal })
    const killed = (async () => {
      for await (const { filename } of files)
        if (filename?.endsWith('.webp')) return setTimeout(() => child.kill('SIGKILL'), wait)
      return undefined
    })().catch(() => {})
    await end
    watched.abort()
    await killed
    await using again = await openRegistry({ database, photos: openPhotos(photosBeside(database)) })
    expect(await again.photos.survey()).toMatchObject({ missing: 0 })
    expect(await again.photos.verify()).toMatchObject({ problems: [] })
  }
})
