import { vocabulary } from '@openfountain/core/vocabulary'
import { describe, expect, it } from 'vitest'
import { availableLanguages, loadLanguages } from '../src/build/languages.ts'
import { fill, formatFor } from '../src/messages.ts'

type Tree = { readonly [key: string]: string | Tree }

/** Every string of a language by its path. */
function flat(tree: Tree, path = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([key, value]): (readonly [string, string])[] =>
      typeof value === 'string' ? [[`${path}${key}`, value]] : [...flat(value, `${path}${key}.`)],
    ),
  )
}

const tags = await availableLanguages()
const [english, ...others] = await loadLanguages(tags)
const inEnglish = flat(english?.messages ?? {})
const places = (text: string): string[] => [...text.matchAll(/\{\w+\}/gu)].map(String).toSorted()

/** Single words are often the same in two languages; whole sentences never. */
const isSentence = (text: string): boolean =>
  text
    .replaceAll(/\{\w+\}/gu, '')
    .trim()
    .split(/\s+/u).length > 3

describe('the languages', () => {
  it('are English first, then the others, one per file', () => {
    expect(tags).toEqual(['en', 'de', 'es', 'fr', 'it'])
  })

  it('name themselves with the tag of their file', () => {
    for (const { tag, messages } of [english, ...others].filter((one) => one !== undefined)) {
      expect(messages.language.tag).toBe(tag)
      expect(messages.language.name).not.toBe('')
    }
  })

  it.each(others.map(({ tag, messages }) => [tag, messages] as const))(
    'have in %s every string with the same places to fill',
    (_, messages) => {
      const strings = flat(messages)
      expect([...strings.keys()].toSorted()).toEqual([...inEnglish.keys()].toSorted())
      for (const [key, text] of strings) {
        expect(text.trim(), key).not.toBe('')
        expect(places(text), key).toEqual(places(inEnglish.get(key) ?? ''))
      }
    },
  )

  it.each(others.map(({ tag, messages }) => [tag, messages] as const))(
    'are translated in %s, not copied from English',
    (_, messages) => {
      const copied = [...flat(messages)].filter(
        ([key, text]) => isSentence(text) && text === inEnglish.get(key),
      )
      expect(copied).toEqual([])
    },
  )

  it('name every amenity of the vocabulary', () => {
    for (const { messages } of [english, ...others].filter((one) => one !== undefined)) {
      expect(Object.keys(messages.amenity).toSorted()).toEqual(Object.keys(vocabulary).toSorted())
    }
  })
})

describe('formats', () => {
  const german = formatFor('de')

  it('write numbers, sizes and days as the language does', () => {
    expect(german.number(1234.5)).toBe('1.234,5')
    expect(german.bytes(999)).toBe('999 B')
    expect(german.bytes(1_250_000)).toBe('1,3 MB')
    expect(german.bytes(2_500_000_000)).toBe('2,5 GB')
    expect(german.date('2026-03-03T23:30:00Z')).toBe('3. März 2026')
    expect(formatFor('en').count({ one: '{n} fountain', other: '{n} fountains' }, 1200)).toBe(
      '1,200 fountains',
    )
    expect(formatFor('fr').count({ one: '{n} fontaine', other: '{n} fontaines' }, 0)).toBe('0 fontaine')
  })

  it('write distances in metres below a kilometre', () => {
    const words = { 'map.distanceMetres': '{n} m', 'map.distanceKilometres': '{n} km' }
    expect(german.distance(words, 123)).toBe('120 m')
    expect(german.distance(words, 994)).toBe('990 m')
    expect(german.distance(words, 996)).toBe('1 km')
    expect(german.distance(words, 1260)).toBe('1,3 km')
  })

  it('leave a placeholder without a value visible', () => {
    expect(fill('{a} and {b} and {toString}', { a: 'x' })).toBe('x and {b} and {toString}')
  })
})
