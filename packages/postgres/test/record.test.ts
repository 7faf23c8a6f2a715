import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openRegistry } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { buildSite } from '@openfountain/site'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { asAdmin, createDatabase } from '@openfountain/testing/postgres/cluster'
import { answers, asked } from '@openfountain/testing/record/answers'
import { filesOf, textsOf } from '@openfountain/testing/record/files'
import { begin, end, type Story } from '@openfountain/testing/record/story'

/** `record/README.md` describes how to change it. */
const file = (size: string, name: string): string => path.join(import.meta.dirname, 'record', size, name)

/** Endpoints whose requirements a record cannot have; each has tests of its own. */
const others = [
  /^(?:GET|POST) \/api\/auth\/(?:codes|links|passkeys|providers|sign-out)/u,
  /^(?:DELETE|PATCH|POST) \/api\/user\/(?:sessions|tokens|identities|passkeys)/u,
  /^(?:GET \/api\/user\/export|DELETE \/api\/user|GET \/api\/openapi|GET \/api\/docs.*)$/u,
]

/** A database with a known origin, and a known key for the pseudonyms of people and places. */
async function emptyRegistry(engine: string, folder: string): Promise<string> {
  const database =
    engine === 'SQLite' ? path.join(folder, 'fountains.db') : await createDatabase(inject('postgres'))
  await openRegistry({ database }).then((registry) => registry.close())
  const key = '0123456789abcdef'
  const statement = `update "state" set "placeKey" = '${key.repeat(4)}', "origin" = '${key.repeat(2)}'`
  if (engine === 'SQLite') {
    const file = new Database(database)
    file.exec(statement)
    file.close()
  } else await asAdmin(inject('postgres'), statement, new URL(database).pathname.slice(1))
  return database
}

/** Compares with `record/SIZE`. @param rows of each city */
function compare(engine: string, size: string, rows: number): void {
  const record = (name: string): string => file(size, name)
  let folder: string
  let story: Story

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'openfountain-record-'))
    const database = await emptyRegistry(engine, folder)
    story = await begin(database, rows, folder)
  })

  afterAll(async () => {
    await story.registry.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('writes are answered as recorded', async () => {
    await expect(await answers(story, 'writes')).toMatchFileSnapshot(record('writes.txt'))
    await end(story)
  })

  test('reads are answered as recorded', async () => {
    await expect(await answers(story, 'reads')).toMatchFileSnapshot(record('reads.txt'))
  })

  test('the log has the recorded head and verifies', async () => {
    const { id, hash } = await story.registry.changes.head()
    await expect(`${id} ${hash}\n`).toMatchFileSnapshot(record('head.txt'))
    expect(await story.registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
  })

  test('exports have the recorded content', async () => {
    const asOf = '2026-06-02'
    const permitted = ['Stadt Wien, Trinkbrunnen']
    const [whole, split] = [path.join(folder, 'export'), path.join(folder, 'split')]
    await exportRegistry(story.registry, { out: whole, asOf, permitted })
    await exportRegistry(story.registry, { out: split, asOf, splitByLicense: true })
    const files = `${await filesOf(whole)}\n${await filesOf(split)}`
    await expect(files).toMatchFileSnapshot(record('files.txt'))
  })

  const isOfPages = engine === 'SQLite'
  test.runIf(isOfPages)(
    'pages have the recorded texts in English and German',
    { timeout: 120_000 },
    async () => {
      const out = path.join(folder, 'site')
      await buildSite({ data: path.join(folder, 'export'), out, languages: ['en', 'de'], pages: 50 })
      await expect(await textsOf(out, ['en', 'de'])).toMatchFileSnapshot(record('pages.txt'))
    },
  )
}

// In this order: reads and exports are of what the writes left.
for (const engine of ['SQLite', 'PostgreSQL']) {
  describe(`the record on ${engine}`, { shuffle: false }, () => {
    compare(engine, 'some', 60)
  })
  describe(`the record of whole files on ${engine}`, { shuffle: false, tags: ['long'] }, () => {
    compare(engine, 'all', 100_000)
  })
}

test('the record asks every endpoint', async () => {
  const { document } = await import('@openfountain/testing/server/stage').then(({ openStage }) => openStage())
  const operations = Object.entries(document.paths).flatMap(([template, item]) =>
    Object.keys(item)
      .filter((method) => ['get', 'post', 'patch', 'delete'].includes(method))
      .map((method) => `${method.toUpperCase()} ${template}`),
  )
  const missing = operations.filter((endpoint) => {
    if (others.some((other) => other.test(endpoint))) return false
    const pattern = new RegExp(`^${endpoint.replaceAll(/\{\w+\}/gu, '[^/?]+')}(?:\\?.*)?$`, 'u')
    return ![...asked].some((each) => pattern.test(each))
  })
  expect(missing).toEqual([])
})
