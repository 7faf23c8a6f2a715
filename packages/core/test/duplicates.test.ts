import { expect, test } from 'vitest'
import { token, user, type NearDuplicate, type Registry, type WaypointInput } from '@openfountain/core'
import { imported, row, source } from '@openfountain/testing/imported'
import { emptyRegistry, refusal, square } from '@openfountain/testing/registry'

const north = (metres: number) => ({ ...square, latitude: square.latitude + metres / 111_195 })

const adding = (registry: Registry, input: WaypointInput, unlessNear?: number) =>
  registry.waypoints.create(input, token(), { unlessNear })

test('near duplicates are those within thirty metres, by how likely they are the same fountain', async () => {
  const registry = await emptyRegistry()
  await adding(registry, { ...north(5), name: 'Cathedral' })
  await adding(registry, north(20))
  await adding(registry, { ...north(3), name: 'Drinking fountain' })
  await adding(registry, north(31))
  const found = await registry.waypoints.nearDuplicates(square)
  expect(found.map(({ waypoint, metres, score }) => [waypoint.id, metres, score])).toEqual([
    [2, 20, 0.862],
    [3, 3, 0.8],
    [1, 5, 0.246],
  ])
  expect(found[0]?.waypoint).toEqual(await registry.waypoints.get(2))
})

test('near duplicates are compared by their distance alone without a name', async () => {
  const registry = await emptyRegistry()
  await adding(registry, north(6))
  const { name: _name, ...place } = square
  const found = await registry.waypoints.nearDuplicates(place)
  expect(found).toMatchObject([{ metres: 6, score: 0.64 }])
  expect(await registry.waypoints.nearDuplicates({ ...place, name: ' ' })).toEqual(found)
})

test('near duplicates are found across the antimeridian and at a pole, and no deleted one is', async () => {
  const registry = await emptyRegistry()
  const here = { name: 'Date line', latitude: 0, longitude: 179.9999 }
  await adding(registry, { ...here, longitude: -179.9999 })
  await adding(registry, { name: 'Pole', latitude: 90, longitude: 0 })
  await adding(registry, here)
  await registry.waypoints.delete(3, token())
  expect(await registry.waypoints.nearDuplicates(here)).toMatchObject([{ waypoint: { id: 1 }, metres: 22.2 }])
  const pole = { latitude: 90, longitude: 100, name: 'Pole' }
  expect(await registry.waypoints.nearDuplicates(pole)).toMatchObject([
    { waypoint: { id: 2 }, metres: 0, score: 1 },
  ])
})

test('near duplicates are at most the nearest twenty', async () => {
  const registry = await emptyRegistry()
  for (let each = 30; each > 0; each--) await adding(registry, north(each / 2))
  const found = await registry.waypoints.nearDuplicates(square)
  expect(found.map(({ metres }) => metres)).toEqual(Array.from({ length: 20 }, (_, each) => (each + 1) / 2))
})

test('a waypoint that is added unless another is near is refused with the candidates, and not without the condition', async () => {
  const registry = await emptyRegistry()
  await adding(registry, square)
  const refused = await refusal(adding(registry, north(30), 50))
  expect(refused).toMatchObject({ code: 'DUPLICATE' })
  const { candidates } = refused.details as { candidates: NearDuplicate[] }
  expect(candidates).toMatchObject([{ waypoint: { id: 1 }, metres: 30, score: 0.8 }])
  expect((await adding(registry, north(30), 29)).id).toBe(2)
  expect((await adding(registry, north(30))).id).toBe(3)
  expect((await registry.changes.verify()).problems).toEqual([])
})

test('a waypoint that is added unless another is near is compared with what the same transaction added before, so that one of two at once is', async () => {
  const registry = await emptyRegistry()
  const all = await Promise.allSettled(Array.from({ length: 50 }, () => adding(registry, square, 10)))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await registry.waypoints.list()).toHaveLength(1)
  const far = await Promise.allSettled(
    Array.from({ length: 5 }, (_, each) => adding(registry, north(100 * (each + 1)), 10)),
  )
  expect(far.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
})

test('a waypoint that is added unless another is near may be where one was deleted, or moved away from', async () => {
  const registry = await emptyRegistry()
  const { id } = await adding(registry, square, 10)
  await registry.waypoints.update(id, { latitude: 0 }, token())
  const again = await adding(registry, square, 10)
  await registry.waypoints.delete(again.id, token())
  expect((await adding(registry, square, 10)).id).toBe(again.id + 1)
})

test('what one source lists under two references are two, and what people made or another source lists may be one', async () => {
  const registry = await emptyRegistry()
  const twins = (near: number) =>
    ['a', 'b'].map((ref, index) =>
      row(`${ref}${near}`, 'Market', { latitude: near + index / 10_000, longitude: 8 }),
    )
  await imported(registry, [...twins(47), ...twins(48)])
  const queue = async (kind: 'duplicates' | 'unverified') => {
    const { items, total } = await registry.moderation.queue({ kind }, token())
    expect(items).toHaveLength(total)
    return items.map(({ waypoint, other }) => [waypoint?.id, other?.id].filter((id) => id !== undefined))
  }
  expect(await queue('duplicates')).toEqual([])
  expect(await queue('unverified')).toEqual([])
  await registry.users.create({ id: 'ada', name: 'Ada', xp: 1000 })
  await registry.waypoints.create({ name: 'Market', latitude: 47, longitude: 8 }, user('ada'))
  expect(await queue('duplicates')).toEqual([[5, 1]])
  expect(await queue('unverified')).toEqual([[5]])
  const run = await registry.imports.start({ source })
  await run.apply([{ ...row('9', 'Market', { latitude: 47, longitude: 8 }), mergeInto: 5 }])
  await run.finish({ counts: {}, missing: 'keep' })
  expect(await queue('duplicates')).toEqual([])
})
