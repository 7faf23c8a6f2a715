import { expect, it } from 'vitest'
import { lookupRefs } from '../src/views/origin.ts'

it.each([
  [['L-7'], 'L-7'],
  [['L-7', 'node/12'], 'L-7; node/12'],
  [['L-7', 'place:0123456789abcdef'], 'L-7'],
  [['place:0123456789abcdef'], ''],
  [['place:town hall'], 'place:town hall'],
  [['', 'L-7'], 'L-7'],
  [[], ''],
])('of the references %j a page shows those that people can look up: %j', (refs: string[], shown) => {
  expect(lookupRefs({ source_refs: refs })).toBe(shown)
})
