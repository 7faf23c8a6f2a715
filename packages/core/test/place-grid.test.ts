import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seed } from '@openfountain/testing/effort'
import { distanceMetres, type Place } from '../src/places/geodesy.ts'
import { PlaceGrid } from '../src/store/duplicate-pairs.ts'

const corners: readonly Place[] = [
  { latitude: 0, longitude: 180 },
  { latitude: 0, longitude: -180 },
  { latitude: 90, longitude: 0 },
  { latitude: -89.9999, longitude: 17 },
  { latitude: 55.7029, longitude: 13.1929 },
  { latitude: -33.9, longitude: -179.9999 },
]

const nearby = fc
  .record({
    corner: fc.constantFrom(...corners),
    north: fc.integer({ min: -60, max: 60 }),
    east: fc.integer({ min: -60, max: 60 }),
  })
  .map(({ corner, north, east }): Place => {
    const latitude = Math.max(-90, Math.min(90, corner.latitude + north * 1e-5))
    const longitude = corner.longitude + east * 1e-5
    return {
      latitude,
      longitude: longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude,
    }
  })

test('finds the places within its distance, as measuring each of them does, whatever was moved and removed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ id: fc.integer({ min: 1, max: 30 }), place: nearby, isGone: fc.boolean() }), {
        maxLength: 60,
      }),
      (steps) => {
        const grid = new PlaceGrid(30)
        const places = new Map<number, Place>()
        for (const { id, place, isGone } of steps) {
          grid.remove(id)
          places.delete(id)
          if (isGone) continue
          grid.put(id, place)
          places.set(id, place)
        }
        for (const [id, place] of places) {
          const near = [...places].filter(([other, at]) => other !== id && distanceMetres(place, at) <= 30)
          expect(grid.near(id).toSorted((one, other) => one - other)).toEqual(
            near.map(([other]) => other).toSorted((one, other) => one - other),
          )
        }
      },
    ),
    { seed },
  )
})
