import { describe, expect, test } from 'vitest'
import { condensed, nextChangeOf, statusOf, type ObservedFact, type StatusFacts } from '../src/status.ts'
import { Chance } from '@openfountain/testing/chance'
import { counted, repeated, seed } from '@openfountain/testing/effort'

/** Parses observations such as `10d ann works near`: days before the first of July, observer, kind, nearness. */
function said(...words: readonly string[]): ObservedFact[] {
  return words.map((each, index) => {
    const [days = '', observer = '', kind = '', ...more] = each.split(' ')
    const authority = more.find((word) => word === 'moderator' || word === 'operator')
    return {
      id: index + 1,
      kind: kind as ObservedFact['kind'],
      observedAt: day(Number.parseInt(days, 10)),
      near: more.includes('near'),
      observer,
      ...(authority && { authority }),
    }
  })
}

const today = '2026-07-01'
const day = (ago: number): string => new Date(Date.parse(today) - ago * 86_400_000).toISOString().slice(0, 10)

const saidOn = (observedAt: string, ...words: readonly string[]) =>
  said(...words.map((each) => `0d ${each}`)).map((each) => ({ ...each, observedAt }))

const status = (facts: StatusFacts, on = today) => statusOf(facts, on)
const ofWords = (words: string) =>
  status({ observations: said(...words.split(', ').filter((each) => each !== '')) })

const is = (
  state: string,
  since: number,
  supporters: number,
  confirmed?: number,
  isContradicted = false,
) => ({
  state,
  since: day(since),
  supporters,
  ...(confirmed !== undefined && { lastConfirmed: day(confirmed) }),
  ...(isContradicted && { contradicted: true }),
})
test.for<[string, string, object]>([
  ['one works', '3d ann works', is('works', 3, 1, 3)],
  ['two people: it works', '9d ann works, 3d bob works near', is('works', 9, 2, 3)],
  ['one person twice is one person', '9d ann works, 3d ann works', is('works', 3, 1, 3)],
  ['one report', '3d ann broken', is('reported', 3, 1)],
  ['one report of dirt', '3d ann dirty', is('reported', 3, 1)],
  ['the same person twice', '5d ann broken, 3d ann dry', is('reported', 3, 1)],
  ['two people', '5d ann broken, 3d bob dry', is('broken', 5, 2)],
  ['one moderator', '3d ann broken moderator', is('broken', 3, 1)],
  ['the operator', '3d api dry operator', is('broken', 3, 1)],
  ['one: gone', '3d ann gone', is('reported', 3, 1)],
  ['two: gone', '3d ann gone, 2d bob gone', is('gone', 3, 2)],
  ['one gone, one broken: nobody has water', '3d ann gone, 2d bob broken', is('broken', 3, 2)],
  ['one moderator: gone', '3d mo gone moderator', is('gone', 3, 1)],
  ['a newer works nearby', '9d ann broken, 8d bob broken, 3d cy works near', is('works', 3, 1, 3, true)],
  ['a newer works of the same day', '3d ann broken, 3d cy works near', is('works', 3, 1, 3, true)],
  [
    'a newer works from afar does not count against reports',
    '9d ann broken, 8d bob broken, 3d cy works',
    is('broken', 9, 2, 3),
  ],
  [
    'that of a moderator does',
    '9d ann broken, 8d bob broken, 3d mo works moderator',
    is('works', 3, 1, 3, true),
  ],
  ['an older works', '9d cy works near, 3d ann broken', is('reported', 3, 1, 9)],
  ['who takes the report back contradicts nobody', '9d ann broken, 3d ann works near', is('works', 3, 1, 3)],
  [
    'reports before a works nearby are not those after it',
    '9d ann broken, 5d cy works near, 3d bob broken',
    is('reported', 3, 1, 5),
  ],
])('without season and source: %s', ([, words, expected]) => {
  expect(ofWords(words)).toEqual(expected)
})

