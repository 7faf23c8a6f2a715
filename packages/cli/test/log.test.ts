import { readFileSync, statSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { token, user, type Registry } from '@openfountain/core'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { workplace, type Workplace } from '@openfountain/testing/command/shell'

const Entries = z.looseObject({ entries: z.array(z.looseObject({ id: z.int() })) })

async function fill({ waypoints }: Registry): Promise<void> {
  const { id } = await waypoints.create(
    { name: 'Market square', latitude: 55.7, longitude: 13.19, description: 'Call Ada on 555 0100' },
    token(),
  )
  await waypoints.update(id, { description: 'By the clock' }, token())
  await waypoints.update(id, { verified: true }, token())
}

async function filled(): Promise<Workplace> {
  const place = await workplace()
  await place.registry(fill)
  return place
}

const redact = "log redact 1 --fields description --reason 'A private number'"

test('the log verifies, and says what it checked; a waypoint that was changed without it has a code of its own', async () => {
  const { at, json, run } = await filled()
  const { code, stdout } = await run('log verify')
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /The log verifies[^]*3 entries, 1 waypoints, 0 redacted[^]*^Not covered: names and/mu,
  )
  const good = { ok: true, entries: 3, waypoints: 1, redacted: 0, problems: [] }
  expect(await json('log verify')).toMatchObject(good)
  expect(await json('stats')).toMatchObject({ totalWaypoints: 1, totalContributions: 3 })
  const sqlite = new Database(at('openfountain.db'))
  sqlite.prepare("update waypoints set name = 'Elsewhere'").run()
  sqlite.close()
  const changed = await run('log verify')
  expect(changed).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(/does NOT verify[^]*waypoint 1/u) as string,
  })
  const output = await run('log verify --json')
  expect([output.code, JSON.parse(output.stdout)]).toMatchObject([4, { ok: false }])
})

test('a head that was kept proves that history only grew, and an export takes it as the point since which things changed', async () => {
  const { at, codes, json, refused, registry, run } = await filled()
  const kept = (await run('log head')).stdout.trim()
  expect(kept).toMatch(/^3:[0-9a-f]{64}$/u)
  expect(await json('log head')).toMatchObject({ id: 3, hash: kept.slice(2) })
  const harbour = { name: 'Harbour', latitude: 55.6, longitude: 13.1 }
  await registry(({ waypoints }) => waypoints.create(harbour, token()))
  const since = 'export --out changes --formats difference --since'
  expect(await codes(`log verify --known ${kept}`, `${since} ${kept}`)).toEqual([0, 0])
  const lines = gunzipSync(readFileSync(at('changes/difference.ndjson.gz'))).toString()
  expect(JSON.parse(lines)).toMatchObject({ change: 'added', waypoint: { name: 'Harbour' } })
  for (const known of [`3:${'a'.repeat(64)}`, `5${kept.slice(1)}`])
    await refused(`log verify --known ${known}`, 4, 'history was rewritten')
  expect((await run(`${since} 3:${'a'.repeat(64)}`)).stderr).toContain('the log has no head 3:')
})

test('shows entries by waypoint, user and action, those of all kinds with their XP, and one in full', async () => {
  const { answer, codes, json, registry, run } = await filled()
  expect((await run('log show --waypoint 1')).stdout.split('\n')[1]).toMatch(/verified +api +verified$/u)
  const edits = { total: 1, limit: 50, offset: 0, logs: [{ id: 2, action: 'edited' }] }
  expect(await json('log show --action edited --user api --order asc')).toMatchObject(edits)
  expect((await run('log show 2')).stdout).toMatch(/description[^]*By the clock/u)
  await registry(async ({ users, reviews }) => {
    await users.create({ id: 'ada', name: 'Ada', xp: 20 })
    await reviews.create({ bubblerId: 1, rating: 5, comment: 'Cold' }, user('ada'))
  })
  const lines = (await run('log show --all')).stdout.trim().split('\n')
  expect(lines).toHaveLength(7)
  expect(lines[1]).toMatch(/^ *6 .+ review 1 +created +ada +comment, rating, waypoint$/u)
  expect(lines[6]).toMatch(/^ *1 .+ waypoint 1 +created +api/u)
  const ids = async (options: string) =>
    (await answer(Entries, `log show --all ${options}`)).entries.map(({ id }) => id)
  expect(await ids('--limit 2 --offset 1')).toEqual([5, 4])
  expect(await ids('--limit 2 --offset 1 --order asc')).toEqual([2, 3])
  expect(await ids('--limit 4 --offset 4')).toEqual([2, 1])
  expect((await run('log show 6 --all')).stdout).toMatch(/^xp +5 to ada for postReview$/mu)
  const unknown = ['log show 99', 'log show 6', 'log show 99 --all', 'log show --all --waypoint 1']
  expect(await codes(...unknown)).toEqual([3, 3, 3, 2])
})

