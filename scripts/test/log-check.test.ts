/** @module-tag others */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { openRegistry, token, user, type LoggedEntry } from '@openfountain/core'
import { canonicalJson, commitmentsOf } from '@openfountain/core/internal'
import { exportRegistry } from '@openfountain/exchange'
import { createApp, nodeListener } from '@openfountain/server'
import { afterwards } from '@openfountain/testing/afterwards'
import { logSigner, newSigningKey, verifierText } from '@openfountain/tlog'
import { tickingClock } from '@openfountain/testing/registry'
import { portOf } from '@openfountain/testing/listening'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { blocksOf } from '../packages/blocks.ts'
import { root } from '../packages/folders.ts'

const run = promisify(execFile)

async function checked(...words: readonly string[]): Promise<readonly [code: number, text: string]> {
  const options = { env: { ...process.env, PYTHONUTF8: '1' }, maxBuffer: 1_000_000 }
  try {
    return [0, (await run('python3', [program, ...words], options)).stdout]
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return [code, `${stdout}${stderr}`]
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

async function checkedAfter(change: (entries: LoggedEntry[]) => readonly unknown[]) {
  const changed = join(folder, 'changed.ndjson.gz')
  const lines = change(await linesOf(file)).map((entry) => `${JSON.stringify(entry)}\n`)
  await writeFile(changed, gzipSync(lines.join('')))
  return checked(changed)
}
const checkedWith = (id: number, change: (entry: LoggedEntry) => object) =>
  checkedAfter((entries) => entries.map((entry) => (entry.id === id ? change(entry) : entry)))

const folder = newFolder()
let program = join(folder, 'verify.py')
const page = blocksOf(await readFile(join(root, 'docs/log.md'), 'utf8'))
const [verify, proof] = page.filter(({ language }) => language === 'python')
await writeFile(program, verify?.code ?? '')
await writeFile(join(folder, 'proof.py'), proof?.code ?? '')
const signer = await logSigner(await newSigningKey('fountains.example'))
const registry = await openRegistry({
  database: ':memory:',
  clock: tickingClock(),
  signer: async () => signer,
})
const { changes, imports, reviews, users, waypoints } = registry
const ada = user((await users.create({ name: 'Ada', xp: 200 })).id)
const place = { latitude: 55.7, longitude: 13.19 }
const lineSeparators = 'Line\u2028separator\u2029 and "quotes" \\ \u{1f30a} é'
await waypoints.create({ latitude: 1e-7, longitude: -0.000_001_5, name: lineSeparators }, token())
await waypoints.create({ ...place, name: 'Small', amenities: ['tap', 'Ünusual thing'] }, token())
const described = { name: 'Grete Geheim', description: '0664 555 0199', latitude: -0 }
await waypoints.create({ ...place, ...described }, token())
const middle = await headText()
await waypoints.update(3, { region: 'Lund', description: null }, ada)
await reviews.create({ bubblerId: 1, rating: 4, comment: 'Cold\tand clear' }, ada)
const city = { name: 'city.csv', bytes: 100, sha256: 'a'.repeat(64) }
const imported = await imports.start({ source: { name: 'City', license: 'CC-BY-4.0' }, file: city })
await imported.apply([{ row: 1, ref: 'c-1', input: { ...place, name: 'City fountain' } }])
await imported.finish({ counts: {}, missing: 'keep' })
const redactedName = (await changes.list({ bubblerId: 3, action: 'created' })).logs[0]?.id ?? 0
await changes.redact(redactedName, { reason: 'A private name', fields: ['name'] })
await changes.redact(redactedName, { reason: 'A private number', fields: ['description'] })
await waypoints.merge(2, { into: 1, reason: 'The same' }, token())
await waypoints.restore(2, { reason: 'It is not' }, token())
await waypoints.delete(3, token())
await changes.redact(redactedName, { reason: 'A garden', fields: ['latitude', 'longitude'] })
const out = join(folder, 'export')
await exportRegistry(registry, { out, license: 'ODbL-1.0', permitted: ['City'] })
const file = join(out, 'changes.ndjson.gz')

afterAll(() => registry.close())

describe('the program of docs/log.md', () => {
  it('finds an exported log sound, redactions included, and its head to be the registry’s', async () => {
    const head = await headText()
    const sound = `${head.split(':')[0]} entries are sound, 1 of them redacted, 0 withheld\nThe head is ${head}\n`
    expect(await checked(file, head)).toEqual([0, sound])
  })

  it('finds that the log continues older heads, and does not continue others', async () => {
    const empty = '0:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    for (const known of [empty, middle]) expect((await checked(file, known))[0], known).toBe(0)
    const forged = middle.replace(/[0-9a-f]$/u, (digit) => (digit === '0' ? '1' : '0'))
    for (const known of [forged, `999:${middle.split(':')[1]}`])
      expect(await checked(file, middle, known)).toEqual([
        1,
        `The log never had the head ${known}: history was rewritten, or this is another registry's\n`,
      ])
  })

  it('finds the pages of the API sound', async () => {
    const server = createServer(nodeListener(createApp(registry)))
    const address = `http://127.0.0.1:${await portOf(server)}/api/changes`
    afterwards(() => server.close())
    expect(await checked(address, middle)).toEqual([0, expect.stringContaining(await headText())])
    server.closeAllConnections()
  })

  it('finds logs sound whose entries are withheld by a licence', async () => {
    const out = join(folder, 'split')
    await exportRegistry(registry, { out, splitByLicense: true })
    const split = join(out, 'ODbL-1.0', 'changes.ndjson.gz')
    const said = expect.stringMatching(/, [1-9]\d* withheld\n/u) as string
    expect(await checked(split, await headText())).toEqual([0, said])
  })

  it('finds another head when any member of an entry is changed', async () => {
    for (const change of [
      { at: '2031-01-01T00:00:00.001Z' },
      { by: 'eve' },
      { subject: 'area' },
      { subjectId: 9 },
      { action: 'unverified' },
      { fields: { name: 'Other' } },
      { seed: '0'.repeat(32) },
      { awards: [['eve', 'createWaypoint', 1000]] },
      { links: { reverts: 1 } },
    ]) {
      const [, text] = await checkedWith(2, (entry) => ({ ...entry, ...change }))
      expect([change, text.includes(await headText())]).toEqual([change, false])
    }
  })

  it('refuses a log in which an entry is missing, is there twice or goes back in time', async () => {
    const missing = await checkedAfter((entries) => entries.filter(({ id }) => id !== 2))
    expect(missing).toEqual([1, 'Entry 3 is not sound: entry 2 is expected here\n'])
    const [twice] = await checkedAfter((entries) => [...entries, entries.at(-1)])
    expect(twice).toBe(1)
    const older = await checkedWith(4, (entry) => ({ ...entry, at: '2020-01-01T00:00:00.000Z' }))
    expect(older).toEqual([1, 'Entry 4 is not sound: it is older than the one before it\n'])
  })

  it('refuses a field that is missing without a redaction, although the tree is the same', async () => {
    const [code, text] = await checkedWith(3, ({ fields, seed, ...rest }) => ({
      ...rest,
      fields: {},
      salts: {},
      commitments: commitmentsOf({ fields, seed }),
    }))
    expect(code).toBe(1)
    expect(text).toMatch(/^Entry 3 has lost \w+, and no entry redacts it\n$/u)
  })

  it('refuses a field that is there in spite of a redaction, and one without a salt', async () => {
    const renamed = await checkedAfter((entries) =>
      entries.map((entry) => {
        const { names } = entry.fields
        if (entry.subject !== 'entry' || !Array.isArray(names) || !names.includes('name')) return entry
        return { ...entry, fields: { ...entry.fields, names: [...(names as string[]), 'approved'] } }
      }),
    )
    expect(renamed).toEqual([1, `Entry ${redactedName} still has approved, which an entry redacts\n`])
    const [code, text] = await checkedWith(2, (entry) => ({ ...entry, seed: undefined }))
    expect(code).toBe(1)
    expect(text).toMatch(/^Entry 2 is not sound/u)
  })

  it('finds what a proof.json has in the log, redactions included, and nothing that was changed in it', async () => {
    program = join(folder, 'proof.py')
    expect((await readFile(program, 'utf8')).split('\n').length).toBeLessThanOrEqual(60)
    afterwards(() => void (program = join(folder, 'verify.py')))
    const [key = ''] = (await registry.changes.keys()) ?? []
    const { id } = await registry.changes.head()
    const proof = await registry.changes.prove([1, redactedName, id])
    const file = join(folder, 'proof.json')
    const checkedWith = async (given: unknown, by = key) => {
      await writeFile(file, JSON.stringify(given))
      return checked(file, by)
    }
    expect(await checkedWith(proof)).toEqual([
      0,
      `3 entries are in the log of fountains.example with ${id} entries\n`,
    ])
    const [first, ...others] = proof.entries
    const forged = { ...first, fields: { ...first?.fields, name: 'Forged' } }
    expect(await checkedWith({ ...proof, entries: [forged, ...others] })).toEqual([
      1,
      'Entry 1 is not in the log of the checkpoint\n',
    ])
    const other = await logSigner(await newSigningKey('fountains.example'))
    const [another] = other.keys.map(verifierText)
    const unsigned = [1, 'The checkpoint is not signed by this key\n']
    expect(await checkedWith(proof, another)).toEqual(unsigned)
    const larger = proof.checkpoint.replace(`\n${id}\n`, `\n${id + 1}\n`)
    expect(await checkedWith({ ...proof, checkpoint: larger })).toEqual(unsigned)
  })

  it('writes values as RFC 8785 does', async () => {
    const sampled = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.jsonValue())
    const small = [0, -0, 1e-7, 1e-6, 123e-8, 5e-324]
    const large = [1e21, 1.797_693_134_862_315_7e308, 2 ** 53, 2 ** 53 + 2, -1.5e300]
    const names = { '\u{1f30a}': 1, '\ufb33': 2, ö: 3, '1': 4, '': 5, '\r': 6, '\u0080': 7 }
    const texts = [names, '\u007f\u0000\b\f\n\r\t"\\/\u2028']
    const all = [...small, ...large, ...texts, ...fc.sample(sampled, { seed: 8785, numRuns: 2000 })]
    const [given, printing] = [join(folder, 'values.json'), join(folder, 'values.py')]
    await writeFile(given, JSON.stringify(all))
    const [definitions = ''] = (await readFile(program, 'utf8')).split('\ndef H')
    const loop =
      'for value in json.load(open(sys.argv[1], encoding="utf-8")):\n    print(json.dumps(J(value)))\n'
    await writeFile(printing, `${definitions}\n${loop}`)
    const { stdout } = await run('python3', [printing, given], { maxBuffer: 20_000_000 })
    const written = stdout.trimEnd().split('\n')
    const read = JSON.parse(await readFile(given, 'utf8')) as unknown[]
    expect(written.map((line) => JSON.parse(line) as string)).toEqual(
      read.map((value) => canonicalJson(value)),
    )
  })
})
