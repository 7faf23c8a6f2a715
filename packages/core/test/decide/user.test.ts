import { expect, test } from 'vitest'
import { token, user, type Actor } from '@openfountain/core'
import {
  blockUser,
  createUser,
  ensureUser,
  grantXp,
  setModerator,
  unblockUser,
  updateUser,
} from '../../src/decide/user.ts'
import type { Profile } from '../../src/log/nouns.ts'
import { accepted, earlier, ending, now, occasion, people, refusalOf, World } from './world.ts'

const profiles: readonly Profile[] = people.map(({ id }) => ({
  id,
  name: id.toUpperCase(),
  email: `${id}@example.org`,
  updatedAt: earlier,
}))
const ofHost = { id: 'external:login-of-ada', kind: 'external', userId: 'ada', value: {} } as const
const secret = [{ ...ofHost, createdAt: earlier, number: 1 }]
const world = new World({ user: people, profile: profiles, secret })

function issueOf(decided: Parameters<typeof refusalOf>[0]): unknown {
  const { issues } = refusalOf(decided).details as { issues?: readonly { path: string; message: string }[] }
  return issues?.[0]
}

const adding = (input: unknown) => world.decide(createUser(now, input, () => 'u1'))

test('adding a person: the log has the id alone; name and address are beside it', () => {
  const profile = { id: 'u1', name: 'Ada', email: 'ada@example.com', updatedAt: now }
  const decided = accepted(adding({ name: ' Ada ', email: 'ada@example.com' }))
  expect(decided).toMatchObject({
    entries: [{ subject: 'user', subjectId: 'u1', action: 'created', fields: {} }],
    unlogged: [{ noun: 'profile', after: profile }],
    by: 'api',
    answer: { person: { id: 'u1', xp: 0, isModerator: false, createdAt: now }, profile },
  })
  expect(JSON.stringify(decided.entries)).not.toMatch(/Ada|example/u)
})

test('adding a person: moderator and XP from the beginning', () => {
  const { entries, answer } = accepted(adding({ name: 'Ada', id: 'x', isModerator: true, xp: 20 }))
  expect(entries).toMatchObject([
    { subjectId: 'x', action: 'created', fields: { moderator: true } },
    { subjectId: 'x', action: 'granted', awards: [['x', 'grant', 20]] },
  ])
  expect(answer.person).toMatchObject({ isModerator: true, xp: 20 })
})

test.for<[string, object, string, string]>([
  ['an id that is taken', { name: 'A', id: 'ada' }, 'id', 'is taken by another user'],
  ['the id of the built-in user', { name: 'A', id: 'api' }, 'id', 'is taken by another user'],
  ['no name', { name: '  ' }, 'name', 'must not be empty'],
  ['an id with a slash', { name: 'A', id: 'a/b' }, 'id', 'must have no white space and no slash'],
  ['XP below zero', { name: 'A', xp: -1 }, 'xp', 'must be at least 0'],
])('adding a person: %s is refused', ([, input, path, message]) => {
  expect(issueOf(adding(input))).toEqual({ path, message })
})

test('adding a person: ensuring adds once, and never the built-in user', () => {
  const ensuring = (externalId: string) =>
    world.decide(ensureUser(now, { externalId, name: 'New' }, () => 'made'))
  const made = accepted(ensuring('login-7'))
  expect(made.entries).toMatchObject([{ subjectId: 'made' }])
  expect(JSON.stringify(made.entries)).not.toContain('login-7')
  const known = accepted(ensuring('login-of-ada'))
  expect(known.entries).toEqual([])
  expect(known.answer.profile).toMatchObject({ id: 'ada', name: 'New' })
  expect(issueOf(ensuring(''))).toMatchObject({ path: 'externalId' })
})

const updating = (input: unknown, id = 'ada') => world.decide(updateUser(now, id, input))

test.for<[string, object, Partial<Profile> | undefined]>([
  ['a name', { name: 'New' }, { name: 'New', email: 'ada@example.org' }],
  ['an address', { email: 'new@example.org' }, { name: 'ADA', email: 'new@example.org' }],
  ['the same address in upper case', { email: 'ADA@example.org' }, { email: 'ADA@example.org' }],
  ['the address of another', { email: 'mo@example.org' }, { email: 'mo@example.org' }],
  ['no address', { email: null }, { name: 'ADA' }],
  ['nothing', {}, undefined],
  ['the same', { name: 'ADA', email: 'ada@example.org' }, undefined],
])('changing a person: %s: nothing is logged', ([, input, after]) => {
  const { entries, unlogged = [] } = accepted(updating(input))
  expect(entries).toEqual([])
  if (after === undefined) expect(unlogged).toEqual([])
  else {
    expect(unlogged).toMatchObject([{ noun: 'profile', after: { id: 'ada', updatedAt: now, ...after } }])
    if (!('email' in after)) expect(unlogged).not.toMatchObject([{ after: { email: expect.anything() } }])
  }
})

