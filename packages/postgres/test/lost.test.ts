/** @module-tag postgres */
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { defaultRules, openRegistry, type Registry, token, type Waypoint } from '@openfountain/core'
import type { PostgresTables } from '@openfountain/core/internal'
import type { Job } from '@openfountain/core/engine'
import { openPostgres } from '@openfountain/postgres'
import { createWaypoint } from '../../core/src/decide/waypoint.ts'
import { tickingClock } from '@openfountain/testing/registry'
import { administer, emptyDatabase } from '@openfountain/testing/postgres/empty-database'
import { Proxy, type Watch } from '@openfountain/testing/postgres/proxy'

let proxy: Proxy
let registry: Registry
let url: string

const well = (index: number) => ({ name: `Well ${index}`, latitude: index, longitude: 13 })
const names = async (): Promise<string[]> =>
  (await registry.waypoints.list({ limit: 100_000 })).map(({ name }) => name)

beforeEach(async () => {
  const { port } = inject('postgres')
  proxy = await Proxy.start(port)
  url = (await emptyDatabase()).replace(`:${port}`, `:${proxy.port}`)
  registry = await openRegistry({ database: url, clock: tickingClock() })
  await registry.waypoints.create(well(1), token())
})

afterEach(async () => {
  await registry.close()
  await proxy.stop()
})

function once(text: string, what: ReturnType<Watch>): Watch {
  let isDone = false
  return (sent) => {
    if (isDone || !sent.includes(text)) return 'pass'
    isDone = true
    return what
  }
}

describe('a connection that is lost', () => {
  test.each<[when: string, lose: () => unknown]>([
    ['before the commit is sent', () => (proxy.watch = once('json_to_recordset', 'cut before'))],
    ['after the commit, but before it was answered', () => (proxy.watch = once('commit', 'cut after'))],
    [
      'because the server ends all sessions',
      () =>
        administer(
          url,
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()`,
        ),
    ],
  ])('%s, a write is made once, on another one, and reads go on', async (_when, lose) => {
    await lose()
    expect(await registry.waypoints.create(well(2), token())).toMatchObject({ id: 2 })
    expect(await names()).toEqual(['Well 1', 'Well 2'])
    expect(await registry.changes.verify()).toMatchObject({ ok: true })
    expect(await registry.revision()).toBe(2)
  })

  test('while statements of the host run beside a write, both are made on another one', async () => {
    await registry.tables.transaction({
      postgres: (tables) => tables.query('create table host_keys (n bigint)'),
    })
    let times = 0
    await registry.tables.alongside(
      {
        async postgres(tables, [created]) {
          times += 1
          await tables.query('insert into host_keys values ($1)', [Number(created?.subjectId)])
          if (times === 1) await tables.query('select pg_terminate_backend(pg_backend_pid())')
        },
      },
      () => registry.waypoints.create(well(2), token()),
    )
    expect(times).toBe(2)
    const kept = { postgres: (tables: PostgresTables) => tables.query('select n from host_keys') }
    expect(await registry.tables.transaction(kept)).toEqual([{ n: 2 }])
    expect(await names()).toEqual(['Well 1', 'Well 2'])
  })

  test('while many write at once, each is written once', async () => {
    let sent = 0
    proxy.watch = (message) => {
      if (!message.includes('commit')) return 'pass'
      sent += 1
      return sent % 3 === 0 ? 'cut after' : sent % 3 === 1 ? 'cut before' : 'pass'
    }
    const made: number[] = []
    const writer = async (): Promise<void> => {
      for (let round = 0; round < 5; round++)
        made.push((await registry.waypoints.create(well(round), token())).id)
    }
    await Promise.all(Array.from({ length: 6 }, writer))
    expect(sent).toBeGreaterThan(5)
    expect(made.toSorted((a, b) => a - b)).toEqual(made.map((_each, index) => index + 2))
    expect(await registry.statistics()).toMatchObject({ totalWaypoints: 31 })
  })

  test('for good, it is not said that nothing was written when it may have been', async () => {
    const store = await openPostgres(`${url}?connect_timeout=0.5`, {
      clock: tickingClock(),
      patience: 200,
      answerTimeout: 500,
    })
    try {
      const adding: Job<Waypoint> = {
        decide: (at) => createWaypoint({ rules: defaultRules, actor: token(), at }, well(2)),
      }
      proxy.watch = (sent) => {
        if (!sent.includes('commit')) return 'pass'
        proxy.isSilent = true
        return 'cut after'
      }
      await expect(store.write(adding)).rejects.toMatchObject({
        code: 'STORAGE_UNAVAILABLE',
        details: { outcome: 'unknown' },
      })
      await expect(store.write(adding)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', details: {} })
    } finally {
      // Closing does not wait for a silent network.
      await store.close()
      proxy.isSilent = false
      proxy.watch = () => 'pass'
      proxy.cut()
    }
    expect(await names()).toEqual(['Well 1', 'Well 2'])
  })
})
