import { defaultRules, token, user, type Actor } from '@openfountain/core'
import { describe, expect, test } from 'vitest'
import { createWaypoint, deleteWaypoint, updateWaypoint } from '../../src/decide/waypoint.ts'
import type { WaypointState } from '../../src/log/nouns.ts'
import {
  accepted,
  callers,
  earlier,
  ending,
  now,
  occasion,
  people,
  refusalOf,
  refusals,
  shutOut,
  square,
  waypoint,
  World,
} from './world.ts'

const world = (...waypoints: WaypointState[]) => new World({ user: people, waypoint: waypoints })

const creating = (actor: Actor, input: unknown, at = world()) =>
  at.decide(createWaypoint(occasion(actor), input))
const updating = (actor: Actor, input: unknown, state: WaypointState = waypoint(), id = 1) =>
  world(state).decide(updateWaypoint(occasion(actor), id, input))
const deleting = (actor: Actor, state: WaypointState = waypoint(), id = 1) =>
  world(state).decide(deleteWaypoint(occasion(actor), id))

test('who may write a waypoint: creating one needs 20 XP, of moderators too', () => {
  expect(refusals((actor) => creating(actor, square))).toEqual({
    ...shutOut,
    newcomer: 'INSUFFICIENT_XP',
    'one with 9 XP': 'INSUFFICIENT_XP',
    'one with 10 XP': 'INSUFFICIENT_XP',
    'one with 19 XP': 'INSUFFICIENT_XP',
    'moderator without XP': 'INSUFFICIENT_XP',
  })
})

const noXp = { newcomer: 'INSUFFICIENT_XP', 'one with 9 XP': 'INSUFFICIENT_XP' }

test('who may write a waypoint: editing one needs 10 XP, of moderators too', () => {
  const gated = { ...shutOut, ...noXp, 'moderator without XP': 'INSUFFICIENT_XP' }
  expect(refusals((actor) => updating(actor, { name: 'New' }))).toEqual(gated)
})

test('who may write a waypoint: turning a flag needs no XP of moderators, also when it stands already', () => {
  for (const state of [waypoint(), waypoint({ approved: true })])
    expect(refusals((actor) => updating(actor, { approved: true }, state))).toEqual({ ...shutOut, ...noXp })
})

test('who may write a waypoint: moderators need XP when fields change beside flags', () => {
  expect(ending(updating(user('mo'), { approved: true, name: 'New' }))).toBe('INSUFFICIENT_XP')
  expect(ending(updating(user('mo'), { approved: true, name: square.name }))).toBe('done')
})

const wrong = { name: 7, latitude: 999 }
test.for<[string, Actor, string]>([
  ['nobody is told what is wrong', callers.anonymous, 'UNAUTHORIZED'],
  ['the gate comes before validation', callers.newcomer, 'INSUFFICIENT_XP'],
  ['a block comes before validation', callers.blocked, 'FORBIDDEN'],
  ['validation comes before the search for the waypoint', callers.contributor, 'INVALID_INPUT'],
])('the order of refusals: %s', ([, actor, code]) => {
  expect(ending(creating(actor, wrong))).toBe(code)
  expect(ending(updating(actor, wrong, waypoint(), 99))).toBe(code)
})

test('what is not there is told last', () => {
  expect(refusalOf(updating(callers.contributor, { name: 'x' }, waypoint(), 99))).toEqual({
    code: 'NOT_FOUND',
    details: { thing: 'waypoint', id: 99 },
  })
  expect(ending(updating(callers.newcomer, { name: 'x' }, waypoint(), 99))).toBe('INSUFFICIENT_XP')
  expect(ending(deleting(callers.anonymous, waypoint(), 99))).toBe('UNAUTHORIZED')
  expect(ending(deleting(callers.token, waypoint(), 99))).toBe('NOT_FOUND')
})

test('tombstones are not there, and say into which waypoint they were merged', () => {
  const gone = waypoint({ deletedAt: earlier, mergedInto: 7 })
  const details = { thing: 'waypoint', id: 1, mergedInto: 7 }
  expect(refusalOf(updating(callers.token, { name: 'x' }, gone)).details).toEqual(details)
  expect(refusalOf(deleting(callers.token, gone)).details).toEqual(details)
})

