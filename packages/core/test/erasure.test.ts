import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { afterEach, expect, test } from 'vitest'
import { openRegistry, token, type Registry } from '@openfountain/core'
import {
  emptyRegistry,
  newestOn,
  placed,
  refusal,
  square,
  temporaryFolder,
  tickingClock,
} from '@openfountain/testing/registry'
import { RandomHistory } from '@openfountain/testing/histories/random-history'
import { fold } from '../src/search/letters.ts'
import { counted, effort, seed } from '@openfountain/testing/effort'

const repeated = effort === 'quick' ? { timeout: 60_000 } : { tags: ['long' as const] }

const reason = 'Asked for by the person'

/** The possible forms of a text in a file: plain, in JSON, and folded for search. */
const formsOf = (text: string): string[] => [text, JSON.stringify(text).slice(1, -1), fold(text)]

async function held(database: string, texts: Iterable<string>): Promise<string[]> {
  const files = [database, `${database}-wal`, `${database}-journal`].filter((file) => existsSync(file))
  const contents = await Promise.all(files.map((file) => readFile(file)))
  return [...texts].filter((text) =>
    formsOf(text).some((form) => contents.some((content) => content.includes(form))),
  )
}

/** The words that are in the search indexes. A file only has the suffixes of words with a common prefix. */
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

async function entryWith(registry: Registry, field: string): Promise<number> {
  const entries = await Array.fromAsync(registry.changes.since(0))
  return entries.findLast(({ fields }) => fields[field] !== undefined && fields[field] !== null)?.id ?? 0
}

test(
  'after a redaction the text is nowhere, after many random writes of all kinds, while another process reads',
  repeated,
  async () => {
    const writes = counted({ quick: 500, all: 10_000, full: 10_000 })
    const database = path.join(await temporaryFolder(), `seed-${seed}.db`)
    const history = new RandomHistory(seed)
    const registry = await openRegistry({ database, clock: tickingClock(), durability: 'relaxed' })
    const kinds = history.kinds.filter((kind) => kind !== 'redact' && kind !== 'revert person')
    while ((await registry.changes.head()).id < writes) {
      // Reverting up to 500 entries is slow, and therefore rare.
      const isSweep = history.chance.below(2000) === 0
      await history.step(registry, isSweep ? ['revert person'] : kinds)
    }
    for (let redactions = 0; redactions < 25;)
      if ((await history.step(registry, ['redact'])) !== undefined) redactions++

    const other = await reader(database)
    const { id } = await placed(registry, { name: 'Ünï0Zq', description: 'Uni00Zq' })
    const failure = await refusal(registry.changes.redact(await entryWith(registry, 'name'), { reason }))
    expect(failure).toMatchObject({
      code: 'STORAGE_NOT_ERASED',
      details: { leftovers: [{ place: expect.stringContaining('the write-ahead log') as unknown }] },
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
  },
)

async function personal(): Promise<{ registry: Registry; database: string }> {
  const { database, registry } = await fileRegistry()
  await placed(registry, { name: 'Zebulon Quackenbush', description: 'lives at Nightingale 7' })
  await placed(registry, { name: 'Other' })
  return { registry, database }
}

test('redacting of several entries passes over what went with another, and names all that lost text', async () => {
  const { registry, database } = await personal()
  const first = (await newestOn(registry, 1)).id
  await registry.waypoints.update(1, { description: null }, token())
  await registry.waypoints.update(1, { description: 'lives at Nightingale 7' }, token())
  const { id: again } = await newestOn(registry, 1)
  await registry.waypoints.update(2, { description: 'Zebulon lives beside it' }, token())
  const { id: other } = await newestOn(registry, 2)
  const texts = [first, again, other].map((id) => ({ id, fields: ['description'] }))
  const known = await registry.changes.head()
  expect(await registry.changes.redactAll(texts, { reason })).toEqual({ entries: [first, again, other] })
  expect(await registry.changes.head(known.id)).toEqual(known)
  const { redacted } = await registry.changes.get(first)
  expect(redacted).toMatchObject({ reason, fields: ['description'] })
  expect(await registry.changes.redactAll(texts, { reason })).toEqual({ entries: [] })
  expect(await registry.changes.verify()).toMatchObject({ ok: true, redacted: 3 })
  expect(await held(database, ['Nightingale', 'beside it'])).toEqual([])
})

test.each([
  ['while it waits to be indexed', 0],
  ['when it was indexed, and others behind it', 2],
])('redacting leaves no byte of the text in the file, %s', async (_when, batches) => {
  const { registry, database } = await personal()
  const run = await registry.imports.start({ source: { name: 'City', license: 'CC0-1.0' } })
  // A batch indexes the backlog, and writes its own segments.
  for (let row = 1; row <= batches; row++)
    await run.apply([{ row, ref: `n${row}`, input: { ...square, name: `Brunnen ${row}` } }])
  await registry.changes.redact(1, { reason })
  await registry.close()
  const bytes = (await readFile(database)).toString('latin1').toLowerCase()
  for (const word of ['zebulon', 'quackenbush', 'nightingale']) expect(bytes).not.toContain(word)
})

test('the list of erasures beside the database is completed by scrub when it was lost, and after a line that a crash cut off', async () => {
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

test.skipIf(process.platform === 'win32')(
  'the list of erasures beside the database follows no symbolic link',
  async () => {
    const { database, registry } = await fileRegistry()
    await placed(registry, { description: 'Zebulon' })
    const elsewhere = path.join(path.dirname(database), 'elsewhere')
    await writeFile(elsewhere, '')
    await symlink(elsewhere, `${database}.erased`)
    await expect(registry.changes.redact(1, { reason })).rejects.toThrow('ELOOP')
    expect(await readFile(elsewhere, 'utf8')).toBe('')
  },
)
