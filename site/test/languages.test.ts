import { readdir } from 'node:fs/promises'
import { vocabulary } from '@openfountain/core/vocabulary'
import { expect, it } from 'vitest'
import { writeBytes } from '../src/build/bytes.ts'
import { availableLanguages, loadLanguages } from '../src/build/languages.ts'
import { directionOf } from '../src/direction.ts'
import { seasonWords } from '../src/hours/season.ts'
import { fill, formatFor, type Messages } from '../src/messages.ts'
import { frenchMistakes, languageMistakes } from './language-mistakes.ts'

const tags = await availableLanguages()
const languages = await loadLanguages(tags)
const [english] = languages
if (english === undefined) throw new Error('English is missing')

it('the languages are English first, then the others by tag, one per file, which they name and browsers know', async () => {
  const files = await readdir(new URL('../src/languages/', import.meta.url))
  const others = files.map((name) => name.replace('.json', '')).filter((tag) => tag !== 'en')
  expect(tags).toEqual(['en', ...others.toSorted()])
  expect(languages.map(({ messages }) => messages.language.tag)).toEqual(tags)
  expect(Intl.PluralRules.supportedLocalesOf(tags)).toEqual(tags)
})

it.each(languages.map(({ tag, messages }) => [tag, messages] as const))(
  'the languages have in %s every string, with the same places to fill and the plural categories of the language',
  (_, messages) => {
    expect(languageMistakes(messages, english.messages)).toEqual([])
  },
)

it('the languages address people in French as a friend, with no-break spaces where French has them', () => {
  const french = languages.find(({ tag }) => tag === 'fr')
  expect(french && frenchMistakes(french.messages)).toEqual([])
})

it('the languages name every amenity of the vocabulary', () => {
  const named = languages.map(({ messages }) => Object.keys(messages.amenity).toSorted())
  expect(named).toEqual(languages.map(() => [...Object.keys(vocabulary), 'unknown'].toSorted()))
})

const { messages } = english
const { site, nav, language } = messages
const [polish, japanese] = ['pl', 'ja'].map((tag) => ({ language: { ...language, tag } }))
const footer = { site: { ...site, footer: 'By {author}' } }
it.each<[string, Partial<Messages> | undefined]>([
  ['pl: count.fountains lacks the plural category few', polish],
  ['ja: count.fountains has one, which the language does not use', japanese],
  ['en: site.asOf is missing', { site: { footer: 'x' } as never }],
  ['en: site.extra is unknown', { site: { ...site, extra: 'x' } as never }],
  ['en: site.asOf is blank', { site: { ...site, asOf: ' ' } }],
  ['en: site.tagline is not translated', { nav: { ...nav, skip: 'Ir' } }],
  ['en: site.footer has the places [{author}], and English [{author} {license}]', footer],
])('what is wrong with a language is told: %s', (mistake, change) => {
  expect(languageMistakes({ ...messages, ...change }, messages)).toContain(mistake)
})

it('what is wrong with a language is told in French too', () => {
  const mistakesWith = (skip: string) => frenchMistakes({ ...messages, nav: { ...nav, skip } })
  for (const text of ['Où est-elle ?', '«Ici\u00a0»'])
    expect(mistakesWith(text)).toContain('nav.skip lacks a no-break space')
  for (const text of ['Zoomez ici', 'Votre position'])
    expect(mistakesWith(text)).toContain('nav.skip is not informal')
})

it('the direction of a language is that of the script in which it is written, also where it has several', () => {
  const rightToLeft = 'ar he fa ur ckb dv ps sd ug yi pa-Arab az-Arab ff-Adlm syr nqo'.split(' ')
  const others = [...tags, ...'pl pt-BR zh-Hant pa az ff ja el'.split(' ')]
  const leftToRight = others.filter((tag) => !rightToLeft.includes(tag))
  expect(rightToLeft.filter((tag) => directionOf(tag) !== 'rtl')).toEqual([])
  expect(leftToRight.filter((tag) => directionOf(tag) !== 'ltr')).toEqual([])
})

const german = formatFor('de')

it('formats write numbers, sizes, days, seasons, also across New Year, and distances as the language does', () => {
  expect(german.number(1234.5)).toBe('1.234,5')
  const sizes = [999, 1_250_000, 2_500_000_000].map((bytes) => writeBytes('de', bytes))
  expect(sizes).toEqual(['999 B', '1,3 MB', '2,5 GB'])
  expect(writeBytes('ar', 1_250_000)).toBe('1.3 م.ب')
  expect(german.date('2026-03-03T23:30:00Z')).toBe('3. März 2026')
  expect(seasonWords({}, english.format, '04-01/10-31')).toBe('April 1 – October 31')
  const seasons = ['11-15/02-29', 'in summer'].map((season) => seasonWords({}, german, season))
  expect(seasons).toEqual(['15. November – 29. Februar', 'in summer'])
  const words = { 'map.distanceMetres': '{n} m', 'map.distanceKilometres': '{n} km' }
  const written = [123, 994, 996, 1260].map((metres) => german.distance(words, metres))
  expect(written).toEqual(['120 m', '990 m', '1 km', '1,3 km'])
})

it('formats choose among all plural categories of a language', () => {
  const polish = { one: '{n} źródełko', few: '{n} źródełka', many: '{n} źródełek', other: '{n} źródełka' }
  const inPolish = (n: number) => formatFor('pl').count(polish, n)
  const counts = '1 źródełko,2 źródełka,5 źródełek,22 źródełka,112 źródełek'
  expect([1, 2, 5, 22, 112].map(inPolish).join()).toBe(counts)
  expect(formatFor('fr').count({ one: '{n} fontaine', other: '{n} fontaines' }, 0)).toBe('0 fontaine')
  // As for a category that is newer than the file.
  expect(formatFor('es').count({ one: '{n} fuente', other: '{n} fuentes' }, 1e6)).toBe('1.000.000 fuentes')
})

it('formats keep names in another direction apart from their sentence', () => {
  const isolated = ['Hof (alt)', 'סביל (כיכר)', 'Hof\u202E\u2069'].map((name) => german.isolate(name))
  expect(isolated).toEqual(['Hof (alt)', '\u2068סביל (כיכר)\u2069', '\u2068Hof\u2069'])
  expect(['Hof 12', ''].map((name) => formatFor('he').isolate(name))).toEqual(['\u2068Hof 12\u2069', ''])
})

it('formats leave a placeholder without a value visible', () => {
  expect(fill('{a} and {b} and {toString}', { a: 'x' })).toBe('x and {b} and {toString}')
})
