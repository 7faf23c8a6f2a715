/** @module-tag process */
import { openRegistry, token, user, type Registry } from '@openfountain/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newDatabase, type TestDatabase } from '@openfountain/testing/database'
import { Daily } from '../src/daily.ts'

const dayMilliseconds = 86_400_000
let now: number
let database: TestDatabase
let registries: Registry[]

const open = async (): Promise<Registry> => {
  const registry = await openRegistry({ database: database.database, clock: () => new Date(now) })
  registries.push(registry)
  return registry
}

beforeEach(async () => {
  now = Date.parse('2026-05-01T12:00:00.000Z')
  registries = []
  database = await newDatabase()
})
afterEach(async () => {
  await Promise.all(registries.map((registry) => registry.close()))
  await database.remove()
})

/** A fountain that Ada has seen. */
async function observed(registry: Registry): Promise<{ id: number; xp: () => Promise<number> }> {
  await registry.users.create({ id: 'ada', name: 'Ada', xp: 100 })
  const place = { name: 'Old well', latitude: 55.7, longitude: 13.19 }
  const { id } = await registry.waypoints.create(place, token())
  await registry.observations.create({ bubblerId: id, kind: 'dry' }, user('ada'))
  return { id, xp: async () => (await registry.users.get('ada')).xp }
}

const neverFails = (error: unknown): void => {
  throw error
}

test('what observations earned is granted once a day has begun, and once', async () => {
  const registry = await open()
  const { xp } = await observed(registry)
  const daily = new Daily(registry, neverFails)
  await daily.check()
  expect(await xp()).toBe(100)
  now += dayMilliseconds
  await daily.check()
  expect(await xp()).toBe(102)
  const { id: last } = await registry.changes.head()
  await daily.check()
  now += dayMilliseconds
  await daily.check()
  expect((await registry.changes.head()).id).toBe(last)
})

test('states that the date has changed are computed', async () => {
  const registry = await open()
  const { id } = await observed(registry)
  const daily = new Daily(registry, neverFails)
  await daily.check()
  now += 31 * dayMilliseconds
  await daily.check()
  const before = await registry.version()
  // Nothing is left to compute, and so nothing is written.
  await registry.observations.age()
  expect(await registry.version()).toEqual(before)
  expect(await registry.observations.status(id)).toEqual({ state: 'unconfirmed', supporters: 0 })
})

test('several servers of one database grant it once', async () => {
  const [one, other] = [await open(), await open()]
  const { xp } = await observed(one)
  now += dayMilliseconds
  await Promise.all([one, other].map((registry) => new Daily(registry, neverFails).check()))
  expect(await xp()).toBe(102)
})

test('a failure is reported once, and what failed is done when it can be', async () => {
  const registry = await open()
  const { xp } = await observed(registry)
  now += dayMilliseconds
  let isBroken = true
  const failures: unknown[] = []
  const failing = {
    observations: {
      today: () =>
        isBroken
          ? Promise.reject(new Error('no connection'))
          : Promise.resolve(registry.observations.today()),
      grantXp: () => registry.observations.grantXp(),
      age: () => registry.observations.age(),
    },
  }
  const daily = new Daily(failing, (error) => failures.push(error))
  await daily.check()
  await daily.check()
  expect(failures).toEqual([new Error('no connection')])
  isBroken = false
  await daily.check()
  expect(await xp()).toBe(102)
})

test('it begins at once, and ends after what is running', async () => {
  const registry = await open()
  const { xp } = await observed(registry)
  now += dayMilliseconds
  const daily = new Daily(registry, neverFails)
  daily.start()
  await daily.stop()
  expect(await xp()).toBe(102)
})