test('changing a person: refusals: validation before the search for the person, the built-in user', () => {
  expect(ending(updating({ name: '' }, 'nobody'))).toBe('INVALID_INPUT')
  expect(ending(updating({ name: 'x' }, 'nobody'))).toBe('NOT_FOUND')
  expect(issueOf(updating({ name: 'x' }, 'api'))).toMatchObject({ path: 'id' })
})

const granting = (id: string, amount: number, reason = 'thanks') => world.decide(grantXp(id, amount, reason))

test.for([30, -30, -1000])('a grant of %d is an award', (amount) => {
  const { entries, by, answer } = accepted(granting('ada', amount))
  expect(by).toBe('api')
  const about = { subject: 'user', subjectId: 'ada', action: 'granted' }
  expect(entries).toEqual([{ ...about, fields: { reason: 'thanks' }, awards: [['ada', 'grant', amount]] }])
  expect(answer.person.xp).toBe(100 + amount)
})

const { NaN: none, POSITIVE_INFINITY: infinite, MAX_SAFE_INTEGER: most } = Number
test.for([0, 0.5, none, infinite, 1_000_000_001, -1_000_000_001, most])(
  'a grant of %d is refused',
  (amount) => expect(issueOf(granting('ada', amount))).toMatchObject({ path: 'amount' }),
)

test('a grant has a reason, a person, and never goes to the built-in user', () => {
  expect(issueOf(granting('ada', 1, ' '))).toEqual({ path: 'reason', message: 'must not be empty' })
  expect(ending(granting('nobody', 1))).toBe('NOT_FOUND')
  expect(issueOf(granting('api', 1))).toMatchObject({ path: 'id' })
})

test('the built-in user and nobody have no rights', () => {
  expect(ending(world.decide(setModerator(now, 'nobody', true)))).toBe('NOT_FOUND')
  expect(ending(world.decide(setModerator(now, 'api', true)))).toBe('INVALID_INPUT')
})

test.for<[string, boolean, string[]]>([
  ['ada', true, ['appointed']],
  ['ada', false, []],
  ['mo', false, ['dismissed']],
  ['mo', true, []],
])('setting the rights of %s to %s', ([id, isModerator, actions]) => {
  const { entries, answer } = accepted(world.decide(setModerator(now, id, isModerator)))
  expect(entries.map((entry) => ('action' in entry ? entry.action : ''))).toEqual(actions)
  expect(answer.person.isModerator).toBe(isModerator)
})

type Options = Parameters<typeof blockUser>[2]
const blocking = (actor: Actor, id = 'ada', options: Options = { reason: ' spam ' }) =>
  world.decide(blockUser(occasion(actor), id, options))
const unblocking = (actor: Actor, id = 'blocked') => world.decide(unblockUser(occasion(actor), id))

test('blocking: the entry has the reason, and the end in UTC', () => {
  const given = { reason: ' spam ', until: '2026-07-01T02:00:00+02:00' }
  const { entries, by, answer } = accepted(blocking(user('mo'), 'ada', given))
  const block = { reason: 'spam', until: '2026-07-01T00:00:00.000Z' }
  expect(entries).toEqual([{ subject: 'user', subjectId: 'ada', action: 'blocked', fields: block }])
  expect(by).toBe('mo')
  expect(answer.person.block).toEqual(block)
})

test.for<[string, string, Options, string]>([
  ['a moderator', 'max', { reason: 'x' }, 'FORBIDDEN'],
  ['oneself', 'mo', { reason: 'x' }, 'FORBIDDEN'],
  ['nobody', 'nobody', { reason: 'x' }, 'NOT_FOUND'],
  ['the built-in user', 'api', { reason: 'x' }, 'FORBIDDEN'],
  ['without a reason', 'ada', { reason: ' ' }, 'INVALID_INPUT'],
  ['without a reason, nobody', 'nobody', { reason: '' }, 'INVALID_INPUT'],
  ['with half a character in the reason', 'ada', { reason: 'a\ud800' }, 'INVALID_INPUT'],
  ['with a control character in the reason', 'ada', { reason: 'a\u0000b' }, 'INVALID_INPUT'],
  ['until now', 'ada', { reason: 'x', until: now }, 'INVALID_INPUT'],
  ['until a day without a time', 'ada', { reason: 'x', until: '2027-01-01' }, 'INVALID_INPUT'],
  ['until no time at all', 'ada', { reason: 'x', until: 'tomorrow' }, 'INVALID_INPUT'],
])('blocking: refused: %s', ([, id, options, code]) => {
  expect(ending(blocking(user('mo'), id, options))).toBe(code)
})

test('blocking: a block is replaced by another, and ended once', () => {
  expect(accepted(blocking(token(), 'blocked', { reason: 'again' })).answer.person.block).toEqual({
    reason: 'again',
  })
  const ended = accepted(unblocking(token()))
  expect(ended.entries).toMatchObject([{ subjectId: 'blocked', action: 'unblocked' }])
  expect(ended.answer.person).not.toHaveProperty('block')
  expect(accepted(unblocking(token(), 'ada')).entries).toEqual([])
  expect(ending(unblocking(token(), 'nobody'))).toBe('NOT_FOUND')
})
