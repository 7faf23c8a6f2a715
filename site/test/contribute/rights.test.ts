import { defaultRules } from '@openfountain/core'
import { vocabulary } from '@openfountain/core/vocabulary'
import { expect, it } from 'vitest'
import type { SiteLanguage } from '../../src/build/context.ts'
import { loadLanguages } from '../../src/build/languages.ts'
import { changesOf, filledIn } from '../../src/contribute/form/changes.ts'
import { madeName } from '../../src/contribute/form/naming.ts'
import { shownName } from '../../src/naming.ts'
import { rightTo, type Action } from '../../src/contribute/rights.ts'

const may = (action: Action, xp: number, isModerator = false) =>
  rightTo(action, { xp, isModerator }, defaultRules)

it('what somebody may do needs a sign-in, but for reporting where the server lets everybody', () => {
  for (const action of ['add', 'edit', 'move', 'review', 'report', 'remove'] as const)
    expect(rightTo(action, undefined, defaultRules)).toEqual({ state: 'signIn' })
  expect(rightTo('report', undefined, defaultRules, true)).toEqual({ state: 'allowed' })
  expect(rightTo('review', undefined, defaultRules, true)).toEqual({ state: 'signIn' })
})

it('what somebody may do follows the gates, and tells how many reviews are missing', () => {
  const allowed = [may('add', 20), may('move', 10), may('review', 0), may('report', 0)]
  expect(new Set(allowed.map(({ state }) => state))).toEqual(new Set(['allowed']))
  expect(may('add', 19)).toEqual({ state: 'xp', required: 20, current: 19, reviews: 1 })
  expect(may('edit', 0)).toMatchObject({ required: 10, reviews: 2 })
  const without = { ...defaultRules, xp: { ...defaultRules.xp, postReview: 0 } }
  const right = rightTo('add', { xp: 0, isModerator: false }, without)
  expect(right).toEqual({ state: 'xp', required: 20, current: 0, reviews: undefined })
})

it('what somebody may do is deleting for moderators alone, and without a network what the server may refuse later', () => {
  expect(may('remove', 5000)).toEqual({ state: 'never' })
  expect(may('remove', 0, true)).toEqual({ state: 'allowed' })
  expect(rightTo('add', 'unknown', defaultRules)).toEqual({ state: 'allowed' })
  expect(rightTo('remove', 'unknown', defaultRules)).toEqual({ state: 'never' })
})

it('what is sent of an edit is what changed, with null for what was cleared, and of a new fountain what was filled in', () => {
  const base = { name: 'Well', amenities: ['tap', 'bench'], region: 'Lund', latitude: 1, verified: false }
  expect(changesOf(base, { ...base, amenities: ['bench', 'tap'], description: undefined })).toEqual({})
  const others = { name: 'Old well', amenities: ['tap'] }
  expect(changesOf(base, { ...base, ...others, region: undefined })).toEqual({ ...others, region: null })
  expect(changesOf(base, { ...base, amenities: ['tap', 'tap'] })).toEqual({ amenities: ['tap', 'tap'] })
  const given = { name: 'Well', amenities: [], region: undefined, description: '', latitude: 0 }
  expect(filledIn(given)).toEqual({ name: 'Well', latitude: 0 })
})

const words = { fountain: 'Drinking fountain', amenity: (key: string) => key.toUpperCase() }
const position = { latitude: 55.7029, longitude: 13.1929 }

it('a name that is made says what it is and where', () => {
  const named = (amenities: string[], region?: string) => madeName({ amenities, region, position }, words)
  expect(named(['bench', 'tap', 'bubbler'], ' Lund ')).toBe('BUBBLER, Lund')
  expect(named(['bench'])).toBe('Drinking fountain, 55.70290, 13.19290')
  expect(named([], ' ')).toBe('Drinking fountain, 55.70290, 13.19290')
})

it('a name that is made is shown in the language of the reader, with the place where it has coordinates', async () => {
  const [from, to] = await loadLanguages(['de', 'it'])
  const kinds = Object.entries(vocabulary).flatMap(([key, { role }]) => (role === 'kind' ? [key] : []))
  const wordsOf = (language: SiteLanguage | undefined) => ({
    fountain: language?.messages.contribute.fountain ?? '',
    unnamed: language?.messages.waypoint.unnamed ?? '',
    amenity: (key: string) => language?.messages.amenity[key as 'tap'] ?? key,
  })
  const italian = wordsOf(to)
  for (const kind of [...kinds, '']) {
    const amenities = kind === '' ? [] : [kind]
    const named = madeName({ amenities, region: 'Trastevere', position }, wordsOf(from))
    const nameless = madeName({ amenities, position }, wordsOf(from))
    const what = kind === '' ? 'Fontanella' : italian.amenity(kind)
    const shown = (name: string, place?: string) => shownName({ name, amenities, place }, kinds, italian)
    expect(shown(named)).toBe(`${what}, Trastevere`)
    expect(shown(nameless, 'Trastevere')).toBe(`${what}, Trastevere`)
    expect(shown(nameless)).toBe(what)
  }
  const given = { name: 'Fontana di Trevi', amenities: ['tap'] }
  expect(shownName(given, kinds, wordsOf(from))).toBe('Fontana di Trevi')
})
