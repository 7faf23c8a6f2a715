import { expect, it } from 'vitest'
import { firstFilter } from '../../src/map/list/filter.ts'
import { readState, writeState } from '../../src/map/data/state.ts'

it('the address of the map round-trips place, filters and the open fountain, and is empty by default', () => {
  const at = { latitude: 47.37688, longitude: 8.54169, zoom: 14.5 }
  const amenities = ['wheelchair', 'dog-bowl']
  const filter = { ...firstFilter, amenities, verified: true, region: 'Zürich & Umland' }
  const state = { at, filter, fountain: 42 }
  const conditions = 'amenity=wheelchair&amenity=dog-bowl&verified=1&region=Z%C3%BCrich%20%26%20Umland'
  expect(writeState(state)).toBe(`?at=47.37688,8.54169,14.5&${conditions}&fountain=42`)
  expect(readState(writeState(state))).toEqual(state)
  expect([writeState({ filter: firstFilter }), readState('')]).toEqual(['', { filter: firstFilter }])
  const wide = { ...firstFilter, usable: false, states: ['works' as const, 'broken' as const] }
  expect(writeState({ filter: wide })).toBe('?status=works%2Cbroken&usable=0')
  for (const query of [writeState({ filter: wide }), '?usable=0&status=broken&status=works&status=odd'])
    expect(readState(query)).toEqual({ filter: wide })
  const digits = { latitude: 12.3456789, longitude: -98.7654321, zoom: 2.04 }
  expect(writeState({ at: digits, filter: firstFilter })).toBe('?at=12.35,-98.77,2')
})

it('the address of the map is read without what is invalid, with the zoom within the map and the longitude in one turn', () => {
  for (const at of ['', '1', '1,2', ',,', '91,0,3', 'x,0,3', '0,0,x', '1,2,3,4', 'NaN,NaN,NaN'])
    expect(readState(`?at=${at}&verified=1`)).toEqual({ filter: { ...firstFilter, verified: true } })
  for (const id of ['0', '-1', '1.5', 'abc', '1e3', '99999999999999999999'])
    expect(readState(`?fountain=${id}`)).toEqual({ filter: firstFilter })
  expect(readState('?amenity=<script>&amenity=tap&amenity=tap').filter.amenities).toEqual(['tap'])
  expect(readState('?at=0,190,99').at).toEqual({ latitude: 0, longitude: -170, zoom: 19 })
  expect(readState('?at=0,0,-3').at?.zoom).toBe(0)
})
