import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { token } from '@openfountain/core'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openfountain, workplace, type Workplace } from '@openfountain/testing/command/shell'

const add = ({ at, registry }: Workplace, count: number, name = 'openfountain.db'): Promise<void> =>
  registry(
    async ({ waypoints }) => {
      for (let number = 1; number <= count; number++)
        await waypoints.create({ name: `Fountain ${number}`, latitude: 1, longitude: 2 }, token())
    },
    { database: at(name) },
  )

/** A registry with two fountains, its backup copy.db, and fountains that were added since. */
async function backedUp(since = 0): Promise<Workplace> {
  const place = await workplace()
  await add(place, 2)
  await place.json('backup copy.db')
  if (since > 0) await add(place, since)
  return place
}

/** Which line of history a registry has, and how far it goes. */
const lineOf = ({ registry }: Workplace) =>
  registry(async ({ changes }) => ({ origin: await changes.origin(), head: await changes.head() }), {
    readOnly: true,
  })

const Stats = z.object({ totalWaypoints: z.int() })
const waypointsIn = async ({ answer }: Workplace): Promise<number> =>
  (await answer(Stats, 'stats')).totalWaypoints

const leftovers = async ({ cwd }: Workplace): Promise<string[]> =>
  (await readdir(cwd)).filter((name) => /tail|unfinished/u.test(name))

test('restores beside the registry, and over it only with --force; a backup never writes over a file', async () => {
  const place = await backedUp(3)
  const { json, refused, run } = place
  for (const file of ['copy.db', 'openfountain.db']) await refused(`backup ${file}`, 2, 'exists already')
  expect(await json('restore copy.db --db beside.db')).toMatchObject({
    database: 'beside.db',
    entries: 2,
    waypoints: 2,
    originRenewed: true,
  })
  await refused('restore copy.db', 2, 'give --force to replace it')
  expect(await waypointsIn(place)).toBe(5)
  const { stdout } = await run('restore copy.db --force')
  expect(stdout).toContain('Lost, because the backup does not have them: 3 entries')
  expect(stdout).toContain('The log has a new origin')
  expect(await waypointsIn(place)).toBe(2)
  // Both say what verifying does not cover.
  for (const text of [stdout, (await run('backup other.db')).stdout])
    expect(text).toMatch(/^Not covered: names and e-mail addresses of people, .*history was rewritten/mu)
  expect(await leftovers(place)).toEqual([])
})

test('no response from before a restore is current after it, though just as much was written since', async () => {
  const { json, registry, serving } = await backedUp()
  const lists = ['waypoints', 'logs', 'changes', 'stats', 'users', 'sources', 'exports/waypoints.csv']
  const asked = [...lists, 'waypoints/1', 'waypoints?limit=1', 'waypoints#geojson']
  /** Writes to the first fountain, publishes, and asks for everything with the tags that are held. */
  const servedAfter = async (name: string, held: readonly string[] = []) => {
    await registry(({ waypoints }) => waypoints.update(1, { name }, token()))
    await json('export --out exports --formats csv')
    const { url, stop } = await serving('--exports exports')
    const told = await Promise.all(
      asked.map(async (address, index) => {
        const accept = address.endsWith('#geojson') ? 'application/geo+json' : '*/*'
        const headers = { accept, 'if-none-match': held[index] ?? '"none"' }
        const response = await fetch(`${url}/api/${address}`, { headers })
        await response.arrayBuffer()
        return { address, status: response.status, tag: response.headers.get('etag') ?? '' }
      }),
    )
    await stop()
    return told
  }
  const held = (await servedAfter('Lost')).map(({ tag }) => tag)
  expect(held).not.toContain('')
  await json('restore copy.db --force')
  const after = await servedAfter('Kept', held)
  expect(after.filter(({ status, tag }, index) => status !== 200 || tag === held[index])).toEqual([])
})

test('--tail brings back what a mirror followed since, so that nothing is lost', async () => {
  const place = await backedUp(3)
  const { at, codes, json, run, serving } = place
  // What was erased since stays erased, and does not stand between the backup and the mirror.
  await json("log redact 1 --fields name --reason 'A private name'")
  const before = await lineOf(place)
  const original = await serving()
  await json(`mirror ${original.url} --db mirror.db`)
  await original.stop()
  const mirror = await serving('--db mirror.db')
  expect(await json(`restore copy.db --force --tail ${mirror.url}`)).toMatchObject({
    waypoints: 5,
    followed: before.head.id - 2,
    lost: 0,
    originRenewed: false,
    erased: 0,
    added: { 'waypoint created': 3, 'waypoint edited': 1, 'entry redacted': 1 },
  })
  expect(await lineOf(place)).toEqual(before)
  expect(await codes('log verify')).toEqual([0])
  expect((await readFile(at('openfountain.db'))).includes('Fountain 1')).toBe(true)
  expect((await run('log show 1 --all')).stdout).toContain('(redacted)')
  expect(await leftovers(place)).toEqual([])
})

