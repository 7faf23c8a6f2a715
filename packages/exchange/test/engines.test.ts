import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { copyRegistry, openRegistry, token, user, type Registry } from '@openfountain/core'
import { createApp, nodeListener } from '@openfountain/server'
import { describe, expect, test } from 'vitest'
import { Chance } from '@openfountain/testing/chance'
import { newDatabase } from '@openfountain/testing/database'
import { emptyDatabase } from '@openfountain/testing/postgres/empty-database'
import { exportRegistry, followTail, importFile, mirrorRegistry } from '../src/index.ts'
import { contentOf, logOf, original } from './mirror/original.ts'
import { afterwards } from '@openfountain/testing/afterwards'

type Engine = 'SQLite' | 'PostgreSQL'

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'openfountain-engines-'))
  afterwards(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** An empty registry of one engine, in which the same writes make the same log. */
async function opened(engine: Engine): Promise<Registry> {
  const { database, remove } =
    engine === 'PostgreSQL' ? await newDatabase() : { database: ':memory:', remove: () => Promise.resolve() }
  afterwards(remove)
  return reopened(database)
}

async function reopened(database: string): Promise<Registry> {
  let minutes = 0
  let people = 0
  const chance = new Chance(7)
  const registry = await openRegistry({
    database,
    durability: 'relaxed',
    clock: () => new Date(Date.UTC(2026, 5, 1) + ++minutes * 60_000),
    ids: () => `u${++people}`,
    random: (bytes) => chance.bytes(bytes),
  })
  afterwards(() => registry.close())
  return registry
}

async function served(registry: Registry): Promise<string> {
  const server = createServer(nodeListener(createApp(registry)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterwards(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}

const ways = [
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
] as const

describe.each(ways)('a mirror of a registry on %s is on %s', (from, to) => {
  test('and has its log and its content, what is changed and redacted later as well', async () => {
    const [registry, copy] = [await original(await opened(from)), await opened(to)]
    const url = await served(registry)
    const { head } = await mirrorRegistry(url, copy)
    expect(head).toEqual(await registry.changes.head())
    expect(await logOf(copy)).toEqual(await logOf(registry))
    expect(await contentOf(copy)).toEqual(await contentOf(registry))
    await registry.waypoints.update(1, { name: 'Renamed 💧', latitude: 55 }, token())
    const [creation] = (await registry.changes.list({ order: 'asc', bubblerId: 1 })).logs
    await registry.changes.redact(creation?.id ?? 0, { reason: 'asked for by the author' })
    await registry.accounts.leave('ada', { texts: 'erase' })
    await mirrorRegistry(url, copy)
    expect(await logOf(copy)).toEqual(await logOf(registry))
    expect(await contentOf(copy)).toEqual(await contentOf(registry))
    expect(await copy.changes.verify()).toMatchObject({ ok: true, problems: [] })
  })

  test('and gives its tail back to a copy of the original that is older', async () => {
    const [registry, copy] = [await original(await opened(from)), await opened(to)]
    const older = await opened(from)
    await mirrorRegistry(await served(registry), older)
    await registry.users.create({ id: 'eve', name: 'Eve', xp: 100 })
    await registry.waypoints.create({ name: 'Today', latitude: 5, longitude: 6 }, user('eve'))
    await mirrorRegistry(await served(registry), copy)
    const { head } = await followTail(await served(copy), older, { trustRights: true })
    expect(head).toEqual(await registry.changes.head())
    expect(await contentOf(older)).toEqual(await contentOf(registry))
  })
})

test('an import of the same files makes the same log, report and fountains on both engines', async () => {
  const folder = path.join(import.meta.dirname, 'fixtures/zurich')
  const files = readdirSync(folder).filter((name) => /\.(?:csv|geojson|json)$/u.test(name))
  expect(files).not.toEqual([])
  const made = async (engine: Engine) => {
    const registry = await opened(engine)
    const reports: object[] = []
    for (const name of [...files, ...files]) {
      const out = temporaryFolder()
      const report = await importFile(registry, {
        file: path.join(folder, name),
        source: { name, license: 'CC0-1.0' },
        rejectedFile: path.join(out, 'rejected.ndjson'),
        reviewFile: path.join(out, 'review.csv'),
      })
      const sides = readdirSync(out).map((side) => [side, readFileSync(path.join(out, side), 'utf8')])
      reports.push({ counts: report.counts, sides })
    }
    return { reports, head: await registry.changes.head(), content: await contentOf(registry) }
  }
  const [sqlite, postgres] = [await made('SQLite'), await made('PostgreSQL')]
  expect(sqlite.head.id).toBeGreaterThan(10)
  expect(postgres).toEqual(sqlite)
})

test('exports of what changed have the same bytes on both engines as of the same time', async () => {
  const file = path.join(temporaryFolder(), 'fountains.db')
  const registry = await original(await reopened(file))
  const since = String((await registry.changes.head()).id)
  await registry.waypoints.update(1, { name: 'Renamed', longitude: 13 }, token())
  await registry.waypoints.create({ name: 'Later', latitude: 5, longitude: -0.000_000_1 }, token())
  await registry.waypoints.delete(3, token())
  await registry.reviews.create({ bubblerId: 1, rating: 1 }, user('bo'))
  await registry.observations.create({ bubblerId: 1, kind: 'works' }, user('bo'))
  const asOf = await registry.time()
  const server = await emptyDatabase()
  await copyRegistry({ from: file, to: server })
  const exported = async (database: string) => {
    const each = await openRegistry({ database, readOnly: true })
    const out = path.join(temporaryFolder(), 'out')
    await exportRegistry(each, { out, since, asOf, formats: ['difference', 'status'] }).finally(() =>
      each.close(),
    )
    return Object.fromEntries(
      readdirSync(out).map((name) => [name, readFileSync(path.join(out, name)).toString('base64')]),
    )
  }
  const [here, there] = [await exported(file), await exported(server)]
  expect(Buffer.from(here['status.json'] ?? '', 'base64').toString()).toContain('"1":{"state":"works"')
  expect(there).toEqual(here)
})
