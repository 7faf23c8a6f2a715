import { describe, expect, test } from 'vitest'
import {
  addPasskey,
  addWay,
  keepCode,
  redeemCode,
  redeemLink,
  removeWay,
  renamePasskey,
  signInWith,
  signInWithPasskey,
  takeCeremony,
  type NewCode,
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
const link = (key: string, rest: Rest, invited?: SecretOf<'link'>['value']['invited']) =>
  secret('link', key, invited === undefined ? {} : { invited }, { number: 3, expiresAt: later, ...rest })
const code = (key: string, number: number, tries = 5, of = 'ada', expiresAt = later) =>
  secret('code', key, { answer: 'right', tries, allowance: of }, { number, expiresAt })
const allowance = (key: string, left: number) =>
  secret('allowance', key, { left }, { number: 10, usedAt: now, expiresAt: later })

const secrets: readonly Secret[] = [
  ...['ada', 'max', 'ten', 'blocked'].map((id) => identity(id, `mailto:${id}@example.org`)),
  identity('nine', 'mailto:left@example.org'),
  passkey('ada', 'phone', 7),
  passkey('max', 'never counts', 0),
  link('of ada', { userId: 'ada' }),
  link('of somebody who left', { userId: 'nine' }),
  link('expired', { userId: 'ada', expiresAt: now }),
  link('for anybody', {}, { isModerator: false }),
  link('for Mia', {}, { name: 'Mia', isModerator: true }),
  code('browser', 4),
  code('last try', 5, 1),
  code('too late', 6, 5, 'ada', now),
  code('of somebody guessed', 9, 5, 'guessed'),
  allowance('guessed', 0.5),
  allowance('mailed', 0),
  allowance('mailed from here', 0),
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

describe('a link', () => {
  const redeeming = (key: string, name?: string) => world.decide(redeemLink({ key, name }, signing))

  test('signs its user in, and is used up', () => {
    const decided = redeeming('of ada')
    expect(accepted(decided)).toMatchObject({ entries: [], answer: { userId: 'ada', isNew: false } })
    expect(secretly(decided)).toEqual({ kept: ['session:new'], removed: ['link:of ada'] })
  })

  test.for([
    ['for anybody', 'Zoë', 'Zoë', {}],
    ['for Mia', undefined, 'Mia', { moderator: true }],
    ['for Mia', 'Mia B.', 'Mia B.', { moderator: true }],
  ] as const)('%s makes an account in the same write, called %s', ([key, name, expected, fields]) => {
    const decided = redeeming(key, name)
    expect(accepted(decided)).toMatchObject({
      entries: [{ subject: 'user', subjectId: 'u1', action: 'created', fields }],
      answer: { userId: 'u1', isNew: true },
    })
    expect(accepted(decided).unlogged?.[0]).toMatchObject({ noun: 'profile', after: { name: expected } })
    expect(secretly(decided)).toEqual({ kept: ['session:new'], removed: [`link:${key}`] })
  })

  test('makes no account where registration is closed, and stays; who has one is signed in', () => {
    const decide = (key: string, name?: string) =>
      world.decide(redeemLink({ key, name, registration: 'closed' }, signing))
    for (const refused of [decide('for anybody', 'Zoë'), decide('for Mia')])
      expect(refusalOf(refused)).toMatchObject({ code: 'FORBIDDEN', details: { registration: 'closed' } })
    expect(accepted(decide('of ada'))).toMatchObject({ answer: { userId: 'ada', isNew: false } })
  })

  test.for([
    ['for anybody', 'INVALID_INPUT'],
    ['of somebody who left', 'UNAUTHORIZED'],
    ['expired', 'UNAUTHORIZED'],
    ['never made', 'UNAUTHORIZED'],
  ] as const)('%s, without a name, is refused', ([key, code]) => {
    expect(refusalOf(redeeming(key)).code).toBe(code)
  })
})

describe('a way that was proven', () => {
  const signingIn = (proven: Way, registration: 'open' | 'invite' | 'closed', name?: string) =>
    world.decide(signInWith(proven, { name, registration }, signing))
  const ofAda = way('mailto:ada@example.org')

  test('signs in who has it, whatever registration is', () => {
    for (const registration of ['open', 'invite', 'closed'] as const) {
      const decided = signingIn(ofAda, registration)
      expect(accepted(decided).answer).toEqual({ userId: 'ada', isNew: false })
      const kept = ['identity:mailto:ada@example.org', 'session:new']
      expect(secretly(decided)).toEqual({ kept, removed: [] })
    }
  })

  test('makes an account where registration is open', () => {
    const decided = signingIn(way('issuer 1'), 'open', 'Zoë')
    expect(accepted(decided).answer).toEqual({ userId: 'u1', isNew: true })
    expect(secretly(decided).kept).toEqual(['identity:issuer 1', 'signedUp:u1', 'session:new'])
  })

  test.for([
    ['nobody is invited by it', way('issuer 1'), 'invite', 'Zoë', 'FORBIDDEN'],
    ['registration is closed', way('issuer 1'), 'closed', 'Zoë', 'FORBIDDEN'],
    ['there is no name', way('issuer 1'), 'open', undefined, 'INVALID_INPUT'],
    [
      'its address has an account, which is never joined',
      way('issuer 1', { address: 'mailto:ada@example.org' }),
      'open',
      'Zoë',
      'CONFLICT',
    ],
    ['somebody blocked left with it', way('issuer 1', { barredKey: 'spammer' }), 'open', 'Zoë', 'FORBIDDEN'],
    ['its owner left', way('mailto:left@example.org'), 'open', 'Zoë', 'UNAUTHORIZED'],
  ] as const)('makes none when %s', ([, proven, registration, name, code]) => {
    expect(refusalOf(signingIn(proven, registration, name)).code).toBe(code)
  })

  test('is added to an account once, and never to two', () => {
    const adding = (key: string) => world.decide(addWay(now, 'ada', way(key)))
    expect(secretly(adding('issuer 1')).kept).toEqual(['identity:issuer 1'])
    expect(accepted(adding('mailto:ada@example.org'))).toMatchObject({ answer: false, entries: [] })
    expect(refusalOf(adding('mailto:max@example.org')).code).toBe('CONFLICT')
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
    // Links are no way that lasts.
    expect(refusalOf(removing('link:of ada', 'ada')).code).toBe('NOT_FOUND')
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

describe('a passkey', () => {
  const signingIn = (key: string, counter: number) =>
    world.decide(signInWithPasskey({ id: `passkey:${key}`, counter }, signing))

  test.for([
    ['phone', 8, 'ada'],
    ['phone', 7, undefined],
    ['phone', 0, undefined],
    ['never counts', 0, 'max'],
    ['never counts', 1, 'max'],
  ] as const)('%s with counter %i signs in %s', ([key, counter, userId]) => {
    expect(accepted(signingIn(key, counter)).answer?.userId).toBe(userId)
  })

  test('that is unknown is refused, and so is one that was added before', () => {
    expect(refusalOf(signingIn('nobody’s', 1)).code).toBe('UNAUTHORIZED')
    expect(refusalOf(world.decide(addPasskey('max', passkey('max', 'phone', 0)))).code).toBe('CONFLICT')
  })

  test('is renamed by its owner alone', () => {
    const renaming = (userId: string) =>
      world.decide(renamePasskey({ id: 'passkey:phone', userId, name: 'Old phone' }, now))
    expect(accepted(renaming('ada')).unlogged).toMatchObject([
      { after: { value: { name: 'Old phone', counter: 7 } } },
    ])
    expect(refusalOf(renaming('max')).code).toBe('NOT_FOUND')
  })
})

describe('a code', () => {
  const redeeming = (key: string, answer: string) =>
    world.decide(
      redeemCode({ key, answer, at: now }, () =>
        signInWith(way('mailto:ada@example.org'), { registration: 'closed' }, signing),
      ),
    )

  const asking = (keys: Partial<NewCode['allowances']>) => {
    const allowances = { network: 'net', address: 'all', wrong: 'ada', ...keys }
    return world.decide(keepCode({ key: 'new', answer: 'right', allowances }, now))
  }

  test('that is right signs in, and is used up', () => {
    const decided = redeeming('browser', 'right')
    expect(accepted(decided).answer).toEqual({ isRight: true, answer: { userId: 'ada', isNew: false } })
    expect(secretly(decided).removed).toEqual(['code:browser'])
  })

  test('that is wrong is one try less, and the last try ends it', () => {
    expect(accepted(redeeming('browser', 'wrong')).answer).toEqual({ isRight: false, triesLeft: 4 })
    const [first, last] = [redeeming('browser', 'wrong'), redeeming('last try', 'wrong')]
    expect(secretly(first)).toEqual({ kept: ['code:browser', 'allowance:ada'], removed: [] })
    expect(secretly(last)).toEqual({ kept: ['allowance:ada'], removed: ['code:last try'] })
  })

  test('is refused, right or wrong, after fifty wrong ones for its address in a day, and then no other is kept', () => {
    for (const answer of ['right', 'wrong'])
      expect(refusalOf(redeeming('of somebody guessed', answer))).toMatchObject({
        code: 'RATE_LIMITED',
        details: { limit: 50, windowSeconds: 86_400, retryAfterSeconds: 864 },
      })
    expect(refusalOf(asking({ wrong: 'guessed' })).code).toBe('RATE_LIMITED')
  })

  test('is kept while a mail may be sent, at the request of one network and of all', () => {
    expect(secretly(asking({})).kept).toEqual(['code:new', 'allowance:net', 'allowance:all'])
    expect(refusalOf(asking({ network: 'mailed from here' })).details).toMatchObject({ limit: 5 })
    expect(refusalOf(asking({ address: 'mailed' })).details).toMatchObject({ limit: 20 })
  })

  test('is refused after ten minutes, and in a browser that asked for none', () => {
    expect(refusalOf(redeeming('too late', 'right')).code).toBe('UNAUTHORIZED')
    expect(refusalOf(redeeming('another', 'right')).code).toBe('UNAUTHORIZED')
  })
})

test('a ceremony is ended once, for the purpose for which it was begun', () => {
  const taking = (purpose: string, at = now) => world.decide(takeCeremony('begun', { purpose, at }))
  expect(accepted(taking('sign-in')).answer?.value.expected).toEqual({ challenge: 'c' })
  expect(accepted(taking('addition')).answer).toBeUndefined()
  expect(accepted(taking('sign-in', later)).answer).toBeUndefined()
  for (const decided of [taking('sign-in'), taking('addition'), taking('sign-in', later)])
    expect(secretly(decided).removed).toEqual(['ceremony:begun'])
})

describe('leaving', () => {
  const leaving = (id: string, confirm?: string) =>
    world.decide(leave(now, id, { confirm, barredKeyOf: (key) => `hash of ${key}` }))

  test('removes name, address and everything that lets the person in, and makes no entry', () => {
    const decided = leaving('ada', ' ADA ')
    expect(accepted(decided).entries).toEqual([])
    expect(accepted(decided).unlogged?.[0]).toEqual({
      noun: 'profile',
      after: { id: 'ada', name: '', updatedAt: now, leftAt: now },
    })
    const ofAda = ['identity:mailto:ada@example.org', 'link:expired', 'link:of ada', 'passkey:phone']
    expect(secretly(decided)).toEqual({ kept: [], removed: ofAda })
  })

  test('ends moderator rights, and does not undo a block', () => {
    expect(accepted(leaving('max', 'MAX')).entries).toMatchObject([{ subjectId: 'max', action: 'dismissed' }])
    const { kept } = secretly(leaving('blocked', 'BLOCKED'))
    expect(kept).toEqual(['barred:hash of identity:mailto:blocked@example.org'])
  })

  test.for([
    ['ada', 'Eve', 'INVALID_INPUT'],
    ['nine', '', 'NOT_FOUND'],
    ['nobody', 'Nobody', 'NOT_FOUND'],
  ] as const)('%s with the confirmation %s is refused', ([id, confirm, code]) => {
    expect(refusalOf(leaving(id, confirm)).code).toBe(code)
  })
})
