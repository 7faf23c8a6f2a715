/** @module-tag postgres */
import { describe, expect, test } from 'vitest'
import { openRegistry, token, user, type Registry } from '@openfountain/core'
import { emptyDatabase } from '@openfountain/testing/postgres/empty-database'

const clock = (): Date => new Date('2026-06-01T00:00:00.000Z')

/** Several servers on one database, which are closed after the work. */
async function onServers(
  count: number,
  work: (servers: readonly Registry[]) => Promise<void>,
): Promise<void> {
  const database = await emptyDatabase()
  const servers = await Promise.all(Array.from({ length: count }, () => openRegistry({ database, clock })))
  try {
    await work(servers)
  } finally {
    await Promise.all(servers.map((each) => each.close()))
  }
}

const well = (index: number) => ({ name: `Well ${index}`, latitude: index % 80, longitude: 13 })

describe('several servers on one database', () => {
  test('give ids without gaps, count everything once, and make one log that verifies', () =>
    onServers(3, async (servers) => {
      const [first] = servers
      const people = await Promise.all(
        servers.map((each, index) => each.users.create({ name: `Person ${index}`, xp: 1000 })),
      )
      const each = 20
      const made = await Promise.all(
        servers.flatMap((server, index) =>
          Array.from({ length: each }, (_each, at) =>
            server.waypoints.create(well(index * each + at), user(people[index]?.id ?? '')),
          ),
        ),
      )
      const total = servers.length * each
      expect(made.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: total }, (_each, index) => index + 1),
      )
      expect(await first?.statistics()).toMatchObject({ totalWaypoints: total, totalContributions: total })
      for (const { id } of people)
        expect(await first?.users.profile(id)).toMatchObject({ xp: 1000 + each * 50 })
      const entries = await Array.fromAsync(first?.changes.since(0) ?? [])
      expect(entries.map(({ id }) => id)).toEqual(entries.map((_each, index) => index + 1))
      expect(await first?.changes.verify()).toMatchObject({ ok: true })
    }))

  test('count what a source lists anew once another one wrote', () =>
    onServers(2, async ([one, other]) => {
      const run = await one?.imports.start({ source: { name: 'City', license: 'CC0-1.0' } })
      const listed = async (): Promise<(number | undefined)[]> =>
        Promise.all([one, other, one].map(async (each) => (await each?.sources.list())?.[0]?.waypoints))
      for (const row of [1, 2, 3]) {
        await run?.apply([{ row, ref: `well/${row}`, input: well(row) }])
        expect(await listed()).toEqual([row, row, row])
      }
      await other?.waypoints.delete(2, token())
      expect(await listed()).toEqual([2, 2, 2])
    }))

  test('see at once what another one wrote', () =>
    onServers(2, async ([one, other]) => {
      const made = await one?.waypoints.create(well(1), token())
      const id = made?.id ?? 0
      for (let round = 0; round < 20; round++) {
        const [writing, reading] = round % 2 === 0 ? [one, other] : [other, one]
        const before = await reading?.version()
        await writing?.waypoints.update(id, { name: `Name ${round}` }, token())
        expect(await reading?.waypoints.get(id)).toMatchObject({ name: `Name ${round}` })
        expect((await reading?.version())?.revision).toBe((before?.revision ?? 0) + 1)
      }
    }))

  test('make a request under one key once, however many of them it reaches', () =>
    onServers(3, async (servers) => {
      const key = { actor: token(), key: 'f3c0', request: ['create', 1] }
      const answers = await Promise.all(
        [...servers, ...servers].map((server) =>
          server.requests.once(key, () => server.waypoints.create(well(1), token()), {
            again: ({ subject }) => server.waypoints.get(Number(subject)),
          }),
        ),
      )
      expect(answers.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1)
      expect(answers.map(({ result }) => result.id)).toEqual(answers.map(() => 1))
      expect(await servers[0]?.statistics()).toMatchObject({ totalWaypoints: 1 })
    }))

  test('write everything that waits before they close', async () => {
    const database = await emptyDatabase()
    const registry = await openRegistry({ database, clock, durability: 'relaxed' })
    const made = Array.from({ length: 1200 }, (_each, index) =>
      registry.waypoints.create(well(index), token()),
    )
    await registry.close()
    expect((await Promise.all(made)).map(({ id }) => id)).toEqual(made.map((_each, index) => index + 1))
  })

  test('number what people keep without gaps, also after writes that were undone', () =>
    onServers(2, async (servers) => {
      const [first] = servers
      const { id } = (await first?.users.create({ name: 'Ada' })) ?? { id: '' }
      await Promise.allSettled(
        servers.flatMap((server) =>
          [0, 1, 2, 3].map(async (index) =>
            server.sessions.create(index === 2 ? 'nobody' : id, { device: `Phone ${index}` }),
          ),
        ),
      )
      const sessions = await first?.sessions.list(id)
      expect(sessions?.map((each) => each.id).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6])
    }))
})
