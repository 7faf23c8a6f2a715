import { describe, expect, test } from 'vitest'
import { defaultRules } from '@openfountain/core'
import { levelOf, limits, pages } from '@openfountain/core/rules'

describe('service.md 2.5, XP and levels', () => {
  test('each event earns what the specification says', () => {
    expect(defaultRules.xp).toEqual({
      createWaypoint: 50,
      editWaypoint: 10,
      postReview: 5,
      waypointVerified: 25,
    })
  })

  test('each gate needs what the specification says', () => {
    expect(defaultRules.gates).toEqual({ createWaypoint: 20, editWaypoint: 10, postReview: 0 })
  })

  test.each([
    [0, 1],
    [99, 1],
    [100, 2],
    [249, 2],
    [250, 3],
    [499, 3],
    [500, 4],
    [999, 4],
    [1000, 5],
    [1199, 5],
    [1200, 6],
    [1399, 6],
    [1400, 7],
  ])('%i XP is level %i', (xp, level) => {
    expect(levelOf(xp)).toBe(level)
  })

  test('levels ascend', () => {
    const { starts } = defaultRules.levels
    expect(starts.toSorted((a, b) => a - b)).toEqual([...starts])
    expect(new Set(starts).size).toBe(starts.length)
    expect(starts[0]).toBe(0)
  })

  test('every gate can be reached from zero XP', () => {
    const { gates, xp } = defaultRules
    const reachable = new Set<keyof typeof gates>()
    const earns = {
      createWaypoint: xp.createWaypoint,
      editWaypoint: xp.editWaypoint,
      postReview: xp.postReview,
    }
    for (const [gate, needed] of Object.entries(gates).toSorted(([, a], [, b]) => a - b)) {
      const open = needed === 0 || [...reachable].some((before) => earns[before] > 0)
      if (open) reachable.add(gate as keyof typeof gates)
    }
    expect([...reachable].toSorted()).toEqual(Object.keys(gates).toSorted())
  })
})

test('service.md 8: page sizes are those of the specification', () => {
  expect(pages.leaderboard).toEqual({ default: 10, max: 100 })
  expect(pages.logs).toEqual({ default: 50, max: 100 })
  expect(pages.recentLogs).toEqual({ default: 20, max: 50 })
})

test('decisions, Fields: limits are those decided', () => {
  expect(limits).toMatchObject({
    waypointName: 200,
    description: 2000,
    maintainer: 200,
    region: 200,
    comment: 2000,
    userName: 80,
    amenities: 32,
    amenity: 64,
    imageUrl: 2000,
  })
})