test.for<[string, string, string]>([
  ['nobody said anything', '', 'unconfirmed'],
  ['works: the last day', '180d ann works', 'works'],
  ['works: the day after', '181d ann works', 'unconfirmed'],
  ['broken: the last day', '60d ann broken, 60d bob broken', 'broken'],
  ['broken: the day after', '61d ann broken, 61d bob broken', 'unconfirmed'],
  ['dry: the last day', '30d ann dry', 'reported'],
  ['dry: the day after', '31d ann dry', 'unconfirmed'],
  ['one of two is out of date', '61d ann broken, 9d bob broken', 'reported'],
  ['a works before a report that is out of date', '90d ann works near, 70d bob broken', 'unconfirmed'],
  ['what comes later is not known yet', '-1d ann broken, 3d bob works', 'works'],
])('without season and source: %s', ([, words, state]) => {
  expect(ofWords(words).state).toBe(state)
})

describe('with a season', () => {
  const summer = { season: '04-01/10-31' }

  test('it is closed outside of it, since the day after its end', () => {
    expect(status(summer, '2026-07-01')).toEqual({ state: 'unconfirmed', supporters: 0 })
    expect(status(summer, '2026-10-31').state).toBe('unconfirmed')
    expect(status(summer, '2026-11-01')).toEqual({ state: 'off', since: '2026-11-01', supporters: 0 })
    expect(status(summer, '2027-03-31')).toEqual({ state: 'off', since: '2026-11-01', supporters: 0 })
    expect(status(summer, '2027-04-01').state).toBe('unconfirmed')
  })

  test('dry outside of it is off, not broken', () => {
    const observations = saidOn('2026-12-10', 'ann dry near', 'bob dry near')
    const facts = { ...summer, observations }
    expect(status(facts, '2026-12-11')).toEqual({ state: 'off', since: '2026-11-01', supporters: 2 })
    expect(status({ observations }, '2026-12-11').state).toBe('broken')
  })

  test('what was dry outside of it says nothing once it begins', () => {
    const observations = saidOn('2027-03-20', 'mo dry moderator')
    expect(status({ ...summer, observations }, '2027-04-02')).toEqual({ state: 'unconfirmed', supporters: 0 })
  })

  test('what is broken outside of it is broken', () => {
    const observations = saidOn('2026-12-10', 'mo broken moderator')
    expect(status({ ...summer, observations }, '2026-12-11').state).toBe('broken')
  })

  test('somebody who saw it work since it was over counts', () => {
    const observations = saidOn('2026-11-10', 'ann works')
    expect(status({ ...summer, observations }, '2026-11-11').state).toBe('works')
    expect(status({ ...summer, observations }, '2027-11-11').state).toBe('off')
  })

  test('it may run across New Year, and end on a day that few years have', () => {
    const winter = { season: '11-15/02-29' }
    expect(status(winter, '2027-01-10').state).toBe('unconfirmed')
    expect(status(winter, '2027-02-28').state).toBe('unconfirmed')
    expect(status(winter, '2027-03-01')).toEqual({ state: 'off', since: '2027-03-01', supporters: 0 })
    expect(status(winter, '2028-02-29').state).toBe('unconfirmed')
    expect(nextChangeOf(winter, '2027-01-10')).toBe('2027-03-01')
    expect(nextChangeOf(winter, '2027-03-01')).toBe('2027-11-15')
  })
})

