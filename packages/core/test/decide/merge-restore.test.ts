import { expect, test } from 'vitest'
import { anonymous, user } from '@openfountain/core'
import { ada, api, bob, History, mo, refusal } from './history.ts'

function two(): History {
  const history = new History()
  const terms = history.run()
  history.row(terms, { ref: 'a', input: { name: 'One' } })
  history.create(ada, { name: 'Two' })
  history.review(bob, 1, 'Cold')
  history.review(ada, 1)
  history.unreview(ada, 2)
  return history
}

test('merging waypoints is one act: a deletion that names the other, and a move of each review and record', () => {
  const history = two()
  const before = history.world.state.size
  const act = before + 1
  const record = history.world.all('record')[0]?.id
  history.merge(1, 2)
  expect(history.after(before)).toEqual([
    { about: 'waypoint 1 deleted', fields: { reason: 'the same' }, links: { act, mergedInto: 2 } },
    { about: 'review 1 moved', fields: { waypoint: 2 }, links: { act } },
    { about: 'review 2 moved', fields: { waypoint: 2 }, links: { act } },
    { about: `record ${record} moved`, fields: { waypoint: 2 }, links: { act } },
  ])
  expect(history.world.get('waypoint', 1)).toMatchObject({ mergedInto: 2, deletedAt: history.newest.at })
  expect(history.world.all('review').map(({ bubblerId }) => bubblerId)).toEqual([2, 2])
  expect(history.world.all('record').map(({ waypointId }) => waypointId)).toEqual([2])
  expect(history.xp('mo')).toBe(100)
})

test('merging waypoints: restoring the loser moves them back, except what was moved on', () => {
  const history = two()
  history.merge(1, 2)
  history.restore(1)
  expect(history.world.get('waypoint', 1)).not.toHaveProperty('mergedInto')
  expect(history.world.all('review').map(({ bubblerId }) => bubblerId)).toEqual([1, 1])
  expect(history.world.all('record').map(({ waypointId }) => waypointId)).toEqual([1])
  history.merge(1, 2)
  history.create(ada, { name: 'Three' })
  history.merge(2, 3)
  history.restore(1)
  expect(history.world.all('review').map(({ bubblerId }) => bubblerId)).toEqual([3, 3])
  history.restore(2)
  expect(history.world.all('review').map(({ bubblerId }) => bubblerId)).toEqual([2, 2])
})

test.for<[string, (history: History) => unknown, string, object?]>([
  ['by nobody', (history) => history.merge(1, 2, anonymous), 'UNAUTHORIZED'],
  ['by somebody who does not moderate', (history) => history.merge(1, 2, ada), 'FORBIDDEN'],
  ['with itself', (history) => history.merge(1, 1), 'INVALID_INPUT'],
  ['of what is not there', (history) => history.merge(9, 2), 'NOT_FOUND'],
  ['into what is not there', (history) => history.merge(1, 9), 'NOT_FOUND'],
  [
    'of what is merged',
    (history) => [history.merge(1, 2), history.merge(1, 2)],
    'NOT_FOUND',
    { mergedInto: 2 },
  ],
])('merging waypoints: refused: %s', ([, write, code, details = {}]) => {
  const history = two()
  expect(refusal(() => write(history))).toMatchObject({ code, details })
})

test('restoring a waypoint is logged as created with all its fields; creator, age and bonus are kept, nothing is earned', () => {
  const history = new History()
  const created = history.create(ada, { description: 'Cold', amenities: ['tap'] })
  history.edit(mo, 1, { verified: true })
  const deleted = history.remove(api, 1)
  const xp = history.xp('ada')
  history.restore(1)
  expect(history.newest).toMatchObject({ by: 'mo', awards: [], links: { restores: deleted } })
  const was = { name: 'Market square', description: 'Cold', amenities: ['tap'], addedByUserId: 'ada' }
  const fields = { ...was, approved: false, verified: true, reason: 'mistake' }
  expect(history.newest).toMatchObject({ action: 'created', fields })
  expect(history.world.get('waypoint', 1)).toMatchObject({
    addedByUserId: 'ada',
    createdAt: history.entry(created).at,
    updatedAt: history.newest.at,
    verified: true,
    verifiedOnce: true,
    isAttested: false,
  })
  history.edit(mo, 1, { verified: false })
  history.edit(mo, 1, { verified: true })
  expect(history.xp('ada')).toBe(xp)
  expect(history.world.get('user', 'mo')?.stats).toMatchObject({ waypointsCreated: 0 })
  const again = history.remove(api, 1)
  history.restore(1)
  expect(history.newest.links.restores).toBe(again)
})

test('restoring a waypoint: what was redacted stays away', () => {
  const history = new History()
  const created = history.create(ada, { description: 'Jane' })
  history.remove(api, 1)
  history.redact(created, { fields: ['description'] })
  history.restore(1)
  expect(history.newest.fields).not.toHaveProperty('description')
  expect(history.world.get('waypoint', 1)).toMatchObject({ redactedFields: ['description'] })
})

test.for<[string, (history: History) => unknown, string]>([
  ['by nobody', (history) => history.restore(1, anonymous), 'UNAUTHORIZED'],
  ['by somebody unknown', (history) => history.restore(1, user('x')), 'UNAUTHORIZED'],
  ['by its creator', (history) => history.restore(1, ada), 'FORBIDDEN'],
  ['of what is not there', (history) => history.restore(9), 'NOT_FOUND'],
  ['of what was not deleted', (history) => history.restore(2), 'NOT_FOUND'],
])('restoring a waypoint: refused: %s', ([, write, code]) => {
  const history = new History()
  history.create()
  history.remove(api, 1)
  history.create()
  expect(refusal(() => write(history)).code).toBe(code)
})
