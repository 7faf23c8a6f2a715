import { describe, expect, test } from 'vitest'
import {
  addPasskey,
  addWay,
  removeWay,
  renamePasskey,
  signInWith,
  signInWithPasskey,
  takeCeremony,
  type SigningIn,
  type Way,
  leave,
  keepPersonal,
} from '../../src/decide/account.ts'
import type { Profile } from '../../src/log/nouns.ts'
import { defaultRules } from '../../src/rules.ts'
import type { Secret, SecretOf } from '../../src/secrets.ts'
import { accepted, earlier, now, people, refusalOf, World } from './world.ts'

const later = '2026-06-01T12:10:00.000Z'

const profiles: readonly Profile[] = [
  ...people.map(({ id }) => ({ id, name: id.toUpperCase(), updatedAt: earlier })),
  { id: 'nine', name: '', updatedAt: earlier, leftAt: earlier },
]

type Rest = Partial<Pick<SecretOf<'session'>, 'number' | 'userId' | 'usedAt' | 'expiresAt'>>
const secret = <Kind extends Secret['kind']>(
  kind: Kind,
  key: string,
  value: SecretOf<Kind>['value'],
  rest: Rest = {},
): SecretOf<Kind> =>
  ({ id: `${kind}:${key}`, kind, value, createdAt: earlier, ...rest }) as unknown as SecretOf<Kind>

const identity = (userId: string, key: string) =>
  secret('identity', key, { provider: 'email', label: key }, { number: 1, userId })
const passkey = (userId: string, key: string, counter: number) =>
  secret(
    'passkey',
    key,
    { name: 'Phone', publicKey: 'key', counter, transports: ['internal'], isSynced: false },
    { number: 2, userId },
  )

const secrets: readonly Secret[] = [
  ...['ada', 'max', 'ten', 'blocked'].map((id) => identity(id, `mailto:${id}@example.org`)),
  identity('nine', 'mailto:left@example.org'),
  passkey('ada', 'phone', 7),
  passkey('max', 'never counts', 0),
  secret(
    'ceremony',
    'begun',
    { purpose: 'sign-in', expected: { challenge: 'c' } },
    { number: 7, expiresAt: later },
  ),
  secret('barred', 'spammer', { reason: 'spam' }, { number: 8, expiresAt: later }),
]

const world = new World({ user: people, profile: profiles, secret: secrets })

const session = (userId: string) => secret('session', 'new', {}, { userId, expiresAt: later })
const signing: SigningIn = { at: now, rules: defaultRules, newId: () => 'u1', session }

const way = (key: string, rest: Partial<Way> = {}): Way => ({
  key,
  provider: 'osm',
  label: 'Somebody',
  barredKey: 'nobody',
  ...rest,
})

type Secretly = Parameters<typeof accepted>[0]

function secretly(decided: Secretly): { readonly kept: string[]; readonly removed: string[] } {
  const all = (accepted(decided).unlogged ?? []).flatMap(({ noun, after }) =>
    noun === 'secret' ? [after] : [],
  )
  return {
    kept: all.filter(({ isGone }) => isGone !== true).map(({ id }) => id),
    removed: all.filter(({ isGone }) => isGone === true).map(({ id }) => id),
  }
}

