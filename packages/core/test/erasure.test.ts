/** @module-tag long */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, test } from 'vitest'
import { openRegistry, token, user, type ImportRow, type Registry } from '@openfountain/core'
import {
  emptyRegistry,
  placed,
  refusal,
  square,
  temporaryFolder,
  tickingClock,
} from '@openfountain/testing/registry'
import { RandomHistory } from '@openfountain/testing/histories/random-history'
import { fold } from '../src/search/letters.ts'

const reason = 'Asked for by the person'

/** The forms in which a text may be in a file: as it is, in JSON, and as search compares it. */
const formsOf = (text: string): string[] => [text, JSON.stringify(text).slice(1, -1), fold(text)]

/** Which of the texts the files of a database hold, in whatever form. */
async function held(database: string, texts: Iterable<string>): Promise<string[]> {
  const files = [database, `${database}-wal`, `${database}-journal`].filter((file) => existsSync(file))
  const contents = await Promise.all(files.map((file) => readFile(file)))
  return [...texts].filter((text) =>
    formsOf(text).some((form) => contents.some((content) => content.includes(form))),
  )
}

/** Which of the words the indexes of search have. A file has only the ends of words that begin alike. */
function indexed(database: string, words: ReadonlySet<string>): unknown[] {
  const file = new Database(database)
  try {
    file.exec('create virtual table temp.vocabulary using fts5vocab(main, waypointWords, row)')
    return file
      .prepare('select term from temp.vocabulary union select word from searchWords')
      .pluck()
      .all()
      .filter((word) => words.has(String(word)))
  } finally {
    file.close()
  }
}

const readers: ChildProcess[] = []

afterEach(() => {
  for (const reader of readers.splice(0)) reader.kill('SIGKILL')
})

