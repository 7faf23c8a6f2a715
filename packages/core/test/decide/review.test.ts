import { describe, expect, test } from 'vitest'
import { defaultRules, token, user, type Actor, type Rules } from '@openfountain/core'
import { createReview, deleteReview, updateReview } from '../../src/decide/review.ts'
import type { ReviewState } from '../../src/log/nouns.ts'
import {
  accepted,
  allowed,
  earlier,
  ending,
  now,
  occasion,
  people,
  refusalOf,
  waypoint,
  World,
} from './world.ts'

const review = (rest: Partial<ReviewState> = {}): ReviewState => ({
  id: 3,
  bubblerId: 1,
  userId: 'ada',
  rating: 4,
  comment: 'Cold',
  createdAt: earlier,
  updatedAt: earlier,
  ...rest,
})

const given = { bubblerId: 1, rating: 5 }
const oneEach = { ...defaultRules, reviews: { onePerWaypoint: true } }

function world(...reviews: ReviewState[]): World {
  const gone = waypoint({ id: 2, deletedAt: earlier })
  return new World({ user: people, waypoint: [waypoint(), gone], review: reviews })
}

const posting = (
  actor: Actor,
  input: unknown = given,
  rules: Rules = defaultRules,
  ...reviews: ReviewState[]
) => world(...reviews).decide(createReview(occasion(actor, rules), input))
const deleting = (actor: Actor, id = 3, state = review()) =>
  world(state).decide(deleteReview(occasion(actor), id))

test('posting a review: an embedder may set a gate', () => {
  const rules = { ...defaultRules, gates: { ...defaultRules.gates, postReview: 10 } }
  expect(ending(posting(user('nine'), { rating: 9 }, rules))).toBe('INSUFFICIENT_XP')
  expect(ending(posting(user('ten'), given, rules))).toBe('done')
})

test('posting a review: the entry and the answer', () => {
  const { entries, by, answer } = accepted(posting(user('newcomer'), { ...given, comment: 'Good\r\n' }))
  const fields = { comment: 'Good\n', rating: 5 }
  const awards = [['newcomer', 'postReview', 5]]
  expect(by).toBe('newcomer')
  expect(entries).toEqual([
    { subject: 'review', subjectId: 1, action: 'created', fields: { ...fields, waypoint: 1 }, awards },
  ])
  const times = { createdAt: now, updatedAt: now }
  expect(answer).toEqual({ id: 1, bubblerId: 1, userId: 'newcomer', ...fields, ...times })
})

test.for([null, undefined, ''])('posting a review: a comment that is %j is none', (comment) => {
  const { entries, answer } = accepted(posting(user('ada'), { ...given, comment }))
  expect(entries).toMatchObject([{ fields: { rating: 5, waypoint: 1 } }])
  expect(answer).not.toHaveProperty('comment')
})

test.for<[string, object]>([
  ['a rating of 0', { bubblerId: 1, rating: 0 }],
  ['a rating of 6', { bubblerId: 1, rating: 6 }],
  ['a rating of 4.5', { bubblerId: 1, rating: 4.5 }],
  ['no rating', { bubblerId: 1 }],
  ['no waypoint', { rating: 1 }],
  ['an unknown waypoint', { bubblerId: 99, rating: 1 }],
  ['a deleted waypoint', { bubblerId: 2, rating: 1 }],
  ['a comment that is too long', { ...given, comment: 'x'.repeat(2001) }],
  ['a comment with a control character', { ...given, comment: 'a\u0007' }],
])('posting a review: %s is refused', ([, input]) => {
  expect(ending(posting(user('ada'), input))).toBe('INVALID_INPUT')
})

test('posting a review: several by one person are allowed, unless the rules say otherwise', () => {
  expect(ending(posting(user('ada'), given, defaultRules, review()))).toBe('done')
  expect(ending(posting(user('ada'), given, oneEach, review()))).toBe('FORBIDDEN')
  expect(ending(posting(user('ten'), given, oneEach, review()))).toBe('done')
  expect(ending(posting(user('ada'), given, oneEach, review({ deletedAt: earlier })))).toBe('done')
})

describe('changing a review', () => {
  const changing = (actor: Actor, patch: unknown = { rating: 1 }, state = review()) =>
    world(state).decide(updateReview(occasion(actor), 3, patch))

  test('its author alone may, not moderators and API tokens, even with the author as owner', () => {
    expect(allowed((actor) => changing(actor))).toEqual(['contributor'])
    expect(ending(changing(token('ada')))).toBe('FORBIDDEN')
    expect(ending(changing(user('blocked'), { rating: 1 }, review({ userId: 'blocked' })))).toBe('FORBIDDEN')
    expect(refusalOf(changing(user('ten')))).toMatchObject({ code: 'FORBIDDEN' })
  })

  test('the entry has what changed and earns nothing, and the answer is the review after it', () => {
    const { entries, by, answer } = accepted(changing(user('ada'), { rating: 2, comment: 'Warm' }))
    expect(by).toBe('ada')
    expect(entries).toEqual([
      { subject: 'review', subjectId: 3, action: 'edited', fields: { comment: 'Warm', rating: 2 } },
    ])
    expect(answer).toEqual({ ...review(), comment: 'Warm', rating: 2, updatedAt: now })
  })

  test.for([null, ''])('a comment that is %j is cleared', (comment) => {
    const { entries, answer } = accepted(changing(user('ada'), { comment }))
    expect(entries).toMatchObject([{ action: 'edited', fields: { comment: null } }])
    expect(answer).not.toHaveProperty('comment')
  })

  test('nothing is written when nothing changes', () => {
    const { rating, comment } = review()
    for (const patch of [{}, { rating }, { rating, comment }]) {
      const { entries, answer } = accepted(changing(user('ada'), patch))
      expect([entries, answer]).toEqual([[], review()])
    }
  })

  test('what cannot be is refused', () => {
    for (const patch of [{ rating: 6 }, { rating: null }, { comment: 'x'.repeat(2001) }, { comment: 7 }])
      expect(ending(changing(user('ada'), patch))).toBe('INVALID_INPUT')
  })

  test('what is not there or deleted is not found', () => {
    expect(ending(world().decide(updateReview(occasion(user('ada')), 3, { rating: 1 })))).toBe('NOT_FOUND')
    expect(ending(changing(user('ada'), { rating: 1 }, review({ deletedAt: earlier })))).toBe('NOT_FOUND')
  })
})

test('deleting a review: the entry takes nothing back, and the answer is the review as it was', () => {
  const { entries, answer } = accepted(deleting(user('ada')))
  expect(entries).toEqual([{ subject: 'review', subjectId: 3, action: 'deleted', fields: {} }])
  expect(answer).toEqual(review())
})

test('deleting a review: what is not there or deleted is not found', () => {
  const details = { thing: 'review', id: 9 }
  expect(refusalOf(deleting(token(), 9))).toEqual({ code: 'NOT_FOUND', details })
  expect(ending(deleting(token(), 3, review({ deletedAt: earlier })))).toBe('NOT_FOUND')
})
