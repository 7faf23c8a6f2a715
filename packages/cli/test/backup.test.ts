import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { token } from '@openfountain/core'
import { openPhotos } from '@openfountain/photos'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { afterwards } from '@openfountain/testing/afterwards'
import { bucketServer, keys } from '@openfountain/testing/bucket'
import { listening } from '@openfountain/testing/listening'
import { photosInMemory, picture } from '@openfountain/testing/photos'
import { openfountain, workplace, type Workplace } from '@openfountain/testing/command/shell'
import { beyond, type Keeping } from '../src/backup-place.ts'

const add = ({ registry }: Workplace, count: number): Promise<void> =>
  registry(async ({ waypoints }) => {
    for (let number = 1; number <= count; number++)
      await waypoints.create({ name: `Fountain ${number}`, latitude: 1, longitude: 2 }, token())
  })

async function backedUp(since = 0): Promise<Workplace> {
  const place = await workplace()
  await add(place, 2)
  await place.json('backup copy.db')
  if (since > 0) await add(place, since)
  return place
}

const lineOf = ({ registry }: Workplace) =>
  registry(async ({ changes }) => ({ origin: await changes.origin(), head: await changes.head() }), {
    readOnly: true,
  })

const Stats = z.object({ totalWaypoints: z.int() })
const waypointsIn = async ({ answer }: Workplace): Promise<number> =>
  (await answer(Stats, 'stats')).totalWaypoints

test('restores beside the registry, and over it only with --force and no server; a backup never writes over a file', async () => {
  const place = await backedUp(3)
  const { json, refused, run, serving } = place
  for (const file of ['copy.db', 'openfountain.db']) await refused(`backup ${file}`, 2, 'exists already')
  const beside = { database: 'beside.db', entries: 2, waypoints: 2, originRenewed: true }
  expect(await json('restore copy.db --db beside.db')).toMatchObject(beside)
  await refused('restore copy.db', 2, 'give --force to replace it')
  const { stop } = await serving()
  await refused('restore copy.db --force', 10, 'stop it first')
  await stop()
  expect(await waypointsIn(place)).toBe(5)
  const { stdout } = await run('restore copy.db --force')
  expect(stdout).toMatch(
    /^Lost, because the backup does not have them: 3 entries[^]*The log has a new origin/mu,
  )
  expect(await waypointsIn(place)).toBe(2)
  // Both list the limits of verification.
  for (const text of [stdout, (await run('backup other.db')).stdout])
    expect(text).toMatch(/^Not covered: names and e-mail addresses of people, .*history was rewritten/mu)
})

test('--tail brings back what a mirror followed since, gives nobody rights without --trust-rights, and takes what continues the head that was kept', async () => {
  const place = await backedUp(3)
  const { codes, cwd, json, refused, run, serving } = place
  const known = (await run('log head')).stdout.trim()
  // Erased data stay erased after the restore, and mirrors can follow the restored registry.
  await json("log redact 1 --fields name --reason 'A private name'")
  await json('user add --id ada --name Ada --moderator')
  const before = await lineOf(place)
  const original = await serving()
  await json(`mirror ${original.url} --db mirror.db`)
  await original.stop()
  const { url } = await serving('--db mirror.db')
  const restore = (name: string, more = '') => `restore copy.db --db ${name} --tail ${url} ${more}`
  const notTaken = { moderators: ['ada'] }
  expect(await json(restore('a.db', `--known ${known}`))).toMatchObject({ notTaken })
  expect((await run(restore('b.db'))).stdout).toMatch(
    /^Followed from [^]*user created 1[^]*^ {2}ada is no moderator: openfountain user moderator ada$/mu,
  )
  await refused(restore('c.db', `--known ${known.replace(/.{4}$/u, '0000')}`), 4, '')
  const others = ['--tail http://mirror.example', '--tail nowhere', '--tail http://127.0.0.1:9']
  const wrong = [`--known ${known}`, ...others].map((options) => `restore copy.db --db c.db ${options}`)
  expect(await codes(...wrong)).toEqual([2, 2, 2, 7])
  expect((await readdir(cwd)).filter((name) => /^c\.db|tail|unfinished/u.test(name))).toEqual([])
  const restored = await json(`restore copy.db --force --tail ${url} --trust-rights`)
  expect(restored).toMatchObject({
    waypoints: 5,
    followed: before.head.id - 2,
    lost: 0,
    originRenewed: false,
    added: { 'waypoint created': 3, 'waypoint edited': 1, 'entry redacted': 1 },
  })
  expect(restored).not.toHaveProperty('notTaken')
  expect(await lineOf(place)).toEqual(before)
  expect((await run('log show 1 --all')).stdout).toContain('(redacted)')
})

