/** @module-tag postgres */
import { describe, expect, test } from 'vitest'
import { failover } from '@openfountain/testing/postgres/failover'

// `npm run failover` does it twenty times each.
const options = { servers: 3, clients: 64, writes: 200, outage: 500 }

describe('a primary that is lost while 64 clients write through three servers', () => {
  test('is killed: the synchronous standby has every acknowledged write once', async () => {
    const { problems, acknowledged } = await failover({ ...options, way: 'kill' })
    expect(problems).toEqual([])
    expect(acknowledged).toBeGreaterThanOrEqual(2 * options.writes)
  })

  test('cannot be reached any more: the synchronous standby has every acknowledged write once', async () => {
    const { problems, acknowledged } = await failover({ ...options, way: 'cut' })
    expect(problems).toEqual([])
    expect(acknowledged).toBeGreaterThanOrEqual(2 * options.writes)
  })
})
