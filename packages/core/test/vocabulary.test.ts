import { expect, test } from 'vitest'
import { amenityOf, kindOf, normaliseAmenity, osmTagsOf, vocabulary } from '@openfountain/core/vocabulary'

test.each([
  ['Bottle filling station', 'bottle-filler'],
  ['bottle_filler', 'bottle-filler'],
  ['  Wheelchair accessible ', 'wheelchair'],
  ['dog', 'dog-bowl'],
  ['bubbler', 'bubbler'],
])('specification 2.1: the alias %j is %s', (alias, key) => {
  expect(normaliseAmenity(alias)).toBe(key)
})

test('specification 2.1: an unknown amenity is kept unchanged', () => {
  expect(normaliseAmenity('Singing Waters')).toBe('Singing Waters')
  expect(amenityOf('Singing Waters')).toBeUndefined()
})

test('specification 2.1: keys are kebab-case, and no spelling has two meanings', () => {
  const spellings = Object.entries(vocabulary).flatMap(([key, { aliases }]) => [key, ...aliases])
  for (const spelling of spellings) expect(spelling).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/u)
  expect(new Set(spellings).size).toBe(spellings.length)
})

test('the symbol is that of the first kind in the order of the vocabulary', () => {
  expect(kindOf(['wheelchair', 'tap', 'bubbler'])).toBe('bubbler')
  expect(kindOf(['wheelchair'])).toBeUndefined()
})

test('OpenStreetMap tags are only for known amenities, and never "no" for absent ones', () => {
  expect(osmTagsOf([])).toEqual({ amenity: 'drinking_water' })
  expect(osmTagsOf(['bottle-filler', 'dog-bowl', 'unheard-of'])).toEqual({
    amenity: 'drinking_water',
    bottle: 'yes',
    dog: 'yes',
  })
})
