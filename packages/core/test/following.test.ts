import { expect, test } from 'vitest'
import { token, type LoggedEntry } from '@openfountain/core'
import { sharedDatabase } from '@openfountain/testing/database'
import { emptyRegistry, placed, refusal, tickingClock } from '@openfountain/testing/registry'

async function taken(entries: AsyncGenerator<LoggedEntry, void>, count: number): Promise<number[]> {
  const ids: number[] = []
  while (ids.length < count) {
    const { value } = await entries.next()
    if (value === undefined) throw new Error('the log ended')
    ids.push(value.id)
  }
  return ids
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

test('a follower gets entries of all kinds from where it was, and then as they come', async () => {
  const registry = await emptyRegistry()
  await placed(registry)
  await registry.users.create({ name: 'Ada' })
  await placed(registry)
  const entries = registry.follow({ after: 1 })
  expect(await taken(entries, 2)).toEqual([2, 3])
  const coming = taken(entries, 3)
  await registry.users.create({ name: 'Bo', xp: 20 })
  await placed(registry)
  expect(await coming).toEqual([4, 5, 6])
  await entries.return()
})

test('a follower without a position gets what comes from now on', async () => {
  const registry = await emptyRegistry()
  await placed(registry)
  const entries = registry.follow()
  const coming = taken(entries, 1)
  await expect.poll(() => placed(registry).then(() => Promise.race([coming, undefined]))).toBeDefined()
  expect((await coming)[0]).toBeGreaterThan(1)
  await entries.return()
})

test('a follower gets many entries each once and in order, while others are written', async () => {
  const registry = await emptyRegistry()
  const run = await registry.imports.start({ source: { name: 'City', license: 'CC0-1.0' } })
  const rows = (from: number) =>
    range(from, from + 499).map((ref) => ({
      row: ref,
      ref: String(ref),
      input: { name: `n${ref}`, latitude: ref / 100 - 20, longitude: 0 },
    }))
  for (const from of [0, 500, 1000]) await run.apply(rows(from))
  const before = (await registry.head()).id
  expect(before).toBeGreaterThan(1500)
  const coming = taken(registry.follow({ after: 0 }), before + 2)
  await placed(registry)
  await placed(registry)
  expect(await coming).toEqual(range(1, before + 2))
})

test('following ends with the signal and with the registry, without an error', async () => {
  const registry = await emptyRegistry()
  await placed(registry)
  const ending = new AbortController()
  const ended = registry.follow({ signal: ending.signal }).next()
  const closed = registry.follow().next()
  ending.abort()
  expect(await ended).toEqual({ done: true, value: undefined })
  expect(await registry.follow({ after: 0, signal: ending.signal }).next()).toMatchObject({ done: true })
  await registry.close()
  expect(await closed).toEqual({ done: true, value: undefined })
})

test('a position that the log does not have is refused', async () => {
  const registry = await emptyRegistry()
  await placed(registry)
  for (const options of [{ after: 2 }, { after: -1 }, { after: 0.5 }, { everyMilliseconds: 0 }])
    expect((await refusal(registry.follow(options).next())).code).toBe('INVALID_INPUT')
})

test('a listener hears every entry of this process and of others from then on, until it ends', async () => {
  const shared = { database: await sharedDatabase(), clock: tickingClock() }
  const [here, there] = [await emptyRegistry(shared), await emptyRegistry(shared)]
  await placed(here)
  const heard: string[] = []
  const end = here.on('entry', ({ id, action }) => heard.push(`${id} ${action}`))
  await placed(here)
  await here.waypoints.update(2, { name: 'Renamed' }, token())
  await expect.poll(() => heard).toEqual(['2 created', '3 edited'])
  await placed(there)
  await expect.poll(() => heard).toEqual(['2 created', '3 edited', '4 created'])
  end()
  await placed(here)
  const last = await taken(here.follow({ after: 4 }), 1)
  expect(last).toEqual([5])
  expect(heard).toHaveLength(3)
})

test('a listener goes on behind the last entry that it heard, and hears nothing twice', async () => {
  const registry = await emptyRegistry()
  for (let count = 0; count < 3; count++) await placed(registry)
  const heard: number[] = []
  const end = registry.on('entry', ({ id }) => heard.push(id), { after: 1 })
  await expect.poll(() => heard).toEqual([2, 3])
  await placed(registry)
  await expect.poll(() => heard).toEqual([2, 3, 4])
  end()
  expect(() => registry.on('entry', () => undefined, { after: -1 })).toThrow('after')
})
