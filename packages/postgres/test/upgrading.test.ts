/** @module-tag postgres */
import { globSync, readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { copyRegistry, openRegistry, token } from '@openfountain/core'
import { upgradeRegistry, type UpgradeOptions } from '@openfountain/core/internal'
import { version } from '@openfountain/core/version'
import { importFile, mirrorRegistry } from '@openfountain/exchange'
import { createApp, nodeListener } from '@openfountain/server'
import { buildSite } from '@openfountain/site'
import { describe, expect, test, vi } from 'vitest'
import { afterwards } from '@openfountain/testing/afterwards'
import { newFolder } from '@openfountain/testing/folder'
import { listening } from '@openfountain/testing/listening'
import { emptyDatabase } from '@openfountain/testing/postgres/empty-database'
import { releaseOf } from '@openfountain/testing/record/release'

const release = await releaseOf('1.0.0')
const migrationsOf = [
  '../../core/src/store/sqlite/migrations/index.ts',
  '../src/migrations/index.ts',
] as const

type Program = Awaited<ReturnType<typeof program>>

async function program() {
  vi.resetModules()
  const core = await import('@openfountain/core')
  const internal = await import('@openfountain/core/internal')
  const { answersOf } = await import('@openfountain/testing/record/release')
  return { ...core, ...internal, answersOf }
}

/** A version with two migrations more, of which the second can be made to fail, until it ends. */
async function later() {
  let fails = false
  const added = [
    () => ['create table "later" ("id" integer primary key)', 'insert into "later" values (7)'],
    () => (fails ? ['select "nothing" from "nowhere"'] : ['create index "laterById" on "later" ("id")']),
  ]
  for (const file of migrationsOf)
    vi.doMock(file, async (original) => {
      const { migrations } = await original<{ migrations: readonly unknown[] }>()
      return { migrations: [...migrations, ...added] }
    })
  const end = (): void => {
    for (const file of migrationsOf) vi.doUnmock(file)
    // Tests of other files share the modules.
    vi.resetModules()
  }
  afterwards(end)
  return { ...(await program()), end, failing: (whether: boolean) => (fails = whether) }
}

/** The recorded database, brought to this version; in PostgreSQL a copy of it. */
async function recorded(
  engine: string,
  { upgradeRegistry, copyRegistry }: Pick<Program, 'copyRegistry' | 'upgradeRegistry'>,
): Promise<string> {
  const file = path.join(newFolder(), 'fountains.db')
  await writeFile(file, Buffer.from(release.database, 'base64'))
  await upgradeRegistry({ database: file })
  if (engine === 'SQLite') return file
  const database = await emptyDatabase()
  await copyRegistry({ from: file, to: database })
  return database
}

async function mustBeAsRecorded(database: string, of: Program): Promise<void> {
  const registry = await of.openRegistry({
    database,
    name: 'Fountains of three cities',
    author: 'Water Club',
    readOnly: true,
  })
  try {
    expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [], head: release.head })
    expect(await of.answersOf(registry)).toMatchObject(release.answers)
  } finally {
    await registry.close()
  }
}

describe.each(['SQLite', 'PostgreSQL'])('a database of 1.0 in %s', (engine) => {
  test('is opened by this version, with the same log and answers', async () => {
    const now = await program()
    const database = await recorded(engine, now)
    await mustBeAsRecorded(database, now)
    const { from, to } = await now.upgradeRegistry({ database })
    expect(from).toBe(to)
  })

  test('is refused by a later version until it is upgraded, which goes on where it was interrupted', async () => {
    const now = await program()
    const database = await recorded(engine, now)
    const { to: from } = await now.upgradeRegistry({ database })
    const to = from + 2
    const next = await later()
    for (const readOnly of [true, false])
      await expect(next.openRegistry({ database, readOnly })).rejects.toMatchObject({
        code: 'STORAGE_OLDER',
        message: expect.stringContaining('openfountain upgrade') as string,
        details: { found: from, known: to },
      })
    for (const dryRun of [true, true])
      expect(await next.upgradeRegistry({ database, dryRun })).toMatchObject({ from, to })
    next.failing(true)
    await expect(next.upgradeRegistry({ database })).rejects.toThrow('nowhere')
    await expect(next.openRegistry({ database })).rejects.toMatchObject({ details: { found: from + 1 } })
    next.failing(false)
    const steps = new Set<string>()
    const onProgress: UpgradeOptions['onProgress'] = (step) => void steps.add(step)
    expect(await next.upgradeRegistry({ database, onProgress })).toMatchObject({ from: from + 1, to })
    expect(steps).toContain(engine === 'SQLite' ? 'migrations' : 'verification')
    await mustBeAsRecorded(database, next)
    next.end()
    const { openRegistry } = await program()
    await expect(openRegistry({ database })).rejects.toMatchObject({
      code: 'STORAGE_NEWER',
      message: expect.stringContaining('restore the backup that its upgrade made') as string,
    })
  })
})

test('the backup of an upgrade is what the version before opens, and a program may migrate as it opens', async () => {
  const now = await program()
  const database = await recorded('SQLite', now)
  const next = await later()
  const open = await now.openRegistry({ database })
  await expect(next.upgradeRegistry({ database })).rejects.toMatchObject({ code: 'STORAGE_BUSY' })
  await open.close()
  const { backup = '' } = await next.upgradeRegistry({ database })
  expect(backup).toMatch(/fountains\.schema-\d+\.\d{8}T\d{6}Z\.db$/u)
  expect(await readdir(path.dirname(database))).toEqual(['fountains.db', path.basename(backup)])
  await mustBeAsRecorded(backup, now)
  await expect(next.upgradeRegistry({ database: backup, backup: database })).rejects.toThrow('exists already')
  await (await next.openRegistry({ database: backup, migrate: true })).close()
  await mustBeAsRecorded(backup, next)
})

test('an export of 1.0 is imported, and a site is built from it', async () => {
  const data = newFolder()
  for (const [name, base64] of Object.entries(release.files))
    await writeFile(path.join(data, name), Buffer.from(base64, 'base64'))
  const registry = await openRegistry({ database: ':memory:' })
  const source = { name: 'Water Club', license: 'ODbL-1.0' }
  const file = path.join(data, 'waypoints.geojson')
  const { counts } = await importFile(registry, { file, source })
  expect(counts).toMatchObject({ refused: 0 })
  expect(await registry.statistics()).toMatchObject({ totalWaypoints: counts.created })
  await registry.close()
  const out = path.join(newFolder(), 'site')
  await buildSite({ data, out, languages: ['en'], pages: 0 })
  expect(await readdir(out)).toContain('index.html')
})

test('a mirror of 1.0 follows an instance of this version', async () => {
  const own = { copyRegistry, upgradeRegistry }
  const here = await openRegistry({ database: await recorded('SQLite', own) })
  const there = await openRegistry({ database: await recorded('SQLite', own) })
  await there.waypoints.create({ name: 'Later', latitude: 1, longitude: 2 }, token())
  const port = await listening(createServer(nodeListener(createApp(there))))
  expect(await mirrorRegistry(`http://127.0.0.1:${port}`, here)).toMatchObject({
    from: release.head,
    entries: 1,
  })
  expect(await here.changes.verify()).toMatchObject({ ok: true })
  await Promise.all([there.close(), here.close()])
})

test('every package has the version of the software', () => {
  const root = path.join(import.meta.dirname, '../../..')
  for (const file of globSync(['packages/*/package.json', 'site/package.json'], { cwd: root }))
    expect(JSON.parse(readFileSync(path.join(root, file), 'utf8'))).toMatchObject({ version })
})
