import { expect, test } from 'vitest'
import { isLight, type ShortRead } from '../src/short-read.ts'

const near = { latitude: 47, longitude: 8 }

test.each<[boolean, ShortRead]>([
  [true, { of: 'waypoints', filter: { limit: 5, after: 7 } }],
  [true, { of: 'waypoints', filter: { limit: 5, near } }],
  [true, { of: 'waypoints', filter: { limit: 5, bbox: [8, 47, 9, 48] } }],
  [true, { of: 'logs', query: {} }],
  [true, { of: 'users', page: { offset: 1000 } }],
  [true, { of: 'changes', after: 7, limit: 200 }],
  [false, { of: 'waypoints', filter: { limit: 5, near, after: 1 } }],
  [false, { of: 'waypoints', filter: { limit: 5, near, verified: true } }],
  [false, { of: 'waypoints', filter: { limit: 5, bbox: [-180, -90, 180, 90] } }],
  [false, { of: 'waypoints', filter: { limit: 5, bbox: [179.5, 0, -179.5, 1] } }],
  [false, { of: 'waypoints', filter: { limit: 5, region: 'Lund' } }],
  [false, { of: 'logs', query: { action: 'created' } }],
  [false, { of: 'logs', query: { offset: 1001 } }],
  [false, { of: 'leaderboard', page: { offset: 1001 } }],
  [false, { of: 'sources' }],
])(
  '%s: in a large registry the thread that serves reads %j; in a small one always',
  async (expected, read) => {
    const large = { changes: { head: async () => ({ id: 40_001, hash: '' }) } }
    const small = { changes: { head: async () => ({ id: 40_000, hash: '' }) } }
    expect([await isLight(large, read), await isLight(small, read)]).toEqual([expected, true])
  },
)

test('entries with their proofs are read there up to 200, in any registry', async () => {
  const empty = { changes: { head: async () => ({ id: 0, hash: '' }) } }
  expect(await isLight(empty, { of: 'changes', after: 0, limit: 201 })).toBe(false)
})
