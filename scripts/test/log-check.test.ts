/** @module-tag others */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import {
  openRegistry,
  token,
  user,
  type LoggedEntry,
  type Registry,
  type WaypointInput,
} from '@openfountain/core'
import { canonicalJson, commitmentsOf } from '@openfountain/core/internal'
import { exportRegistry } from '@openfountain/exchange'
import { createApp, nodeListener } from '@openfountain/server'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf } from '../packages/blocks.ts'
import { root } from '../packages/folders.ts'

const run = promisify(execFile)

interface Ending {
  readonly code: number
  readonly text: string
}

let folder: string
let program: string
let registry: Registry
let file: string
let middle: string
let redactedName: number

async function checked(...words: readonly string[]): Promise<Ending> {
  const options = { env: { ...process.env, PYTHONUTF8: '1' }, maxBuffer: 1_000_000 }
  try {
    const { stdout } = await run('python3', [program, ...words], options)
    return { code: 0, text: stdout }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, text: `${stdout}${stderr}` }
  }
}

const headText = async (size?: number): Promise<string> => {
  const { id, hash } = await registry.changes.head(size)
  return `${id}:${hash}`
}
const linesOf = async (path: string): Promise<LoggedEntry[]> =>
  gunzipSync(await readFile(path))
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LoggedEntry)

/** Checks the exported log after its entries were changed. */
async function checkedAfter(change: (entries: LoggedEntry[]) => readonly unknown[]): Promise<Ending> {
  const changed = join(folder, 'changed.ndjson.gz')
  const lines = change(await linesOf(file)).map((entry) => `${JSON.stringify(entry)}\n`)
  await writeFile(changed, gzipSync(lines.join('')))
  return checked(changed)
}
const without = (entry: LoggedEntry | undefined, name: keyof LoggedEntry): object =>
  Object.fromEntries(Object.entries(entry ?? {}).filter(([key]) => key !== name))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openfountain-log-check-'))
  program = join(folder, 'verify.py')
  const block = blocksOf(await readFile(join(root, 'docs/log.md'), 'utf8')).find(
    ({ language }) => language === 'python',
  )
  await writeFile(program, block?.code ?? '')
  let now = Date.parse('2026-01-05T08:00:00Z')
  registry = await openRegistry({ database: ':memory:', clock: () => new Date((now += 1000)) })
  const { waypoints, changes, imports } = registry
  const ada = await registry.users.create({ name: 'Ada', xp: 200 })
  const create = (input: Partial<WaypointInput> & { readonly name: string }) =>
    waypoints.create({ latitude: 55.7, longitude: 13.19, ...input }, token())
  await create({ name: 'Line\u2028separator\u2029 and "quotes" \\ \u{1f30a} é' })
  await create({
    name: 'Small',
    latitude: 1e-7,
    longitude: -0.000_001_5,
    amenities: ['tap', 'Ünusual thing'],
  })
  await create({ name: 'Grete Geheim', description: '0664 555 0199', latitude: -0 })
  middle = await headText()
  await waypoints.update(3, { region: 'Lund', description: null }, user(ada.id))
  await registry.reviews.create({ bubblerId: 1, rating: 4, comment: 'Cold\tand clear' }, user(ada.id))
  const source = { name: 'City', license: 'CC-BY-4.0' }
  const imported = await imports.start({
    source,
    file: { name: 'city.csv', bytes: 100, sha256: 'a'.repeat(64) },
  })
  await imported.apply([
    { row: 1, ref: 'c-1', input: { name: 'City fountain', latitude: 55.71, longitude: 13.2 } },
  ])
  await imported.finish({ counts: {}, missing: 'keep' })
  const created = async (bubblerId: number) =>
    (await changes.list({ bubblerId, action: 'created' })).logs[0]?.id ?? 0
  redactedName = await created(3)
  await changes.redact(redactedName, { reason: 'A private name', fields: ['name'] })
  await changes.redact(redactedName, { reason: 'A private number', fields: ['description'] })
  await waypoints.merge(2, { into: 1, reason: 'The same' }, token())
  await waypoints.restore(2, { reason: 'It is not' }, token())
  await waypoints.update(1, { name: 'Spam' }, user(ada.id))
  const [spam] = (await changes.list({ bubblerId: 1, action: 'edited' })).logs
  await changes.revert(spam?.id ?? 0, { reason: 'Spam' }, token())
  await waypoints.delete(3, token())
  await changes.redact(redactedName, { reason: 'A garden', fields: ['latitude', 'longitude'] })
  const out = join(folder, 'export')
  await exportRegistry(registry, { out, license: 'ODbL-1.0', permitted: ['City'] })
  file = join(out, 'changes.ndjson.gz')
})

afterAll(async () => {
  await registry.close()
  await rm(folder, { recursive: true, force: true })
})

