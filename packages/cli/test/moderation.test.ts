import path from 'node:path'
import { ModerationAct, openRegistry, QueueItem, Report, token, user } from '@openfountain/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { answered, folder, openfountain, openfountains } from '@openfountain/testing/command/shell'

const Ids = z.array(z.int())
const Queue = z.strictObject({ items: z.array(QueueItem), total: z.int(), next: z.int().optional() })
const Acts = z.strictObject({ acts: z.array(ModerationAct), next: z.int().optional() })
const Undone = z.strictObject({ reverted: Ids, conflicts: z.array(z.unknown()), dryRun: z.boolean() })
const WaypointNamed = z.object({ id: z.int(), name: z.string() })

/** A registry with two fountains, what Eve did to one, and two reports. */
async function prepared() {
  const cwd = await folder()
  const registry = await openRegistry({ database: path.join(cwd, 'openfountain.db') })
  await registry.users.create({ id: 'eve', name: 'Eve', xp: 100 })
  const square = { name: 'Market square', latitude: 55.7029, longitude: 13.1929 }
  await registry.waypoints.create(square, token())
  await registry.waypoints.create({ ...square, name: 'Market Square' }, token())
  await registry.waypoints.update(1, { name: 'Spam' }, user('eve'))
  const { id: edit } = await registry.changes.head()
  for (const about of [{ bubblerId: 1 }, { userId: 'eve' }])
    await registry.reports.create({ ...about, reason: 'wrong', comment: 'First\nSecond \u202e' }, user('eve'))
  await registry.close()
  return { cwd, edit }
}

test('a moderator without a page reads queues and acts, and decides', async () => {
  const { cwd, edit } = await prepared()
  const moderate = <Shape extends z.ZodType>(shape: Shape, ...args: readonly string[]) =>
    answered(shape, ['moderate', ...args], { cwd })
  const reported = await moderate(Queue, 'queue', 'reported', '--limit', '1')
  expect(reported).toMatchObject({ items: [{ waypoint: { id: 1 } }], total: 2, next: 1 })
  const since = ['--since', '2026-01-01', '--reason', 'Vandalism']
  const dry = await moderate(Undone, 'revert-user', 'eve', ...since, '--dry-run')
  expect(dry).toEqual({ reverted: [edit], conflicts: [], dryRun: true })
  await moderate(
    z.strictObject({ reverted: z.int(), entries: Ids }),
    'revert',
    String(edit),
    '--reason',
    'Spam',
  )
  const done = await moderate(Undone, 'revert-user', 'eve', ...since)
  expect(done).toEqual({ reverted: [], conflicts: [], dryRun: false })
  expect((await moderate(Queue, 'queue', 'duplicates')).items).toMatchObject([{ other: { id: 1 } }])
  const Merged = z.strictObject({ merged: z.int(), waypoint: WaypointNamed })
  await moderate(Merged, 'merge', '2', '--into', '1', '--reason', 'The same')
  const restored = z.strictObject({ waypoint: WaypointNamed })
  // The other name of waypoint restore.
  await moderate(restored, 'restore', '2', '--reason', 'Not the same')
  const Distinct = z.strictObject({ distinct: Ids })
  expect(await moderate(Distinct, 'distinct', '2', '--from', '1')).toEqual({ distinct: [1, 2] })
  expect((await moderate(Queue, 'queue', 'duplicates')).total).toBe(0)
  const Reports = z.strictObject({ reports: z.array(Report) })
  expect((await moderate(Reports, 'reports')).reports.map(({ id }) => id)).toEqual([1, 2])
  const Closed = z.strictObject({ report: Report })
  await moderate(Closed, 'report', '1', 'done', '--note', 'Undone')
  expect((await moderate(Reports, 'reports', '--state', 'done')).reports).toMatchObject([{ note: 'Undone' }])
  const { acts } = await moderate(Acts, 'acts')
  expect(acts.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['restored', 'Not the same'],
    ['merged', 'The same'],
    ['reverted', 'Spam'],
  ])
  const undone = z.strictObject({ undone: Ids, conflicts: z.array(z.unknown()), dryRun: z.boolean() })
  const undo = ['undo', String(acts[2]?.id), '--reason', 'It was right'] as const
  expect(await moderate(undone, ...undo, '--dry-run')).toMatchObject({ undone: [acts[2]?.id], dryRun: true })
  expect(await moderate(undone, ...undo)).toMatchObject({ undone: [acts[2]?.id], conflicts: [] })
  const api = ['revert-user', 'api', ...since.with(1, '2999-01-01')] as const
  expect((await openfountain(['moderate', ...api], { cwd })).code).toBe(2)
  expect(await moderate(Undone, ...api, '--confirm', 'api')).toMatchObject({ reverted: [] })
  const registry = await openRegistry({ database: path.join(cwd, 'openfountain.db') })
  expect((await registry.users.get('eve')).xp).toBe(110)
  expect(await registry.changes.verify()).toMatchObject({ ok: true })
  await registry.close()
})

test('people read tables, in which the text of others is text', async () => {
  const { cwd } = await prepared()
  const { stdout, stderr } = await openfountain(['moderate', 'queue', 'reported'], { cwd })
  expect(stdout).toMatch(/Spam \(1\)/u)
  expect(stderr).toContain('2 in all')
  const reports = await openfountain(['moderate', 'reports'], { cwd })
  expect(reports.stdout.trim().split('\n')).toHaveLength(3)
  expect(reports.stdout).not.toContain('\u202e')
  expect((await openfountain(['moderate', 'acts'], { cwd })).stdout).toContain('No acts')
})

