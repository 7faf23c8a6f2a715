import { expect, test } from 'vitest'
import { token, user } from '@openfountain/core'
import { emptyRegistry, refusal, square } from '@openfountain/testing/registry'

const earnedBy = (page: { leaderboard: readonly { name: string; earned?: number | undefined }[] }) =>
  page.leaderboard.map(({ name, earned }) => [name, earned])

test('the leaderboard of a week counts from Monday, 0:00 UTC, and that of a region what was earned at its fountains', async () => {
  let now = '2026-03-01T23:59:59.000Z'
  const registry = await emptyRegistry({ clock: () => new Date(now) })
  const { users, waypoints, reviews, observations } = registry
  const [ada, bo, mo] = [
    (await users.create({ name: 'Ada', xp: 20 })).id,
    (await users.create({ name: 'Bo', xp: 20 })).id,
    (await users.create({ name: 'Mo', isModerator: true })).id,
  ]
  const lund = await waypoints.create({ ...square, name: 'Square', region: 'Lund' }, user(ada))
  const ystad = await waypoints.create({ ...square, name: 'Harbour' }, token())
  await waypoints.update(ystad.id, { region: 'Ystad' }, user(bo))
  expect(earnedBy(await users.leaderboard({ since: 'week' }))).toEqual([
    ['Ada', 50],
    ['Bo', 10],
  ])
  now = '2026-03-02T00:00:00.000Z'
  const monday = { since: now }
  expect(await users.leaderboard({ since: 'week' })).toEqual({ leaderboard: [], total: 0, ...monday })
  await reviews.create({ bubblerId: lund.id, rating: 5 }, user(bo))
  await reviews.create({ bubblerId: ystad.id, rating: 5 }, user(bo))
  await users.grantXp(ada, 500, 'A prize')
  now = '2026-03-08T23:59:59.000Z'
  const week = await users.leaderboard({ since: 'week' })
  expect(week).toMatchObject({ total: 1, ...monday })
  expect(week.leaderboard).toEqual([
    { id: bo, name: 'Bo', xp: 40, level: 1, stats: (await users.get(bo)).stats, earned: 10 },
  ])
  const inLund = await users.leaderboard({ region: 'Lund' })
  expect(inLund).not.toHaveProperty('since')
  expect(earnedBy(inLund)).toEqual([
    ['Ada', 50],
    ['Bo', 5],
  ])
  expect(earnedBy(await users.leaderboard({ region: 'Lund', since: 'week' }))).toEqual([['Bo', 5]])
  expect(earnedBy(await users.leaderboard({ region: 'Lund', limit: 1, offset: 1 }))).toEqual([['Bo', 5]])
  expect(earnedBy(await users.leaderboard({ region: 'Nowhere' }))).toEqual([])
  // Observations have no place; undone contributions no longer count.
  await observations.create({ bubblerId: ystad.id, kind: 'works' }, user(ada))
  expect(earnedBy(await users.leaderboard({ region: 'Ystad' }))).toEqual([['Bo', 15]])
  await users.revert(ada, { since: '2026-03-01T00:00:00.000Z', reason: 'Jokes' }, user(mo))
  expect(earnedBy(await users.leaderboard({ region: 'Lund' }))).toEqual([['Bo', 5]])
  await registry.accounts.leave(bo, { confirm: 'Bo', texts: 'keep' })
  expect(earnedBy(await users.leaderboard({ since: 'week' }))).toEqual([])
  expect((await users.leaderboard({ region: 'Ystad' })).total).toBe(0)
  expect((await users.leaderboard()).leaderboard[0]).not.toHaveProperty('earned')
  const wrong = { since: 'month' } as unknown as { since: 'week' }
  expect(await refusal(users.leaderboard(wrong))).toMatchObject({ code: 'INVALID_INPUT' })
})
