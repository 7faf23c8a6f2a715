import { token, type Waypoint } from '@openfountain/core'
import { describe, expect, test } from 'vitest'
import { endSecret, keepNew } from '../../../core/src/decide/account.ts'
import type { Job } from '../../../core/src/decide/deciding.ts'
import { createWaypoint } from '../../../core/src/decide/waypoint.ts'
import { defaultRules } from '../../../core/src/rules.ts'
import { secretId, type SecretOf } from '../../../core/src/secrets.ts'
import type { Store } from '../../../core/src/store/port.ts'
import type { Pieces } from '../../../core/src/store/sql/query.ts'

const rules = defaultRules

async function all<Row>(pieces: Pieces<Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const piece of pieces) rows.push(...piece)
  return rows
}

const adding = (input: unknown): Job<Waypoint> => ({
  decide: (at) => createWaypoint({ rules, actor: token(), at }, input),
})
/** The contract of every engine behind the port. @param open opens an empty store; the suite closes it */
export function engineSuite(name: string, open: () => Promise<Store>): void {
  const using = async (work: (store: Store) => Promise<void>): Promise<void> => {
    const store = await open()
    try {
      await work(store)
    } finally {
      await store.close()
    }
  }

  describe(`${name} behind the port`, () => {
    test('answers writes in their order, and refuses one without touching the others', () =>
      using(async (store) => {
        const inputs = [1, 2, undefined, 3, 4].map((id) => ({
          name: `Well ${id}`,
          latitude: id,
          longitude: 2,
        }))
        const outcomes = await Promise.allSettled(inputs.map((input) => store.write(adding(input))))
        expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, true])
        const kept = await all(store.read.waypoints.chunks({}))
        expect(kept.map(({ id, name }) => [id, name])).toEqual([1, 2, 3, 4].map((id) => [id, `Well ${id}`]))
      }))

    test('writes a batch or none of it, and nothing in a dry run', () =>
      using(async (store) => {
        const failing: Job<Waypoint> = {
          decide: () => {
            throw new Error('unforeseen')
          },
        }
        const good = adding({ name: 'Well', latitude: 1, longitude: 2 })
        await expect(store.writeBatch([good, failing])).rejects.toThrow('unforeseen')
        expect(await store.read.entries.head()).toMatchObject({ id: 0 })
        const [dry] = await store.writeBatch([{ ...good, dryRun: true }])
        expect(dry).toMatchObject({ ok: true, answer: { id: 1 } })
        expect(await store.read.entries.head()).toMatchObject({ id: 0 })
        const outcomes = await store.writeBatch([good, adding({}), good])
        expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true])
        expect(await store.read.state.statistics()).toMatchObject({
          totalWaypoints: 2,
          totalContributions: 2,
        })
      }))

    test('keeps a snapshot unmoved by later writes, and erases without leftovers', () =>
      using(async (store) => {
        await store.write(adding({ name: 'Well', latitude: 1, longitude: 2 }))
        const snapshot = await store.snapshot()
        try {
          await store.write(adding({ name: 'Later', latitude: 1, longitude: 2 }))
          expect(await store.read.state.version()).toMatchObject({ revision: 2 })
        } finally {
          snapshot.close()
        }
        // Rows that a server overwrites by itself are only reported.
        expect((await store.scrub()).filter(({ isPassing }) => isPassing !== true)).toEqual([])
        expect(await all(store.read.waypoints.chunks({}))).toHaveLength(2)
      }))

    test('keeps secrets beside the log until they end, and does not count them as changes', () =>
      using(async (store) => {
        const { secrets, state } = store.read
        const before = await state.version()
        const session = (key: string, expiresAt: string): SecretOf<'session'> => ({
          id: secretId('session', key),
          kind: 'session',
          userId: 'api',
          value: { device: 'Firefox' },
          createdAt: '2026-01-01T00:00:00.000Z',
          expiresAt,
        })
        const keeping = (secret: SecretOf<'session'>) => ({ decide: () => keepNew(secret) })
        await store.write(keeping(session('a', '2999-01-01T00:00:00.000Z')))
        const kept = await secrets.get('session', 'session:a')
        expect(kept).toMatchObject({ userId: 'api', value: { device: 'Firefox' } })
        expect(await secrets.get('token', 'session:a')).toBeUndefined()
        expect(await secrets.byNumber('session', kept?.number ?? 0)).toEqual(kept)
        expect(await secrets.list('session', 'api')).toEqual([kept])
        expect(await secrets.standing('session:a')).toMatchObject({ userId: 'api', number: kept?.number })
        // The next write removes expired secrets.
        await store.write(keeping(session('b', '2000-01-01T00:00:00.000Z')))
        expect(await secrets.list('session')).toEqual([kept])
        const ending = { decide: (at: string) => endSecret('session:a', { isListed: false, at }) }
        expect(await store.write(ending)).toBe(true)
        expect(await store.write(ending)).toBe(false)
        expect(await secrets.list('session')).toEqual([])
        expect(await state.version()).toEqual(before)
      }))
  })
}