test('facts of a refusal: the XP that is needed and there, why and until when somebody is blocked', () => {
  const facts = (actor: Actor) => refusalOf(creating(actor, square)).details
  expect(facts(callers['one with 19 XP'])).toEqual({ required: 20, current: 19 })
  expect(facts(callers.blocked)).toEqual({ reason: 'spam' })
  const blockedUntil = '2026-07-01T00:00:00.000Z'
  expect(facts(callers['blocked for a month'])).toEqual({ reason: 'spam', blockedUntil })
})

describe('creating a waypoint', () => {
  test('the entry has the given fields in code unit order, and the award', () => {
    const input = { ...square, region: 'Lund', amenities: ['Bottle filler'], description: '' }
    const { entries, by, answer } = accepted(creating(user('ada'), input))
    const fields = { amenities: ['bottle-filler'], ...square, region: 'Lund' }
    const awards = [['ada', 'createWaypoint', 50]]
    expect(by).toBe('ada')
    expect(entries).toEqual([{ subject: 'waypoint', subjectId: 1, action: 'created', fields, awards }])
    const names = Object.keys(entries[0] && 'fields' in entries[0] ? entries[0].fields : {})
    expect(names).toEqual(['amenities', 'latitude', 'longitude', 'name', 'region'])
    const rest = { approved: false, verified: false, addedByUserId: 'ada', createdAt: now, updatedAt: now }
    expect(answer).toEqual({ id: 1, ...fields, ...rest })
  })

  test('the next id is given, whatever ids stand', () => {
    const at = world(waypoint({ id: 41, deletedAt: earlier }))
    expect(accepted(creating(user('ada'), square, at)).answer.id).toBe(42)
  })

  test('specification 3, rule 3: sessions set neither flags nor a creator, moderators included', () => {
    const input = { ...square, approved: true, verified: true, addedByUserId: 'ten' }
    for (const id of ['ada', 'max']) {
      const { entries, answer } = accepted(creating(user(id), input))
      expect(entries).toMatchObject([{ fields: square, awards: [[id, 'createWaypoint', 50]] }])
      expect(answer).toMatchObject({ approved: false, verified: false, addedByUserId: id })
    }
  })

  const created = (id: string) => [id, 'createWaypoint', 50]
  const bonus = (id: string) => [id, 'waypointVerified', 25]
  const verified = { verified: true }
  const ofAda = { addedByUserId: 'ada' }
  test.for<[string, Actor, object, unknown[]]>([
    ['a token without an owner earns nothing', token(), {}, []],
    ['the creator that a token names does not earn for creating', token(), ofAda, []],
    ['a token earns for its owner', token('ten'), {}, [created('ten')]],
    ['the creator earns when it is created verified', token(), { ...ofAda, ...verified }, [bonus('ada')]],
    ['an owner who is the creator earns both', token('ten'), verified, [created('ten'), bonus('ten')]],
    ['nobody earns the bonus of the built-in user', token(), verified, []],
    ['false is not verified', token(), { ...ofAda, verified: false }, []],
  ])('%s', ([, actor, input, awards]) => {
    expect(accepted(creating(actor, { ...square, ...input })).entries).toMatchObject([{ awards }])
  })

  test('a token names a creator who exists', () => {
    expect(refusalOf(creating(token(), { ...square, addedByUserId: 'nobody' }))).toEqual({
      code: 'INVALID_INPUT',
      details: { issues: [{ path: 'addedByUserId', message: 'names no user of this registry' }] },
    })
  })

  test('an event that earns nothing is no award', () => {
    const rules = { ...defaultRules, xp: { ...defaultRules.xp, createWaypoint: 0 } }
    const decided = world().decide(createWaypoint(occasion(user('ada'), rules), square))
    expect(accepted(decided).entries).toMatchObject([{ awards: [] }])
  })
})

