import { openRegistry, token, user, type Registry } from '@openfountain/core'
import { beforeEach, expect, test } from 'vitest'
import { afterwards } from '@openfountain/testing/afterwards'
import { sharedDatabase } from '@openfountain/testing/database'
import { Daily } from '../src/daily.ts'

const dayMilliseconds = 86_400_000
let now: number
let registry: Registry
let other: Registry
let fountain: number

/** Two servers of one database, and a fountain that Ada has seen. */
beforeEach(async () => {
  now = Date.parse('2026-05-01T12:00:00.000Z')
  const database = await sharedDatabase()
  const open = async (): Promise<Registry> => {
    const opened = await openRegistry({ database, clock: () => new Date(now) })
    afterwards(() => opened.close())
    return opened
  }
  registry = await open()
  other = await open()
  await registry.users.create({ id: 'ada', name: 'Ada', xp: 100 })
  fountain = (await registry.waypoints.create({ name: 'Old well', latitude: 55.7, longitude: 13 }, token()))
    .id
  await registry.observations.create({ bubblerId: fountain, kind: 'dry' }, user('ada'))
})

const xp = async () => (await registry.users.get('ada')).xp
const neverFails = (error: unknown): void => {
  throw error
}

test('what observations earned is granted once a day has begun, and once, by several servers too', async () => {
  const daily = new Daily(registry, neverFails)
  await daily.check()
  expect(await xp()).toBe(100)
  now += dayMilliseconds
  await Promise.all([daily.check(), new Daily(other, neverFails).check()])
  expect(await xp()).toBe(102)
  const { id: last } = await registry.changes.head()
  await daily.check()
  now += dayMilliseconds
  await daily.check()
  expect((await registry.changes.head()).id).toBe(last)
})

test('a failure is reported once, and what failed is done when it can be', async () => {
  now += dayMilliseconds
  const { observations } = registry
  let isBroken = true
  const failures: unknown[] = []
  const today = async () => (isBroken ? Promise.reject(new Error('no connection')) : observations.today())
  const failing = { today, grantXp: () => observations.grantXp(), age: () => observations.age() }
  const daily = new Daily({ observations: failing }, (error) => failures.push(error))
  await daily.check()
  await daily.check()
  expect(failures).toEqual([new Error('no connection')])
  isBroken = false
  await daily.check()
  expect(await xp()).toBe(102)
})

test('it begins at once, and ends after what is running', async () => {
  now += dayMilliseconds
  const daily = new Daily(registry, neverFails)
  daily.start()
  await daily.stop()
  expect(await xp()).toBe(102)
})
