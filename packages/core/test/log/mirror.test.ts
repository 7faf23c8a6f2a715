import { describe, expect, test } from 'vitest'
import { token, user, type LoggedEntry } from '@openfountain/core'
import { emptyRegistry, placed, refusal } from '@openfountain/testing/registry'

/** A registry with redactions of all kinds. */
async function redacted() {
  const registry = await emptyRegistry()
  await registry.users.create({ name: 'Ada', xp: 100 })
  await placed(registry, { name: 'Jane Doe', description: 'her garden', amenities: ['ask Jane'] })
  await registry.reviews.create({ bubblerId: 1, rating: 5, comment: 'Jane lives here' }, user('u1'))
  await registry.users.block('u1', { reason: 'is Jane' }, token())
  for (const { id } of await registry.changes.entries(2))
    await registry.changes.redact(id, { reason: 'privacy' })
  await registry.waypoints.delete(1, token())
  await registry.changes.redact(3, { reason: 'privacy', fields: ['latitude'] })
  return registry
}

describe('a copy of a registry', () => {
  test.for([1, 3, 500])('equals it, when it follows %d entries at a time', async (size) => {
    const source = await redacted()
    const log = await source.changes.entries(0)
    const copy = await emptyRegistry({ clock: () => new Date('2026-02-01T00:00:00.000Z') })
    for (let from = 0; from < log.length; from += size) await copy.mirror.follow(log.slice(from, from + size))
    expect(await copy.changes.head()).toEqual(await source.changes.head())
    expect(await copy.changes.entries(0)).toEqual(log)
    expect(JSON.stringify(log)).not.toContain('Jane')
    expect((await copy.changes.verify()).problems).toEqual([])
    expect((await source.changes.verify()).problems).toEqual([])
  })

  test('is left as it was by a page with a forged entry at its end', async () => {
    const source = await emptyRegistry()
    await placed(source)
    await placed(source)
    const log = await source.changes.entries(0)
    const copy = await emptyRegistry()
    await copy.mirror.follow(log.slice(0, 1))
    const before = await copy.changes.head()
    const forged = log
      .slice(1)
      .map((entry): LoggedEntry => ({ ...entry, fields: { ...entry.fields, latitude: 999 } }))
    expect(await refusal(copy.mirror.follow(forged))).toEqual({ code: 'CHAIN_BROKEN', details: { id: 2 } })
    expect(await copy.changes.head()).toEqual(before)
    expect(await refusal(copy.mirror.follow([{ ...log[1], extra: 1 }]))).toMatchObject({
      code: 'INVALID_INPUT',
    })
  })
})
