/** @module-tag postgres */
import { describe, expect, test } from 'vitest'
import { fold, matches, termsOf } from '@openfountain/core/engine'
import { Chance } from '@openfountain/testing/chance'
import { hostileText } from '@openfountain/testing/hostile-values'
import { searchColumns, sought } from '../src/search/columns.ts'

const words = [
  'market',
  'Straße',
  '飲み水',
  'हिन्दी',
  "don't",
  'a',
  'Ünï9',
  '-x-',
  '50%',
  'e\u0301t',
  '👩‍👩‍👧',
  'か゛',
]

describe('what is stored for finding a waypoint', () => {
  test.each([1, 2, 4, 8])(
    'has whatever the rule of search finds in it, of any characters (seed %i)',
    (seed) => {
      const chance = new Chance(seed)
      let found = 0
      for (let each = 0; each < 2000; each++) {
        const text = () =>
          Array.from({ length: 1 + chance.below(4) }, () =>
            chance.isIn(60) ? chance.pick(words) : hostileText(chance).replaceAll(/\p{Cc}/gu, ' '),
          ).join(chance.pick([' ', '', ', ']))
        const row = { foldedName: fold(text()), description: text(), region: chance.isIn(50) ? text() : null }
        const stored = searchColumns(row)
        const tokens = new Set(stored.searchTokens)
        const given = [...chance.pick([row.foldedName, fold(row.description), fold(row.region ?? '')])]
        const at = chance.below(given.length)
        for (const term of termsOf(fold(given.slice(at, at + 1 + chance.below(9)).join('')))) {
          const { words: ofWords, name, marked, anywhere } = sought(term, 3)
          const isExact =
            stored.searchText.includes(marked) ||
            (anywhere !== undefined && row.foldedName.includes(anywhere))
          expect({ term, row, isExact }).toEqual({ term, row, isExact: matches([term], row) })
          if (!isExact || (ofWords === undefined && name === undefined)) continue
          const has = (sought: readonly number[] | undefined) =>
            sought?.every((token) => tokens.has(token)) === true
          // Of what has no word in it, only names are found.
          if (ofWords === undefined && !row.foldedName.includes(term.text)) continue
          found++
          expect({ term, row, isProposed: has(ofWords) || has(name) }).toEqual({
            term,
            row,
            isProposed: true,
          })
        }
      }
      expect(found).toBeGreaterThan(500)
    },
  )

  test('takes no other token for one of its own, but for few', () => {
    const { searchTokens } = searchColumns({ foldedName: 'market square' })
    const of = (q: string) => termsOf(fold(q)).flatMap((term) => sought(term, 9).words ?? [])
    for (const q of ['m', 'mark', 'marke', 'squ'])
      expect(of(q).every((token) => searchTokens.includes(token))).toBe(true)
    for (const q of ['x', 'marx', 'arke'])
      expect(of(q).some((token) => searchTokens.includes(token))).toBe(false)
  })
})
