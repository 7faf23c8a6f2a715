/** @module-tag postgres */
import { expect, test } from 'vitest'
import { openRegistry, token, type Registry } from '@openfountain/core'
import { emptyDatabase } from '@openfountain/testing/postgres/empty-database'

const clock = (): Date => new Date('2026-06-01T00:00:00.000Z')

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

test('several servers on one database see at once what another one wrote, and count what a source lists anew', () =>
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
    for (let round = 0; round < 20; round++) {
      const [writing, reading] = round % 2 === 0 ? [one, other] : [other, one]
      const before = await reading?.version()
      await writing?.waypoints.update(1, { name: `Name ${round}` }, token())
      expect(await reading?.waypoints.get(1)).toMatchObject({ name: `Name ${round}` })
      expect((await reading?.version())?.revision).toBe((before?.revision ?? 0) + 1)
    }
  }))

test('several servers on one database write everything that waits before they close', async () => {
  const database = await emptyDatabase()
  const registry = await openRegistry({ database, clock, durability: 'relaxed' })
  const made = Array.from({ length: 1200 }, (_each, index) => registry.waypoints.create(well(index), token()))
  await registry.close()
  expect((await Promise.all(made)).map(({ id }) => id)).toEqual(made.map((_each, index) => index + 1))
})

test('several servers on one database number what people keep without gaps, also after writes that were undone', () =>
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