/** Another process that reads a database from now on, until it is ended. */
async function reader(database: string): Promise<{ pid: number | undefined; end: () => Promise<void> }> {
  const program = `
    const file = new (require('better-sqlite3'))(process.argv[1], { readonly: true })
    file.exec('begin')
    file.prepare('select count(*) from entries').get()
    process.stdout.write('reads')
    process.stdin.on('data', () => { file.exec('commit'); file.close(); process.exit() })`
  const child = spawn(process.execPath, ['-e', program, database], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  readers.push(child)
  await once(child.stdout, 'data')
  return {
    pid: child.pid,
    async end() {
      const ended = once(child, 'exit')
      child.stdin.write('end')
      await ended
    },
  }
}

async function fileRegistry(): Promise<{ database: string; registry: Registry }> {
  const database = path.join(await temporaryFolder(), 'registry.db')
  const registry = await emptyRegistry({ database, durability: 'relaxed' })
  return { database, registry }
}

/** The id of the newest entry that has a field. */
async function entryWith(registry: Registry, field: string): Promise<number> {
  const entries = await Array.fromAsync(registry.changes.since(0))
  return entries.findLast(({ fields }) => fields[field] !== undefined && fields[field] !== null)?.id ?? 0
}

describe('after a redaction the text is nowhere', () => {
  test('after 10,000 random writes of all kinds, while another process reads', async () => {
    const seed = Number(process.env['OPENFOUNTAIN_HISTORY_SEED'] ?? 7)
    const database = path.join(await temporaryFolder(), `seed-${seed}.db`)
    const history = new RandomHistory(seed)
    const registry = await openRegistry({ database, clock: tickingClock(), durability: 'relaxed' })
    const kinds = history.kinds.filter((kind) => kind !== 'redact' && kind !== 'revert person')
    while ((await registry.changes.head()).id < 10_000) {
      // What undoes up to 500 entries is not done too often.
      const isSweep = history.chance.below(2000) === 0
      await history.step(registry, isSweep ? ['revert person'] : kinds)
    }
    for (let redactions = 0; redactions < 25;)
      if ((await history.step(registry, ['redact'])) !== undefined) redactions++

    const other = await reader(database)
    const { id } = await placed(registry, { name: 'Ünï0Zq', description: 'Uni00Zq' })
    const failure = await refusal(registry.changes.redact(await entryWith(registry, 'name'), { reason }))
    const place = process.platform === 'linux' ? `process ${other.pid} ` : 'another process'
    expect(failure).toMatchObject({
      code: 'STORAGE_NOT_ERASED',
      details: { leftovers: [{ place: expect.stringContaining(place) as unknown }] },
    })
    expect(await registry.waypoints.get(id)).toMatchObject({ name: '(redacted)' })
    await other.end()
    await registry.changes.scrub()

    const erased = new Set([...history.erased, 'Ünï0Zq', 'Uni00Zq'])
    expect(erased.size).toBeGreaterThan(25)
    expect(await held(database, erased)).toEqual([])
    const words = new Set([...erased].flatMap((text) => fold(text).match(/uni\d+zq/u)?.[0] ?? []))
    expect(indexed(database, words)).toEqual([])
    const backup = path.join(path.dirname(database), 'backup.db')
    await registry.backup(backup)
    expect(await held(backup, erased)).toEqual([])

    await history.importAgain(registry)
    expect(await held(database, erased)).toEqual([])
    for (const word of words) expect(await registry.waypoints.search({ q: word })).toEqual([])
    expect(await registry.changes.verify()).toMatchObject({ ok: true })
    await registry.close()
    expect(await held(database, erased)).toEqual([])
  }, 900_000)

  test.each<[string, (registry: Registry) => Promise<unknown>, string]>([
    [
      'the comment of a review',
      (registry) => registry.reviews.create({ bubblerId: 1, rating: 1, comment: 'Zebulon' }, user('u1')),
      'comment',
    ],
    [
      'the comment of a deleted review',
      async (registry) => {
        await registry.reviews.create({ bubblerId: 1, rating: 1, comment: 'Zebulon' }, user('u1'))
        await registry.reviews.delete(1, token())
      },
      'comment',
    ],
    [
      'the comment of a review that came back',
      async (registry) => {
        await registry.reviews.create({ bubblerId: 1, rating: 1, comment: 'Zebulon' }, user('u1'))
        await registry.reviews.delete(1, token())
        await registry.changes.revert((await registry.changes.head()).id, { reason: 'kept' }, token())
      },
      'comment',
    ],
    [
      'a description that a restore and a revert copied',
      async (registry) => {
        await registry.waypoints.update(1, { description: 'Zebulon' }, token())
        await registry.waypoints.delete(1, token())
        await registry.waypoints.restore(1, { reason: 'kept' }, token())
        await registry.waypoints.update(1, { description: null }, token())
        await registry.changes.revert((await registry.changes.head()).id, { reason: 'kept' }, token())
        expect(await registry.waypoints.get(1)).toMatchObject({ description: 'Zebulon' })
      },
      'description',
    ],
    [
      'the description of a waypoint that was merged',
      async (registry) => {
        await registry.waypoints.update(1, { description: 'Zebulon' }, token())
        await placed(registry, { name: 'Other' })
        await registry.waypoints.merge(1, { into: 2, reason: 'same' }, token())
      },
      'description',
    ],
    [
      'an amenity that later lists repeat in another order',
      async (registry) => {
        await registry.waypoints.update(1, { amenities: ['Zebulon', 'wheelchair'] }, token())
        await registry.waypoints.update(1, { amenities: ['wheelchair', 'Zebulon', 'tap'] }, token())
      },
      'amenities',
    ],
    [
      'the reason of a block that is in force',
      (registry) => registry.users.block('u1', { reason: 'Zebulon' }, token()),
      'reason',
    ],
    [
      'the reason of a block that ended',
      async (registry) => {
        await registry.users.block('u1', { reason: 'Zebulon' }, token())
        await registry.users.unblock('u1', token())
      },
      'reason',
    ],
    [
      'the reason of an act with many entries',
      async (registry) => {
        await registry.users.grantXp('u1', 100, 'welcome')
        await registry.waypoints.create({ ...square, name: 'One' }, user('u1'))
        await registry.waypoints.create({ ...square, name: 'Two' }, user('u1'))
        const since = '2026-01-01T00:00:00.000Z'
        const { reverted } = await registry.users.revert('u1', { since, reason: 'Zebulon' }, token())
        expect(reverted).toHaveLength(2)
      },
      'reason',
    ],
    [
      'the name and the note of an area',
      (registry) =>
        registry.areas.create(
          {
            name: 'Zebulon',
            description: 'Zebulon lives here',
            color: '#0066ff',
            coordinates: [
              [
                [0, 0],
                [1, 0],
                [1, 1],
                [0, 0],
              ],
            ],
          },
          token(),
        ),
      'description',
    ],
    [
      'the name of an imported file',
      async (registry) => {
        const file = { name: 'Zebulon.csv', sha256: 'ab', bytes: 1 }
        const run = await registry.imports.start({ source: { name: 'List', license: 'CC0-1.0' }, file })
        await run.apply([])
      },
      'file',
    ],
  ])('of %s', async (_what, write, field) => {
    const { database, registry } = await fileRegistry()
    await registry.users.create({ name: 'Ada' })
    await placed(registry)
    await write(registry)
    expect(await held(database, ['Zebulon'])).toEqual(['Zebulon'])
    await registry.changes.redact(await entryWith(registry, field), { reason })
    expect(await held(database, ['Zebulon'])).toEqual([])
    expect((await registry.changes.verify()).problems).toEqual([])
    const copy = await emptyRegistry()
    await copy.mirror.follow(await Array.fromAsync(registry.changes.since(0)))
    expect(await copy.changes.head()).toEqual(await registry.changes.head())
    expect((await copy.changes.verify()).problems).toEqual([])
  })

  test('a word goes from the index when nobody else uses it, and stays when somebody does', async () => {
    const { database, registry } = await fileRegistry()
    await placed(registry, { name: 'Quackenbush Zebulon' })
    await placed(registry, { name: 'Old Zebulon' })
    await registry.changes.redact(await entryWith(registry, 'name'), { reason, fields: ['name'] })
    expect(indexed(database, new Set(['quackenbush', 'zebulon', 'old']))).toEqual(['quackenbush', 'zebulon'])
    await registry.changes.redact(1, { reason, fields: ['name'] })
    expect(indexed(database, new Set(['quackenbush', 'zebulon', 'old']))).toEqual([])
  })

  test('a block that followed keeps its own reason', async () => {
    const registry = await emptyRegistry()
    await registry.users.create({ name: 'Ada' })
    await registry.users.block('u1', { reason: 'Zebulon' }, token())
    const first = (await registry.changes.head()).id
    await registry.users.block('u1', { reason: 'Spam' }, token())
    await registry.changes.redact(first, { reason })
    expect(await refusal(registry.waypoints.create(square, user('u1')))).toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'Spam' },
    })
    expect((await registry.changes.verify()).problems).toEqual([])
  })

  test('importing the same file again does not bring it back, wherever a merge moved the record', async () => {
    const { database, registry } = await fileRegistry()
    const row: ImportRow = {
      row: 1,
      ref: 'a',
      input: { ...square, name: 'Zebulon Well', description: 'Zebulon lives here' },
    }
    const imported = async (): Promise<void> => {
      const run = await registry.imports.start({
        source: { name: 'List', license: 'CC0-1.0' },
        recheck: true,
      })
      await run.apply([row])
      await run.finish({ counts: {}, missing: 'mark' })
    }
    await imported()
    const created = await entryWith(registry, 'name')
    await placed(registry, { name: 'Kept' })
    await registry.waypoints.merge(1, { into: 2, reason: 'same' }, token())
    await registry.changes.redact(created, { reason })
    expect(await held(database, ['Zebulon'])).toEqual([])
    await imported()
    await imported()
    expect(await held(database, ['Zebulon'])).toEqual([])
    expect(await registry.waypoints.get(2)).toMatchObject({ name: 'Kept' })
    await registry.waypoints.restore(1, { reason: 'two fountains' }, token())
    await imported()
    expect(await held(database, ['Zebulon'])).toEqual([])
    expect((await registry.changes.verify()).problems).toEqual([])
  })
})