test('a report is opened again, and what was written in it is erased for good', async () => {
  const { cwd } = await prepared()
  const moderate = async (...args: readonly string[]) =>
    (await openfountain(['moderate', ...args], { cwd })).stdout
  const backup = path.join(cwd, 'copy.db')
  await openfountain(['backup', backup], { cwd })
  await moderate('report', '1', 'done', '--note', 'Looked')
  expect(await moderate('reopen', '1')).toBe('Report 1 is open\n')
  const before = await moderate('reports', '--json')
  const { comment = '' } = (JSON.parse(before) as { reports: { comment?: string }[] }).reports[0] ?? {}
  expect(comment).not.toBe('')
  expect(await moderate('erase-report', '1')).toBe('Nothing that was written in report 1 is left\n')
  expect(await moderate('reports', '--json')).not.toContain(JSON.stringify(comment))
  const { stdout } = await openfountain(['restore', backup, '--force'], { cwd })
  expect(stdout).toContain('since the backup was made: text of reports, 1')
  expect(await moderate('reports', '--json')).not.toContain(JSON.stringify(comment))
})

test('what cannot be done ends with the exit code of its reason', async () => {
  const { cwd, edit } = await prepared()
  const wanted: readonly (readonly [code: number, ...args: readonly string[]])[] = [
    [2, 'queue', 'everything'],
    [2, 'queue'],
    [2, 'merge', '1', '--into', '1', '--reason', 'x'],
    [3, 'merge', '9', '--into', '1', '--reason', 'x'],
    [3, 'restore', '1', '--reason', 'x'],
    [3, 'undo', '1', '--reason', 'x'],
    [3, 'report', '9', 'done'],
    [3, 'reopen', '9'],
    [3, 'erase-report', '9'],
    [2, 'report', '1', 'perhaps'],
    [0, 'report', '1', 'done'],
    [5, 'report', '1', 'dismissed'],
    [0, 'revert', String(edit), '--reason', 'x'],
    [5, 'revert', String(edit), '--reason', 'x'],
  ]
  const done = await openfountains(
    wanted.map(([, ...args]) => ['moderate', ...args]),
    { cwd },
  )
  expect(done.map(({ code }) => code)).toEqual(wanted.map(([code]) => code))
})

test('a fountain is shown, approved, verified, removed and brought back, and a review is removed', async () => {
  const { cwd } = await prepared()
  const registry = await openRegistry({ database: path.join(cwd, 'openfountain.db') })
  await registry.reviews.create({ bubblerId: 2, rating: 1, comment: 'An insult \u202e' }, user('eve'))
  await registry.waypoints.update(2, { approved: true, verified: true }, token())
  await registry.waypoints.update(2, { approved: false, verified: false }, token())
  const why = ['--reason', 'It was taken down']
  const done = await openfountains(
    [
      ['waypoint', 'show', '2', '--json'],
      ['waypoint', 'show', '2'],
      ['waypoint', 'approve', '2', '--json'],
      ['waypoint', 'verify', '2'],
      ['waypoint', 'verify', '2', '--off', '--json'],
      ['review', 'remove', '1', '--reason', 'An insult'],
      ['review', 'remove', '1', '--reason', 'An insult'],
      ['waypoint', 'remove', '2'],
      ['waypoint', 'remove', '2', ...why, '--json'],
      ['waypoint', 'show', '2'],
      ['waypoint', 'remove', '2', ...why],
      ['waypoint', 'restore', '2', '--reason', 'It is there'],
      ['waypoint', 'show', '9'],
      ['source', 'list'],
    ],
    { cwd },
  )
  expect(done.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0, 3, 2, 0, 0, 3, 0, 3, 0])
  const shown = JSON.parse(done[0]?.stdout ?? '') as object
  expect(shown).toMatchObject({ waypoint: { approved: false }, reviews: [{ id: 1, rating: 1 }], entries: 5 })
  expect(done[1]?.stdout).toMatch(/^review +1: 1 of 5 by eve: An insult \\u202e$/mu)
  expect(JSON.parse(done[2]?.stdout ?? '')).toMatchObject({ waypoint: { id: 2, approved: true } })
  expect(done[3]?.stdout).toBe('Fountain 2 is verified: Market Square\n')
  expect(JSON.parse(done[4]?.stdout ?? '')).toMatchObject({ waypoint: { verified: false } })
  expect(JSON.parse(done[8]?.stdout ?? '')).toMatchObject({ removed: 2, waypoint: { name: 'Market Square' } })
  expect(done[9]?.stdout).toMatch(/^standing +deleted$/mu)
  expect(done[13]?.stdout).toContain('No sources')
  expect(await registry.waypoints.get(2)).toMatchObject({ approved: true, verified: false })
  const { acts } = await registry.moderation.acts()
  expect(acts.map(({ kind, reason }) => [kind, reason])).toContainEqual(['deleted', 'It was taken down'])
  expect(await registry.reviews.list({ bubblerId: 2 })).toEqual([])
  expect(await registry.changes.verify()).toMatchObject({ ok: true })
  await registry.close()
})
