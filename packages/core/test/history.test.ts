import { openRegistry, type LoggedEntry, type Registry } from '@openfountain/core'
import { counted, repeated, seed } from '@openfountain/testing/effort'
import { RandomHistory } from '@openfountain/testing/histories/random-history'
import { temporaryFolder, tickingClock } from '@openfountain/testing/registry'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { served } from '../src/served.ts'
import { waypointStates } from '../src/status.ts'

const histories = counted({ quick: 2, all: 30, full: 300 })
const steps = 60

async function crashed(file: string, to: string): Promise<string> {
  await copyFile(file, to)
  await copyFile(`${file}-wal`, `${to}-wal`)
  return to
}

type Played = Awaited<ReturnType<typeof played>>

async function played(of: number, count: number) {
  const folder = await temporaryFolder()
  const history = new RandomHistory(of)
  const clock = tickingClock()
  let people = 0
  const open = (database: string) =>
    openRegistry({
      database,
      clock,
      durability: 'relaxed',
      ids: () => `u${++people}`,
      random: (bytes) => history.chance.bytes(bytes),
    })
  let file = path.join(folder, '0.db')
  let registry = await open(file)
  for (let step = 0; step < count; step++) {
    await history.step(registry)
    if (!history.chance.isIn(4)) continue
    const next = await crashed(file, path.join(folder, `${step + 1}.db`))
    await registry.close()
    file = next
    registry = await open(file)
  }
  return { folder, history, registry }
}

async function mirrored({ registry, folder, history }: Played): Promise<Registry> {
  const database = path.join(folder, 'mirror.db')
  const mirror = await openRegistry({ database, clock: () => new Date('2026-06-01T00:00:00.000Z') })
  const entries: LoggedEntry[] = await Array.fromAsync(registry.changes.since(0))
  for (let from = 0; from < entries.length;) {
    const page = entries.slice(from, from + 1 + history.chance.below(200))
    const people = mirror.mirror.newPeople(page)
    const named = await Promise.all(
      people.map(async (id) => ({ id, name: (await registry.users.profile(id)).name })),
    )
    await mirror.mirror.follow(page, named)
    from += page.length
  }
  return mirror
}

const seeds = Array.from({ length: histories }, (_each, index) => seed + index)

/** Invariants of any history; other packages add theirs by playing `RandomHistory`. */
const invariants: Readonly<Record<string, (played: Played) => Promise<void>>> = {
  async 'the log verifies, so that replaying it gives the tables'({ registry }) {
    const { ok, problems } = await registry.changes.verify()
    expect(problems).toEqual([])
    expect(ok).toBe(true)
  },
  async 'XP is the sum of the awards'({ registry }) {
    const awarded = new Map<string, number>()
    for await (const { awards } of registry.changes.since(0))
      for (const [id, , amount] of awards) awarded.set(id, (awarded.get(id) ?? 0) + amount)
    const { users } = await registry.users.list({ limit: 100 })
    expect(users.map(({ id, xp }) => [id, xp])).toEqual(users.map(({ id }) => [id, awarded.get(id) ?? 0]))
  },
  async 'lists have the states that follow from what is known'({ registry }) {
    for (const state of waypointStates) {
      const listed = await registry.waypoints.list({ status: state })
      const states = await Promise.all(listed.map(({ id }) => registry.observations.status(id)))
      expect(states.filter((status) => status.state !== state)).toEqual([])
    }
    const all = await Promise.all(
      waypointStates.map(async (status) => (await registry.waypoints.list({ status })).length),
    )
    expect(all.reduce((sum, n) => sum + n, 0)).toBe((await registry.statistics()).totalWaypoints)
  },
  async 'what is kept beside a fountain gives the status that everything known of it gives'({ registry }) {
    for (const { id } of await registry.waypoints.list()) {
      const { status, day } = await served(registry).dossier(id)
      expect([id, JSON.parse(status)]).toEqual([id, await registry.observations.status(id, day)])
    }
  },
  async 'a mirror has the same head, and what follows from its log'(one) {
    await using mirror = await mirrored(one)
    expect(await mirror.changes.head()).toEqual(await one.registry.changes.head())
    expect((await mirror.changes.verify()).problems).toEqual([])
  },
}

describe('after any history of writes of all kinds, with crashes between', () => {
  test.each(seeds)('of seed %i, the log vouches for everything', repeated, async (each) => {
    const one = await played(each, steps)
    for (const check of Object.values(invariants)) await check(one)
    await one.registry.close()
  })

  test('histories have every kind of write', { tags: ['long'] }, async () => {
    const missing = new Set<string>()
    for (let each = seed; each < seed + 10; each++) {
      const { history, registry } = await played(each, steps * 2)
      if (each === seed) for (const kind of history.kinds) missing.add(kind)
      for (const kind of history.done.keys()) missing.delete(kind)
      await registry.close()
    }
    expect([...missing]).toEqual([])
  })
})
