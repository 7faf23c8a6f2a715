import { expect, test } from 'vitest'
import { defaultRules, openRegistry, token, user, type Registry } from '@openfountain/core'
import path from 'node:path'
import { emptyRegistry, placed, square, temporaryFolder } from '@openfountain/testing/registry'

const xpOf = async (registry: Registry, id: string) => (await registry.users.get(id)).xp

test('specification 2.5: an event that the rules of an older program do not name earns nothing', async () => {
  const { postReview: _, ...older } = defaultRules.xp
  const rules = { ...defaultRules, xp: older as typeof defaultRules.xp }
  await using registry = await openRegistry({ database: ':memory:', rules })
  const ada = await registry.users.create({ name: 'Ada', xp: 20 })
  await registry.waypoints.create(square, token())
  await registry.reviews.create({ bubblerId: 1, rating: 5 }, user(ada.id))
  expect(await xpOf(registry, ada.id)).toBe(20)
  expect(await registry.changes.verify()).toMatchObject({ ok: true })
})

test('specification 2.5: the built-in user never earns and is in no list and no count', async () => {
  const registry = await emptyRegistry()
  await placed(registry, { verified: true })
  await registry.waypoints.update(1, { name: 'x' }, token())
  expect(await xpOf(registry, 'api')).toBe(0)
  expect(await registry.users.leaderboard()).toEqual({ leaderboard: [], total: 0 })
  expect((await registry.users.list()).users).toEqual([])
  expect((await registry.statistics()).totalUsers).toBe(0)
})

test('200 concurrent reviews and creations from two connections are each counted once', async () => {
  const file = path.join(await temporaryFolder(), 'registry.db')
  const first = await openRegistry({ database: file, durability: 'relaxed' })
  const second = await openRegistry({ database: file, durability: 'relaxed' })
  const ada = await first.users.create({ name: 'Ada', xp: 20 })
  await placed(first)
  const writes = Array.from({ length: 200 }, (_, index) => {
    const registry = index % 2 === 0 ? first : second
    return [
      registry.reviews.create({ bubblerId: 1, rating: (index % 5) + 1 }, user(ada.id)),
      ...(index % 10 === 0
        ? [registry.waypoints.create({ ...square, name: `n${index}` }, user(ada.id))]
        : []),
      ...(index % 20 === 0 ? [registry.waypoints.update(1, { verified: index % 40 === 0 }, token())] : []),
    ]
  })
  await Promise.all(writes.flat())
  expect((await first.users.get(ada.id)).xp).toBe(20 + 200 * 5 + 20 * 50)
  expect(await second.statistics()).toEqual(await first.statistics())
  expect(await first.changes.verify()).toMatchObject({ ok: true, problems: [] })
  await Promise.all([first.close(), second.close()])
})