test('--tail gives nobody rights without --trust-rights, and takes what continues the head that was kept', async () => {
  const { codes, cwd, json, run, serving } = await backedUp()
  const known = (await run('log head')).stdout.trim()
  await json('user add --id ada --name Ada --moderator')
  const { url, stop } = await serving()
  const restored = (name: string, ...more: string[]) =>
    json(`restore copy.db --db ${name} --tail ${url} ${more.join(' ')}`)
  expect(await restored('a.db', '--known', known)).toMatchObject({ notTaken: { moderators: ['ada'] } })
  const { stdout } = await run(`restore copy.db --db b.db --tail ${url}`)
  expect(stdout).toMatch(/^Followed from .*: 1 entry: user created 1$/mu)
  expect(stdout).toMatch(/^ {2}ada is no moderator: openfountain user moderator ada$/mu)
  expect(await restored('c.db', '--trust-rights')).not.toHaveProperty('notTaken')
  const other = known.replace(/.{4}$/u, '0000')
  const unlike = await run(`restore copy.db --db d.db --tail ${url} --known ${other}`)
  expect(unlike).toMatchObject({ code: 4, stdout: '' })
  await stop()
  expect(
    await codes(
      `restore copy.db --db d.db --known ${known}`,
      'restore copy.db --db d.db --tail http://mirror.example',
    ),
  ).toEqual([2, 2])
  expect((await readdir(cwd)).filter((name) => name.startsWith('d.db'))).toEqual([])
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

test('a mirror that cannot be reached, or has another history, leaves the registry as it was', async () => {
  const place = await backedUp(1)
  const { run, serving } = place
  const before = await lineOf(place)
  const restored = (url: string) => run(`restore copy.db --force --tail ${url}`)
  expect(await restored('http://127.0.0.1:9')).toMatchObject({ code: 7, stdout: '' })
  expect((await restored('nowhere')).stderr).toContain('--tail must be the http: or https: address')
  await add(place, 5, 'other.db')
  const other = await serving('--db other.db')
  expect(await restored(other.url)).toMatchObject({ code: 4, stdout: '' })
  expect(await lineOf(place)).toEqual(before)
  expect(await leftovers(place)).toEqual([])
})

test('refuses while a server has the registry open, and changes nothing', async () => {
  const place = await backedUp(3)
  const { codes, refused, serving } = place
  const { url, stop } = await serving()
  await refused('restore copy.db --force', 10, 'stop it first')
  expect(await (await fetch(`${url}/api/stats`)).json()).toMatchObject({ totalWaypoints: 5 })
  await stop()
  expect(await codes('restore copy.db --force')).toEqual([0])
  expect(await waypointsIn(place)).toBe(2)
})

test('a registry that is damaged beyond reading is replaced by its backup', async () => {
  const place = await backedUp()
  await writeFile(place.at('openfountain.db'), 'a lightning stroke '.repeat(5000))
  await writeFile(place.at('openfountain.db-wal'), 'and its thunder')
  await place.json('restore copy.db --force')
  expect(await waypointsIn(place)).toBe(2)
})

test('a backup that was changed is refused with a code of its own, as is what is no backup', async () => {
  const { at, codes, refused } = await backedUp()
  const bytes = await readFile(at('copy.db'))
  await writeFile(at('half.db'), bytes.subarray(0, Math.floor(bytes.length / 2)))
  await writeFile(at('letter.txt'), 'Dear Ada')
  const sqlite = new Database(at('copy.db'))
  sqlite.prepare("update waypoints set name = 'Elsewhere' where id = 1").run()
  sqlite.close()
  await refused('restore copy.db --force', 4, 'does not verify')
  const files = ['half.db', 'letter.txt', 'nowhere.db']
  expect(await codes(...files.map((file) => `restore ${file} --force`), 'log verify')).toEqual([
    13, 13, 14, 0,
  ])
})