describe('a way that was proven', () => {
  const signingIn = (proven: Way, registration: 'open' | 'invite' | 'closed', name?: string) =>
    world.decide(signInWith(proven, { name, registration }, signing))
  test.for([
    ['somebody blocked left with it', way('issuer 1', { barredKey: 'spammer' }), 'open', 'Zoë', 'FORBIDDEN'],
    ['its owner left', way('mailto:left@example.org'), 'open', 'Zoë', 'UNAUTHORIZED'],
  ] as const)('makes none when %s', ([, proven, registration, name, code]) => {
    expect(refusalOf(signingIn(proven, registration, name)).code).toBe(code)
  })

  test('is not added, nor a token made, for somebody who left meanwhile', () => {
    const { userId: _of, ...key } = passkey('nine', 'laptop', 0)
    const token = secret('personal', 'new', { name: 'Survey' }, { userId: 'nine' })
    for (const decided of [
      world.decide(addWay(now, 'nine', way('issuer 2'))),
      world.decide(addPasskey('nine', key)),
      world.decide(keepPersonal('nine', token)),
    ])
      expect(refusalOf(decided)).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  test('is removed by its owner, unless it is the last', () => {
    const removing = (id: string, userId: string) => world.decide(removeWay(id, userId, now))
    expect(secretly(removing('passkey:phone', 'ada')).removed).toEqual(['passkey:phone'])
    expect(refusalOf(removing('identity:mailto:ten@example.org', 'ten')).code).toBe('CONFLICT')
    expect(refusalOf(removing('passkey:phone', 'max')).code).toBe('NOT_FOUND')
  })
})

test('a person who is blocked adds, renames and removes no way to sign in', () => {
  const key = passkey('blocked', 'new', 0)
  const acts = [
    world.decide(addWay(now, 'blocked', way('issuer 2'))),
    world.decide(addPasskey('blocked', key)),
    world.decide(renamePasskey({ id: 'passkey:phone', userId: 'blocked', name: 'Mine' }, now)),
    world.decide(removeWay('identity:mailto:blocked@example.org', 'blocked', now)),
  ]
  for (const act of acts)
    expect(refusalOf(act)).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'spam' } })
})

const signingIn = (key: string, counter: number) =>
  world.decide(signInWithPasskey({ id: `passkey:${key}`, counter }, signing))

test.for([
  ['phone', 8, 'ada'],
  ['phone', 7, undefined],
  ['phone', 0, undefined],
  ['never counts', 0, 'max'],
  ['never counts', 1, 'max'],
] as const)('a passkey %s with counter %i signs in %s', ([key, counter, userId]) => {
  expect(accepted(signingIn(key, counter)).answer?.userId).toBe(userId)
})

test('a passkey that is unknown is refused, and so is one that was added before', () => {
  expect(refusalOf(signingIn('nobody’s', 1)).code).toBe('UNAUTHORIZED')
  expect(refusalOf(world.decide(addPasskey('max', passkey('max', 'phone', 0)))).code).toBe('CONFLICT')
})

test('a passkey is renamed by its owner alone', () => {
  const renaming = (userId: string) =>
    world.decide(renamePasskey({ id: 'passkey:phone', userId, name: 'Old phone' }, now))
  expect(accepted(renaming('ada')).unlogged).toMatchObject([
    { after: { value: { name: 'Old phone', counter: 7 } } },
  ])
  expect(refusalOf(renaming('max')).code).toBe('NOT_FOUND')
})

test('a ceremony is ended once, for the purpose for which it was begun', () => {
  const taking = (purpose: string, at = now) => world.decide(takeCeremony('begun', { purpose, at }))
  expect(accepted(taking('sign-in')).answer?.value.expected).toEqual({ challenge: 'c' })
  expect(accepted(taking('addition')).answer).toBeUndefined()
  expect(accepted(taking('sign-in', later)).answer).toBeUndefined()
  for (const decided of [taking('sign-in'), taking('addition'), taking('sign-in', later)])
    expect(secretly(decided).removed).toEqual(['ceremony:begun'])
})

const leaving = (id: string, confirm?: string) =>
  world.decide(leave(now, id, { confirm, barredKeyOf: (key) => `hash of ${key}` }))

test('leaving ends moderator rights, and does not undo a block', () => {
  expect(accepted(leaving('max', 'MAX')).entries).toMatchObject([{ subjectId: 'max', action: 'dismissed' }])
  const { kept } = secretly(leaving('blocked', 'BLOCKED'))
  expect(kept).toEqual(['barred:hash of identity:mailto:blocked@example.org'])
})
