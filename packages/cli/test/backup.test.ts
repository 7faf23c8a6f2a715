import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openRegistry, token, type Head } from '@openfountain/core'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { answered, folder, openfountain, openfountains, serving } from '@openfountain/testing/command/shell'

const Copied = z.strictObject({
  file: z.string(),
  erasures: z.string(),
  bytes: z.int().positive(),
  head: z.strictObject({ id: z.int(), hash: z.string(), timestamp: z.string().optional() }),
  notCovered: z.array(z.string()).min(1),
})
const Restored = z.strictObject({
  database: z.string(),
  head: Copied.shape.head,
  entries: z.int(),
  waypoints: z.int(),
  originRenewed: z.boolean(),
  lost: z.int().optional(),
  erased: z.int(),
  erasedReports: z.int(),
  left: z.int(),
  followed: z.int().optional(),
  added: z.record(z.string(), z.int()).optional(),
  notTaken: z.object({ moderators: z.array(z.string()) }).optional(),
  notCovered: Copied.shape.notCovered,
})

async function withFountains(database: string, count: number): Promise<void> {
  const registry = await openRegistry({ database })
  for (let number = 1; number <= count; number++)
    await registry.waypoints.create({ name: `Fountain ${number}`, latitude: 1, longitude: 2 }, token())
  await registry.close()
}

/** Which line of history a database has, and how far it goes. */
async function lineOf(database: string): Promise<{ origin: string; head: Head }> {
  const registry = await openRegistry({ database, readOnly: true })
  const [origin, head] = [await registry.changes.origin(), await registry.changes.head()]
  await registry.close()
  return { origin, head }
}

async function waypointsIn(database: string): Promise<number> {
  const { totalWaypoints } = await answered(z.object({ totalWaypoints: z.int() }), [
    'stats',
    '--db',
    database,
  ])
  return totalWaypoints
}

