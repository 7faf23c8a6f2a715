import { defaultRules } from '@openfountain/core'
import { kinds } from '@openfountain/core/vocabulary'
import { expect, it } from 'vitest'
import type { PassersBy } from '../../src/api/signed-in.ts'
import { loadLanguages } from '../../src/build/languages.ts'
import { changesOf, filledIn, isMaintainerAsked } from '../../src/contribute/members.ts'
import { shownName } from '../../src/naming.ts'
import { opensForm, rightTo, type Action } from '../../src/contribute/rights.ts'

const may = (action: Action, xp: number, isModerator = false) =>
  rightTo(action, { xp, isModerator }, defaultRules)

it('what somebody may do needs a sign-in, but for what the server lets passers-by do', () => {
  for (const action of ['add', 'edit', 'move', 'review', 'observe', 'report', 'remove'] as const)
    expect(rightTo(action, undefined, defaultRules)).toEqual({ state: 'signIn' })
  const of = (passersBy: PassersBy) =>
    (['observe', 'report', 'review'] as const).map(
      (action) => rightTo(action, undefined, defaultRules, passersBy).state,
    )
  expect(of('reports')).toEqual(['allowed', 'allowed', 'signIn'])
  expect(of('sightings')).toEqual(['allowed', 'signIn', 'signIn'])
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

it('what somebody may do is begun by an address where that opens a form, and nothing is done by it', () => {
  const all = ['edit', 'move', 'review', 'report', 'works', 'problem', 'remove', 'choose', '']
  expect(all.filter(opensForm)).toEqual(['edit', 'move', 'review', 'report'])
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

it('another maintainer that the server left out went to the moderators', () => {
  const base = { name: 'Well', maintainer: 'City of Lund' }
  const asked = (changes: object, now: object) =>
    isMaintainerAsked(base, changes, { waypoint: { ...base, ...now } })
  expect(asked({ maintainer: 'A club', name: 'Old well' }, { name: 'Old well' })).toBe(true)
  expect(asked({ maintainer: null }, {})).toBe(true)
  expect(asked({ maintainer: 'A club' }, { maintainer: 'A club' })).toBe(false)
  expect(asked({ maintainer: null }, { maintainer: undefined })).toBe(false)
  expect(asked({ name: 'Old well' }, { name: 'Old well' })).toBe(false)
})

it('a fountain without a name is called by its kind and place in the language of the reader', async () => {
  const [italian] = await loadLanguages(['it'])
  const words = {
    tag: 'it',
    amenity: (key: string) => italian?.messages.amenity[key as 'tap'] ?? key,
  }
  for (const kind of [...kinds, '']) {
    const amenities = kind === '' ? [] : [kind]
    const what = kind === '' ? 'Punto d’acqua' : words.amenity(kind)
    const shown = (fountain: object) => shownName({ name: '', amenities, ...fountain }, words)
    expect(shown({})).toBe(what)
    expect(shown({ place: 'Trastevere' })).toBe(`${what}, Trastevere`)
    const town = { id: 1, name: 'Wien', names: { it: 'Vienna' } }
    expect(shown({ town, region: 'Wien' })).toBe(`${what}, Vienna`)
    expect(shown({ town, region: 'Favoriten' })).toBe(`${what}, Favoriten`)
    expect(shown({ town, region: 'Favoriten', street: 'Gudrunstraße' })).toBe(`${what}, Gudrunstraße`)
    expect(shown({ name: 'Tap, Rome', nameIsMade: true, place: 'Roma', region: 'Trastevere' })).toBe(
      `${what}, Trastevere`,
    )
    expect(shown({ name: 'Fontana di Trevi' })).toBe('Fontana di Trevi')
  }
})
