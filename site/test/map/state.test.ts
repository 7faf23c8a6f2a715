import { describe, expect, it } from 'vitest'
import { conditionCount, matches, noFilter } from '../../src/map/list/filter.ts'
import { readState, writeState } from '../../src/map/data/state.ts'

describe('the address of the map', () => {
  it('round-trips place, filters and the open fountain', () => {
    const state = {
      at: { latitude: 47.37688, longitude: 8.54169, zoom: 14.5 },
      filter: {
        ...noFilter,
        amenities: ['wheelchair', 'dog-bowl'],
        verified: true,
        region: 'Zürich & Umland',
      },
      fountain: 42,
    }
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
  const fountain = { amenities: ['tap', 'wheelchair'], verified: true, region: 'Lund' }
  it('matches all when it is empty', () => {
    expect(matches(noFilter, { amenities: [], verified: false })).toBe(true)
  })
  it('matches fountains with every amenity that it names', () => {
    expect(matches({ ...noFilter, amenities: ['tap', 'wheelchair'] }, fountain)).toBe(true)
    expect(matches({ ...noFilter, amenities: ['tap', 'spring'] }, fountain)).toBe(false)
  })
  it('filters verified ones of one region', () => {
    expect(matches({ ...noFilter, verified: true, region: 'Lund' }, fountain)).toBe(true)
    expect(matches({ ...noFilter, verified: true }, { ...fountain, verified: false })).toBe(false)
    expect(matches({ ...noFilter, region: 'Malmö' }, fountain)).toBe(false)
  })
  it('counts its conditions', () => {
    expect(conditionCount(noFilter)).toBe(0)
    expect(conditionCount({ ...noFilter, amenities: ['tap', 'fee'], verified: true, region: 'Lund' })).toBe(4)
  })
})