test('a redaction stays visible, and text that a reader still holds fails aloud, until log scrub finishes', async () => {
  const { at, codes, run } = await filled()
  const reader = new Database(at('openfountain.db'))
  reader.exec('begin')
  reader.prepare('select count(*) from entries').get()
  const refused = await run(redact)
  expect(refused).toMatchObject({ code: 17, stdout: '' })
  expect(refused.stderr).toMatch(/still held by the write-ahead log[^]*openfountain log scrub finishes it/u)
  const { code, stderr } = await run('log scrub --json')
  expect(code).toBe(17)
  expect(JSON.parse(stderr)).toMatchObject({
    code: 'STORAGE_NOT_ERASED',
    details: { leftovers: [{ place: expect.any(String), remedy: expect.any(String) }] },
  })
  reader.close()
  expect((await run('log scrub')).stdout).toContain('No redacted text is left')
  expect((await run('log verify')).stdout).toContain('1 redacted')
  expect((await run('log show')).stdout).toContain('redacted: A private number')
  expect((await run('log show 1 --all')).stdout).toMatch(/^ {2}description +\(redacted\)$/mu)
  expect(await codes(redact)).toEqual([2])
})

test('a list of erasures erases an older copy again, which has another origin then', async () => {
  const { at, codes, json, run } = await filled()
  await json('backup copy.db')
  expect(await json(redact)).toEqual({ entries: [1] })
  const listed = await run('log erasures erased.txt')
  expect(listed).toMatchObject({ code: 0, stdout: 'erased.txt lists 1 erasure\n' })
  expect(statSync(at('erased.txt')).mode & 0o777).toBe(0o600)
  const again = (args: string) => run(`log erase-again ${args} --db copy.db`)
  expect((await again('erased.txt')).stderr).toContain('--origin is missing')
  expect((await again('copy.db --origin keep')).stderr).toContain('list must be a list of erasures')
  expect(readFileSync(at('copy.db')).includes('555 0100')).toBe(true)
  const { stdout } = await again('erased.txt --origin renew')
  expect(stdout).toMatch(/text of 1 entry and of 0 reports; 0 people left again[^]*new origin/u)
  expect(readFileSync(at('copy.db')).includes('555 0100')).toBe(false)
  // Entries of the list stay, whichever registry updates it.
  expect(await codes('log verify --db copy.db', 'log erasures erased.txt --db copy.db')).toEqual([0, 0])
  expect(readFileSync(at('erased.txt'), 'utf8').split('\n')).toHaveLength(2)
})

test('an entry is undone by another one, unless somebody changed the same since: exit code 5 names the fields', async () => {
  const { codes, json, registry, run } = await filled()
  expect((await run('moderate revert 1 --reason x')).stdout).toMatch(/undone by entry 4$/mu)
  expect(await json('moderate revert 4 --reason y')).toEqual({ reverted: 4, entries: [5] })
  expect(await codes('moderate revert 99 --reason y')).toEqual([3])
  await registry(({ waypoints }) => waypoints.update(1, { description: 'By the tower' }, token()))
  const { code, stderr } = await run('moderate revert 2 --reason x --json')
  expect(code).toBe(5)
  expect(JSON.parse(stderr)).toMatchObject({ code: 'CONFLICT', details: { fields: ['description'] } })
})

test('a clock that is more than a day behind stops writes, unless it is accepted', async () => {
  const { codes, refused, registry, run } = await workplace()
  await registry(fill, { clock: () => new Date(Date.now() + 2 * 24 * 60 * 60 * 1000) })
  const add = 'user add --name Ada'
  await refused(add, 18, 'give --accept-clock')
  expect(await codes(`${add} --accept-clock`)).toEqual([0])
  expect(await run(add, { env: { OPENFOUNTAIN_ACCEPT_CLOCK: 'yes' } })).toMatchObject({ code: 0 })
})