describe('the program of docs/log.md', () => {
  it('finds an exported log sound, redactions included, and its head to be the registry’s', async () => {
    const { code, text } = await checked(file, await headText())
    expect(text).toBe(
      `${(await registry.changes.head()).id} entries are sound, 1 of them redacted, 0 withheld\nThe head is ${await headText()}\n`,
    )
    expect(code).toBe(0)
  })

  it('finds that the log continues older heads, and does not continue others', async () => {
    for (const known of ['0:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', middle])
      expect(await checked(file, known), known).toMatchObject({ code: 0 })
    const forged = middle.replace(/[0-9a-f]$/u, (digit) => (digit === '0' ? '1' : '0'))
    const longer = `999:${middle.split(':')[1]}`
    for (const known of [forged, longer])
      expect(await checked(file, middle, known)).toEqual({
        code: 1,
        text: `The log never had the head ${known}: history was rewritten, or this is another registry's\n`,
      })
  })

  it('finds the pages of the API sound', async () => {
    const server = createServer(nodeListener(createApp(registry)))
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    try {
      const { port } = server.address() as AddressInfo
      const address = `http://127.0.0.1:${port}/api/changes`
      expect(await checked(address, middle)).toEqual({
        code: 0,
        text: expect.stringContaining(await headText()),
      })
    } finally {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    }
  })

  it('finds logs sound whose entries are withheld by a licence', async () => {
    const out = join(folder, 'split')
    await exportRegistry(registry, { out, splitByLicense: true })
    const split = join(out, 'ODbL-1.0', 'changes.ndjson.gz')
    const withheld = (await linesOf(split)).filter((entry) => entry.withheld !== undefined)
    expect(withheld.length).toBeGreaterThan(0)
    expect(await checked(split, await headText())).toEqual({
      code: 0,
      text: expect.stringContaining(`, ${withheld.length} withheld\n`),
    })
  })

  it('finds another head when any member of any entry is changed', async () => {
    const changes: readonly [string, (entry: LoggedEntry) => object][] = [
      ['time', ({ at }) => ({ at: at.replace('000Z', '001Z') })],
      ['person', () => ({ by: 'eve' })],
      ['subject', () => ({ subject: 'area' })],
      ['id of the subject', () => ({ subjectId: 9 })],
      ['action', () => ({ action: 'unverified' })],
      [
        'value of a field',
        ({ fields }) => ({ fields: { ...fields, [Object.keys(fields)[0] ?? 'x']: 'Other' } }),
      ],
      ['seed', () => ({ seed: '0'.repeat(32) })],
      ['awards', () => ({ awards: [['eve', 'createWaypoint', 1000]] })],
      ['links', () => ({ links: { reverts: 1 } })],
    ]
    const head = await headText()
    for (const [name, change] of changes) {
      const { text } = await checkedAfter((entries) =>
        entries.map((entry) => (entry.id === 2 ? { ...entry, ...change(entry) } : entry)),
      )
      expect(text, name).not.toContain(head)
    }
  })

  it('refuses a log in which an entry is missing, is there twice, or goes back in time', async () => {
    expect(await checkedAfter((entries) => entries.filter(({ id }) => id !== 2))).toEqual({
      code: 1,
      text: 'Entry 3 is not sound: entry 2 is expected here\n',
    })
    expect(await checkedAfter((entries) => [...entries, entries.at(-1)])).toMatchObject({ code: 1 })
    const old = { at: '2020-01-01T00:00:00.000Z' }
    expect(
      await checkedAfter((entries) =>
        entries.map((entry) => (entry.id === 4 ? { ...entry, ...old } : entry)),
      ),
    ).toEqual({ code: 1, text: 'Entry 4 is not sound: it is older than the one before it\n' })
  })

  it('refuses a field that is missing without a redaction, although the tree is the same', async () => {
    const lost = await checkedAfter((entries) =>
      entries.map((entry) => {
        if (entry.id !== 3) return entry
        const { fields, seed, ...rest } = entry
        return { ...rest, fields: {}, salts: {}, commitments: commitmentsOf({ fields, seed }) }
      }),
    )
    expect(lost).toEqual({
      code: 1,
      text: expect.stringMatching(/^Entry 3 has lost \w+, and no entry redacts it\n$/u),
    })
  })

  it('refuses a field that is there in spite of a redaction, and one without a salt', async () => {
    const renamed = await checkedAfter((entries) =>
      entries.map((entry) => {
        const { names } = entry.fields
        if (entry.subject !== 'entry' || !Array.isArray(names) || !names.includes('name')) return entry
        return { ...entry, fields: { ...entry.fields, names: [...(names as string[]), 'approved'] } }
      }),
    )
    expect(renamed).toEqual({
      code: 1,
      text: `Entry ${redactedName} still has approved, which an entry redacts\n`,
    })
    const bare = await checkedAfter((entries) =>
      entries.map((entry) => (entry.id === 2 ? without(entry, 'seed') : entry)),
    )
    expect(bare).toEqual({ code: 1, text: expect.stringMatching(/^Entry 2 is not sound/u) })
  })
})

it('the program of docs/log.md writes values as RFC 8785 does', async () => {
  const values = fc.sample(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.jsonValue()), {
    seed: 8785,
    numRuns: 2000,
  })
  const edges = [
    0,
    -0,
    1e21,
    1e-7,
    1e-6,
    123e-8,
    5e-324,
    1.797_693_134_862_315_7e308,
    2 ** 53,
    2 ** 53 + 2,
    -1.5e300,
  ]
  const names = { '\u{1f30a}': 1, '\ufb33': 2, ö: 3, '1': 4, '': 5, '\r': 6, '\u0080': 7 }
  const all = [...edges, names, '\u007f\u0000\b\f\n\r\t"\\/\u2028', ...values]
  const given = join(folder, 'values.json')
  await writeFile(given, JSON.stringify(all))
  const [definitions = ''] = (await readFile(program, 'utf8')).split('\ndef H')
  const printing = join(folder, 'values.py')
  await writeFile(
    printing,
    `${definitions}\nfor value in json.load(open(sys.argv[1], encoding="utf-8")):\n    print(json.dumps(J(value)))\n`,
  )
  const { stdout } = await run('python3', [printing, given], { maxBuffer: 20_000_000 })
  const written = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as string)
  const read = JSON.parse(await readFile(given, 'utf8')) as unknown[]
  expect(written).toEqual(read.map((value) => canonicalJson(value)))
})