describe('the list of erasures beside the database', () => {
  test('has a line for each field that an entry lost, which only its owner can read', async () => {
    const { database, registry } = await fileRegistry()
    await placed(registry, { description: 'Zebulon' })
    await registry.changes.redact(1, { reason })
    await registry.changes.scrub()
    const list = await readFile(`${database}.erased`, 'utf8')
    expect(list).toMatch(/^1 description [0-9a-f]{64}\n1 name [0-9a-f]{64}\n$/u)
    expect((await stat(`${database}.erased`)).mode & 0o777).toBe(0o600)
  })

  test('is completed by scrub when it was lost, and after a line that a crash cut off', async () => {
    const { database, registry } = await fileRegistry()
    await placed(registry, { description: 'Zebulon' })
    await registry.changes.redact(1, { reason })
    const list = await readFile(`${database}.erased`, 'utf8')
    await writeFile(`${database}.erased`, list.slice(0, 40), { mode: 0o600 })
    await chmod(`${database}.erased`, 0o644)
    await registry.changes.scrub()
    const lines = (await readFile(`${database}.erased`, 'utf8')).split('\n')
    expect(lines).toEqual(expect.arrayContaining(list.split('\n')))
    expect((await stat(`${database}.erased`)).mode & 0o777).toBe(0o600)
  })

  test.skipIf(process.platform === 'win32')('follows no symbolic link', async () => {
    const { database, registry } = await fileRegistry()
    await placed(registry, { description: 'Zebulon' })
    const elsewhere = path.join(path.dirname(database), 'elsewhere')
    await writeFile(elsewhere, '')
    await symlink(elsewhere, `${database}.erased`)
    await expect(registry.changes.redact(1, { reason })).rejects.toThrow('ELOOP')
    expect(await readFile(elsewhere, 'utf8')).toBe('')
  })

  test('is not there for a registry in memory', async () => {
    const registry = await emptyRegistry()
    await placed(registry)
    await registry.changes.redact(1, { reason })
    expect(existsSync(':memory:.erased')).toBe(false)
  })
})
