import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openRegistry, token, user, type Registry } from '@openfountain/core'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { answered, folder, openfountain } from '@openfountain/testing/command/shell'

const Entries = z.looseObject({ entries: z.array(z.looseObject({ id: z.int() })) })
const Head = z.strictObject({ id: z.int(), hash: z.string(), timestamp: z.string().optional() })

async function filled(): Promise<{ cwd: string; database: string }> {
  const cwd = await folder()
  const database = path.join(cwd, 'openfountain.db')
  const registry = await openRegistry({ database })
  await fill(registry)
  await registry.close()
  return { cwd, database }
}

async function fill(registry: Registry): Promise<void> {
  const { id } = await registry.waypoints.create(
    { name: 'Market square', latitude: 55.7, longitude: 13.19, description: 'Call Ada on 555 0100' },
    token(),
  )
  await registry.waypoints.update(id, { description: 'By the clock' }, token())
  await registry.waypoints.update(id, { verified: true }, token())
}

describe('the log', () => {
  test('verifies, and says what it checked', async () => {
    const { cwd } = await filled()
    const { code, stdout } = await openfountain(['log', 'verify'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('The log verifies')
    expect(stdout).toContain('3 entries, 1 waypoints, 0 redacted')
    expect(stdout).toMatch(/^Not covered: names and e-mail addresses of people/mu)
    expect(await answered(z.unknown(), ['log', 'verify'], { cwd })).toMatchObject({
      ok: true,
      entries: 3,
      waypoints: 1,
      redacted: 0,
      problems: [],
      notCovered: expect.arrayContaining([
        expect.stringContaining('indexes for search'),
        expect.stringContaining('history was rewritten'),
      ]),
    })
  })

  test('has a head that an export takes as the point since which things changed', async () => {
    const { cwd, database } = await filled()
    const { stdout: head } = await openfountain(['log', 'head'], { cwd })
    const registry = await openRegistry({ database })
    await registry.waypoints.create({ name: 'Harbour', latitude: 55.6, longitude: 13.1 }, token())
    await registry.close()
    const args = ['export', '--out', 'changes', '--formats', 'difference', '--since', head.trim()]
    expect((await openfountain(args, { cwd })).code).toBe(0)
    const lines = gunzipSync(readFileSync(path.join(cwd, 'changes', 'difference.ndjson.gz'))).toString()
    expect(JSON.parse(lines)).toMatchObject({ change: 'added', waypoint: { name: 'Harbour' } })
    const forged = head.trim().replace(/.$/u, (digit) => (digit === '0' ? '1' : '0'))
    const refused = await openfountain([...args.slice(0, -1), forged], { cwd })
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('the log has no head 3:')
  })

  test('does not verify after a waypoint was changed without it, which has a code of its own', async () => {
    const { cwd, database } = await filled()
    const sqlite = new Database(database)
    sqlite.prepare("update waypoints set name = 'Elsewhere'").run()
    sqlite.close()
    const { code, stdout } = await openfountain(['log', 'verify'], { cwd })
    expect(code).toBe(4)
    expect(stdout).toContain('does NOT verify')
    expect(stdout).toContain('waypoint 1')
    const json = await openfountain(['log', 'verify', '--json'], { cwd })
    expect(json.code).toBe(4)
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false })
  })

  test('a head that was kept proves that history only grew', async () => {
    const { cwd } = await filled()
    const kept = (await openfountain(['log', 'head'], { cwd })).stdout.trim()
    expect(kept).toMatch(/^3:[0-9a-f]{64}$/u)
    const head = await answered(Head, ['log', 'head'], { cwd })
    expect(`${head.id}:${head.hash}`).toBe(kept)
    expect((await openfountain(['log', 'verify', '--known', kept], { cwd })).code).toBe(0)
    await openfountain(['user', 'add', '--name', 'Ada'], { cwd })
    for (const older of [kept, `0:${createHash('sha256').digest('hex')}`])
      expect((await openfountain(['log', 'verify', '--known', older], { cwd })).code).toBe(0)
    for (const known of [
      `3:${'a'.repeat(64)}`,
      `2${kept.slice(1)}`,
      `5${kept.slice(1)}`,
      `0:${'1'.repeat(64)}`,
    ]) {
      const { code, stderr } = await openfountain(['log', 'verify', '--known', known], { cwd })
      expect(code).toBe(4)
      expect(stderr).toContain('history was rewritten')
    }
  })

  test('shows entries by waypoint, user and action, and one in full', async () => {
    const { cwd } = await filled()
    const { stdout } = await openfountain(['log', 'show', '--waypoint', '1'], { cwd })
    expect(stdout.split('\n')[1]).toMatch(/verified +api +verified$/u)
    const page = await answered(
      z.strictObject({ logs: z.array(z.unknown()), total: z.int(), limit: z.int(), offset: z.int() }),
      ['log', 'show', '--action', 'edited', '--user', 'api', '--order', 'asc'],
      { cwd },
    )
    expect(page).toMatchObject({ total: 1, limit: 50, offset: 0, logs: [{ id: 2, action: 'edited' }] })
    const one = await openfountain(['log', 'show', '2'], { cwd })
    expect(one.stdout).toContain('description')
    expect(one.stdout).toContain('By the clock')
    expect(await answered(z.unknown(), ['log', 'show', '2'], { cwd })).toMatchObject({
      log: { id: 2, user: { id: 'api' }, waypoint: { id: 1 } },
    })
    expect((await openfountain(['log', 'show', '99'], { cwd })).code).toBe(3)
  })

  test('shows entries of all kinds, with the XP that they award', async () => {
    const { cwd, database } = await filled()
    const registry = await openRegistry({ database })
    await registry.users.create({ id: 'ada', name: 'Ada', xp: 20 })
    await registry.reviews.create({ bubblerId: 1, rating: 5, comment: 'Cold' }, user('ada'))
    await registry.close()
    const { stdout } = await openfountain(['log', 'show', '--all'], { cwd })
    const lines = stdout.trim().split('\n')
    expect(lines).toHaveLength(7)
    expect(lines[1]).toMatch(/^ *6 .+ review 1 +created +ada +comment, rating, waypoint$/u)
    expect(lines[2]).toMatch(/^ *5 .+ user ada +granted +api +reason$/u)
    expect(lines[6]).toMatch(/^ *1 .+ waypoint 1 +created +api/u)
    const ids = async (...options: string[]) =>
      (await answered(Entries, ['log', 'show', '--all', ...options], { cwd })).entries.map(({ id }) => id)
    expect(await ids('--limit', '2', '--offset', '1')).toEqual([5, 4])
    expect(await ids('--limit', '2', '--offset', '1', '--order', 'asc')).toEqual([2, 3])
    expect(await ids('--limit', '4', '--offset', '4')).toEqual([2, 1])
    expect(await ids('--offset', '6')).toEqual([])
    const one = await openfountain(['log', 'show', '6', '--all'], { cwd })
    expect(one.stdout).toMatch(/^xp +5 to ada for postReview$/mu)
    expect((await openfountain(['log', 'show', '6'], { cwd })).code).toBe(3)
    expect((await openfountain(['log', 'show', '99', '--all'], { cwd })).code).toBe(3)
    const refused = await openfountain(['log', 'show', '--all', '--waypoint', '1'], { cwd })
    expect(refused).toMatchObject({ code: 2, stdout: '' })
  })

  test('a redaction removes the text from the file, stays visible, and the log still verifies', async () => {
    const { cwd, database } = await filled()
    const args = ['log', 'redact', '1', '--fields', 'description', '--reason', 'A private number']
    expect(await answered(z.unknown(), args, { cwd })).toEqual({ entries: [1] })
    expect((await openfountain(['log', 'verify'], { cwd })).stdout).toContain('1 redacted')
    expect((await openfountain(['log', 'show'], { cwd })).stdout).toContain('redacted: A private number')
    expect((await openfountain(['log', 'show', '--all'], { cwd })).stdout).toContain('description (redacted)')
    expect((await openfountain(['log', 'show', '1', '--all'], { cwd })).stdout).toMatch(
      /^ {2}description +\(redacted\)$/mu,
    )
    const { readFile } = await import('node:fs/promises')
    expect((await readFile(database)).includes('555 0100')).toBe(false)
    expect((await openfountain(args, { cwd })).code).toBe(2)
  })

  test('a redaction names the copies that lost the text, too', async () => {
    const { cwd, database } = await filled()
    const registry = await openRegistry({ database })
    await registry.waypoints.delete(1, token())
    await registry.waypoints.restore(1, { reason: 'It is there' }, token())
    await registry.close()
    const args = ['log', 'redact', '2', '--fields', 'description', '--reason', 'Asked by Ada']
    const { code, stdout } = await openfountain(args, { cwd })
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Text is removed from entries 2 and 5: Asked by Ada\n',
    })
  })

  test('text that a reader still holds fails aloud, and log scrub finishes when it has ended', async () => {
    const { cwd, database } = await filled()
    const reader = new Database(database)
    reader.exec('begin')
    reader.prepare('select count(*) from entries').get()
    const args = ['log', 'redact', '1', '--fields', 'description', '--reason', 'A private number']
    const refused = await openfountain(args, { cwd })
    expect(refused).toMatchObject({ code: 17, stdout: '' })
    expect(refused.stderr).toContain('still held by the write-ahead log')
    expect(refused.stderr).toContain('openfountain log scrub finishes it')
    const json = await openfountain(['log', 'scrub', '--json'], { cwd })
    expect(json.code).toBe(17)
    expect(JSON.parse(json.stderr)).toMatchObject({
      code: 'STORAGE_NOT_ERASED',
      details: { leftovers: [{ place: expect.any(String), remedy: expect.any(String) }] },
    })
    reader.close()
    const done = await openfountain(['log', 'scrub'], { cwd })
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(done.stdout).toContain('No redacted text is left')
    for (const name of await readdir(cwd))
      expect([name, readFileSync(path.join(cwd, name)).includes('555 0100')]).toEqual([name, false])
    expect((await openfountain(['log', 'verify'], { cwd })).code).toBe(0)
  })

  test('a list of erasures erases an older copy again, which has another origin then', async () => {
    const { cwd } = await filled()
    const copy = path.join(cwd, 'copy.db')
    expect((await openfountain(['backup', copy], { cwd })).code).toBe(0)
    await openfountain(['log', 'redact', '1', '--fields', 'description', '--reason', 'Private'], { cwd })
    const listed = await openfountain(['log', 'erasures', 'erased.txt'], { cwd })
    expect(listed).toMatchObject({ code: 0, stdout: 'erased.txt lists 1 erasure\n' })
    expect(statSync(path.join(cwd, 'erased.txt')).mode & 0o777).toBe(0o600)
    const again = (...args: string[]) => openfountain(['log', 'erase-again', ...args, '--db', copy], { cwd })
    expect((await again('erased.txt')).stderr).toContain('--origin is missing')
    expect((await again('copy.db', '--origin', 'keep')).stderr).toContain('list must be a list of erasures')
    expect(readFileSync(copy).includes('555 0100')).toBe(true)
    const done = await again('erased.txt', '--origin', 'renew')
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(done.stdout).toContain('text of 1 entry and of 0 reports; 0 people left again')
    expect(done.stdout).toContain('new origin')
    expect(readFileSync(copy).includes('555 0100')).toBe(false)
    expect((await openfountain(['log', 'verify', '--db', copy], { cwd })).code).toBe(0)
    // What the list had stays in it, whichever registry it is brought up to date from.
    await openfountain(['log', 'erasures', 'erased.txt', '--db', copy], { cwd })
    expect(readFileSync(path.join(cwd, 'erased.txt'), 'utf8').split('\n')).toHaveLength(2)
  })

  test('an entry is undone by another one, unless somebody changed the same since', async () => {
    const { cwd } = await filled()
    const refused = await openfountain(['log', 'revert', '1', '--reason', 'x'], { cwd })
    expect(refused.code).toBe(0)
    const [, entry] = /undone by entry (\d+)$/mu.exec(refused.stdout) ?? []
    expect(entry).toBe('4')
    expect(await answered(z.unknown(), ['stats'], { cwd })).toMatchObject({ totalWaypoints: 0 })
    expect(await answered(z.unknown(), ['log', 'revert', '4', '--reason', 'y'], { cwd })).toEqual({
      reverted: 4,
      entries: [5],
    })
    expect(await answered(z.unknown(), ['stats'], { cwd })).toMatchObject({ totalWaypoints: 1 })
    const edit = await openfountain(['log', 'revert', '99', '--reason', 'y'], { cwd })
    expect(edit.code).toBe(3)
    expect((await openfountain(['log', 'verify'], { cwd })).code).toBe(0)
  })

  test('what was changed since is not undone: exit code 5 names the fields', async () => {
    const { cwd, database } = await filled()
    const registry = await openRegistry({ database })
    await registry.waypoints.update(1, { description: 'By the tower' }, token())
    await registry.close()
    const { code, stderr } = await openfountain(['log', 'revert', '2', '--reason', 'x', '--json'], { cwd })
    expect(code).toBe(5)
    expect(JSON.parse(stderr)).toMatchObject({ code: 'CONFLICT', details: { fields: ['description'] } })
  })

  test('a clock that is more than a day behind stops writes, unless it is accepted', async () => {
    const cwd = await folder()
    const inTwoDays = new Date(Date.now() + 2 * 24 * 60 * 60 * 1000)
    const registry = await openRegistry({
      database: path.join(cwd, 'openfountain.db'),
      clock: () => inTwoDays,
    })
    await fill(registry)
    await registry.close()
    const args = ['user', 'add', '--name', 'Ada']
    const refused = await openfountain(args, { cwd })
    expect(refused).toMatchObject({ code: 18, stdout: '' })
    expect(refused.stderr).toContain('give --accept-clock')
    expect((await openfountain([...args, '--accept-clock'], { cwd })).code).toBe(0)
    const env = { OPENFOUNTAIN_ACCEPT_CLOCK: 'yes' }
    expect((await openfountain(args, { cwd, env })).code).toBe(0)
    const head = await answered(Head, ['log', 'head'], { cwd })
    expect(head).toMatchObject({ id: 5, timestamp: inTwoDays.toISOString() })
    expect((await openfountain(['log', 'verify'], { cwd })).code).toBe(0)
  })

  test('counts', async () => {
    const { cwd } = await filled()
    expect(await answered(z.unknown(), ['stats'], { cwd })).toEqual({
      totalWaypoints: 1,
      totalVerifiedWaypoints: 1,
      totalUsers: 0,
      totalReviews: 0,
      totalContributions: 3,
    })
    expect((await openfountain(['stats'], { cwd })).stdout).toMatch(/^waypoints +1$/mu)
  })
})