describe('updating a waypoint', () => {
  const image = 'https://a.example/1'
  const full = waypoint({ description: 'Behind the church', amenities: ['tap', 'dog-bowl'], image })

  test.for<[string, object, object]>([
    ['a field', { name: 'New' }, { name: 'New' }],
    ['only what changes', { ...square, name: 'New', region: 'Lund' }, { name: 'New', region: 'Lund' }],
    ['null clears', { description: null, image: null }, { description: null, image: null }],
    ['an empty text clears', { description: '' }, { description: null }],
    ['null clears a list', { amenities: null }, { amenities: [] }],
    ['the order of a list counts', { amenities: ['dog-bowl', 'tap'] }, { amenities: ['dog-bowl', 'tap'] }],
    ['half a position', { latitude: 1 }, { latitude: 1 }],
  ])('the entry has what changes: %s', ([, patch, fields]) => {
    const { entries } = accepted(updating(user('ada'), patch, full))
    expect(entries).toEqual([
      { subject: 'waypoint', subjectId: 1, action: 'edited', fields, awards: [['ada', 'editWaypoint', 10]] },
    ])
  })

  test.for<[string, object]>([
    ['nothing given', {}],
    ['the same values', { ...square, amenities: ['tap', 'dog-bowl'] }],
    ['another spelling of the same', { name: ' Market square ', amenities: ['Tap', 'dog bowl', 'tap'] }],
    ['clearing what is not there', { region: null, maintainer: '' }],
    ['flags and a creator from a session', { approved: true, verified: true, addedByUserId: 'ten' }],
  ])('nothing is written when nothing changes: %s', ([, patch]) => {
    const { entries, answer } = accepted(updating(user('ada'), patch, full))
    expect(entries).toEqual([])
    expect(answer.updatedAt).toBe(earlier)
  })

  test('each flag that changes is an entry of its own, after the edit', () => {
    const { entries, answer } = accepted(
      updating(user('max'), { name: 'New', approved: true, verified: true }),
    )
    expect(entries).toMatchObject([
      { action: 'edited', fields: { name: 'New' }, awards: [['max', 'editWaypoint', 10]] },
      { action: 'approved', fields: { approved: true }, awards: [] },
      { action: 'verified', fields: { verified: true }, awards: [['ada', 'waypointVerified', 25]] },
    ])
    expect(answer).toMatchObject({ name: 'New', approved: true, verified: true, updatedAt: now })
  })

  const once = { verifiedOnce: true }
  const award = (id: string) => ({ action: 'verified', awards: [[id, 'waypointVerified', 25]] })
  const named = { addedByUserId: 'ten' }
  const ofTen = [{ action: 'edited', fields: named }, award('ten')]
  const none = (action: string) => [{ action, awards: [] }]
  test.for<[string, Partial<WaypointState>, object, object[]]>([
    ['unapproved', { approved: true }, { approved: false }, none('unapproved')],
    ['unverified', { verified: true, ...once }, { verified: false }, none('unverified')],
    ['as it is', { approved: true }, { approved: true, verified: false }, []],
    ['verified again earns nothing', once, { verified: true }, none('verified')],
    ['the bonus goes to whom the same patch names', {}, { verified: true, ...named }, ofTen],
    ['nobody earns for the built-in user', { addedByUserId: 'api' }, { verified: true }, none('verified')],
  ])('flags: %s', ([, state, patch, entries]) => {
    expect(accepted(updating(token(), patch, waypoint(state))).entries).toMatchObject(entries)
  })

  test('an unchanged creator need not exist any more, a new one has to', () => {
    const state = waypoint({ addedByUserId: 'left' })
    expect(ending(updating(token(), { addedByUserId: 'left', name: 'x' }, state))).toBe('done')
    expect(refusalOf(updating(token(), { addedByUserId: 'nobody' }, state)).code).toBe('INVALID_INPUT')
  })

  test('coordinates out of range have their own code, unless something else is wrong too', () => {
    expect(ending(updating(user('ada'), { latitude: 91 }))).toBe('INVALID_COORDINATES')
    expect(ending(updating(user('ada'), { latitude: 91, name: '' }))).toBe('INVALID_INPUT')
  })
})

test('deleting a waypoint is an entry without fields, answered with the waypoint as it was', () => {
  const { entries, by, answer } = accepted(deleting(user('mo')))
  expect(entries).toEqual([{ subject: 'waypoint', subjectId: 1, action: 'deleted', fields: {} }])
  expect(by).toBe('mo')
  expect(answer).toMatchObject({ id: 1, ...square, updatedAt: earlier })
  expect(answer).not.toHaveProperty('version')
})