const source = (seen: number, rest: object = {}) => ({ sources: [{ seen: day(seen), ...rest }] })
const undated = (heard: number, rest: object = {}): StatusFacts => ({
  sources: [{ heard: day(heard), state: 'broken', ...rest }],
})
const broken = { state: 'broken' }
const off = { state: 'off' }
const unconfirmed = { state: 'unconfirmed', supporters: 0 }
test.for<[string, StatusFacts, object]>([
  ['that lists it alone', source(1), unconfirmed],
  ['that says it is broken', source(5, broken), { ...broken, since: day(5), supporters: 0 }],
  ['that said so long ago', source(61, broken), unconfirmed],
  ['that says it is closed for the season', source(5, off), { ...off, since: day(5), supporters: 0 }],
  [
    'closed for the season, and somebody found it dry',
    { ...source(5, off), observations: said('2d ann dry near') },
    { ...off, since: day(5), supporters: 1 },
  ],
  [
    'and somebody who saw it work since',
    { ...source(5, broken), observations: said('5d ann works near') },
    { state: 'works', since: day(5), lastConfirmed: day(5), supporters: 1, contradicted: true },
  ],
  [
    'and somebody who saw it work before',
    { ...source(5, broken), observations: said('6d ann works near') },
    { ...broken, since: day(5), lastConfirmed: day(6), supporters: 0 },
  ],
  [
    'that looked',
    source(1, { checked: day(100) }),
    { state: 'works', since: day(100), lastConfirmed: day(100), supporters: 0 },
  ],
  [
    'that looked, and somebody who saw it, too',
    { ...source(1, { checked: day(100) }), observations: said('9d ann works') },
    { state: 'works', since: day(100), lastConfirmed: day(9), supporters: 1 },
  ],
  ['that says so on a day that is not known', undated(5), { ...broken, supporters: 0 }],
  ['that was heard to say so long ago', undated(61), unconfirmed],
  [
    'on a day that is not known, and somebody who saw it work of late',
    { ...undated(5), observations: said('100d ann works near') },
    { state: 'works', since: day(100), lastConfirmed: day(100), supporters: 1, contradicted: true },
  ],
  [
    'on a day that is not known, and somebody who saw it work long ago',
    { ...undated(5), observations: said('181d ann works near') },
    { ...broken, lastConfirmed: day(181), supporters: 0 },
  ],
  [
    'on a day that is not known, since one that is',
    undated(5, { since: day(9) }),
    { ...broken, since: day(9), supporters: 0 },
  ],
  [
    'that lists it after people found it broken',
    { ...source(1), observations: said('3d ann broken', '2d bob dry') },
    { ...broken, since: day(3), supporters: 2 },
  ],
  [
    'that says it is broken, where a newer one lists it, and another looked',
    { sources: [{ state: 'broken', seen: day(5) }, { seen: day(1) }, { checked: day(2) }] },
    { ...broken, since: day(5), lastConfirmed: day(2), supporters: 0 },
  ],
])('with a source: %s', ([, facts, expected]) => {
  expect(status(facts)).toEqual(expected)
})

describe('with passers-by', () => {
  const broken = { kind: 'broken', observedAt: day(2) } as const

  test('it is reported at most, and never against a moderator or the operator', () => {
    const threeReports = { passersBy: [broken, broken, broken] }
    expect(status(threeReports)).toEqual({ state: 'reported', since: day(2), supporters: 3 })
    expect(status({ ...threeReports, observations: said('9d ann works near') }).state).toBe('reported')
    expect(status({ ...threeReports, observations: said('9d mo works moderator') }).state).toBe('works')
    expect(status({ ...threeReports, observations: said('9d api works operator') }).state).toBe('works')
    expect(status({ ...threeReports, observations: said('1d ann works') }).state).toBe('works')
  })

  test('they confirm nothing, but take back what they reported', () => {
    const works = { kind: 'works', observedAt: day(1) } as const
    expect(status({ passersBy: [works] }).state).toBe('unconfirmed')
    expect(status({ passersBy: [broken, works] }).state).toBe('unconfirmed')
  })

  test('it ends after thirty days', () => {
    expect(status({ passersBy: [broken] }, day(-28)).state).toBe('reported')
    expect(status({ passersBy: [broken] }, day(-29)).state).toBe('unconfirmed')
  })
})

