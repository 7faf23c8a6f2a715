import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { counted, seed } from '@openfountain/testing/effort'
import type { Place } from '../src/places/geodesy.ts'
import { boxOf, cellOf, cellsOf, globe, quarters, stretchOf, type Piece } from '../src/places/z-order.ts'

const place = fc.record({
  latitude: fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, 90, 0, 45)),
  longitude: fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, 180, 0, 90)),
})

describe('places on a curve', () => {
  test('cells are integers of six bytes, from the south-west to the north-east', () => {
    expect(cellOf({ latitude: -90, longitude: -180 })).toBe(-(2 ** 47))
    expect(cellOf({ latitude: 90, longitude: 180 })).toBe(2 ** 47 - 1)
    // East of Greenwich comes after all that is west of it, and there north after south.
    expect(cellOf({ latitude: -90, longitude: 0 })).toBe(0)
    expect(cellOf({ latitude: 0, longitude: 0 })).toBe(2 ** 46)
    // One bit of each in turn: row 1 and column 1 of the finest cells.
    expect(cellOf({ latitude: -90 + 180 / 2 ** 24, longitude: -180 })).toBe(-(2 ** 47) + 1)
    expect(cellOf({ latitude: -90, longitude: -180 + 360 / 2 ** 24 })).toBe(-(2 ** 47) + 2)
  })

  test('every place in a box is in its stretches, which are few, ascending and disjoint', () => {
    fc.assert(
      fc.property(place, place, fc.double({ min: 0, max: 1, noNaN: true }), place, (a, b, share, other) => {
        const [south, north] = [Math.min(a.latitude, b.latitude), Math.max(a.latitude, b.latitude)]
        const stretches = cellsOf([a.longitude, south, b.longitude, north])
        expect(stretches.length).toBeLessThanOrEqual(128)
        const holds = (at: Place) =>
          stretches.some(([first, last]) => cellOf(at) >= first && cellOf(at) <= last)
        const across = b.longitude - a.longitude + (a.longitude > b.longitude ? 360 : 0)
        const east = a.longitude + across * share
        const inside = {
          latitude: Math.min(north, south + (north - south) * share),
          longitude: east > 180 ? Math.max(-180, east - 360) : east,
        }
        expect([a, b, inside].every(holds)).toBe(true)
        const isIn =
          other.latitude >= south &&
          other.latitude <= north &&
          (a.longitude <= b.longitude
            ? other.longitude >= a.longitude && other.longitude <= b.longitude
            : other.longitude >= a.longitude || other.longitude <= b.longitude)
        if (isIn) expect(holds(other)).toBe(true)
        for (const [index, [first, last]] of stretches.entries()) {
          expect(last).toBeGreaterThanOrEqual(first)
          const before = stretches[index - 1]
          // A box across the antimeridian has two lists, the western hemisphere's first.
          if (before !== undefined && a.longitude <= b.longitude) expect(first).toBeGreaterThan(before[1] + 1)
        }
      }),
      { numRuns: counted({ quick: 500, all: 3000, full: 30_000 }), seed },
    )
  })

  test('pieces are consecutive stretches that contain the places of their box', () => {
    fc.assert(
      fc.property(place, fc.integer({ min: 1, max: 24 }), (at, levels) => {
        let piece: Piece = globe
        for (let level = 0; level < levels; level++) {
          const [first, last] = stretchOf(piece)
          const parts = quarters(piece)
          const stretches = parts.map(stretchOf)
          expect([stretches[0]?.[0], stretches.at(-1)?.[1]]).toEqual([first, last])
          for (const [index, [begin]] of stretches.slice(1).entries())
            expect(begin).toBe((stretches[index]?.[1] ?? 0) + 1)
          const cell = cellOf(at)
          piece = parts.find((_, index) => {
            const [begin, end] = stretches[index] ?? [0, 0]
            return cell >= begin && cell <= end
          }) as Piece
          const [west, south, east, north] = boxOf(piece)
          expect(at.longitude >= west - 1e-9 && at.longitude <= east + 1e-9).toBe(true)
          expect(at.latitude >= south - 1e-9 && at.latitude <= north + 1e-9).toBe(true)
        }
      }),
      { numRuns: 200, seed },
    )
  })
})
