import { ModerationAct, QueueItem, Report, token, user } from '@openfountain/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { workplace } from '@openfountain/testing/command/shell'

const Queue = z.strictObject({ items: z.array(QueueItem), total: z.int(), next: z.int().optional() })
const Acts = z.strictObject({ acts: z.array(ModerationAct), next: z.int().optional() })
const Reports = z.strictObject({ reports: z.array(Report) })

async function prepared() {
  const place = await workplace()
  const edit = await place.registry(async ({ changes, reports, users, waypoints }) => {
    await users.create({ id: 'eve', name: 'Eve', xp: 100 })
    const square = { name: 'Market square', latitude: 55.7029, longitude: 13.1929 }
    await waypoints.create(square, token())
    await waypoints.create({ ...square, name: 'Market Square' }, token())
    await waypoints.update(1, { name: 'Spam' }, user('eve'))
    const { id } = await changes.head()
    for (const about of [{ bubblerId: 1 }, { userId: 'eve' }])
      await reports.create({ ...about, reason: 'wrong', comment: 'First\nSecond \u202e' }, user('eve'))
    return id
  })
  const moderate = (line: string) => place.json(`moderate ${line}`)
  return { ...place, edit, moderate }
}

test('a moderator without a page reads queues and acts, and decides; people read tables, in which the text of others is text', async () => {
  const { answer, codes, edit, json, moderate, registry, run } = await prepared()
  const reported = await answer(Queue, 'moderate queue reported --limit 1')
  expect(reported).toMatchObject({ items: [{ waypoint: { id: 1 } }], total: 2, next: 1 })
  expect((await run('moderate queue reported')).stdout).toMatch(/Spam \(1\)/u)
  const { stdout: reports } = await run('moderate reports')
  expect(reports.trim().split('\n')).toHaveLength(3)
  expect(reports).not.toContain('\u202e')
  expect((await run('moderate acts')).stdout).toContain('No acts')
  const eve = 'user revert eve --since 2026-01-01 --reason Vandalism --dry-run'
  expect(await json(eve)).toEqual({ reverted: [edit], conflicts: [], dryRun: true })
  const { stdout } = await run(eve)
  expect(stdout).toContain('Changes that would be undone: 1')
  await moderate(`revert ${edit} --reason Spam`)
  const duplicates = () => answer(Queue, 'moderate queue duplicates')
  expect((await duplicates()).items).toMatchObject([{ other: { id: 1 } }])
  const merged = { merged: 2, waypoint: { id: 1 } }
  expect(await moderate("merge 2 --into 1 --reason 'The same'")).toMatchObject(merged)
  expect(await json("waypoint restore 2 --reason 'Not the same'")).toMatchObject({ waypoint: { id: 2 } })
  expect(await moderate('distinct 2 --from 1')).toEqual({ distinct: [1, 2] })
  expect((await duplicates()).total).toBe(0)
  await moderate('report 1 done --note Undone')
  const done = { reports: [{ note: 'Undone' }] }
  expect(await answer(Reports, 'moderate reports --state done')).toMatchObject(done)
  const { acts } = await answer(Acts, 'moderate acts')
  expect(acts.map(({ kind }) => kind)).toEqual(['restored', 'merged', 'reverted'])
  const undone = [acts[2]?.id]
  const undo = `undo ${acts[2]?.id} --reason 'It was right'`
  expect(await moderate(`${undo} --dry-run`)).toEqual({ undone, conflicts: [], dryRun: true })
  expect(await moderate(undo)).toMatchObject({ undone, conflicts: [] })
  const api = 'user revert api --since 2999-01-01 --reason Vandalism'
  expect(await codes(api, `${api} --confirm api`)).toEqual([2, 0])
  await registry(async ({ changes }) => expect(await changes.verify()).toMatchObject({ ok: true }))
})

test('a report is opened again, and what was written in it is erased for good', async () => {
  const { json, run } = await prepared()
  const said = async (line: string) => (await run(line)).stdout
  await json('backup copy.db')
  await said('moderate report 1 done --note Looked')
  expect(await said('moderate reopen 1')).toBe('Report 1 is open\n')
  const isThere = async () => (await said('moderate reports --json')).split('First').length - 1
  expect(await isThere()).toBe(2)
  expect(await said('moderate erase-report 1')).toBe('Nothing that was written in report 1 is left\n')
  expect(await isThere()).toBe(1)
  expect(await said('restore copy.db --force')).toContain('since the backup was made: text of reports, 1')
})

test('a fountain is shown, approved, verified, removed and brought back, and a review is removed', async () => {
  const { json, registry, run, codes } = await prepared()
  await registry(({ reviews }) =>
    reviews.create({ bubblerId: 2, rating: 1, comment: 'An insult \u202e' }, user('eve')),
  )
  expect(await json('waypoint show 2')).toMatchObject({ reviews: [{ id: 1, rating: 1 }], entries: 1 })
  expect((await run('waypoint show 2')).stdout).toMatch(/^review +1: 1 of 5 by eve: An insult \\u202e$/mu)
  expect(await json('waypoint approve 2')).toMatchObject({ waypoint: { id: 2, approved: true } })
  expect((await run('waypoint verify 2')).stdout).toBe('Fountain 2 is verified: Market Square\n')
  expect(await json('waypoint verify 2 --off')).toMatchObject({ waypoint: { verified: false } })
  const insult = "review remove 1 --reason 'An insult'"
  const remove = "waypoint remove 2 --reason 'It was taken down'"
  expect(await codes(insult, insult, 'waypoint remove 2')).toEqual([0, 3, 2])
  expect(await json(remove)).toMatchObject({ removed: 2, waypoint: { name: 'Market Square' } })
  expect((await run('waypoint show 2')).stdout).toMatch(/^standing +deleted$/mu)
  const restore = "waypoint restore 2 --reason 'It is there'"
  expect(await codes(remove, restore, 'waypoint show 9')).toEqual([3, 0, 3])
  expect((await run('source list')).stdout).toContain('No sources')
})

test('a season is given to all that match, counted first, and taken back as one act', async () => {
  const { answer, codes, json, run } = await prepared()
  const Waypoint = z.object({ waypoint: z.object({ season: z.string().optional() }) })
  const seasonOf = async (id: number) => (await answer(Waypoint, `waypoint show ${id}`)).waypoint.season
  expect(await codes('waypoint set --where ids=1 season=04-15/10-31')).toEqual([0])
  const season = "waypoint season --where 'bbox=13,55,14,56' --from 04-15 --to 10-31"
  expect((await run(`${season} --dry-run`)).stdout).toBe(
    'Dry run: nothing was written. Fountains that match: 2; that would change: 1\n',
  )
  const { act, changed } = await answer(z.object({ act: z.int(), changed: z.array(z.int()) }), season)
  expect([changed, await seasonOf(2)]).toEqual([[2], '04-15/10-31'])
  await json(`moderate undo ${act} --reason 'A mistake'`)
  expect([await seasonOf(1), await seasonOf(2)]).toEqual(['04-15/10-31', undefined])
  expect((await run('waypoint season --maintainer Nobody --clear')).stdout).toBe('Nothing changed\n')
  const wrong = ['--from 04-15', '--clear --from 04-15 --to 10-31', '--from 13-01 --to 10-31']
  expect(await codes(...wrong.map((options) => `waypoint season --where ids=1 ${options}`))).toEqual([
    2, 2, 2,
  ])
  expect(await codes('waypoint season --clear')).toEqual([2])
})
