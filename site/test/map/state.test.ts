import { describe, expect, it } from 'vitest'
import { conditionCount, matches, noFilter } from '../../src/map/list/filter.ts'
import { readState, writeState } from '../../src/map/data/state.ts'

describe('the address of the map', () => {
  it('round-trips place, filters and the open fountain', () => {
    const at = { latitude: 47.37688, longitude: 8.54169, zoom: 14.5 }
    const amenities = ['wheelchair', 'dog-bowl']
    const filter = { ...noFilter, amenities, verified: true, region: 'Zürich & Umland' }
    const state = { at, filter, fountain: 42 }
    const written = writeState(state)
    expect(written).toBe(
      '?at=47.37688,8.54169,14.5&amenity=wheelchair&amenity=dog-bowl&verified=1' +
        '&region=Z%C3%BCrich%20%26%20Umland&fountain=42',
    )
    expect(readState(written)).toEqual(state)
  })
  it('is empty when nothing differs from the default', () => {
    expect(writeState({ filter: noFilter })).toBe('')
    expect(readState('')).toEqual({ filter: noFilter })
  })
  it('ignores what is invalid and keeps the rest', () => {
    for (const at of ['', '1', '1,2', ',,', '91,0,3', 'x,0,3', '0,0,x', '1,2,3,4', 'NaN,NaN,NaN']) {
      expect(readState(`?at=${at}&verified=1`)).toEqual({ filter: { ...noFilter, verified: true } })
    }
    for (const id of ['0', '-1', '1.5', 'abc', '1e3', '99999999999999999999']) {
      expect(readState(`?fountain=${id}`)).toEqual({ filter: noFilter })
    }
    expect(readState('?amenity=<script>&amenity=tap&amenity=tap').filter.amenities).toEqual(['tap'])
  })
  it('keeps the zoom within the map and wraps the longitude', () => {
    expect(readState('?at=0,190,99').at).toEqual({ latitude: 0, longitude: -170, zoom: 19 })
    expect(readState('?at=0,0,-3').at?.zoom).toBe(0)
  })
  it('has no more digits than the zoom shows', () => {
    const at = { latitude: 12.3456789, longitude: -98.7654321, zoom: 2.04 }
    expect(writeState({ at, filter: noFilter })).toBe('?at=12.35,-98.77,2')
  })
})

describe('a filter', () => {
  it('matches fountains with every amenity that it names, verified ones, and those of one region', () => {
    const lund = { amenities: ['tap', 'wheelchair'], verified: true, region: 'Lund' }
    const isMatched = (conditions: object, one = lund) => matches({ ...noFilter, ...conditions }, one)
    expect(matches(noFilter, { amenities: [], verified: false })).toBe(true)
    expect(isMatched({ amenities: ['tap', 'wheelchair'] })).toBe(true)
    expect(isMatched({ amenities: ['tap', 'spring'] })).toBe(false)
    expect(isMatched({ verified: true, region: 'Lund' })).toBe(true)
    expect(isMatched({ verified: true }, { ...lund, verified: false })).toBe(false)
    expect(isMatched({ region: 'Malmö' })).toBe(false)
    const conditions = { ...noFilter, amenities: ['tap', 'fee'], verified: true, region: 'Lund' }
    expect([noFilter, conditions].map(conditionCount)).toEqual([0, 4])
  })
})