test('warns where nothing says what was erased, and restores only what is asked for', async () => {
  const { at, cwd } = await backedUp()
  const elsewhere = path.join(cwd, 'elsewhere')
  await mkdir(elsewhere)
  await copyFile(at('copy.db'), path.join(elsewhere, 'copy.db'))
  const restore = (...args: string[]) => openfountain(['restore', 'copy.db', ...args], { cwd: elsewhere })
  const { code, stderr } = await restore()
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /WARNING: nothing says what was erased since copy\.db.*as copy\.db\.erased.*--without-erasures/u,
  )
  expect(await readdir(elsewhere)).toEqual(['copy.db'])
  expect((await restore('--without-erasures')).code).toBe(0)
  await copyFile(at('copy.db.erased'), path.join(elsewhere, 'copy.db.erased'))
  expect((await restore('--db', 'other.db')).code).toBe(0)
})

test.each(['a folder', 'a bucket'])(
  'a copy in %s is read back, pruned by its rule, and restored on a bare folder with photos and erasures',
  async (kind) => {
    const { at, json, run, registry, refused } = await workplace()
    const server = await bucketServer()
    afterwards(server.close)
    const to = kind === 'a folder' ? at('elsewhere') : `s3://files/lund?endpoint=${server.endpoint}`
    const withKeys = { env: keys }
    const photos = openPhotos(at('openfountain.photos'))
    afterwards(photos.close)
    const taking = { photos: { storage: photos.storage, make: photosInMemory().make } }
    await registry(async ({ waypoints, photos: taken }) => {
      const { id } = await waypoints.create({ name: 'Square', latitude: 1, longitude: 2 }, token())
      for (const name of ['a', 'b']) await taken.create(id, picture(name), {}, token())
    }, taking)
    expect(await json(`backup one.db --to ${to} --keep 1,0,0`, withKeys)).toMatchObject({
      sent: { photos: 6, removed: [] },
    })
    await registry(async ({ waypoints, photos: taken }) => {
      await waypoints.create({ name: 'Garden', latitude: 1.1, longitude: 2 }, token())
      await taken.delete(2, token(), { reason: 'A face' })
    }, taking)
    const { stdout } = await run(`backup two.db --to ${to} --keep 1,0,0`, withKeys)
    expect(stdout).toMatch(/gave it back as it is\nRemoved there: one\.db/u)
    expect(await json(`backup fetch ${to} bare`, withKeys)).toEqual({
      file: 'bare/two.db',
      photos: 3,
      missing: 0,
    })
    await refused('backup fetch nowhere bare', 14, 'nowhere has no backup')
    expect((await run(`backup fetch ${to} bare`, withKeys)).stderr).toContain('bare/two.db exists already')
    await json('restore bare/two.db --db bare/fountains.db')
    expect(await json('stats --db bare/fountains.db')).toMatchObject({ totalWaypoints: 2 })
    expect(await json('log verify --photos --db bare/fountains.db')).toMatchObject({ ok: true })
    expect((await run(`backup fetch ${to} bare --name one.db`, withKeys)).code).toBe(14)
    const [lost] = await Array.fromAsync(photos.storage.list())
    await photos.storage.delete(lost?.sha256 ?? '')
    expect(await json(`backup three.db --to ${at('another')}`)).toMatchObject({
      photos: { files: 2, missing: 1 },
      sent: { photos: 2 },
    })
    await refused('backup four.db --keep 1,0,0', 2, 'give --to, too')
    await refused(`backup four.db --to ${to} --keep 1`, 2, '--keep must be DAYS,WEEKS,MONTHS')
  },
)

test('a place that gives something else back than it got is no place for a backup', async () => {
  const { json, registry, run } = await workplace()
  await registry(({ waypoints }) => waypoints.create({ name: 'A', latitude: 1, longitude: 2 }, token()))
  const port = await listening(createServer((_, response) => response.end('something else')))
  const { code, stderr } = await run(`backup one.db --to s3://files/lund?endpoint=http://127.0.0.1:${port}`, {
    env: keys,
  })
  expect([code, stderr]).toEqual([4, expect.stringContaining('gives back another one.db than it got')])
  expect(await json('restore one.db --db restored.db')).toMatchObject({ waypoints: 1 })
})

test('backups are kept by day, week and month, and the newest always', () => {
  const days = Array.from({ length: 90 }, (_, day) => new Date(Date.UTC(2026, 8, 1 + day, 3)).toISOString())
  const left = (rule: Keeping): string[] => {
    const old = new Set(
      beyond(
        days.map((writtenAt) => ({ name: writtenAt, writtenAt })),
        rule,
      ),
    )
    const gone = new Set([...old].map(({ name }) => name))
    return days.filter((day) => !gone.has(day)).map((day) => day.slice(0, 10))
  }
  expect(left([0, 0, 0])).toEqual(['2026-11-29'])
  expect(left([3, 2, 3])).toEqual([
    '2026-09-30',
    '2026-10-31',
    '2026-11-22',
    '2026-11-27',
    '2026-11-28',
    '2026-11-29',
  ])
})
