import { distanceMetres, distanceToBoxMetres } from '@openfountain/core/geodesy'
import { expect, it } from 'vitest'
import { bearingDegrees, boundsMeet, centre, directionOf } from '../../src/map/page/position.ts'
import fc from 'fast-check'
import { counted, seed } from '@openfountain/testing/effort'

const at = (latitude: number, longitude: number) => ({ latitude, longitude })

it('a bearing is 0 to the north and so on, goes east over the antimeridian when that is shorter, and is named by the nearest of eight points', () => {
  const bearings = [at(1, 0), at(0, 1), at(-1, 0), at(0, -1)].map((to) => bearingDegrees(at(0, 0), to))
  expect(bearings.map(Math.round)).toEqual([0, 90, 180, 270])
  expect(bearingDegrees(at(0, 179), at(0, -179))).toBeCloseTo(90, 6)
  expect([0, 22, 23, 180, 337, 338, 359.9].map(directionOf)).toEqual(['n', 'n', 'ne', 's', 'nw', 'n', 'n'])
})

it('bounds meet when they share a point, also across the antimeridian', () => {
  const [pacific, one] = [[170, -20, -170, 0] as const, [0, 0, 1, 1] as const]
  expect([boundsMeet(pacific, [-175, -5, -160, 5]), boundsMeet(one, [1, 1, 2, 2])]).toEqual([true, true])
  expect([boundsMeet(pacific, [0, -5, 160, 5]), boundsMeet(one, [0, 2, 1, 3])]).toEqual([false, false])
})

it('bounds are never nearer than their computed distance', () => {
  const degree = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true })
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const [latitude, longitude] = [degree(90), degree(180)]
  const places = fc.tuple(latitude, longitude, latitude, longitude, latitude, longitude, share, share)
  const isNoNearer = fc.property(places, ([from, fromWest, south, west, north, east, up, right]) => {
    const [bottom, top] = [Math.min(south, north), Math.max(south, north)]
    const [left, end] = [Math.min(west, east), Math.max(west, east)]
    const inside = at(bottom + up * (top - bottom), left + right * (end - left))
    const least = distanceToBoxMetres(at(from, fromWest), [left, bottom, end, top])
    expect(least).toBeLessThanOrEqual(distanceMetres(at(from, fromWest), inside) + 0.01)
  })
  fc.assert(isNoNearer, { seed, numRuns: counted({ quick: 300, all: 2000, full: 10_000 }) })
})

it('the middle of bounds is inside them, also across the antimeridian', () => {
  expect([centre([170, -20, -170, 0]), centre([8, 46, 9, 48])]).toEqual([at(-10, -180), at(47, 8.5)])
})
