import { openRegistry, token, user } from '@openfountain/core'
import { expect, test } from 'vitest'
import { afterwards } from '@openfountain/testing/afterwards'
import { sharedDatabase } from '@openfountain/testing/database'
import { Daily } from '../src/daily.ts'

const neverFails = (error: unknown): void => {
  throw error
}

test('what observations earned is granted once a day has begun, and once, by several servers too', async () => {
  let now = Date.parse('2026-05-01T12:00:00.000Z')
  const database = await sharedDatabase()
  const open = async () => {
    const opened = await openRegistry({ database, clock: () => new Date(now) })
    afterwards(() => opened.close())
    return opened
  }
  const [registry, other] = [await open(), await open()]
  await registry.users.create({ id: 'ada', name: 'Ada', xp: 100 })
  const { id } = await registry.waypoints.create({ name: 'Well', latitude: 55.7, longitude: 13 }, token())
  await registry.observations.create({ bubblerId: id, kind: 'dry' }, user('ada'))
  const xp = async () => (await registry.users.get('ada')).xp
  const daily = new Daily(registry, neverFails)
  await daily.check()
  expect(await xp()).toBe(100)
  now += 86_400_000
  await Promise.all([daily.check(), new Daily(other, neverFails).check()])
  expect(await xp()).toBe(102)
  const { id: last } = await registry.changes.head()
  await daily.check()
  now += 86_400_000
  await daily.check()
  expect((await registry.changes.head()).id).toBe(last)
})

test('it begins at once, reports a failure once, does what failed when it can be, and ends after that', async () => {
  let isBroken = true
  const [failures, done]: [unknown[], string[]] = [[], []]
  const observations = {
    today: async () => (isBroken ? Promise.reject(new Error('no connection')) : '2026-05-01'),
    grantXp: async () => void done.push('granted'),
    age: async () => void done.push('aged'),
  }
  const daily = new Daily({ observations }, (error) => failures.push(error))
  await daily.check()
  await daily.check()
  expect(failures).toEqual([new Error('no connection')])
  isBroken = false
  daily.start()
  await daily.stop()
  expect(done).toEqual(['granted', 'aged'])
})
