/** @module-tag postgres */
import { expect, test } from 'vitest'
import { failover } from '@openfountain/testing/postgres/failover'

// `npm run failover` does it twenty times each.
const options = { servers: 3, clients: 64, writes: 200, outage: 500 }

test.each([
  ['is killed', 'kill'],
  ['cannot be reached any more', 'cut'],
] as const)(
  'a primary %s while 64 clients write through three servers: the synchronous standby has every acknowledged write once',
  async (_how, way) => {
    const { problems, acknowledged } = await failover({ ...options, way })
    expect(problems).toEqual([])
    expect(acknowledged).toBeGreaterThanOrEqual(2 * options.writes)
  },
)
