import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openRegistry, token, type Registry } from '@openfountain/core'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { answered, folder, openfountain } from './shell.ts'

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
    expect(await answered(z.unknown(), ['log', 'verify'], { cwd })).toMatchObject({
      ok: true,
      entries: 3,
      waypoints: 1,
      redacted: 0,
      problems: [],
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
    expect(refused.stderr).toContain('the log has no entry 3:')
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
    expect((await openfountain(['log', 'verify', '--known', `0:${'0'.repeat(64)}`], { cwd })).code).toBe(0)
    for (const known of [`3:${'a'.repeat(64)}`, `4${kept.slice(1)}`, `0:${'1'.repeat(64)}`]) {
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

  test('a redaction removes the text from the file, stays visible, and the chain still verifies', async () => {
    const { cwd, database } = await filled()
    const args = ['log', 'redact', '1', '--fields', 'description', '--reason', 'A private number']
    expect(await answered(z.unknown(), args, { cwd })).toMatchObject({
      log: { id: 1, redacted: { reason: 'A private number', fields: ['description'] } },
    })
    expect((await openfountain(['log', 'verify'], { cwd })).stdout).toContain('1 redacted')
    expect((await openfountain(['log', 'show'], { cwd })).stdout).toContain('redacted: A private number')
    const { readFile } = await import('node:fs/promises')
    expect((await readFile(database)).includes('555 0100')).toBe(false)
    expect((await openfountain(args, { cwd })).code).toBe(2)
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