describe('backup and restore', () => {
  test('both say what verifying does not cover', async () => {
    const cwd = await folder()
    await withFountains(path.join(cwd, 'openfountain.db'), 1)
    for (const line of ['backup copy.db', 'restore copy.db --force']) {
      const { code, stdout } = await openfountain(line.split(' '), { cwd })
      expect([line, code]).toEqual([line, 0])
      expect(stdout).toMatch(/^Not covered: names and e-mail addresses of people, .*history was rewritten/mu)
    }
  })

  test('a copy is made while a server writes, and verifies', async () => {
    const cwd = await folder()
    await withFountains(path.join(cwd, 'openfountain.db'), 50)
    const { token: secret } = await answered(
      z.object({ token: z.string() }),
      ['token', 'create', '--name', 'x'],
      { cwd },
    )
    const { url } = await serving(['--durability', 'relaxed'], { cwd })
    const enough = new AbortController()
    let written = 50
    const writer = (async () => {
      while (!enough.signal.aborted) {
        const { status } = await fetch(`${url}/api/waypoints`, {
          method: 'POST',
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'Another', latitude: 3, longitude: 4 }),
        })
        expect(status).toBe(201)
        written++
      }
    })()
    const copy = await answered(Copied, ['backup', 'copy.db'], { cwd })
    enough.abort()
    await writer
    expect(copy.head.id).toBeGreaterThanOrEqual(50)
    expect(copy.head.id).toBeLessThanOrEqual(written)
    expect(await waypointsIn(path.join(cwd, 'copy.db'))).toBe(copy.head.id)
    expect(await readdir(cwd)).not.toContain('copy.db.unfinished')
    expect((await openfountain(['log', 'verify', '--db', 'copy.db'], { cwd })).code).toBe(0)
  })

  test('a backup never writes over a file', async () => {
    const cwd = await folder()
    await withFountains(path.join(cwd, 'openfountain.db'), 1)
    await writeFile(path.join(cwd, 'copy.db'), 'precious')
    for (const file of ['copy.db', 'openfountain.db']) {
      const { code, stderr } = await openfountain(['backup', file], { cwd })
      expect(code).toBe(2)
      expect(stderr).toContain('exists already')
    }
    expect(await readFile(path.join(cwd, 'copy.db'), 'utf8')).toBe('precious')
  })

  test('restores beside the registry, and over it only with --force', async () => {
    const cwd = await folder()
    const database = path.join(cwd, 'openfountain.db')
    await withFountains(database, 2)
    await answered(Copied, ['backup', 'copy.db'], { cwd })
    await withFountains(database, 3)
    const beside = await answered(Restored, ['restore', 'copy.db', '--db', 'beside.db'], { cwd })
    expect(beside).toMatchObject({ database: 'beside.db', entries: 2, waypoints: 2, originRenewed: true })
    const refused = await openfountain(['restore', 'copy.db'], { cwd })
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('give --force to replace it')
    expect(await waypointsIn(database)).toBe(5)
    const { stdout } = await openfountain(['restore', 'copy.db', '--force'], { cwd })
    expect(stdout).toContain('Lost, because the backup does not have them: 3 entries')
    expect(stdout).toContain('The log has a new origin')
    expect(stdout).toContain('Not covered: ')
    expect(await waypointsIn(database)).toBe(2)
    expect((await readdir(cwd)).filter((name) => name.includes('unfinished'))).toEqual([])
  })

  test('no response from before a restore is current after it, though just as much was written since', async () => {
    const cwd = await folder()
    const database = path.join(cwd, 'openfountain.db')
    const lists = ['/api/waypoints', '/api/logs', '/api/changes', '/api/stats', '/api/users', '/api/sources']
    const paths = [...lists, '/api/waypoints/1', '/api/waypoints?limit=1', '/api/exports/waypoints.csv']
    const geojson = { accept: 'application/geo+json' }
    const asked: [string, Record<string, string>][] = [
      ...paths.map((each): [string, Record<string, string>] => [each, {}]),
      ['/api/waypoints', geojson],
    ]
    /** Writes to the first fountain, publishes, and asks for everything with the tags that are held. */
    const servedAfter = async (name: string, held: readonly string[] = []) => {
      const registry = await openRegistry({ database })
      await registry.waypoints.update(1, { name }, token())
      await registry.close()
      await answered(z.unknown(), ['export', '--out', 'exports'], { cwd })
      const { url, stop } = await serving(['--exports', 'exports'], { cwd })
      const told = await Promise.all(
        asked.map(async ([address, headers], index) => {
          const tag = held[index]
          const condition = tag === undefined ? {} : { 'if-none-match': tag }
          const response = await fetch(url + address, { headers: { ...headers, ...condition } })
          await response.arrayBuffer()
          return { address, status: response.status, tag: response.headers.get('etag') ?? '' }
        }),
      )
      await stop()
      return told
    }
    await withFountains(database, 2)
    await answered(Copied, ['backup', 'copy.db'], { cwd })
    const held = (await servedAfter('Lost')).map(({ tag }) => tag)
    expect(held).not.toContain('')
    await answered(Restored, ['restore', 'copy.db', '--force'], { cwd })
    const after = await servedAfter('Kept', held)
    expect(after.filter(({ status, tag }, index) => status !== 200 || tag === held[index])).toEqual([])
  })

  test('--tail brings back what a mirror followed since, so that nothing is lost', async () => {
    const cwd = await folder()
    const database = path.join(cwd, 'openfountain.db')
    await withFountains(database, 2)
    await answered(Copied, ['backup', 'copy.db'], { cwd })
    await withFountains(database, 3)
    // What was erased since stays erased, and does not stand between the backup and the mirror.
    const erase = ['log', 'redact', '1', '--fields', 'name', '--reason', 'A private name']
    await answered(z.unknown(), erase, { cwd })
    const { origin, head } = await lineOf(database)
    const original = await serving([], { cwd })
    await answered(z.unknown(), ['mirror', original.url, '--db', 'mirror.db'], { cwd })
    await original.stop()
    const mirror = await serving(['--db', 'mirror.db'], { cwd })
    const args = ['restore', 'copy.db', '--force', '--tail', mirror.url]
    const restored = await answered(Restored, args, { cwd })
    expect(restored).toMatchObject({
      waypoints: 5,
      followed: head.id - 2,
      lost: 0,
      originRenewed: false,
      erased: 0,
      added: { 'waypoint created': 3, 'waypoint edited': 1, 'entry redacted': 1 },
    })
    expect(await lineOf(database)).toEqual({ origin, head })
    expect((await openfountain(['log', 'verify'], { cwd })).code).toBe(0)
    expect((await readFile(database)).includes('Fountain 1')).toBe(true)
    expect((await openfountain(['log', 'show', '1', '--all'], { cwd })).stdout).toContain('(redacted)')
    expect((await readdir(cwd)).filter((name) => /tail|unfinished/u.test(name))).toEqual([])
  })

  test('--tail gives nobody rights without --trust-rights, and takes what continues the head that was kept', async () => {
    const cwd = await folder()
    const database = path.join(cwd, 'openfountain.db')
    await withFountains(database, 1)
    await answered(Copied, ['backup', 'copy.db'], { cwd })
    const known = (await openfountain(['log', 'head'], { cwd })).stdout.trim()
    await answered(z.unknown(), ['user', 'add', '--id', 'ada', '--name', 'Ada', '--moderator'], { cwd })
    const { url, stop } = await serving([], { cwd })
    const args = (name: string, ...more: string[]) => [
      'restore',
      'copy.db',
      '--db',
      name,
      '--tail',
      url,
      ...more,
    ]
    const restored = await answered(Restored, args('a.db', '--known', known), { cwd })
    expect(restored.notTaken).toMatchObject({ moderators: ['ada'] })
    const { stdout } = await openfountain(args('b.db'), { cwd })
    expect(stdout).toMatch(/^Followed from .*: 1 entry: user created 1$/mu)
    expect(stdout).toMatch(/^ {2}ada is no moderator: openfountain user moderator ada$/mu)
    expect((await answered(Restored, args('c.db', '--trust-rights'), { cwd })).notTaken).toBeUndefined()
    const other = known.replace(/.{4}$/u, '0000')
    expect(await openfountain(args('d.db', '--known', other), { cwd })).toMatchObject({ code: 4, stdout: '' })
    await stop()
    const refused = [
      ['restore', 'copy.db', '--db', 'd.db', '--known', known],
      ['restore', 'copy.db', '--db', 'd.db', '--tail', 'http://mirror.example'],
    ]
    expect((await openfountains(refused, { cwd })).map(({ code }) => code)).toEqual([2, 2])
    expect((await readdir(cwd)).filter((name) => name.startsWith('d.db'))).toEqual([])
  })

  test('warns where nothing says what was erased, and restores only what is asked for', async () => {
    const cwd = await folder()
    await withFountains(path.join(cwd, 'openfountain.db'), 1)
    await answered(Copied, ['backup', 'copy.db'], { cwd })
    const elsewhere = path.join(cwd, 'elsewhere')
    await mkdir(elsewhere)
    await copyFile(path.join(cwd, 'copy.db'), path.join(elsewhere, 'copy.db'))
    const { code, stderr } = await openfountain(['restore', 'copy.db'], { cwd: elsewhere })
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /WARNING: nothing says what was erased since copy\.db.*as copy\.db\.erased.*--without-erasures/u,
    )
    expect(await readdir(elsewhere)).toEqual(['copy.db'])
    await answered(Restored, ['restore', 'copy.db', '--without-erasures'], { cwd: elsewhere })
    await copyFile(path.join(cwd, 'copy.db.erased'), path.join(elsewhere, 'copy.db.erased'))
    await answered(Restored, ['restore', 'copy.db', '--db', 'other.db'], { cwd: elsewhere })
  })

  test('a mirror that cannot be reached, or has another history, leaves the registry as it was', async () => {
    const cwd = await folder()
    const database = path.join(cwd, 'openfountain.db')
    await withFountains(database, 2)
    await answered(Copied, ['backup', 'copy.db'], { cwd })
    await withFountains(database, 1)
    const before = await lineOf(database)
    const restored = (url: string) => openfountain(['restore', 'copy.db', '--force', '--tail', url], { cwd })
    const unreachable = await restored('http://127.0.0.1:9')
    expect(unreachable).toMatchObject({ code: 7, stdout: '' })
    expect((await restored('nowhere')).stderr).toContain('--tail must be the http: or https: address')
    await withFountains(path.join(cwd, 'other.db'), 5)
    const other = await serving(['--db', 'other.db'], { cwd })
    expect(await restored(other.url)).toMatchObject({ code: 4, stdout: '' })
    expect(await lineOf(database)).toEqual(before)
    expect((await readdir(cwd)).filter((name) => /tail|unfinished/u.test(name))).toEqual([])
  })

  test('refuses while a server has the registry open, and changes nothing', async () => {
    const cwd = await folder()
    const database = path.join(cwd, 'openfountain.db')
    await withFountains(database, 2)
    await answered(Copied, ['backup', 'copy.db'], { cwd })
    await withFountains(database, 3)
    const { url, stop } = await serving([], { cwd })
    const { code, stderr } = await openfountain(['restore', 'copy.db', '--force'], { cwd })
    expect(code).toBe(10)
    expect(stderr).toContain('stop it first')
    expect(await (await fetch(`${url}/api/stats`)).json()).toMatchObject({ totalWaypoints: 5 })
    await stop()
    expect((await openfountain(['restore', 'copy.db', '--force'], { cwd })).code).toBe(0)
    expect(await waypointsIn(database)).toBe(2)
  })

  test('a backup that was changed is refused with a code of its own', async () => {
    const cwd = await folder()
    const database = path.join(cwd, 'openfountain.db')
    await withFountains(database, 2)
    await answered(Copied, ['backup', 'copy.db'], { cwd })
    const sqlite = new Database(path.join(cwd, 'copy.db'))
    sqlite.prepare("update waypoints set name = 'Elsewhere' where id = 1").run()
    sqlite.close()
    const { code, stderr } = await openfountain(['restore', 'copy.db', '--force'], { cwd })
    expect(code).toBe(4)
    expect(stderr).toContain('does not verify')
    expect((await openfountain(['log', 'verify'], { cwd })).code).toBe(0)
  })

  test('a registry that is damaged beyond reading is replaced by its backup', async () => {
    const cwd = await folder()
    const database = path.join(cwd, 'openfountain.db')
    await withFountains(database, 2)
    await answered(Copied, ['backup', 'copy.db'], { cwd })
    await writeFile(database, 'a lightning stroke '.repeat(5000))
    await writeFile(`${database}-wal`, 'and its thunder')
    await answered(Restored, ['restore', 'copy.db', '--force'], { cwd })
    expect(await waypointsIn(database)).toBe(2)
  })

  test('what is no backup is refused', async () => {
    const cwd = await folder()
    await withFountains(path.join(cwd, 'openfountain.db'), 1)
    await copyFile(path.join(cwd, 'openfountain.db'), path.join(cwd, 'half.db'))
    const bytes = await readFile(path.join(cwd, 'half.db'))
    await writeFile(path.join(cwd, 'half.db'), bytes.subarray(0, Math.floor(bytes.length / 2)))
    await writeFile(path.join(cwd, 'letter.txt'), 'Dear Ada')
    const codes = async (file: string) => (await openfountain(['restore', file, '--force'], { cwd })).code
    expect([await codes('half.db'), await codes('letter.txt'), await codes('nowhere.db')]).toEqual([
      13, 13, 14,
    ])
    expect((await openfountain(['log', 'verify'], { cwd })).code).toBe(0)
  })
})
