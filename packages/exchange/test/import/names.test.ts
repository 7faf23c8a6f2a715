import { describe, expect, test } from 'vitest'
import { nameSimilarity } from '@openfountain/core/internal'
import { folded } from '@openfountain/core/letters'

describe('names are compared', () => {
  test.each([
    ['Løkke', 'Lokke'],
    ['Lødz', 'LODZ'],
    ['Łódź', 'Lodz'],
    ['Ærø', 'Aero'],
    ['Große  Quelle', 'grosse quelle'],
    ["L'Œuf", 'l oeuf'],
  ])('without case, accents and letters that are written in two ways: %s is %s', (one, other) => {
    expect(folded(one)).toBe(folded(other))
  })

  test('with the vowel signs of Hindi, without which other words would be the same', () => {
    expect(folded('पानी')).not.toBe(folded('पन'))
    expect(nameSimilarity('मीरा बाग', 'मारी बेग')).toBeLessThan(0.85)
    expect(nameSimilarity('मीरा बाग', 'मीरा बाग')).toBe(1)
  })
})