test.for<[string, StatusFacts, string | undefined]>([
  ['nothing is known', {}, undefined],
  ['works', { observations: said('0d ann works') }, day(-181)],
  ['the first of several', { observations: said('0d ann works', '0d bob dry') }, day(-31)],
  ['what is over does not end again', { observations: said('200d ann works') }, undefined],
  ['a season', { season: '04-01/10-31' }, '2026-11-01'],
  ['a source', { sources: [{ state: 'off', seen: today }] }, day(-121)],
  ['a source on a day that is not known', { sources: [{ state: 'off', heard: today }] }, day(-121)],
  ['a source that lists it alone', { sources: [{ seen: today }] }, undefined],
  ['passers-by', { passersBy: [{ kind: 'dry', observedAt: today }] }, day(-31)],
])('when it may change by itself: %s', ([, facts, expected]) => {
  expect(nextChangeOf(facts, today)).toBe(expected)
})

test('between two changes it stays what it is', () => {
  const facts: StatusFacts = {
    season: '04-15/10-15',
    observations: said('9d ann broken', '8d bob dry', '3d cy works near', '1d ann dry'),
    passersBy: [{ kind: 'dirty', observedAt: day(4) }],
    sources: [{ state: 'off', seen: day(20) }],
  }
  for (let on = today; on < '2028-07-01';) {
    const until = nextChangeOf(facts, on) ?? '2028-07-01'
    const { state } = status(facts, on)
    for (
      let next = on;
      next < until;
      next = new Date(Date.parse(next) + 86_400_000).toISOString().slice(0, 10)
    )
      expect([next, status(facts, next).state]).toEqual([next, state])
    on = until
  }
})

const names = ['ann', 'bob', 'cy', 'mo']
const kinds = ['works', 'works', 'broken', 'dry', 'dirty', 'gone'] as const
const seasons = ['04-15/10-15', '11-01/02-29', '07-02/07-02']

function facts(chance: Chance): StatusFacts {
  const ago = () => day(chance.below(chance.isIn(50) ? 40 : 1200))
  const some = <Item>(most: number, item: (id: number) => Item): Item[] =>
    Array.from({ length: chance.below(most + 1) }, (_each, index) => item(index + 1))
  return {
    ...(chance.isIn(70) && { season: chance.pick(seasons) }),
    observations: some(9, (id): ObservedFact => {
      const observer = chance.pick(names)
      const seen = { id, kind: chance.pick(kinds), observedAt: ago(), near: chance.isIn(50), observer }
      return observer === 'mo' ? { ...seen, authority: 'moderator' } : seen
    }),
    passersBy: some(2, () => ({ kind: chance.pick(kinds), observedAt: ago() })),
    sources: some(2, () => ({
      ...(chance.isIn(70) && { state: chance.pick(['broken', 'off'] as const) }),
      [chance.isIn(70) ? 'seen' : 'heard']: ago(),
      ...(chance.isIn(50) && { checked: ago() }),
    })),
  }
}

test('condensed facts give the same status on every later day', repeated, () => {
  for (let each = seed; each < seed + counted({ quick: 40, all: 400, full: 4000 }); each++) {
    const given = facts(new Chance(each))
    const kept = JSON.parse(JSON.stringify(condensed(given) ?? {})) as StatusFacts
    for (let later = 0; later < 800; later += 1 + (later % 7))
      expect([each, later, status(kept, day(-later))]).toEqual([each, later, status(given, day(-later))])
  }
})

test('condensed facts have no names, and one word of each person', () => {
  const kept = condensed({ observations: said('900d ann works', '9d bob dry', '3d bob works near') })
  expect(kept).toEqual({
    observations: [{ id: 1, kind: 'works', observedAt: day(3), near: true, observer: '1' }],
  })
  expect(condensed({ observations: said('900d ann works', '3d bob dry') })).toMatchObject({
    confirmed: day(900),
    observations: [{ kind: 'dry' }],
  })
})
